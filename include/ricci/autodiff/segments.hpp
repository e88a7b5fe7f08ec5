// `rc::checkpoint_every<k>` behind the arguments of a loop: reverse mode keeps the carries of every k-th iteration
// alone and computes those between them again, segment by segment, when it comes there. Of n iterations it keeps n / k
// and, for the segment that it is at, k more, in place of n; each is computed twice. `rc::checkpoint_every<>` takes the
// square root of a number of iterations that is known when it is compiled, of which there are fewest carries.
//
//   auto [last, ys] = rc::scan(step, h, xs, rc::checkpoint_every<32>);
//
// A loop of segments is recorded, whose body is a loop of k iterations. What makes the difference is that derivatives
// of the first keep nothing but its carries (`keeps_carries_only` in ops/loop.hpp): its body is recorded again in the
// loop backwards. Iterations that are left over are one more segment.
#pragma once

#include <ricci/autodiff/trace.hpp>
#include <ricci/transform/loops.hpp>

namespace ricci {

template <index_t K>
struct checkpoint_every_t {
  static_assert(K >= 0, "checkpoint_every: a segment of some iterations");
  static constexpr index_t iterations = K;
};
// How many iterations there are from one whose carries are kept to the next; 0: the square root of their number.
template <index_t K = 0>
inline constexpr checkpoint_every_t<K> checkpoint_every{};

namespace tracing {
inline namespace RICCI_ABI {

// every iteration's carries are kept
inline constexpr index_t no_segments = -1;

// So many segments of so many iterations each, from one on.
struct segments {
  index_t begin, count, length;
};
// What there is of n iterations, which may be symbolic: whole segments of `every`, and the rest as one.
struct segmentation {
  segments part[2]{};
  int parts = 0;

  constexpr segmentation() = default;
  template <class G>
  constexpr segmentation(G& g, index_t n, index_t every) {
    n = ir::find(g, n);
    if (every == 0) {
      if (ir::is_symbolic(n)) limits::checkpoint_every_is_given_a_length_where_that_of_the_loop_shows_at_run_time();
      while (every * every < n) ++every;
    }
    index_t const whole = n == 0 ? 0 : ir::divide(g, n, every), left = n == 0 ? 0 : ir::remainder(g, n, every);
    if (whole != 0) part[parts++] = {0, whole, every};
    if (left != 0 || n == 0) part[parts++] = {ir::times(g, whole, every), 1, left};
  }
};

// A loop over segments.
template <class Mode>
constexpr ir::loop_recorder<Mode> loop_over(typename Mode::graph& g, segments const& s) {
  return ir::loop_recorder<Mode>(g, s.count, {}, -1, true);
}
// The elements along the first axis of x segment by segment, recorded before the loop over these: where they are not
// all of x, they are copied.
template <class Mode>
constexpr ir::value<Mode> by_segment(ir::value<Mode> x, segments const& s) {
  auto& g = *x.g;
  shape_t in_segments{2, {s.count, s.length}};
  for (int k = 1; k < x.rank(); ++k) in_segments.push(x.shape().extent[k]);
  auto const all = ir::stretch(x, 0, s.begin, ir::times(g, s.count, s.length));
  return ir::reshape(all, ir::intern(g, in_segments));
}
// What all parts stacked, segment by segment, as one array of n elements along its first axis.
template <class Mode>
constexpr ir::value<Mode> joined_segments(typename Mode::graph& g, segmentation const& all, int const* stacked,
                                          index_t n) {
  using V = ir::value<Mode>;
  V parts[2]{};
  shape_t s{};
  for (int p = 0; p < all.parts; ++p) {
    shape_t const from = g.shape(stacked[p]);
    s = shape_t{1, {ir::times(g, all.part[p].count, all.part[p].length)}};
    for (int k = 2; k < from.rank; ++k) s.push(from.extent[k]);
    parts[p] = ir::reshape(V{&g, stacked[p]}, ir::intern(g, s));
  }
  s.extent[0] = n;
  return all.parts == 1 ? ir::reshape(parts[0], ir::intern(g, s)) : concat_t::joined(parts, 2, 0, ir::intern(g, s));
}

}  // namespace RICCI_ABI
}  // namespace tracing
}  // namespace ricci
