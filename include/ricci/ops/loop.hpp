// Loops in a graph: a region is a body that runs once for every iteration. Its instructions stand in the graph itself,
// marked as belonging to it, and name values from outside directly.
//
//   region(count)      marks where it begins; attributes: its number, how many iterations there are, and 1 + the
//                      number of the carry that counts them, 0 if none does; a fourth one where derivatives keep its
//                      carries and nothing else (autodiff/segments.hpp). With a count, an integer in memory, it is
//                      run so many times: 0 or 1 where it is a branch, any number where it is open-ended. A carry that
//                      counts is read before each iteration, so that the one before it says whether there is another
//                      (while)
//   carry(initial)     what an iteration takes over from the one before it; attribute: which
//   ...                the body; the number of the iteration is a dimension (dim_op::iteration), so that the element of
//                      an array that belongs to it is a slice like any other
//   next(value, carry) what the next iteration takes over in place of that carry
//   yield(region, next..., stacked...)
//   loop(yield)        outside again. Its results: the last of each carry; each stacked value, iteration by iteration
//                      along a new first axis, what is costly to compute (costly_values.hpp) among them; and, stacked
//                      in that way, each carry as iterations found it, from which derivatives start again (results that
//                      nobody reads take no memory). Attributes: how many carries and stacked values there are.
//                      A loop that is open-ended stacks nothing, not even carries.
#pragma once

#include <ricci/ops/core_call.hpp>
#include <ricci/ops/costly_values.hpp>

namespace ricci::ir {

struct region_t : operation_of_kind<op_kind::region, 255> {
  static constexpr auto name = "region";
};
struct carry_t : operation_of_kind<op_kind::carry, 255> {
  static constexpr auto name = "carry";
};
struct next_t : operation_of_kind<op_kind::next, 255> {
  static constexpr auto name = "next";
};
struct yield_t : operation_of_kind<op_kind::yield, 255> {
  static constexpr auto name = "yield";
};
struct loop_t : operation_of_kind<op_kind::loop, 255> {
  static constexpr auto name = "loop";
};

// carry k of a loop
template <class G>
constexpr int carry_of(G const& g, int loop, int k) {
  return g.in(g.in(g.in(loop, 0), 1 + k), 1);
}

// a region in another one, or in none
template <class G>
constexpr int new_scope(G& g, int outer) {
  if (g.scope_count + 1 == max_scopes) limits::a_traced_function_has_more_loops_than_a_16th_of_RICCI_MAX_OPERATIONS();
  g.outer[++g.scope_count] = outer;
  return g.scope_count;
}

inline constexpr int most_yields = max_operands - 1;

// in place of how many iterations there are, where that is a value
inline constexpr index_t open_ended = -1;

// Records a loop: what is recorded between construction and `end` is its body.
template <class Mode>
class loop_recorder {
 public:
  using graph = typename Mode::graph;
  using V = value<Mode>;

  // n iterations; with a count, 0 or 1; open-ended, as many as the count says, or that carry, the number of which is
  // `counted_by`; where only carries are kept, nothing is stacked but what is asked for
  constexpr loop_recorder(graph& g, index_t n, V count = {}, int counted_by = -1, bool keeps_carries_only = false)
      : g_(g), outer_(g.scope), n_(n), keeps_carries_only_(keeps_carries_only) {
    g.scope = scope_ = new_scope(g, outer_);
    index_t const attributes[] = {scope_, n, counted_by + 1, 1};
    begin_ = record<region_t, Mode>(g, dtype::boolean, 0, {&count.id, count ? 1 : 0},
                                    {attributes, keeps_carries_only ? 4 : 3});
  }
  constexpr V carry(V initial) {
    if (carries_ == most_yields) limits::a_loop_carries_and_stacks_more_than_63_values();
    index_t const attributes[] = {scope_, carries_++};
    V const x = record<carry_t, Mode>(g_, initial.type(), initial.shape_id(), {&initial.id, 1}, {attributes, 2});
    carry_ids_[carries_ - 1] = x.id;
    return x;
  }
  // zeros like x, from outside
  constexpr V zeros(V x) const {
    g_.scope = outer_;
    V const y = zeros_like(x);
    g_.scope = scope_;
    return y;
  }
  constexpr index_t iteration() const { return dim(g_, dim_op::iteration, scope_, 0); }
  // that plus an extent, as an integer
  constexpr V counter(index_t from = 0) const { return number<Mode>(g_, plus(g_, iteration(), from), dtype::int64); }
  // The loop; result k is the value behind it by k. Behind what is to be stacked, what is costly to compute is stacked,
  // too.
  constexpr V end(span<int> next, span<int> stacked) {
    if (next.size + stacked.size > most_yields) limits::a_loop_carries_and_stacks_more_than_63_values();
    if (n_ == open_ended || keeps_carries_only_) return end_with(next, stacked);
    costly_values<graph> const costly(g_, begin_.id, next, stacked, most_yields - next.size - stacked.size);
    int all[max_operands]{}, n = 0;
    for (int k = 0; k < stacked.size; ++k) all[n++] = stacked.data[k];
    for (int k = 0; k < costly.count; ++k) all[n++] = costly.ids[k];
    return end_with(next, {all, n});
  }
  // The same, where nothing else is stacked.
  constexpr V end_with(span<int> next, span<int> stacked) {
    int yields[max_operands]{begin_.id}, n = 1;
    for (int k = 0; k < next.size; ++k) {
      V const x{&g_, next.data[k]};
      index_t const attributes[] = {scope_, k};
      int const operands[] = {x.id, carry_ids_[k]};
      yields[n++] = record<next_t, Mode>(g_, x.type(), x.shape_id(), {operands, 2}, {attributes, 2}).id;
    }
    for (int k = 0; k < stacked.size; ++k) yields[n++] = stacked.data[k];
    V const yield = record<yield_t, Mode>(g_, dtype::boolean, 0, {yields, n});
    g_.scope = outer_;
    int ids[2 * max_operands]{};
    bool stacks[2 * max_operands]{};
    int results = 0;
    for (int k = 0; k < next.size; ++k) ids[results++] = next.data[k];
    for (int k = 0; k < stacked.size; ++k) stacks[results] = true, ids[results++] = stacked.data[k];
    for (int k = 0; n_ != open_ended && k < next.size; ++k) stacks[results] = true, ids[results++] = next.data[k];
    index_t const attributes[] = {next.size, stacked.size};
    V loop{};
    for (int k = 0; k < results; ++k) {
      V const x{&g_, ids[k]};
      int const shape = stacks[k] ? with_first_axis(g_, n_, x.shape()) : x.shape_id();
      index_t const number = k;
      if (k == 0) {
        typename graph::instruction i{
            facts_of<loop_t>(), nullptr, nullptr, x.type(), 0, std::uint16_t(results), shape, 0, 0, 0, 0, 0, 0};
        i.rules = &rules_of<loop_t, Mode>::table;
        loop = {&g_, append(g_, i, {&yield.id, 1}, {attributes, 2})};
      } else {
        record<part_t, Mode>(g_, x.type(), shape, {&loop.id, 1}, {&number, 1});
      }
    }
    return loop;
  }

 private:
  graph& g_;
  int outer_, scope_ = 0, carries_ = 0;
  int carry_ids_[most_yields]{};
  index_t n_;
  bool keeps_carries_only_;
  V begin_{};
};

}  // namespace ricci::ir
