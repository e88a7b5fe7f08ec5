// A graph and a plan as tables of exactly the needed size, from which they are described.
#pragma once

#include <string>

#include <ricci/inspect/work.hpp>
#include <ricci/kernel/code.hpp>
#include <ricci/transform/simplify.hpp>

namespace ricci::inspect {
inline namespace RICCI_ABI {

// An instruction of a graph.
struct node_entry {
  ir::op_facts const* op;
  dtype type;
  int id, shape, first, count, attr, attrs;
};
struct graph_view {
  node_entry const* nodes;
  int const* operands;
  index_t const* attributes;
  shape_t const* shapes;
  int const* outputs;
  int size, output_count;
};

// The instructions of a graph that its outputs need. `Source::graph` is constexpr.
template <class Source>
struct graph_tables {
  struct sizes_t {
    bool needed[ir::capacity];
    int nodes, operands, attributes;
  };
  static constexpr sizes_t sizes = [] {
    constexpr auto const& g = Source::graph;
    sizes_t s{};
    transform::mark_needed(g, 1, {g.outputs, g.output_count}, s.needed);
    for (int i = 1; i < g.size; ++i)
      if (s.needed[i]) ++s.nodes, s.operands += g.ins[i].count, s.attributes += g.ins[i].attrs;
    return s;
  }();
  struct tables_t {
    table<node_entry, sizes.nodes> nodes;
    table<int, sizes.operands> operands;
    table<index_t, sizes.attributes> attributes;
  };
  static constexpr tables_t value = [] {
    constexpr auto const& g = Source::graph;
    tables_t t{};
    int n = 0, operands = 0, attributes = 0;
    for (int i = 1; i < g.size; ++i) {
      if (!sizes.needed[i]) continue;
      auto const& from = g.ins[i];
      t.nodes.at[n++] = {from.op, from.type, i, from.shape, operands, from.count, attributes, from.attrs};
      for (int k = 0; k < from.count; ++k) t.operands.at[operands++] = g.in(i, k);
      for (int k = 0; k < from.attrs; ++k)
        t.attributes.at[attributes++] =
            ir::traits_of(g.ins[i].op->kind).has_dims ? ir::find(g, g.attr(i, k)) : g.attr(i, k);
    }
    return t;
  }();
  static constexpr auto shapes = [] {
    constexpr auto const& g = Source::graph;
    table<shape_t, Source::graph.shape_count> t{};
    for (int k = 0; k < g.shape_count; ++k) {
      t.at[k] = g.shapes[k];
      for (int d = 0; d < g.shapes[k].rank; ++d) t.at[k].extent[d] = ir::find(g, g.shapes[k].extent[d]);
    }
    return t;
  }();
  static constexpr auto outputs = exec::tables::exact<Source::graph.output_count>(Source::graph.outputs);
  static constexpr graph_view view{value.nodes.at, value.operands.at, value.attributes.at,       shapes.at,
                                   outputs.at,     sizes.nodes,       Source::graph.output_count};
};

// The type of the numbers that a kernel computes in SIMD registers; none where they are computed one by one.
template <class Plan>
constexpr dtype simd_type_of(Plan const& p, int kernel) {
  auto const& k = p.kernels[kernel];
  if (!traits_of(k.kind).has_lanes) return dtype::none;
  if (k.registers + k.sinks == 0) return k.type;
  dtype types[ir::capacity / 2 + plan::max_sinks]{};
  int n = 0;
  for (int i = 0; i < k.registers; ++i) types[n++] = p.registers[k.first_register + i].type;
  dtype reduced[plan::max_sinks]{};
  int reductions = 0;
  for (int i = 0; i < k.sinks; ++i) {
    auto const& s = p.sinks[k.first_sink + i];
    types[n++] = s.type;
    if (s.reduction->id != 0) reduced[reductions++] = s.type;
  }
  dtype const one = kernel::common_float(types, n);
  return one != dtype::none ? one : kernel::main_float(types, n, reduced, reductions);
}

// A plan with what is in its kernels.
struct described_plan {
  plan_view view;
  plan::kernel_t const* kernels;
  kernel_work const* works;
  dtype const* simd_types;  // of kernels
  plan::register_t const* registers;
  plan::sink_t const* sinks;
  plan::buffer_t const* buffers;
  char const* const* loops;  // of steps, in the backend's words, as the next three (exec/described.hpp)
  int const* group_ends;
  char const* together;
  std::string (*numbers)(dtype);
  int steps, kernel_count, buffer_count;
  index_t workspace;
};

}  // namespace RICCI_ABI
}  // namespace ricci::inspect
