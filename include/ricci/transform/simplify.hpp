// Simplification: every instruction that is still needed is recorded again, in order, through the rules of the wanted
// level. Recording merges what has become equal; what nobody needs is not recorded. With the same graph as source and
// target the unchanged instructions find themselves.
#pragma once

#include <ricci/transform/extents.hpp>
#include <ricci/transform/hoist.hpp>
#include <ricci/transform/recomputed.hpp>
#include <ricci/transform/rules/fast.hpp>

namespace ricci::transform {

template <class Mode>
struct rule_entry {
  ir::op_facts const* root;
  ir::value<Mode> (*apply)(ir::value<Mode>);
  bool of_real_numbers;  // not for integers and complex numbers
};

template <class Rule>
concept RuleOfRealNumbers = requires {
  Rule::of_real_numbers;
};

// Rules of levels beyond UpTo are not even instantiated.
template <class Mode, level UpTo, class... Rules>
struct rule_table {
  rule_entry<Mode> at[sizeof...(Rules)]{};
  int size = 0;
  constexpr rule_table() { (add<Rules>(), ...); }

 private:
  template <class Rule>
  constexpr void add() {
    if constexpr (Rule::from <= UpTo)
      at[size++] = {ir::facts_of<typename Rule::root>(), &Rule::template apply<ir::value<Mode>>,
                    RuleOfRealNumbers<Rule>};
  }
};
template <class... Rules>
struct rule_list {
  template <class Mode, level UpTo>
  static constexpr rule_table<Mode, UpTo, Rules...> table{};
};

using all_rules =
    rule_list<multiply_by_one, divide_by_one, divide_by_power_of_two, subtract_zero, double_negation, add_negative,
              subtract_negative, merge_powers_of_two, equal_branches, permuted_twice, broadcast_twice,
              sum_of_known_axes, reshaped_twice, trivial_slice, fold<add_t>, fold<subtract_t>, fold<multiply_t>,
              fold<divide_t>, fold<negative_t>, fold<square_t>, fold<maximum_t>, fold<minimum_t>,  //
              add_zero, log_of_sum_of_exp, exp_over_sum_of_exp, log_of_one_plus, log1p_of_exp, exp_minus_one,
              log_of_exp, merge_factors, divide_by_literal, factor_out_of_sum>;

// What instruction `id` becomes by what it reads, 0 where that has nothing to say: operations above this floor say so
// by `consumer(y, x)`, of the y that read their result x themselves or behind one operation of one operand.
template <class Mode>
constexpr int rewritten_by_operand(typename Mode::graph& g, int id) {
  for (int k = 0; k < g.ins[id].count; ++k) {
    int x = g.in(id, k);
    for (int behind = 0; behind < 2; ++behind) {
      auto const* rules = g.ins[x].rules;
      if (rules != nullptr && rules->consumer != nullptr)
        if (int const y = rules->consumer(g, id, x); y != 0) return y;
      if (g.ins[x].count != 1) break;
      x = g.in(x, 0);
    }
  }
  return 0;
}

// The value that the rules make of instruction `id`, itself where none applies.
template <class Mode, level UpTo>
constexpr int rewritten(typename Mode::graph& g, int id) {
  auto const& rules = all_rules::template table<Mode, UpTo>;
  for (bool again = true; again;) {
    again = false;
    auto const* op = g.ins[id].op;
    for (int k = 0; k < rules.size; ++k) {
      if (!ir::same_operation(rules.at[k].root, op)) continue;
      if (rules.at[k].of_real_numbers && !is_floating(g.ins[id].type)) continue;
      if (auto const v = rules.at[k].apply({&g, id}); v && v.id != id) {
        id = v.id;
        again = true;
        break;
      }
    }
    if constexpr (UpTo >= level::fast)
      if (int const by_operand = again ? 0 : rewritten_by_operand<Mode>(g, id); by_operand != 0)
        id = by_operand, again = true;
  }
  return id;
}

// Copies instruction `id` of `from` to `to`, its operands mapped; extents and attributes that are dimensions are those
// that they are known to equal by now.
template <class Mode>
constexpr int copied(typename Mode::graph const& from, typename Mode::graph& to, int id, int const* map, int scope) {
  auto i = from.ins[id];
  int operands[ir::max_operands]{};
  to.scope = scope;
  if (i.op->kind == ir::op_kind::table) {
    i.shape = ir::intern(to, from.shapes[i.shape]);
    return ir::append(to, i, {}, {from.attributes + i.attr, i.attrs});
  }
  index_t attributes[ir::max_attributes]{};
  for (int k = 0; k < i.count; ++k) operands[k] = map[from.in(id, k)];
  for (int k = 0; k < i.attrs; ++k) attributes[k] = from.attr(id, k);
  if (ir::traits_of(i.op->kind).has_dims)
    for (int k = 0; k < i.attrs; ++k) attributes[k] = ir::find(to, attributes[k]);
  ir::put_in_order(i.op, operands);
  i.shape = ir::intern(to, from.shapes[i.shape]);
  return ir::append(to, i, {operands, i.count}, {attributes, i.attrs});
}
template <class Mode>
constexpr int copied(typename Mode::graph const& from, typename Mode::graph& to, int id, int const* map) {
  return copied<Mode>(from, to, id, map, from.ins[id].scope);
}

// Marks what an instruction that is needed needs: its operands, and results of it, which stay behind one another.
template <class G, class Flags>
constexpr void mark_needed_by(G const& g, int id, Flags& needed) {
  for (int k = 0; k < g.ins[id].count; ++k) needed[g.in(id, k)] = true;
  for (int k = 1; k < int(g.ins[id].results); ++k) needed[id + k] = true;
}
// Marks what the outputs need, among values from `begin` on, to be computed and to be derived.
template <class G, class Flags>
constexpr void mark_needed(G const& g, int begin, ir::span<int> outputs, Flags& needed) {
  for (int k = 0; k < outputs.size; ++k) needed[outputs.data[k]] = true;
  for (int i = g.size - 1; i >= begin; --i)
    if (needed[i]) mark_needed_by(g, i, needed);
}

// The same where nothing is derived any more, so that of an alias only the value counts.
template <class G, class Flags>
constexpr void mark_computed(G const& g, ir::span<int> outputs, Flags& needed) {
  for (int k = 0; k < outputs.size; ++k) needed[outputs.data[k]] = true;
  for (int i = g.size - 1; i >= 1; --i) {
    if (!needed[i]) continue;
    if (int const same = ir::aliased(g, i); same != 0)
      needed[same] = true;
    else
      mark_needed_by(g, i, needed);
  }
}

// What a pass over a graph carries along: which instructions are needed, and what has become of each.
struct renaming {
  bool needed[ir::capacity];
  int to[ir::capacity];
};

// `f(id)` for instruction `loop` and, before it, for those of its region that are needed, in their order. So a region
// stays in one piece, whatever else has been recorded while it was; where its beginning changes, its body is another.
template <class G, class Flags, class F>
constexpr void with_region(G const& g, Flags const& needed, int loop, F const& f) {
  if (g.ins[loop].op->kind == ir::op_kind::loop) {
    int const scope = static_cast<int>(g.attr(g.in(g.in(loop, 0), 0), 0));
    for (int i = 1; i < loop; ++i)
      if (g.ins[i].scope == scope && needed[i]) with_region(g, needed, i, f);
  }
  f(loop);
}

// What a pass in place does not record again: what was there before, and variables, whose number says which they are,
// unless what they stand for has changed. Parts stay behind what they belong to.
template <class G>
constexpr bool stays_in_place(G const& g, int id, int begin, int const* to) {
  if (id < begin) return true;
  if (ir::aliased(g, id) == 0 || !ir::is_visible(g, id)) return false;
  for (int k = 0; k < g.ins[id].count; ++k)
    if (to[g.in(id, k)] != g.in(id, k)) return false;
  return true;
}
// Simplifies instructions [first, last) of a graph in place; what is needed of all from `begin` on has been marked.
// Values recorded before `begin` stay.
template <class Mode, level UpTo>
constexpr void simplify(typename Mode::graph& g, renaming& names, int begin, int first, int last) {
  int const base = g.scope;
  for (int i = first; i < last; ++i) {
    if (i < begin)
      names.to[i] = i;
    else if (names.needed[i] && g.ins[i].scope == base)
      with_region(g, names.needed, i, [&](int id) {
        g.scope = g.ins[id].scope;
        names.to[id] =
            stays_in_place(g, id, begin, names.to) ? id : rewritten<Mode, UpTo>(g, copied<Mode>(g, g, id, names.to));
      });
    g.scope = base;
  }
}
// Simplifies what the outputs need, and replaces them by their new values.
template <class Mode, level UpTo>
constexpr void simplify(typename Mode::graph& g, int begin, int* outputs, int count) {
  renaming names{};
  mark_needed(g, begin, {outputs, count}, names.needed);
  simplify<Mode, UpTo>(g, names, begin, 1, g.size);
  for (int k = 0; k < count; ++k) outputs[k] = names.to[outputs[k]];
}

// Whether an operation's result, at any index, is made of its operands at that index, as far as they are not broadcast.
constexpr bool is_elementwise(ir::op_facts const* op) {
  using enum ir::op_kind;
  switch (op->kind) {
    case elementwise:
    case argument:
    case literal:
    case alias:
      return true;
    case view:
      return ir::same_operation(op, ir::facts_of<broadcast_to_t>());
    case number:
    case table:
    case reshape:
    case reduce:
    case contract:
    case index:
    case scatter:
    case assemble:
    case call:
    case part:
    case region:
    case carry:
    case next:
    case yield:
    case loop:
      return false;
  }
  __builtin_unreachable();
}

// Begins a finished graph: its extents, and what is needed. `are`: whether extents that may each be 1 are taken for
// equal (transform/extents.hpp).
template <class Mode>
constexpr void begin_finishing(typename Mode::graph const& from, typename Mode::graph& to, renaming& names,
                               extents_are are) {
  take_extents(from, to, are);
  to.output_count = from.output_count;
  to.elementwise = true;
  mark_computed(from, {from.outputs, from.output_count}, names.needed);
}
// The later loop that is to stand in for one, 0 where there is none: of a loop whose tangent is taken, that which
// carries the tangents beside the same carries.
template <class G>
constexpr int stand_in(G const& from, renaming const& names, int loop) {
  if (from.ins[loop].op->kind != ir::op_kind::loop) return 0;
  int const other = from.beside[from.attr(from.in(from.in(loop, 0), 0), 0)];
  if (other <= loop || !names.needed[other] || from.ins[other].op->kind != ir::op_kind::loop) return 0;
  for (int k = 0; k < int(from.ins[loop].results); ++k)
    if (from.ins[loop + k].type != from.ins[other + k].type ||
        !ir::same_shape(from, from.ins[loop + k].shape, from.ins[other + k].shape))
      return 0;
  return other;
}
// Records what leaves a loop, before its region.
template <class Mode, level UpTo>
constexpr void hoist(typename Mode::graph const& from, typename Mode::graph& to, renaming& names, int region) {
  hoisted_values<typename Mode::graph> const out(from, names.needed, region, [&](int id) { return names.to[id] != 0; });
  for (int i = region + 1; i < out.end; ++i)
    if (out.moves[i] && names.to[i] == 0)
      names.to[i] = rewritten<Mode, UpTo>(to, copied<Mode>(from, to, i, names.to, from.outer[from.ins[region].scope]));
}
template <class Mode, level UpTo>
constexpr void finish(typename Mode::graph const& from, typename Mode::graph& to, renaming& names, int first,
                      int last) {
  auto const record = [&](int i) {
    if (!names.needed[i] || from.ins[i].scope != 0 || names.to[i] != 0) return;
    with_region(from, names.needed, i, [&](int id) {
      if (names.to[id] != 0) return;  // it has left its loop
      if (from.ins[id].op->kind == ir::op_kind::region) hoist<Mode, UpTo>(from, to, names, id);
      int const same = ir::aliased(from, id);
      to.elementwise = to.elementwise && (same != 0 || is_elementwise(from.ins[id].op));
      if (same == 0)
        names.to[id] = rewritten<Mode, UpTo>(to, copied<Mode>(from, to, id, names.to));
      else if (is_recomputed(from, to, id, names.to[same]))
        names.to[id] = finished_recomputation(from, to, id, names.to[same]);
      else
        names.to[id] = names.to[same];
    });
    to.scope = 0;
  };
  for (int i = first; i < last; ++i) {
    if (int const other = names.needed[i] && from.ins[i].scope == 0 && names.to[i] == 0 ? stand_in(from, names, i) : 0;
        other != 0) {  // what it is made of comes before it, none of which is made of this one
      bool before[ir::capacity]{};
      before[other] = true;
      for (int k = other; k > i; --k)
        for (int o = 0; before[k] && o < from.ins[k].count; ++o) before[from.in(k, o)] = true;
      bool depends = false;
      for (int k = 0; k < int(from.ins[i].results); ++k) depends = depends || before[i + k];
      if (!depends) {
        for (int k = i + 1; k <= other; ++k)
          if (before[k]) record(k);
        for (int k = 1; k < int(from.ins[other].results); ++k) record(other + k);
        for (int k = 0; k < int(from.ins[i].results); ++k) names.to[i + k] = names.to[other + k];
      }
    }
    record(i);
  }
  if (last < from.size) return;
  for (int k = 0; k < from.output_count; ++k) {
    if (from.ins[from.outputs[k]].scope != 0)
      limits::a_value_of_a_loop_or_branch_is_used_outside_of_its_body_return_it_from_there();
    to.outputs[k] = names.to[from.outputs[k]];
    to.exact_shapes[k] = from.ins[from.outputs[k]].shape;
  }
}
// The finished graph: simplified once more, without the instructions that only derivatives cared for, and without
// holes. Instructions [first, last) stay, even where nothing needs them.
template <class Mode, level UpTo>
constexpr typename Mode::graph finished(typename Mode::graph const& from, extents_are are, int first = 0,
                                        int last = 0) {
  typename Mode::graph to{};
  renaming names{};
  begin_finishing<Mode>(from, to, names, are);
  for (int i = first; i < last; ++i) names.needed[i] = true;
  finish<Mode, UpTo>(from, to, names, 1, from.size);
  return to;
}

}  // namespace ricci::transform
