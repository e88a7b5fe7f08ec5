// `a(rows)` and `a(a > 2.f)` of tensors in memory: lazy where they are read, and assignable.
#pragma once

#include <ricci/expr/index.hpp>
#include <ricci/expr/reify.hpp>
#include <ricci/ops/gather.hpp>
#include <ricci/shape/axes.hpp>

RICCI_OPTIMIZED
namespace ricci {
inline namespace RICCI_ABI {

// An index that has to outlive the call: small tensors in place are copied.
template <class I>
RICCI_INLINE constexpr auto held_index(I const& index) {
  if constexpr (requires {
                  requires !I::shared && I::whole;
                  index.extent_values();
                })
    return I(index);
  else
    return held(index);
}

// How rows are written: what is there becomes y, or is combined with it.
struct replaces {
  static constexpr auto name = "assignment to rows";
  template <class T>
  RICCI_INLINE static constexpr void write(T& x, T const& y) {
    x = y;
  }
  // the same where elements are not within reach, on the device
  template <class V, class X>
  static constexpr X const& combined(V const&, X const& x) {
    return x;
  }
  template <class Places, class V, class X, class... Index>
  static constexpr auto on_values(V const& v, X const& x, Index const&... index) {
    return call_operation<put_rows_function<Places>>(no_attributes{}, v, x, index...);
  }
};
template <class Op>
struct combines {
  static constexpr auto name = Op::name;
  template <class T>
  RICCI_INLINE static constexpr void write(T& x, T const& y) {
    static_assert(ir::takes_complex<Op> || !is_complex(dtype_of<T>), "complex numbers have no order");
    if constexpr (std::is_same_v<T, bool>) {
      static_assert(
          requires { Op::on_booleans(x, y); }, "conditions have no difference: ! negates one");
      x = static_cast<bool>(Op::on_booleans(x, y));
    } else {
      using C = type_of<arithmetic_type(dtype_of<T>)>;
      x = static_cast<T>(Op::kernel(static_cast<C>(x), static_cast<C>(y)));
    }
  }
  template <class V, class X>
  static constexpr auto combined(V const& v, X const& x) {
    return Op{}(v, with_elements<typename V::value_type>(x));
  }
  template <class Places, class V, class X, class... Index>
  static constexpr auto on_values(V const& v, X const& x, Index const&... index) {
    constexpr bool subtracts = std::is_same_v<Op, subtract_t>;
    static_assert(subtracts || std::is_same_v<Op, add_t>,
                  "on the device rows that may repeat are added to or subtracted from");
    if constexpr (subtracts)
      return call_operation<put_rows_function<Places, true>>(no_attributes{}, v, negative(x), index...);
    else
      return call_operation<put_rows_function<Places, true>>(no_attributes{}, v, x, index...);
  }
};

// Rows of a view along an axis, in the order that an index tensor gives.
template <class View, int Axis, class Index>
class gathered : public node<take_t, along_axis<Axis>, View, Index>, public accumulates<gathered<View, Axis, Index>> {
  using base = node<take_t, along_axis<Axis>, View, Index>;

 public:
  RICCI_INLINE constexpr gathered(View const& v, Index const& index) : base(along_axis<Axis>{}, v, index) {}
  constexpr gathered(gathered const&) = default;

  template <class X>
  requires operands<X>
  constexpr gathered& operator=(X const& x) {
    (void)sizeof(keeps_imaginary_parts<typename gathered::value_type, X>);
    write<replaces>(x);
    return *this;
  }
  constexpr gathered& operator=(gathered const& x) { return *this = static_cast<base const&>(x); }
  template <class Op, class X>
  constexpr void accumulate(X const& x) {
    (void)sizeof(keeps_imaginary_parts<typename gathered::value_type, X>);
    write<combines<Op>>(x);
  }

 private:
  template <class How, class X>
  constexpr void write(X const& x) {
    assign_rows<index_places<Axis, Axis>, How>(expr::operand<0>(this->operands()), x,
                                               expr::operand<1>(this->operands()));
  }
};

// Elements and rows of a view that several index tensors name, `Places` saying which axes and where theirs go. What is
// read of it is copied, alone or before an expression that it stands in. What that needs of containers stands in
// tensor/picked.hpp.
template <class Places, class View, class... Index>
class picked : public accumulates<picked<Places, View, Index...>> {
 public:
  using value_type = typename View::value_type;
  using extents = extents_of_call<take_at_function<Places>, no_attributes, View, Index...>;
  using places = Places;
  static constexpr int rank = extents::rank;
  using index_type = expr::operand_list<std::make_integer_sequence<int, sizeof...(Index)>, Index...>;

  constexpr picked(View const& v, Index const&... index) : view_(v), index_(index...) {}
  constexpr picked(picked const&) = default;

  template <class X>
  requires operands<X>
  constexpr picked& operator=(X const& x) {
    (void)sizeof(keeps_imaginary_parts<typename picked::value_type, X>);
    write<replaces>(x, std::make_integer_sequence<int, sizeof...(Index)>{});
    return *this;
  }
  constexpr picked& operator=(picked const& x) { return *this = eval(x); }
  template <class Op, class X>
  constexpr void accumulate(X const& x) {
    (void)sizeof(keeps_imaginary_parts<typename picked::value_type, X>);
    write<combines<Op>>(x, std::make_integer_sequence<int, sizeof...(Index)>{});
  }

  constexpr index_t shape(index_t axis) const { return shape()[std::size_t(axis_named("shape", axis, rank))]; }
  constexpr shape_values<rank> shape() const { return shape_of_expression(*this); }
  // an element, or a part
  template <class... I>
  requires(rank > 0) constexpr auto operator()(I const&... items) const { return index_node(*this, items...); }
  constexpr auto T() const {
    require_matrix<rank>();
    return matrix_transpose(*this);
  }
  constexpr value_type item() const requires(rank == 0) { return evaluate_item(*this); }
  template <Arithmetic U>
  requires(rank == 0) constexpr explicit operator U() const { return scalar::convert<U>(evaluate_item(*this)); }

  View const& whole() const { return view_; }
  // f(view, tensors...)
  template <class F>
  constexpr decltype(auto) with_tensors(F const& f) const {
    return with_tensors(f, std::make_integer_sequence<int, sizeof...(Index)>{});
  }

 private:
  template <class How, class X, int... K>
  constexpr void write(X const& x, std::integer_sequence<int, K...>) {
    assign_rows<Places, How>(view_, x, expr::operand<K>(index_)...);
  }
  template <class F, int... K>
  constexpr decltype(auto) with_tensors(F const& f, std::integer_sequence<int, K...>) const {
    return f(view_, expr::operand<K>(index_)...);
  }

  View view_;
  index_type index_;
};

}  // namespace RICCI_ABI

template <class View, int Axis, class Index>
inline constexpr bool is_native_tensor<gathered<View, Axis, Index>> = true;
template <class View, int Axis, class Index>
inline constexpr bool is_expression<gathered<View, Axis, Index>> = true;
template <class Places, class View, class... Index>
inline constexpr bool is_native_tensor<picked<Places, View, Index...>> = true;
template <class Places, class View, class... Index>
RICCI_INLINE constexpr picked<Places, View, Index...> held(picked<Places, View, Index...> const& x) {
  return x;
}
namespace expr {
template <class View, int Axis, class Index>
struct reified<gathered<View, Axis, Index>> : reified<node<take_t, along_axis<Axis>, View, Index>> {};
template <class Places, class View, class... Index>
struct reified<picked<Places, View, Index...>>
    : deferred_argument<typename View::value_type, typename picked<Places, View, Index...>::extents, true, true> {};
}  // namespace expr

inline namespace RICCI_ABI {

// What index tensors that are held name of a view.
template <class Places, class View, class... Index>
constexpr auto rows_named(View const& v, Index const&... index) {
  if constexpr (Places::is_take)
    return gathered<View, Places::place, Index...>(v, index...);
  else if constexpr (requires { View::memory_space; })
    return call_operation<take_at_function<Places>>(no_attributes{}, v, index...);
  else
    return picked<Places, View, Index...>(v, index...);
}
template <class X, class... Items>
requires RowItems<Items...>
constexpr auto index_tensor(X& x, Items const&... items) {
  using tensors = shapes::tensor_items<typename X::extents, Items...>;
  auto const part = index_tensor(x, shapes::basic_item(items)...);
  return tensors::with_tensors(
      [&](auto const&... index) { return rows_named<typename tensors::places>(part, held_index(index)...); }, items...);
}

// The parts of a view where a mask of its leading axes is true, in row-major order: (count, rest...), of order 1 where
// the mask has all axes. What that needs of containers stands in tensor/masked.hpp.
template <class View, class Mask>
class masked : public accumulates<masked<View, Mask>> {
  struct shape_in_type {
    static constexpr shape_t value = [] {
      shape_t s{1, {dyn}};
      for (int k = rank_of<Mask>; k < View::rank; ++k) s.push(View::extents::extent(k));
      return s;
    }();
  };

 public:
  using value_type = typename View::value_type;
  using extents = extents_of_shape<shape_in_type>;
  static constexpr int rank = extents::rank;

  constexpr masked(View const& v, Mask const& m) : view_(v), mask_(m) {}
  masked(masked const&) = default;

  // a number, or what is broadcast to the parts
  template <class X>
  requires operands<X> masked const& operator=(X const& x) const {
    (void)sizeof(keeps_imaginary_parts<typename masked::value_type, X>);
    assign_masked(view_, mask_, x, replaces{});
    return *this;
  }
  masked const& operator=(masked const& x) const { return *this = eval(x); }
  template <class Op, class X>
  void accumulate(X const& x) const {
    (void)sizeof(keeps_imaginary_parts<typename masked::value_type, X>);
    assign_masked(view_, mask_, x, combines<Op>{});
  }

  index_t shape(int axis) const {
    int const k = axis_named("shape", axis, rank);
    return k > 0 ? view_.shape(k + rank_of<Mask> - 1) : static_cast<index_t>(sum(astype<std::int64_t>(mask_)).item());
  }
  shape_values<rank> shape() const { return shape_of_expression(*this); }
  // an element, or a part, of what is read
  template <class... I>
  auto operator()(I const&... items) const {
    return index_node(*this, items...);
  }
  View const& whole() const { return view_; }
  Mask const& mask() const { return mask_; }

 private:
  View view_;
  Mask mask_;
};

}  // namespace RICCI_ABI

template <class View, class Mask>
inline constexpr bool is_native_tensor<masked<View, Mask>> = true;
template <class View, class Mask>
RICCI_INLINE constexpr masked<View, Mask> held(masked<View, Mask> const& x) {
  return x;
}
namespace expr {
template <class View, class Mask>
struct reified<masked<View, Mask>>
    : deferred_argument<typename View::value_type, typename masked<View, Mask>::extents, true, true> {};
}  // namespace expr

inline namespace RICCI_ABI {

// `a(a > 2.f) += 1.f`, which would be read and written where both sides are one type: in one loop, for a mask names no
// element twice.
template <class View, class Mask>
requires(std::is_arithmetic_v<typename View::value_type> &&
         !std::is_same_v<typename View::value_type, bool>) masked<View, Mask>
&operator+=(masked<View, Mask>&& x, typename View::value_type const& y) {
  x.template accumulate<add_t>(y);
  return x;
}
template <class View, class Mask>
requires(std::is_arithmetic_v<typename View::value_type> &&
         !std::is_same_v<typename View::value_type, bool>) masked<View, Mask>
&operator-=(masked<View, Mask>&& x, typename View::value_type const& y) {
  x.template accumulate<subtract_t>(y);
  return x;
}
template <class View, class Mask>
requires(std::is_arithmetic_v<typename View::value_type> &&
         !std::is_same_v<typename View::value_type, bool>) masked<View, Mask>
&operator*=(masked<View, Mask>&& x, typename View::value_type const& y) {
  x.template accumulate<multiply_t>(y);
  return x;
}

template <class X, MaskIndex Mask>
constexpr auto index_tensor(X& x, Mask const& mask) {
  (void)sizeof(shapes::mask_fits<rank_of<Mask>, X::rank>);
  auto const whole = index_tensor(x);
  if constexpr (rank_of<Mask> <= X::rank) {
    auto const held_mask = held_index(mask);
    return masked<std::remove_const_t<decltype(whole)>, std::remove_const_t<decltype(held_mask)>>(whole, held_mask);
  } else {
    return whole;
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci
RICCI_OPTIMIZED_END
