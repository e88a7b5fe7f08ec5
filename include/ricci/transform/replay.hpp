// The body of a loop once more: its instructions recorded again, in another loop, on other carries. Derivatives and
// batches of loops are made of it.
#pragma once

#include <ricci/ops/loop.hpp>
#include <ricci/ops/movement.hpp>
#include <ricci/transform/simplify.hpp>

namespace ricci::transform {

// A value that is known becomes an argument of that number: what follows starts from it.
constexpr void become_argument(ir::graph& g, int id, index_t number) {
  auto& i = g.ins[id];
  i.op = ir::facts_of<ir::argument_t>();
  i.count = 0;
  i.results = 1;
  i.attr = g.attr_count;
  i.attrs = 1;
  ir::graph::storage::reserve(g, 0, 1);
  g.attributes[g.attr_count++] = number;
}

// What there is to know of a loop.
template <class G>
struct loop_view {
  G const& g;
  int loop, yield, region, scope, carries, stacked;

  constexpr loop_view(G const& graph, int id)
      : g(graph),
        loop(id),
        yield(graph.in(id, 0)),
        region(graph.in(yield, 0)),
        scope(int(graph.attr(region, 0))),
        carries(int(graph.attr(id, 0))),
        stacked(int(graph.attr(id, 1))) {}

  constexpr index_t iterations() const { return ir::find(g, g.attr(region, 1)); }
  // whether only a count says how many of them there are
  constexpr bool is_open() const { return g.attr(region, 1) == ir::open_ended; }
  // whether derivatives keep nothing but its carries
  constexpr bool keeps_carries_only() const { return g.ins[region].attrs > 3; }
  // 0 where all iterations are run, or a carry counts them
  constexpr int count() const { return g.ins[region].count > 0 ? g.in(region, 0) : 0; }
  // that carry; -1: none
  constexpr int counted_by() const { return int(g.attr(region, 2)) - 1; }
  constexpr int carry(int k) const { return ir::carry_of(g, loop, k); }
  constexpr int initial(int k) const { return g.in(carry(k), 0); }
  constexpr int next(int k) const { return g.in(g.in(yield, 1 + k), 0); }
  constexpr int stack(int k) const { return g.in(yield, 1 + carries + k); }
  constexpr int last(int k) const { return loop + k; }
  constexpr int stacked_result(int k) const { return loop + carries + k; }
  constexpr int kept(int k) const { return loop + carries + stacked + k; }
  // whether an instruction belongs to the body, or to a loop in it
  constexpr bool holds(int id) const {
    for (int s = g.ins[id].scope; s != 0; s = g.outer[s])
      if (s == scope) return true;
    return false;
  }
  // Marks what of the body the loop's results are made of.
  constexpr void mark_needed(bool* needed) const {
    needed[yield] = true;
    for (int i = yield; i > region; --i)
      if (needed[i] && holds(i)) mark_needed_by(g, i, needed);
  }
  // f(id) for every value from outside that the body reads, each once
  template <class F>
  constexpr void for_each_captured(F const& f) const {
    bool seen[ir::capacity]{}, needed[ir::capacity]{};
    mark_needed(needed);
    for (int i = region + 1; i < loop; ++i) {
      if (!needed[i] || !holds(i)) continue;
      bool const begins = g.ins[i].op->kind == ir::op_kind::carry && g.ins[i].scope == scope;
      for (int k = 0; k < g.ins[i].count; ++k) {
        int const x = g.in(i, k);
        if (!begins && !holds(x) && !seen[x]) seen[x] = true, f(x);
      }
    }
  }
};

// Whether an instruction is a slice that shows one of so many rows of its operand, along the first axis, as a whole.
template <class G>
constexpr bool shows_one_row(G const& g, int id, index_t rows) {
  if (!ir::same_operation(g.ins[id].op, ir::facts_of<slice_t>())) return false;
  shape_t const part = g.shape(id), whole = g.shape(g.in(id, 0));
  if (part.extent[0] != 1 || ir::find(g, whole.extent[0]) != rows) return false;
  for (int k = 1; k < whole.rank; ++k)
    if (g.attr(id, k) != 0 || g.attr(id, whole.rank + k) != 1 ||
        ir::find(g, part.extent[k]) != ir::find(g, whole.extent[k]))
      return false;
  return true;
}

// While a body is recorded again, equal instructions outside of it are found only where the pass has been already,
// before `known`. The same holds for loops in it, which the pass comes to then.
template <class G>
struct known_before {
  G& g;
  int before;
  constexpr known_before(G& graph, int known) : g(graph), before(graph.found_before) {
    if (before == 0 || known < before) g.found_before = known;
  }
  constexpr ~known_before() { g.found_before = before; }
  known_before(known_before const&) = delete;
};

// Records the body again where instructions are recorded now. `to[carry]` of its carries is given; afterwards to[id] is
// what has become of each of its instructions. Its iteration is the dimension t.
template <class Mode>
struct body_again {
  using G = typename Mode::graph;
  G& g;
  int to[ir::capacity];
  index_t dims[ir::capacity / 8];  // 1 + what has become of a dimension
  int scopes[ir::max_scopes];      // of its region, and of loops in it

