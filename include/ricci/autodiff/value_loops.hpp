// Loops over values of a graph, for code that is the same for all types: `while_values`, as rc::while_loop, and
// `scan_values`, as rc::scan. Recorded they are one region each; interpreted, loops of C++. The types and shapes of the
// values do not change from one iteration to the next.
#pragma once

#include <ricci/autodiff/stack.hpp>
#include <ricci/transform/loops.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// while (goes_on(x)) body(x), x being `count` values
template <class Mode, class P, class F>
constexpr void while_values(typename Mode::graph& g, ir::value<Mode>* x, int count, P const& goes_on, F const& body) {
  using V = ir::value<Mode>;
  if constexpr (Mode::runs) {
    while (ir::first_element(goes_on(x), true)) body(x);
  } else {
    auto const another = [&] { return ir::cast(goes_on(x), dtype::int64); };
    V const begins = another();
    // the count is a carry: one more than there have been iterations where there is another
    ir::loop_recorder<Mode> loop(g, ir::open_ended, {}, 0);
    loop.carry(begins);
    for (int k = 0; k < count; ++k) x[k] = loop.carry(x[k]);
    body(x);
    int next[ir::max_operands]{V(loop.counter(1) + another()).id};
    for (int k = 0; k < count; ++k) next[1 + k] = x[k].id;
    V const results = loop.end({next, count + 1}, {});
    for (int k = 0; k < count; ++k) x[k] = {&g, results.id + 1 + k};
  }
}

// n times `y = body(x, at)`, x being `count` values and at(a) the element of a, along its first axis, that belongs to
// the iteration; all y along a new first axis.
template <class Mode, class F>
constexpr ir::value<Mode> scan_values(typename Mode::graph& g, index_t n, ir::value<Mode>* x, int count,
                                      F const& body) {
  using V = ir::value<Mode>;
  if constexpr (Mode::runs) {
    stack_of_values<Mode> stack(g, n);
    for (index_t t = 0; t == 0 || t < n; ++t) {  // of none, the shape of what is stacked alone matters
      V next[ir::max_operands]{};
      for (int k = 0; k < count; ++k) next[k] = x[k];
      stack.push(symbol<double, extents<>, Mode>{body(next, [&](V a) { return stack.element(a, t); })});
      for (int k = 0; n > 0 && k < count; ++k) x[k] = next[k];
    }
    return stack.joined(0);
  } else {
    ir::loop_recorder<Mode> loop(g, n);
    for (int k = 0; k < count; ++k) x[k] = loop.carry(x[k]);
    V const y = body(x, [&](V a) { return ir::element_of(a, 0, loop.iteration()); });
    int next[ir::max_operands]{};
    for (int k = 0; k < count; ++k) next[k] = x[k].id;
    V const results = loop.end({next, count}, {&y.id, 1});
    for (int k = 0; k < count; ++k) x[k] = {&g, results.id + k};
    return {&g, results.id + count};
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
