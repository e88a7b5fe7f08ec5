// What the search for the pattern of a jacobian reads of a traced function: its graph as constants of the needed size.
// Graphs themselves are large and read in constant expressions only.
#pragma once

#include <ricci/autodiff/program.hpp>
#include <ricci/exec/program.hpp>

namespace ricci::sparsity {
inline namespace RICCI_ABI {

struct entry {
  ir::op_facts const* op;
  dtype type;
  std::uint16_t scope, results;
  std::uint8_t follows;  // of what is elementwise: bit k where there is a derivative by operand k
  bool needed;
  int shape, first, count, attr, attrs;
};

// The same for all functions. Ids as in the graph; `wanted`: integers and conditions, of which the values are looked
// at.
struct graph_view {
  entry const* ins;
  int size;
  int const* operands;
  index_t const* attributes;
  exec::dim_tables dims;
  int dim_count;
  int const* outputs;
  int output_count;
  int const* wanted;
  int wanted_count;

  int in(int id, int k) const { return operands[ins[id].first + k]; }
};

// more are taken for unknown
inline constexpr int most_wanted = ir::max_operands;

// An alias of its first operand whose derivative is made of others.
constexpr bool has_rule_of_its_own(auto const& instruction) {
  return instruction.op->kind == ir::op_kind::alias && instruction.count > 1;
}

struct marks {
  bool needed[ir::capacity];
  std::uint8_t follows[ir::capacity];
  int wanted[most_wanted];
  int wanted_count;
};

// What is the same for all values of the floating arguments, as indices among the arguments and what is computed of
// them: so that a pattern holds as long as they do. What loops make is not looked at.
template <class G>
constexpr bool is_fixed(G const& g, bool const* fixed, int id) {
  auto const& i = g.ins[id];
  if (i.scope != 0 || ir::traits_of(i.op->kind).is_of_loop) return false;
  if (i.op->kind == ir::op_kind::argument) return !is_inexact(i.type);
  for (int k = 0; k < i.count; ++k)
    if (!fixed[g.in(id, k)]) return false;
  return true;
}

// The integers that say which elements are read or written: those that name rows, those that loops read, and
// conditions (0 or 1) that choose.
template <class G>
constexpr void find_wanted(G const& g, int size, marks& m) {
  bool fixed[ir::capacity]{};
  for (int id = 1; id < size; ++id) fixed[id] = is_fixed(g, fixed, id);
  auto const want = [&](int id) {
    if (!fixed[id] || is_inexact(g.ins[id].type) || m.wanted_count == most_wanted) return;
    for (int k = 0; k < m.wanted_count; ++k)
      if (m.wanted[k] == id) return;
    m.wanted[m.wanted_count++] = id;
  };
  for (int id = 1; id < size; ++id) {
    if (!m.needed[id]) continue;
    auto const kind = g.ins[id].op->kind;
    if (kind == ir::op_kind::index || kind == ir::op_kind::scatter) want(g.in(id, 1));
    if (g.ins[id].scope != 0)
      for (int k = 0; k < g.ins[id].count; ++k) want(g.in(id, k));
  }
  for (int id = 1; id < size; ++id)
    if (m.needed[id] && ir::same_operation(g.ins[id].op, ir::facts_of<where_t>())) want(g.in(id, 0));
}

// Whether a tangent that was recorded from instruction `begin` on depends on those that it was made of element by
// element. Constants may be broadcast.
template <class Graph>
constexpr bool is_by_element(Graph const& g, int begin, int tangent) {
  bool needed[ir::capacity]{};
  transform::mark_needed(g, begin, {&tangent, 1}, needed);
  for (int id = begin; id < g.size; ++id) {
    if (!needed[id]) continue;
    using enum ir::op_kind;
    auto kind = g.ins[id].op->kind;
    if (kind == view)
      kind = g.ins[g.in(id, 0)].op->kind;
    else if (kind == elementwise || kind == alias)
      kind = literal;
    if (kind != literal && kind != number && kind != table) return false;
  }
  return true;
}

// An elementwise operation is asked for its derivative by each operand: of floor there is none, nor of what stands
// behind stop_gradient. So is an alias with a rule of its own (a custom_jvp, a checkpoint), whose value depends on
// nothing as it was recorded; where its rule is not elementwise, or is one for all operands at once (a root), it
// follows none of them, and depends on everything.
template <class Graph>
constexpr marks marks_of(Graph const& from) {
  marks m{};
  Graph g = from;  // its rules append to it
  transform::mark_needed(g, 1, {g.outputs, g.output_count}, m.needed);
  find_wanted(g, from.size, m);
  for (int id = 1; id < from.size; ++id) {
    auto const& i = from.ins[id];
    auto const kind = i.op->kind;
    if (!m.needed[id] || !is_inexact(i.type)) continue;
    if (kind != ir::op_kind::elementwise && kind != ir::op_kind::alias) continue;
    bool const has_rule = has_rule_of_its_own(i);
    if (has_rule && (i.rules->jvp == nullptr || i.results > 1 || i.count > 8)) continue;
    g.scope = i.scope;
    bool by_element = true;
    for (int k = 0; k < i.count && by_element; ++k) {
      if (!is_inexact(g.ins[g.in(id, k)].type)) continue;
      int tangents[ir::max_operands]{}, result = 0;
      int const begin = g.size;
      tangents[k] = g.in(id, k);
      i.rules->jvp(g, id, tangents, &result);
      if (result == 0) continue;
      m.follows[id] = static_cast<std::uint8_t>(m.follows[id] | 1 << k);
      by_element =
          !has_rule || (ir::same_shape(g, g.ins[g.in(id, k)].shape, i.shape) && is_by_element(g, begin, result));
    }
    if (!by_element) m.follows[id] = 0;
  }
  return m;
}

// Call: a traced_call, of which the first outputs are not looked at.
template <class Call, int FirstOutput = 0>
struct graph_table {
  static constexpr int first_output = FirstOutput, output_count = Call::trace().g.output_count - FirstOutput;
  static constexpr marks found = marks_of(Call::trace().g);
  static constexpr int size = Call::trace().g.size;
  static constexpr int dim_count = Call::trace().g.dim_count, check_count = Call::trace().g.check_count;
  static constexpr auto ins = [] {
    auto const& g = Call::trace().g;
    exec::table<entry, size> t{};
    for (int id = 1; id < size; ++id) {
      auto const& i = g.ins[id];
      t.at[id] = {i.op,    i.type,  i.scope, i.results, found.follows[id], found.needed[id], i.shape,
                  i.first, i.count, i.attr,  i.attrs};
    }
    return t;
  }();
  static constexpr auto operands = exec::tables::exact<Call::trace().g.operand_count>(Call::trace().g.operands);
  static constexpr auto attributes = exec::tables::exact<Call::trace().g.attr_count>(Call::trace().g.attributes);
  static constexpr auto shapes = exec::tables::exact<Call::trace().g.shape_count>(Call::trace().g.shapes);
  static constexpr auto dims = exec::tables::exact<Call::trace().g.dim_count>(Call::trace().g.dims);
  static constexpr auto checks = exec::tables::exact<Call::trace().g.check_count>(Call::trace().g.checks);
  static constexpr auto outputs = exec::tables::exact<Call::trace().g.output_count>(Call::trace().g.outputs);
  static constexpr auto wanted = exec::tables::exact<found.wanted_count>(found.wanted);

  static constexpr graph_view view() {
    return {ins.at,
            size,
            operands.at,
            attributes.at,
            {dims.at, nullptr, nullptr, checks.at, shapes.at, dim_count, 0, 0, check_count, false},
            dim_count,
            outputs.at + first_output,
            output_count,
            wanted.at,
            found.wanted_count};
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
