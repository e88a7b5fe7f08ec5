// What fori_loop and while_loop (autodiff/loops.hpp) have in common: the mode and graph that a loop belongs to, its
// carries as symbols, what its body returns as the next ones, and the bound of its iterations, `rc::at_most<N>`.
#pragma once

#include <ricci/autodiff/control.hpp>
#include <ricci/ops/finished.hpp>

namespace ricci {

template <index_t N>
struct at_most_t {
  static_assert(N > 0, "at_most: a loop of some iterations");
  static constexpr index_t most = N, every = tracing::no_segments;
};
// The most iterations that a loop takes, behind its arguments.
template <index_t N>
inline constexpr at_most_t<N> at_most{};

namespace tracing {
inline namespace RICCI_ABI {

// Integers that are known when a loop begins to be recorded, as numbers or as extents of arguments.
template <class B>
concept ExtentBound = (std::integral<B> && !std::is_same_v<B, bool>) || is_known_extent<B> || is_symbolic_dim<B>;
// Integers that are values, also those that are parts of others, `counts(0)`.
template <class B>
inline constexpr bool is_value_bound = [] {
  if constexpr (is_symbol<B>)
    return is_integer(dtype_of<typename B::value_type>) && B::rank == 0;
  else
    return false;
}();

// The mode of the loop that has these bounds and carries, void where nothing says it.
template <class B>
struct mode_of_bound {
  using type = mode_t<B>;
};
template <class B>
requires(is_symbolic_dim<B> || is_known_extent<B>) struct mode_of_bound<B> {
  using type = typename B::mode;
};
template <class First, class... Rest>
struct first_mode {
  using type = First;
};
template <class... Rest>
requires(sizeof...(Rest) > 0) struct first_mode<void, Rest...> : first_mode<Rest...> {
};
template <class... X>
using mode_of_all = typename first_mode<typename mode_of_bound<X>::type..., void>::type;

// The graph of the first of them that has one.
template <class Mode, class First, class... Rest>
constexpr typename Mode::graph& graph_of_loop(First const& x, Rest const&... rest) {
  if constexpr (is_symbolic_dim<First> || is_known_extent<First>)
    return *x.g;
  else if constexpr (!std::is_void_v<mode_t<First>>)
    return graph_in<Mode>(x);
  else
    return graph_of_loop<Mode>(rest...);
}

// What a body returned as the next carry.
template <class Op, class C, class Next>
constexpr C next_carry(C const& carry, Next const& next) {
  if constexpr (!tree::same_structure<C, Next>()) {
    static_assert(tree::same_structure<C, Next>(), "a loop's body returns a tree of the structure of what it is given");
    return carry;
  } else {
    static_assert(holds<C, Next>(),
                  "a loop's body returns a value of a type that the carry does not hold, as double beside int (0 is an "
                  "int)");
    C to = carry;
    tree::for_each_leaf([](auto& own, auto const& is) { own.v = next_of<Op>(own, is); }, to, next);
    return to;
  }
}

// How a loop is bounded and kept, as at_most_t says it. Most: iterations, -1 where nothing bounds them; Every: as
// rc::checkpoint_every, or no_segments
template <index_t Most, index_t Every>
struct loop_bound {
  static constexpr index_t most = Most, every = Every;
};
using no_bound = loop_bound<-1, no_segments>;
template <class Bound>
inline constexpr bool is_bounded = Bound::most >= 0;

// Records n iterations, which take the carry over: `body(carry, t)` gives the ids of the next one in iteration t. The
// carry becomes the last one.
template <class Mode, class C, class Body>
constexpr void iterate(typename Mode::graph& g, index_t n, C& carry, Body const& body, index_t begin = 0) {
  ir::loop_recorder<Mode> loop(g, n);
  begin_carries(loop, carry);
  leaf_ids const next = body(carry, ir::plus(g, loop.iteration(), begin));
  take_results(carry, loop.end(next.all(), {}));
}
// The same in segments of Every iterations.
template <index_t Every, class Mode, class C, class Body>
constexpr void iterate_in_segments(typename Mode::graph& g, index_t n, C& carry, Body const& body) {
  if constexpr (Every == no_segments) {
    iterate<Mode>(g, n, carry, body);
  } else {
    segmentation const by(g, n, Every);
    for (int p = 0; p < by.parts; ++p) {
      segments const& s = by.part[p];
      auto loop = loop_over<Mode>(g, s);
      begin_carries(loop, carry);
      C within = carry;
      iterate<Mode>(g, s.length, within, body, ir::plus(g, s.begin, ir::times(g, loop.iteration(), s.length)));
      leaf_ids next;
      add_ids(within, next);
      take_results(carry, loop.end(next.all(), {}));
    }
  }
}

// The results of a loop with a bound, known when it is done; goes_on is 0 then, else 1.
template <class Loop, class Bound, class C, class V>
constexpr C when_done(C const& results, V goes_on) {
  C done = results;
  tree::for_each_leaf([&](auto& leaf) { leaf.v = when_finished<Loop, Bound::most>(leaf.v, goes_on); }, done);
  return done;
}

}  // namespace RICCI_ABI
}  // namespace tracing
}  // namespace ricci