  constexpr explicit body_again(G& graph) : g(graph), to{}, dims{}, scopes{} {}

  constexpr void record(loop_view<G> const& l, index_t t) {
    index_t const counter = ir::dim(g, ir::dim_op::iteration, l.scope, 0);
    dims[ir::dim_index(counter)] = t + 1;
    int const here = g.scope;
    scopes[l.scope] = here;
    bool needed[ir::capacity]{};
    l.mark_needed(needed);
    for (int i = l.region + 1; i < l.loop; ++i) {
      if (!needed[i] || !l.holds(i) || (g.ins[i].scope == l.scope && is_made_by_new_loop(g.ins[i].op->kind))) continue;
      copy(i);
    }
    g.scope = here;
  }
  constexpr int of(int id) const { return to[id] != 0 ? to[id] : id; }

 private:
  static constexpr bool is_made_by_new_loop(ir::op_kind kind) {
    return kind == ir::op_kind::carry || kind == ir::op_kind::next || kind == ir::op_kind::yield;
  }

 public:
  // one instruction, what it is made of having been
  constexpr void copy(int id) {
    auto i = g.ins[id];
    if (i.op->kind == ir::op_kind::table) {  // the same numbers, again: those there belong to the other body
      g.scope = scopes[i.scope];
      to[id] = ir::append(g, i, {}, {&g.attributes[i.attr], i.attrs});
      return;
    }
    int operands[ir::max_operands]{};
    index_t attributes[ir::max_attributes]{};
    int const n = i.attrs;
    for (int k = 0; k < i.count; ++k) operands[k] = of(g.in(id, k));
    for (int k = 0; k < n; ++k) attributes[k] = g.attr(id, k);
    if (ir::traits_of(i.op->kind).has_dims)
      for (int k = 0; k < n; ++k) attributes[k] = dimension(attributes[k]);
    if (i.op->kind == ir::op_kind::region) {  // of a loop in the body
      int const old = int(g.attr(id, 0));
      int const scope = scopes[old] = ir::new_scope(g, scopes[g.outer[old]]);
      attributes[0] = scope;
      dims[ir::dim_index(ir::dim(g, ir::dim_op::iteration, old, 0))] = ir::dim(g, ir::dim_op::iteration, scope, 0) + 1;
    } else if (is_made_by_new_loop(i.op->kind) && i.op->kind != ir::op_kind::yield) {
      attributes[0] = scopes[attributes[0]];
    }
    g.scope = scopes[i.scope];
    ir::put_in_order(i.op, operands);
    to[id] = ir::append(g, i, {operands, i.count}, {attributes, n});
  }

 private:
  constexpr index_t dimension(index_t d) {
    d = ir::find(g, d);
    if (!ir::is_symbolic(d)) return d;
    int const k = ir::dim_index(d);
    if (dims[k] != 0) return dims[k] - 1;
    auto const e = g.dims[k];
    index_t const result = ir::is_given(e.op) ? d : ir::made_of(g, e.op, dimension(e.a), dimension(e.b));
    dims[k] = result + 1;
    return result;
  }
};

}  // namespace ricci::transform
