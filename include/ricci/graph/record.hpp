// Recording: an instruction is appended unless an equal one is there already.
#pragma once

#include <ricci/graph/descriptor.hpp>
#include <ricci/graph/map_check.hpp>
#include <ricci/graph/value.hpp>

namespace ricci::ir {

// The derivative rules of an operation as pointers (transform/derivatives.hpp) and its interpreter (exec/interpret);
// only graphs that need them instantiate them.
template <class Op, class Mode>
struct rules_of;
template <class Op, class Mode>
struct runner_of;

// A list of operands or attributes that somebody else holds.
template <class T>
struct span {
  T const* data = nullptr;
  int size = 0;
};

// The operands of a commutative operation in one order, so that equal instructions are found.
constexpr void put_in_order(op_facts const* op, int* operands) {
  if (!op->commutative || operands[0] <= operands[1]) return;
  int const first = operands[0];
  operands[0] = operands[1];
  operands[1] = first;
}

// What follows runs once for every instruction that is recorded, inside of the user's function, so in one constant
// evaluation: clang counts its statements, g++ its expressions. Hence the few large statements.

template <class G>
constexpr std::uint32_t hash_of(typename G::instruction const& i, span<int> operands, span<index_t> attributes) {
  constexpr std::uint32_t a = 0x9e3779b1u, b = 0x85ebca6bu, c = 0xc2b2ae35u;
  std::uint32_t h = (static_cast<std::uint32_t>(i.op->id) + static_cast<std::uint32_t>(i.shape) * a +
                     static_cast<std::uint32_t>(i.type)) *
                    b;
  for (int k = 0; k < operands.size; ++k) h = (h ^ static_cast<std::uint32_t>(operands.data[k])) * b;
  for (int k = 0; k < attributes.size; ++k)
    h = (h ^ static_cast<std::uint32_t>(attributes.data[k] ^ (attributes.data[k] >> 32))) * c;
  return h ^ h >> 15;
}

// Whether a region is this one or one around it. Of that of an operand this is wrong where a program's value has left
// the body of a loop or branch in another way than as its result.
template <class G>
constexpr bool is_around(G const& g, int scope) {
  for (int s = g.scope; s != scope; s = g.outer[s])
    if (s == 0) return false;
  return true;
}

// Whether an instruction can be read where others are recorded now: it stands in this region or in one around it,
// behind the beginnings of all that it stands in.
template <class G>
constexpr bool is_visible(G const& g, int id) {
  int const scope = g.ins[id].scope;
  if (g.found_before != 0 && id >= g.found_before && scope != g.scope) return false;
  if (!is_around(g, scope)) return false;
  for (int s = scope; s != 0; s = g.outer[s])
    if (id < g.begins[s]) return false;
  return true;
}

template <class G>
constexpr bool equals(G const& g, int id, typename G::instruction const& i, span<int> operands,
                      span<index_t> attributes) {
  auto const& other = g.ins[id];
  if (!same_operation(other.op, i.op) || other.shape != i.shape || other.type != i.type ||
      other.count != operands.size || other.attrs != attributes.size || !is_visible(g, id))
    return false;
  for (int k = 0; k < operands.size; ++k)
    if (g.operands[other.first + k] != operands.data[k]) return false;
  for (int k = 0; k < attributes.size; ++k)
    if (g.attributes[other.attr + k] != attributes.data[k]) return false;
  return true;
}

// The id of the instruction, new or found. `i` names operation, rules, type and shape; the rest is filled in here. A
// part is found behind what it belongs to, whatever is known of its extents by now: passes count on its place.
template <class G>
constexpr int append(G& g, typename G::instruction i, span<int> operands, span<index_t> attributes) {
  if (i.op->kind == op_kind::part) {
    int const id = operands.data[0] + static_cast<int>(attributes.data[0]);
    if (id < g.size && (g.ins[id].op->kind != op_kind::part || g.operands[g.ins[id].first] != operands.data[0]))
      __builtin_unreachable();  // they are recorded together
    if (id < g.size) return id;
  }
  if constexpr (G::storage::merges) {
    i.hash = hash_of<G>(i, operands, attributes);
    int& bucket = g.bucket[i.hash & (capacity / 8 - 1)];
    for (int k = bucket; k != 0; k = g.ins[k].next)
      if (g.ins[k].hash == i.hash && equals(g, k, i, operands, attributes)) return k;
    i.next = bucket;
    bucket = g.size;
  }
  G::storage::reserve(g, operands.size, attributes.size);
  i.scope = static_cast<std::uint16_t>(g.scope), i.first = g.operand_count, i.count = operands.size,
  i.attr = g.attr_count, i.attrs = attributes.size;
  for (int k = 0; k < operands.size; ++k) {
    int const from = operands.data[k];
    if constexpr (G::storage::merges)
      if (g.ins[from].scope != g.scope && i.op->kind != op_kind::loop && !is_around(g, g.ins[from].scope))
        limits::a_value_of_a_loop_or_branch_is_used_outside_of_its_body_return_it_from_there();
    g.operands[g.operand_count++] = from;
  }
  for (int k = 0; k < attributes.size; ++k) g.attributes[g.attr_count++] = attributes.data[k];
  if (i.op->kind == op_kind::region) g.begins[g.scope] = g.size;
  g.ins[g.size] = i;
  return g.size++;
}

// Instruction `id` once more, on other operands, of which there are as many, and of another type or shape where `i`
// says so.
template <class G>
constexpr int append_again(G& g, int id, typename G::instruction const& i, int const* operands) {
  int in[max_operands]{};
  index_t attributes[max_attributes]{};
  for (int k = 0; k < i.count; ++k) in[k] = operands[k];
  for (int k = 0; k < i.attrs; ++k) attributes[k] = g.attr(id, k);
  put_in_order(i.op, in);
  return append(g, i, {in, i.count}, {attributes, i.attrs});
}

template <class Op, class Mode>
constexpr value<Mode> record(typename Mode::graph& g, dtype type, int shape, span<int> operands,
                             span<index_t> attributes = {}) {
  typename Mode::graph::instruction i{facts_of<Op>(), nullptr, nullptr, type, 0, 1, shape, 0, 0, 0, 0, 0, 0};
  if constexpr (requires { Op::selects; }) g.selects = true;
  if constexpr (Op::kind != op_kind::table)
    if (attributes.size > max_attributes) limits::an_operation_has_more_than_24_attributes();
  if constexpr (Op::kind == op_kind::call) i.results = Op::core.results;
  if constexpr (Mode::derives) i.rules = &rules_of<Op, Mode>::table;
  if constexpr (Mode::runs) i.run = &runner_of<Op, Mode>::run;
  int const id = append(g, i, operands, attributes);
  if constexpr (says_where<Op>) check_maps<Op>(g, id);
  if constexpr (Mode::runs)
    if (i.results == 1) i.run(g, id);  // else when there is room for all of them (ops/core_call.hpp)
  return {&g, id};
}

}  // namespace ricci::ir
