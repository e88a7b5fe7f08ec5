// What a variable shows of itself. `x.value()` is read as a tensor wherever one is, and may be written to; whoever
// writes is counted, so that a statement that has read what was there before can say so. `x(0)`, `x(rc::range(0, 2))`
// are parts of a variable as operands of statements: their cotangents are added to that part of its gradient.
#pragma once

#include <ricci/autodiff/tape_state.hpp>
#include <ricci/tensor/assign.hpp>

namespace ricci {

namespace taped {
inline namespace RICCI_ABI {

// One element that is written to: `w.value()(0) += 1`.
template <class T>
class element_reference {
 public:
  element_reference(T& x, shared<variable_state> const& of) : x_(x), of_(of) {}
  element_reference(element_reference const&) = default;
  operator T() const { return x_; }
  T operator=(T x) const { return set(x); }
  T operator=(element_reference const& x) const { return set(x.x_); }
  T operator+=(T x) const { return set(static_cast<T>(x_ + x)); }
  T operator-=(T x) const { return set(static_cast<T>(x_ - x)); }
  T operator*=(T x) const { return set(static_cast<T>(x_ * x)); }
  T operator/=(T x) const { return set(static_cast<T>(x_ / x)); }

 private:
  T set(T x) const {
    ++of_->version();
    return x_ = x;
  }
  T& x_;
  shared<variable_state> of_;
};

// Elements of a variable: a view that only reads, but for what goes through here.
template <class T, class E, layout L>
class value_reference : public view<T const, E, L, true> {
  using base = view<T const, E, L, true>;

 public:
  value_reference(base const& x, shared<variable_state> const& of) : base(x), of_(of) {}
  value_reference(value_reference const&) = default;

  // writes the elements; the shape stays
  value_reference& operator=(value_reference const& x) { return write(static_cast<base const&>(x)); }
  template <class X>
  requires operands<X> value_reference& operator=(X const& x) { return write(x); }

  // an element, or a part
  template <class... I>
  requires(sizeof...(I) == base::rank && (std::is_integral_v<I> && ...)) element_reference<T>
  operator()(I... i) const { return {const_cast<T&>(base::operator()(i...)), of_}; }
  template <class... I>
  requires(sizeof...(I) == base::rank && (std::is_integral_v<I> && ...)) element_reference<T> at(I... i)
  const { return {const_cast<T&>(base::at(i...)), of_}; }
  template <class... I>
  requires(!(sizeof...(I) == base::rank && (std::is_integral_v<I> && ...))) auto operator()(I const&... items) const {
    return part(base::operator()(items...));
  }

 private:
  template <class F, layout M>
  value_reference<T, F, M> part(view<T const, F, M, true> const& x) const {
    return {x, of_};
  }
  template <class X>
  X part(X const& x) const {  // rows by index, which are read
    return x;
  }
  template <class X>
  value_reference& write(X const& x) {
    T* const p = const_cast<T*>(base::data());
    if constexpr (L == layout::row_major)
      assign(view<T, E, L, true>(p, base::extent_values(), base::owner(), base::execution()), x);
    else
      assign(view<T, E, L, true>(p, base::extent_values(), base::stride_values(), base::owner(), base::execution()), x);
    ++of_->version();
    return *this;
  }

  shared<variable_state> of_;
};

// The elements of a variable.
template <class V, class E>
view<V, E, layout::row_major, true> elements_of(core::shared_buffer const& memory) {
  expr::extent_storage<E> extents;
  for (int k = 0; k < E::rank; ++k) extents.set(k, memory.header().extents[k]);
  return {reinterpret_cast<V*>(memory.data()), extents, memory, memory.header().how.on_host()};
}

// Part of a variable as an operand.
template <class V, class E, layout L>
class variable_part {
 public:
  using value_type = V;
  using extents = E;
  static constexpr int rank = E::rank;
  using seen_type = view<V const, E, L, true>;

  variable_part(seen_type const& seen, shared<variable_state> const& of) : seen_(seen), of_(of) {}
  variable_part(variable_part const&) = default;
  template <class X>
  void operator=(X const&) const {
    static_assert(
        always_false<X>,
        "part of a variable is not assigned to: x.value()(...) = y writes to its elements, outside of what is "
        "recorded");
  }

  template <class... I>
  auto operator()(I const&... items) const {
    return part_of(seen_, of_, items...);
  }
  auto T() const {
    require_matrix<rank>();
    return matrix_transpose(*this);
  }
  index_t shape(int axis) const { return seen_.shape(axis); }
  shape_values<rank> shape() const { return seen_.shape(); }
  index_t size() const { return seen_.size(); }
  auto const& extent_values() const { return seen_.extent_values(); }
  V item() const requires(rank == 0) { return seen_.item(); }
  template <Arithmetic U>
  requires(rank == 0) explicit operator U() const { return U(seen_); }

  seen_type const& seen() const { return seen_; }
  shared<variable_state> const& state() const { return of_; }

 private:
  seen_type seen_;
  shared<variable_state> of_;
};

template <class T, class E, layout L>
variable_part<T, E, L> operand_of(view<T const, E, L, true> const& seen, shared<variable_state> const& of) {
  return {seen, of};
}
// x(items...) of the elements of a variable: an operand of a statement
template <class Seen, class... I>
auto part_of(Seen const& seen, shared<variable_state> const& of, I const&... items) {
  if constexpr ((MaskIndex<I> || ...)) {
    static_assert(always_false<Seen>,
                  "what a mask names of a variable has no shape before it runs: rc::where chooses element by element");
  } else if constexpr (RowItems<I...>) {
    using tensors = shapes::tensor_items<typename Seen::extents, I...>;
    auto const part = part_of(seen, of, shapes::basic_item(items)...);
    return tensors::with_tensors(
        [&](auto const&... index) { return rows_of_part<typename tensors::places>(part, held_index(index)...); },
        items...);
  } else {
    return operand_of(index_tensor(seen, items...), of);
  }
}
// (a node by its type: the tensors that name rows move into it)
template <class Places, class Part, class... Index>
auto rows_of_part(Part const& part, Index const&... index) {
  if constexpr (Places::is_take)
    return node<take_t, along_axis<Places::place>, Part, Index...>(along_axis<Places::place>{}, part, index...);
  else
    return node<take_at_function<Places>, no_attributes, Part, Index...>(no_attributes{}, part, index...);
}

}  // namespace RICCI_ABI
}  // namespace taped

template <class T, class E, layout L>
inline constexpr bool is_native_tensor<taped::value_reference<T, E, L>> = true;
template <class T, class E, layout L>
inline constexpr bool is_native_tensor<taped::variable_part<T, E, L>> = true;
template <class T, class E, layout L>
inline constexpr bool holds_variables<taped::variable_part<T, E, L>> = true;

namespace taped {
inline namespace RICCI_ABI {
template <class T, class E, layout L>
variable_part<T, E, L> held(variable_part<T, E, L> const& x) {
  return x;
}
}  // namespace RICCI_ABI
}  // namespace taped

namespace expr {
template <class T, class E, layout L>
struct reified<taped::variable_part<T, E, L>> : reified<view<T const, E, L, true>> {};
template <int A, class B, class T, class E, layout L>
void bind(B& b, taped::variable_part<T, E, L> const& x) {
  b.operands[A] = {reinterpret_cast<char*>(const_cast<T*>(x.seen().data())), x.seen().extent_values().data(),
                   x.seen().stride_data()};
  b.how = core::joined(b.how, x.seen().execution());
  if constexpr (requires { b.variables[A]; }) b.variables[A] = &x.state();
}
}  // namespace expr

}  // namespace ricci
