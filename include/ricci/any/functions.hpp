// What is no operation of its own, for tensors of run-time type and order: creation, whose element type is a value
// here, `rc::zeros(rc::dtype::int32, std::vector{2, 3})`, views that ask for the order, and functions whose shapes
// depend on elements, which give as many tensors as there are.
#pragma once

#include <ricci/any/call.hpp>
#include <ricci/core/where_used.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/together.hpp>
#include <ricci/tensor/sets.hpp>

namespace ricci {

namespace at_run_time {
inline namespace RICCI_ABI {

// The type to which elements are cast is an attribute.
struct cast_t {
  static constexpr auto name = "astype";
  template <class Context>
  static shape_t shape_of(Context&, dtype, shape_t const& x) {
    return x;
  }
  template <class Mode>
  static ir::value<Mode> record(dtype to, ir::value<Mode> x) {
    return ir::cast(x, to);
  }
};
template <class X>
dtype type_among(X const& x) {
  if constexpr (any_operands<X>)
    return as_any(x).dtype();
  else
    return ricci::own_type<X>();
}
template <class A, class B>
bool are_conditions(A const& x, B const& y) {
  return type_among(x) == dtype::boolean && type_among(y) == dtype::boolean;
}

template <class U>
any_tensor filled(dtype type, shape_t const& shape, U x) {
  any_tensor r(type, shape);
  if constexpr (is_complex_number<element_t<U>>)
    if (!is_complex(type)) raise_type("a complex value", type);
  with_type(type, [&](auto zero) {
    using T = decltype(zero);
    T const number = scalar::convert<T>(x);
    T* const to = reinterpret_cast<T*>(r.raw_data());
    for (index_t k = 0, n = r.size(); k < n; ++k) to[k] = number;
  });
  return r;
}
}  // namespace RICCI_ABI
}  // namespace at_run_time

inline namespace RICCI_ABI {

// ---- creation, the element type being a value: else as their namesakes of static types ----
//
// shape_error: an order above 12; value_error: an extent is negative, or the type has no such numbers.

template <ListOfExtents N>
any_tensor zeros(dtype type, N const& extents) {
  return at_run_time::filled(type, any_tensor::shape_of(extents.data(), index_t(extents.size())), 0);
}
template <ListOfExtents N>
any_tensor ones(dtype type, N const& extents) {
  return at_run_time::filled(type, any_tensor::shape_of(extents.data(), index_t(extents.size())), 1);
}
template <ListOfExtents N, Arithmetic U>
any_tensor full(dtype type, N const& extents, U x) {
  return at_run_time::filled(type, any_tensor::shape_of(extents.data(), index_t(extents.size())), x);
}
template <ListOfExtents N>
any_tensor empty(dtype type, N const& extents) {
  return any_tensor(type, any_tensor::shape_of(extents.data(), index_t(extents.size())));
}
template <class X>
requires any_operands<X> any_tensor astype(X const& x, dtype type) {
  if (type == dtype::none) core::raise<value_error>(core::text() << "astype: none is no element type");
  return at_run_time::call<at_run_time::cast_t>(type, at_run_time::as_any(x));
}
template <class X>
requires any_operands<X> any_tensor asarray(X const& x, dtype type) { return astype(x, type); }
template <Element T, class X>
requires any_operands<X> any_tensor asarray(X const& x) { return astype(x, dtype_of<T>); }
// by way of numbers of 64 bits
template <Arithmetic A, Arithmetic B, Arithmetic C = int>
any_tensor arange(dtype type, A start, B stop, C step = 1) {
  using T =
      std::conditional_t<std::is_integral_v<A> && std::is_integral_v<B> && std::is_integral_v<C>, std::int64_t, double>;
  return astype(any_tensor(arange<T>(T(start), T(stop), T(step))), type);
}
// These two are templates, so that what they call is compiled where they are used.
template <class Use = void>
any_tensor linspace(dtype type, double start, double stop, index_t n) {
  return astype(any_tensor(linspace<core::where_used<double, Use>>(start, stop, n)), type);
}
template <class Use = void>
any_tensor eye(dtype type, index_t rows, index_t columns) {
  return astype(any_tensor(eye<core::where_used<std::int8_t, Use>>(rows, columns)), type);
}
template <class = void>
any_tensor eye(dtype type, index_t n) {
  return eye(type, n, n);
}

template <class X>
requires any_operands<X> any_tensor zeros_like(X const& x) {
  return at_run_time::filled(at_run_time::as_any(x).dtype(), x.shape(), 0);
}
template <class X>
requires any_operands<X> any_tensor ones_like(X const& x) {
  return at_run_time::filled(at_run_time::as_any(x).dtype(), x.shape(), 1);
}
template <class X, Arithmetic U>
requires any_operands<X> any_tensor full_like(X const& x, U number) {
  return at_run_time::filled(at_run_time::as_any(x).dtype(), x.shape(), number);
}
template <class X>
requires any_operands<X> any_tensor empty_like(X const& x) {
  return any_tensor(at_run_time::as_any(x).dtype(), x.shape());
}

// ---- what operators ask of types: integers have no /, and & and | of floats are none ----

template <class A, class B>
requires any_operands<A, B> any_tensor operator/(A&& a, B&& b) {
  if (!is_inexact(at_run_time::type_among(a)) && !is_inexact(at_run_time::type_among(b)))
    core::raise<value_error>(core::text() << "/: integers have no operator /, but floor_divide and divide");
  return divide(a, b);
}

template <class A, class B>
requires any_operands<A, B> any_tensor operator&(A&& a, B&& b) {
  return at_run_time::are_conditions(a, b) ? logical_and(a, b) : bitwise_and(a, b);
}
template <class A, class B>
requires any_operands<A, B> any_tensor operator|(A&& a, B&& b) {
  return at_run_time::are_conditions(a, b) ? logical_or(a, b) : bitwise_or(a, b);
}

// ---- axes: as their namesakes of static order; index_error: there is no such axis ----

template <class X, index_t... A, index_t... B>
requires(any_operands<X> && sizeof...(A) == sizeof...(B)) any_tensor
    moveaxis(X const& x, axes_t<A...> from, axes_t<B...> to) {
  (axis_named("moveaxis", A, x.order()), ...), (axis_named("moveaxis", B, x.order()), ...);
  axis_list const axes = shapes::moved(from, to, x.order());
  if (axes.count < 0) core::raise<value_error>(core::text() << "moveaxis: an axis is named twice");
  return at_run_time::call<permute_dims_function>(axes, at_run_time::as_any(x));
}
template <class X, index_t A, index_t B>
requires any_operands<X> any_tensor swapaxes(X const& x, axes_t<A>, axes_t<B>) {
  int const a = axis_named("swapaxes", A, x.order()), b = axis_named("swapaxes", B, x.order());
  axis_list axes{x.order(), {}};
  for (int k = 0; k < x.order(); ++k) axes.axes[k] = k == a ? b : k == b ? a : k;
  return at_run_time::call<permute_dims_function>(axes, at_run_time::as_any(x));
}
// Rotated by 90 degrees k times, which is a number here. index_error: there is no such axis; value_error: both are one.
template <class X, index_t A = 0, index_t B = 1>
requires any_operands<X> any_tensor rot90(X const& x, index_t k = 1, axes_t<A, B> axes = {}) {
  int const a = axis_named("rot90", A, x.order()), b = axis_named("rot90", B, x.order());
  if (a == b) core::raise<value_error>(core::text() << "rot90: an axis is named twice");
  switch ((k % 4 + 4) % 4) {
    case 0:
      return at_run_time::as_any(x);
    case 1:
      return swapaxes(flip(x, axis<B>), axis<A>, axis<B>);
    case 2:
      return flip(x, axes);
    default:  // 3
      return flip(swapaxes(x, axis<A>, axis<B>), axis<B>);
  }
}
template <class X>
requires any_operands<X> any_tensor ravel(X const& x) { return reshape(x, shape(-1)); }
template <class X, index_t A = 0>
requires any_operands<X> std::vector<any_tensor> unstack(X const& x, axes_t<A> axis = {}) {
  std::vector<any_tensor> parts;
  index_t const n = x.shape(int(A));
  for (index_t k = 0; k < n; ++k) parts.push_back(unstack_t::call(x, axis, k));
  return parts;
}

// ---- shapes that depend on elements ----

template <class X>
requires any_operands<X> any_tensor flatnonzero(X const& x) {
  any_tensor found;
  with_type(at_run_time::as_any(x).dtype(), [&](auto zero) {
    auto const* const p = static_cast<decltype(zero) const*>(x.data());
    found = any_tensor(dtype::int64, shape_t{1, {storage::count_all_nonzero(p, x.size())}});
    storage::write_nonzero(p, x.size(), reinterpret_cast<std::int64_t*>(found.raw_data()));
  });
  return found;
}
// One tensor for each axis. shape_error: x has none.
template <class X>
requires any_operands<X> std::vector<any_tensor> nonzero(X const& x) {
  if (x.order() == 0) core::raise<shape_error>(core::text() << "nonzero: names axes, and a tensor of order 0 has none");
  any_tensor const places = flatnonzero(x);
  auto const* const p = static_cast<std::int64_t const*>(places.data());
  std::vector<any_tensor> found;
  for (int axis = 0; axis < x.order(); ++axis) {
    index_t step = 1, n = x.shape(axis);
    for (int k = axis + 1; k < x.order(); ++k) step *= x.shape(k);
    any_tensor along(dtype::int64, places.shape());
    auto* const to = reinterpret_cast<std::int64_t*>(along.raw_data());
    for (index_t k = 0; k < places.size(); ++k) to[k] = p[k] / step % n;
    found.push_back(static_cast<any_tensor&&>(along));
  }
  return found;
}

struct any_unique_result {
  any_tensor values, indices, inverse_indices, counts;
};
template <class X>
requires any_operands<X> any_unique_result unique_all(X const& x) {
  any_unique_result r;
  with_type(at_run_time::as_any(x).dtype(), [&](auto zero) {
    using T = decltype(zero);
    any_tensor inverse(dtype::int64, x.shape());
    auto found = storage::distinct_with_places<T>(static_cast<T const*>(x.data()), x.size(),
                                                  reinterpret_cast<std::int64_t*>(inverse.raw_data()));
    r = {static_cast<ndarray<T, 1>&&>(found.values), found.indices, inverse, found.counts};
  });
  return r;
}
template <class X>
requires any_operands<X> any_tensor unique_values(X const& x) { return unique_all(x).values; }
template <class X>
requires any_operands<X> any_unique_result unique_counts(X const& x) { return unique_all(x); }
template <class X>
requires any_operands<X> any_unique_result unique_inverse(X const& x) { return unique_all(x); }

}  // namespace RICCI_ABI
}  // namespace ricci
