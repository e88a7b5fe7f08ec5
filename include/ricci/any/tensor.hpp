// A tensor whose element type and order are known at run time alone: `rc::any_tensor a = x;`. Its elements lie in
// row-major order in counted memory; copies are shares, of which one that is written gets memory of its own before.
// What is done with it: any/call.hpp.
#pragma once

#include <ricci/tensor/create.hpp>
#include <ricci/tensor/print.hpp>

namespace ricci {
inline namespace RICCI_ABI {

class any_tensor;

}  // namespace RICCI_ABI

template <>
inline constexpr bool is_any_tensor<any_tensor> = true;

inline namespace RICCI_ABI {

// An argument of an index of one.
template <class T>
concept AnyIndexItem = IndexItem<T> || is_any_tensor<T> ||(Tensor<T> && !is_symbol<T>);

class any_tensor {
 public:
  // nothing: of no type, which no function takes
  any_tensor() = default;
  // from any tensor, a copy, or from an expression, its value
  template <Tensor X>
  requires(!is_symbol<std::remove_cvref_t<X>>) any_tensor(X&& x)
      : any_tensor(eval_dynamic(x), dynamic_extents<rank_of<X>>{}) {}
  // from a number: order 0
  template <Arithmetic U>
  explicit any_tensor(U x) : any_tensor(dtype_of<element_t<U>>, shape_t{}) {
    element_t<U> const element = static_cast<element_t<U>>(x);
    __builtin_memcpy(owner_.data(), &element, sizeof element);
  }
  // from a type, extents (a std::vector, an array) and elements in row-major order, which are copied; value_error:
  // there are none (nullptr); shape_error: an order above 12
  template <class Extents>
  requires requires(Extents const& e) { e.data()[0] + index_t(e.size()); }
  any_tensor(ricci::dtype type, Extents const& extents, void const* elements)
      : any_tensor(type, shape_of(extents.data(), index_t(extents.size()))) {
    if (bytes() == 0) return;
    if (elements == nullptr) core::raise<value_error>(core::text() << "any_tensor: there are no elements to copy");
    __builtin_memcpy(owner_.data(), elements, std::size_t(bytes()));
  }

  ricci::dtype dtype() const { return type_; }
  int order() const { return shape_.rank; }
  int rank() const { return shape_.rank; }  // the same, as tensors call it
  // an extent; a negative axis counts from the last, and index_error where there is no such axis
  index_t shape(index_t axis) const { return shape_.extent[axis_named("shape", axis, shape_.rank)]; }
  // all of them
  shape_t const& shape() const { return shape_; }
  index_t size() const { return type_ == ricci::dtype::none ? 0 : size_of(shape_); }
  index_t bytes() const { return type_ == ricci::dtype::none ? 0 : size() * size_of(type_); }
  // the elements in row-major order
  void const* data() const { return data_; }

  // As a view of elements of T and order Order, which keeps them alive. value_error: they are of another type;
  // shape_error: the order is another one.
  template <class T, int Order>
  auto as() const {
    if (type_ != dtype_of<T>)
      core::raise<value_error>(core::text()
                               << "as: a tensor of " << name_of(type_) << ", not " << name_of(dtype_of<T>));
    if (shape_.rank != Order)
      core::raise<shape_error>(core::text() << "as: a tensor of order " << shape_.rank << ", not " << Order);
    using E = dynamic_extents<Order>;
    expr::extent_storage<E> extents;
    for (int k = 0; k < Order; ++k) extents.set(k, shape_.extent[k]);
    return view<T const, E, layout::row_major>(static_cast<T const*>(data_), extents, owner_);
  }
  // The elements that integers, ranges, `all`, `newaxis`, `ellipsis`, integer tensors and masks select (any/index.hpp).
  template <AnyIndexItem... Items>
  any_tensor operator()(Items const&... items) const;
  // These become the value, a number or a tensor that is broadcast to them and takes the type of this one; or it is
  // added to them, as many times as an element is named. Other tensors keep the elements that they share with this one.
  template <class X, AnyIndexItem... Items>
  void set(X const& value, Items const&... items);
  template <class X, AnyIndexItem... Items>
  void add(X const& value, Items const&... items);
  // the one element of a tensor of order 0, as a number of type U
  template <Arithmetic U>
  U item() const {
    if (shape_.rank != 0 || type_ == ricci::dtype::none)
      core::raise<shape_error>(core::text() << "item: a tensor of order " << shape_.rank << " is no number");
    U number{};
    if constexpr (!is_complex_number<U>)
      if (is_complex(type_))
        core::raise<value_error>(core::text() << "item: a " << name_of(type_) << " is no real number");
    with_type(type_, [&](auto zero) {
      decltype(zero) x;
      __builtin_memcpy(&x, data_, sizeof x);
      number = scalar::convert<U>(x);
    });
    return number;
  }
  template <Arithmetic U>
  explicit operator U() const {
    return item<U>();
  }

  // ---- for the library ----

  // new memory, uninitialised
  any_tensor(ricci::dtype type, shape_t const& shape)
      : owner_(core::bytes_of(shape.extent, shape.rank, bytes_of_element(type))),
        data_(owner_.data()),
        type_(type),
        shape_(shape) {}
  // elements of somebody else's
  any_tensor(core::shared_buffer owner, void const* data, ricci::dtype type, shape_t const& shape)
      : owner_(static_cast<core::shared_buffer&&>(owner)), data_(data), type_(type), shape_(shape) {}
  // The same with strides, which are counted in elements: shared where they are those of row-major order, else a copy.
  static any_tensor strided(core::shared_buffer const& owner, void const* data, ricci::dtype type, shape_t const& shape,
                            index_t const* strides) {
    bool dense = true;
    index_t n = 1;
    for (int k = shape.rank - 1; k >= 0; --k) {
      dense = dense && (shape.extent[k] == 1 || strides[k] == n);
      n *= shape.extent[k];
    }
    if (dense || n == 0) return any_tensor(owner, data, type, shape);
    any_tensor copy(type, shape);
    index_t const size = size_of(type);
    char* to = copy.raw_data();
    index_t at[max_rank]{}, offset = 0;
    for (; n > 0; --n, to += size) {
      __builtin_memcpy(to, static_cast<char const*>(data) + offset * size, std::size_t(size));
      for (int k = shape.rank - 1; k >= 0; --k) {
        offset += strides[k];
        if (++at[k] < shape.extent[k]) break;
        offset -= strides[k] * shape.extent[k], at[k] = 0;
      }
    }
    return copy;
  }
  core::shared_buffer const& owner() const { return owner_; }
  template <class N>
  static shape_t shape_of(N const* extents, index_t order) {
    if (order < 0 || order > max_rank)
      core::raise<shape_error>(core::text()
                               << "any_tensor: order " << order << ", where 0 to " << max_rank << " are possible");
    shape_t s{};
    for (index_t k = 0; k < order; ++k) s.push(static_cast<index_t>(extents[k]));
    return s;
  }
  char* raw_data() const { return owner_.data(); }
  // The elements where they may be written: in memory that is this tensor's alone, and is copied where it is not.
  char* written_data() {
    if (owner_.use_count() > 1 || owner_.header().release != nullptr) {
      any_tensor copy(type_, shape_);
      if (bytes() > 0) __builtin_memcpy(copy.raw_data(), data_, std::size_t(bytes()));
      *this = static_cast<any_tensor&&>(copy);
    }
    return const_cast<char*>(static_cast<char const*>(data_));
  }

 private:
  template <class X, class E>
  any_tensor(X&& x, E) : owner_(x.owner()), data_(x.data()), type_(dtype_of<value_type_of<X>>) {
    for (int k = 0; k < E::rank; ++k) shape_.push(x.shape(k));
  }
  template <class X>
  any_tensor(X&& x, extents<>) : any_tensor(x.item()) {}  // which has its element in place

  static int bytes_of_element(ricci::dtype type) {
    if (type == ricci::dtype::none) core::raise<value_error>(core::text() << "any_tensor: none is no element type");
    return size_of(type);
  }

  core::shared_buffer owner_;
  void const* data_ = nullptr;
  ricci::dtype type_ = ricci::dtype::none;
  shape_t shape_{};
};

template <core::TextStream Stream>
Stream& operator<<(Stream& s, any_tensor const& x) {
  if (x.dtype() == dtype::none) return s << "nothing", s;
  with_type(x.dtype(), [&](auto zero) {
    storage::print_axis(s, static_cast<decltype(zero) const*>(x.data()), x.shape().extent, x.order(), 0,
                        storage::is_printed_whole(x.shape().extent, x.order()));
  });
  return s;
}

// ---- from run-time to compile-time types: rc::visit(f, a) ----

// Orders that are visited: rc::orders<1, 2>.
template <int... N>
struct orders {};

}  // namespace RICCI_ABI

namespace at_run_time {
inline namespace RICCI_ABI {

template <class... R>
struct common_result {
  using type = std::conditional_t<(Tensor<R> && ...), any_tensor, void>;
  static_assert((Tensor<R> && ...), "visit: f returns the same type for all types and orders, or tensors for all");
};
template <class R, class... Same>
requires(std::is_same_v<R, Same>&&...) struct common_result<R, Same...> {
  using type = R;
};
template <class T, int Order>
using visited = decltype(std::declval<any_tensor const&>().template as<T, Order>());

template <class F, class T, int... N>
using result_of_orders = typename common_result<decltype(std::declval<F&>()(std::declval<visited<T, N>>()))...>::type;
[[noreturn]] RICCI_COLD inline void raise_not_visited(any_tensor const& a) {
  core::raise<value_error>(core::text() << "visit: " << name_of(a.dtype()) << " of order " << a.order()
                                        << " is not among the types and orders that are visited");
}

template <class F, class... T, int... N>
auto visit(F& f, any_tensor const& a, type_list<T...>, orders<N...>) {
  using R = typename common_result<result_of_orders<F, T, N...>...>::type;
  auto const with_order = [&]<class U>(std::type_identity<U>, auto const& keep) {
    return ((a.order() == N && (keep([&]() -> decltype(auto) { return f(a.template as<U, N>()); }), true)) || ...);
  };
  if constexpr (std::is_void_v<R>) {
    auto const call = [](auto const& g) { g(); };
    if (!((a.dtype() == dtype_of<T> && with_order(std::type_identity<T>{}, call)) || ...)) raise_not_visited(a);
  } else {
    alignas(R) char place[sizeof(R)];
    auto const call = [&](auto const& g) { new (place) R(g()); };
    if (!((a.dtype() == dtype_of<T> && with_order(std::type_identity<T>{}, call)) || ...)) raise_not_visited(a);
    struct holder {
      R* p;
      ~holder() { p->~R(); }
    } const h{std::launder(reinterpret_cast<R*>(place))};
    return R(static_cast<R&&>(*h.p));
  }
}

}  // namespace RICCI_ABI
}  // namespace at_run_time

inline namespace RICCI_ABI {

// f of a as a view of its type and order, one of those named: f is compiled for each. What f returns has one type, or
// is a tensor, and then the result is an any_tensor. value_error: the type or order of a is not among them.
template <class Types = element_types, class Orders = orders<0, 1, 2, 3, 4>, class F>
auto visit(F&& f, any_tensor const& a) {
  return at_run_time::visit(f, a, Types{}, Orders{});
}

}  // namespace RICCI_ABI
}  // namespace ricci
