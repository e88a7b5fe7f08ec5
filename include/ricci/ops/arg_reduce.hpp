// Positions of extrema: `rc::argmax(x)`, `rc::argmin(x, rc::axis<0>)`.
#pragma once

#include <ricci/ops/fold.hpp>

namespace ricci {

// The best element so far, and where it is.
template <class T>
struct extremum_so_far {
  T best;
  index_t at;
};

// Base of folds whose result is a position, int64: along an axis, (..., n, ...) -> (..., ...), or in the flattened
// tensor, a scalar. Of no elements there is none: value_error.
template <class Derived>
struct arg_fold : fold_along_axis<Derived, 1, fold_gives::last> {
  template <class T>
  using types = type_list<T, std::int64_t>;
  static constexpr dtype type_of_result(dtype) { return dtype::int64; }
  RICCI_FN result(auto h) { return std::int64_t(h.at); }
  // of two sets of elements, which may be interleaved; that of none begins with `start`
  static constexpr bool joins_sets = true;
  RICCI_FN join_sets(auto a, auto b) { return b.at < a.at ? Derived::join(b, a) : Derived::join(a, b); }
  static constexpr char const* refuses(index_t const* n) { return n[0] == 0 ? "no elements to choose from" : nullptr; }

  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x) const {
    return call_operation<Derived>(over_axes<false>{}, static_cast<X&&>(x));
  }
  template <class X, index_t A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A>) const {
    return call_operation<Derived>(over_axes<false, A>{}, static_cast<X&&>(x));
  }
  template <class X, index_t A>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, axes_t<A>, keepdims_t) const {
    return call_operation<Derived>(over_axes<true, A>{}, static_cast<X&&>(x));
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, wrong::Integer auto at) const {
    index_t const a = to_index(at);
    return call_with_axis(Derived{}, static_cast<X&&>(x), a, std::false_type{});
  }
  template <class X, class Name>
  requires has_axis_names<X>
  constexpr auto operator()(X const& x, axis_names<Name> name) const { return reduced_by_name(Derived{}, x, name); }
  RICCI_WRONG_CALL_OF_OBJECT(
      "a position is found in all elements, rc::argmax(x), or along one axis, rc::argmax(x, rc::axis<0>), "
      "with rc::keepdims behind it or without; several axes become one by rc::reshape")
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x) {
    return takes_axes<Derived>::shape_of(c, a, x);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(reduction_axes const& a, ir::value<Mode> x) {
    auto& g = *x.g;
    int const kept = ir::intern(g, shapes::reduced(x.shape(), a.mask(x.rank()), a.keepdims));
    if (a.count != 0) return ir::reshape(Derived::over(a.first(x.rank()), x), kept);
    return ir::reshape(Derived::over(0, ir::flattened(x)), kept);
  }
};
// The position of the first extremum; a NaN counts as one.
template <class Derived, class Reduction>
struct arg_reduction : arg_fold<Derived> {
  using extremum = Reduction;
  template <class T>
  RICCI_FN start() {
    return extremum_so_far<T>{Reduction::template identity<T>, 0};
  }
  // a NaN is better than anything before it, and nothing is better than a NaN
  RICCI_FN replaces(auto x, auto best) {
    return static_cast<bool>(int(best == best) & (int(Derived::better(x, best)) | int(x != x)));
  }
  RICCI_FN next(auto h, index_t i, auto x) { return replaces(x, h.best) ? decltype(h){x, i} : h; }
  RICCI_FN join(auto a, auto b) { return replaces(b.best, a.best) ? b : a; }
};
struct argmax_t : arg_reduction<argmax_t, max_t> {
  static constexpr auto name = "argmax";
  RICCI_FN better(auto a, auto b) { return a > b; }
};
struct argmin_t : arg_reduction<argmin_t, min_t> {
  static constexpr auto name = "argmin";
  RICCI_FN better(auto a, auto b) { return a < b; }
};
inline constexpr argmax_t argmax{};
inline constexpr argmin_t argmin{};

}  // namespace ricci
