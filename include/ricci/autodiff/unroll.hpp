// `rc::unroll<k>` behind the arguments of a scan: the loop has n / k iterations, each of which calls the body k times.
// What these do element by element becomes one kernel, so that a carry of many numbers goes through memory once for
// all k; of large bodies, it is code that is there k times. Iterations that are left over are a loop of their own.
//
//   auto [last, ys] = rc::scan(step, p, coefficients, rc::unroll<8>);
#pragma once

#include <ricci/autodiff/segments.hpp>
#include <ricci/autodiff/transforms.hpp>

namespace ricci {

template <index_t K>
struct unroll_t {
  static_assert(K > 0 && K <= 32, "unroll: an iteration calls the body once at least, and 32 times at most");
};
// How often an iteration calls the body.
template <index_t K>
inline constexpr unroll_t<K> unroll{};

namespace tracing {
inline namespace RICCI_ABI {

// n iterations as iterations of `times` each, and the rest one by one.
template <class G>
constexpr segmentation unrolled(G& g, index_t n, index_t times) {
  segmentation by;
  n = ir::find(g, n);
  index_t const whole = ir::divide(g, n, times), left = ir::remainder(g, n, times);
  if (whole != 0) by.part[by.parts++] = {0, whole, times};
  if (left != 0 || whole == 0) by.part[by.parts++] = {ir::times(g, whole, times), left, 1};
  return by;
}
// Leaf `leaf` of what an iteration's calls stack, along a first axis.
template <class Mode>
constexpr ir::value<Mode> side_by_side(typename Mode::graph& g, leaf_ids const* calls, index_t count, int leaf) {
  ir::value<Mode> parts[ir::max_operands]{};
  shape_t all{1, {1}};
  shape_t const each = g.shape(calls[0].id[leaf]);
  for (int k = 0; k < each.rank; ++k) all.push(each.extent[k]);
  int const shape = ir::intern(g, all);
  for (index_t k = 0; k < count; ++k) parts[k] = ir::reshape(ir::value<Mode>{&g, calls[k].id[leaf]}, shape);
  all.extent[0] = count;
  return concat_t::joined(parts, static_cast<int>(count), 0, ir::intern(g, all));
}

}  // namespace RICCI_ABI
}  // namespace tracing
}  // namespace ricci
