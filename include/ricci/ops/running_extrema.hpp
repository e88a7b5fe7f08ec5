// The greatest and the least element so far: `rc::cumulative_max(x, rc::axis<0>)`, NumPy's maximum.accumulate.
#pragma once

#include <ricci/ops/arg_reduce.hpp>
#include <ricci/ops/sort.hpp>

namespace ricci {

// Where the extremum of what stands up to element i is, its first place.
template <class ArgReduction>
struct running_position_t : fold_along_axis<running_position_t<ArgReduction>, 1, fold_gives::after> {
  static constexpr auto name = "running_position";
  template <class T>
  using types = type_list<T, std::int64_t>;
  template <class T>
  RICCI_FN start() {
    return ArgReduction::template start<T>();
  }
  RICCI_FN next(auto h, index_t i, auto x) { return i == 0 ? decltype(h){x, i} : ArgReduction::next(h, i, x); }
  RICCI_FN join(auto a, auto b) { return ArgReduction::join(a, b); }
  RICCI_FN result(auto h) { return std::int64_t(h.at); }
};
// A NaN stays. The cotangent goes to where the extremum is, the first of equal ones.
template <class Derived, class ArgReduction>
struct running_extremum : unary_fold<Derived, fold_gives::after>, sorting::takes_along_axis<Derived> {
  template <class T>
  RICCI_FN start() {
    return ArgReduction::template start<T>().best;
  }
  RICCI_FN next(auto h, index_t, auto x) { return ArgReduction::replaces(x, h) ? x : h; }
  RICCI_FN join(auto a, auto b) { return ArgReduction::replaces(b, a) ? b : a; }
  template <class V>
  static constexpr V indices(ir::application<V> const& at) {
    return running_position_t<ArgReduction>::over(int(at.attr(0)), at.attr(1) != 0, at.operand(0));
  }
};
// The greatest (least) of x[0], ..., x[i] along an axis (the last one, where none is named); the shape stays, and so
// does a NaN once it was met.
struct cumulative_max_t : running_extremum<cumulative_max_t, argmax_t> {
  static constexpr auto name = "cumulative_max";
};
struct cumulative_min_t : running_extremum<cumulative_min_t, argmin_t> {
  static constexpr auto name = "cumulative_min";
};
inline constexpr cumulative_max_t cumulative_max{};
inline constexpr cumulative_min_t cumulative_min{};

}  // namespace ricci
