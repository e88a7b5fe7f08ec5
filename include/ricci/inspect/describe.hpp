// A graph and a plan as text for people, from tables of exactly the needed size: what `rc::explain` prints and draws.
#pragma once

#include <cstdio>
#include <string>

#include <ricci/inspect/tables.hpp>
#include <ricci/ops/loop.hpp>

namespace ricci::inspect {
inline namespace RICCI_ABI {

// A template so that programs that explain nothing do not pay for it.
template <class String>
class describer {
 public:
  // the dimensions, and which of them change with the iterations of a loop
  describer(index_t const* dims, bool const* in_loops) : dims_(dims), in_loops_(in_loops) {}
  String text;

  RICCI_COLD void graph(char const* title, graph_view const& g) {
    text.append(title).append(": ").append(number(g.size)).append(g.size == 1 ? " instruction\n" : " instructions\n");
    for (int k = 0; k < g.size; ++k) {
      node_entry const& n = g.nodes[k];
      String line = "  %" + number(n.id) + " = " + call(g, n, ", ");
      if (line.size() < 44) line.append(44 - line.size(), ' ');
      text.append(line).append(" ").append(name_of(n.type)).append(" ").append(shape(g.shapes[n.shape]));
      for (int o = 0; o < g.output_count; ++o)
        if (g.outputs[o] == n.id) text.append("  -> result ").append(number(o));
      text.append("\n");
    }
  }
  RICCI_COLD void plan(described_plan const& p, index_t const* offsets) {
    text.append("plan: ")
        .append(number(p.steps))
        .append(p.steps == 1 ? " step, " : " steps, ")
        .append(number(p.kernel_count));
    text.append(p.kernel_count == 1 ? " kernel, " : " kernels, ")
        .append(number(p.workspace))
        .append(" bytes of workspace\n");
    for (int k = 0; k < p.steps; ++k) {
      if (p.group_ends[k] > k)
        text.append("  steps ")
            .append(number(k))
            .append(" to ")
            .append(number(p.group_ends[k] - 1))
            .append(p.together)
            .append("\n");
      text.append("  step ").append(number(k)).append(": ").append(headline(p, k)).append("\n");
      auto const lines = body(p, k);
      for (std::size_t from = 0; from < lines.size();) {
        std::size_t const end = lines.find('\n', from);
        text.append("    ").append(lines, from, end - from).append("\n");
        from = end + 1;
      }
    }
    if (p.buffer_count > 0) text.append("buffers:\n");
    for (int k = 0; k < p.buffer_count; ++k) {
      auto const& b = p.buffers[k];
      text.append("  buffer ")
          .append(number(k))
          .append(": ")
          .append(number(resolve(b.elements, dims_) * b.element_size));
      text.append(" bytes at ").append(number(offsets[k])).append(", from step ").append(number(b.first_step));
      text.append(" to ").append(number(b.last_step)).append(", value %").append(number(b.value)).append("\n");
    }
  }

  // ---- Graphviz ----

  RICCI_COLD void draw_graph(char const* cluster, char const* title, graph_view const& g) {
    text.append("  subgraph cluster_").append(cluster).append(" {\n    label=\"").append(title).append("\";\n");
    auto const name = [&](int id) { return String(cluster) + "_" + number(id); };
    for (int k = 0; k < g.size; ++k) {
      node_entry const& n = g.nodes[k];
      bool const leaf = n.count == 0;
      text.append("    ")
          .append(name(n.id))
          .append(" [shape=")
          .append(leaf ? "ellipse" : "box")
          .append(", label=\"")
          .append(label(g, n));
      text.append("\\n").append(name_of(n.type)).append(" ").append(shape(g.shapes[n.shape])).append("\"];\n");
      for (int i = 0; i < n.count; ++i)
        text.append("    ").append(name(g.operands[n.first + i])).append(" -> ").append(name(n.id)).append(";\n");
    }
    for (int o = 0; o < g.output_count; ++o) {
      String const result = String(cluster) + "_result_" + number(o);
      text.append("    ")
          .append(result)
          .append(" [shape=plaintext, label=\"result ")
          .append(number(o))
          .append("\"];\n    ");
      text.append(name(g.outputs[o])).append(" -> ").append(result).append(";\n");
    }
    text.append("  }\n");
  }
  // steps as boxes, memory as ellipses
  RICCI_COLD void draw_plan(described_plan const& p) {
    text.append("  subgraph cluster_plan {\n    label=\"plan\";\n");
    for (int k = 0; k < p.steps; ++k) {
      String lines = headline(p, k) + "\n" + body(p, k), escaped;
      for (char c : lines) escaped.append(c == '\n' ? "\\l" : String(1, c));
      text.append("    step_").append(number(k)).append(" [shape=box, label=\"").append(escaped).append("\"];\n");
      auto const& s = p.view.steps[k];
      for (int o = 0; o < p.works[s.kernel].slots; ++o) {
        auto const& operand = p.view.operands[s.first_operand + o];
        String const memory = "\"" + place(operand) + "\"", step = "step_" + number(k);
        bool drawn = false;
        for (int before = 0; before < o; ++before) {
          auto const& other = p.view.operands[s.first_operand + before];
          drawn = drawn ||
                  (other.where == operand.where && other.index == operand.index && other.written == operand.written);
        }
        if (!drawn)
          text.append("    ").append(operand.written ? step + " -> " + memory : memory + " -> " + step).append(";\n");
      }
    }
    text.append("  }\n");
  }

  static String number(index_t n) { return std::to_string(n); }

 private:
  index_t const* dims_;
  bool const* in_loops_;

  String dimension(index_t d) const {
    return ir::is_symbolic(d) && in_loops_[ir::dim_index(d)] ? String("i") : number(resolve(d, dims_));
  }

  String shape(shape_t const& s) const {
    index_t extents[max_rank];
    for (int k = 0; k < s.rank; ++k) extents[k] = resolve(s.extent[k], dims_);
    return (core::text().shape(extents, s.rank)).c_str();
  }
  static String decimal(double x) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.9g", x);
    return digits;
  }
  static String constant(dtype t, index_t bits) {
    return is_inexact(t) ? decimal(core::literal_number(bits, t)) : number(bits);
  }
  String list(index_t const* from, int n) const {
    String s = "(";
    for (int k = 0; k < n; ++k) s.append(k ? ", " : "").append(dimension(from[k]));
    return s + ")";
  }
  static String axes(index_t mask) {
    String s = "(";
    for (int k = 0; k < max_rank; ++k)
      if (mask >> k & 1) s.append(s.size() > 1 ? ", " : "").append(number(k));
    return s + ")";
  }
  // the operation with what its attributes say
  String label(graph_view const& g, node_entry const& n) const {
    using kind = ir::op_kind;
    index_t const* a = g.attributes + n.attr;
    String const name = n.op->name;
    switch (n.op->kind) {
      case kind::argument:
        return name + " " + number(a[0]);
      case kind::literal:
        return constant(n.type, a[0]);
      case kind::number:
        return "number " + dimension(a[0]);
      case kind::reduce:
        return name + " over " + axes(a[0]);
      case kind::index:
      case kind::scatter:
        return name + " along " + number(a[0]);
      case kind::call:
        return n.op->call->along_axis ? name + " along " + number(a[0]) : name;
      case kind::part:
        return name + " " + number(a[0]);
      case kind::region:
        return a[1] == ir::open_ended ? name + " of as many iterations as are counted"
                                      : name + " of " + number(resolve(a[1], dims_)) + " iterations";
      case kind::carry:
      case kind::next:
        return name + " " + number(a[1]);
      case kind::view:
      case kind::assemble:
        if (n.attrs == 0) return name;
        if (n.attrs == 2 * g.shapes[n.shape].rank)
          return name + " from " + list(a, n.attrs / 2) + " by " + list(a + n.attrs / 2, n.attrs / 2);
        return name + " " + list(a, n.attrs);
      case kind::yield:
      case kind::loop:
      case kind::table:
      case kind::alias:
      case kind::elementwise:
      case kind::reshape:
      case kind::contract:
        return name;
    }
    __builtin_unreachable();
  }
  String call(graph_view const& g, node_entry const& n, char const* between) const {
    String s = label(g, n);
    if (n.count == 0) return s;
    s.append("(");
    for (int k = 0; k < n.count; ++k) s.append(k ? between : "").append("%").append(number(g.operands[n.first + k]));
    return s + ")";
  }

  static String place(plan::operand_t const& o) {
    using enum plan::home;
    return (o.where == argument ? "argument " : o.where == output ? "result " : "buffer ") + number(o.index);
  }
  // kind of loop, how far it runs, with which instructions
  String headline(described_plan const& p, int step) const {
    auto const& s = p.view.steps[step];
    String line = loop_of(p, step);
    if (plan::is_frame(p.kernels[s.kernel].kind)) return line;
    line.append(" of ");
    for (int l = 0; l < s.loops; ++l)
      line.append(l ? " x " : "").append(number(resolve(p.view.extents[s.first_extent + l], dims_)));
    if (s.loops == 0) line.append("1");
    line.append(", ").append(p.numbers(p.simd_types[s.kernel]));
    work const w = work_of_step(s, p.works[s.kernel], p.view, dims_);
    return line + ", " + number(w.operations) + " operations, " + number(w.read) + " bytes read, " + number(w.written) +
           " written";
  }
  String loop_of(described_plan const& p, int step) const {
    using enum plan::step_kind;
    auto const& s = p.view.steps[step];
    auto const& k = p.kernels[s.kernel];
    if (p.loops[step]) return p.loops[step];
    switch (k.kind) {
      case map:
        return "map";
      case reduce:
        return "reduction";
      case contract:
        return "matrix product";
      case accumulate:
        return String(k.op->name) + " over axes that are broadcast";
      case take:
        return "rows by index (outer, rows, inner, choices)";
      case scatter:
        return k.variant & plan::adds_rows ? "rows added by index (outer, rows, inner, choices)"
                                           : "rows written by index (outer, rows, inner, choices)";
      case call:
        return k.op->name;
      case table:
        return "a table of constants";
      case loop_begin:
        if (is_open(p, s)) return "loop of a number of iterations that is a value";
        return s.is_counted ? "branch"
                            : "loop of " + number(resolve(p.view.extents[s.first_extent], dims_)) + " iterations";
      case loop_end:
        return s.is_counted && !is_open(p, s) ? "end of the branch" : "end of the loop";
    }
    __builtin_unreachable();
  }
  static bool is_open(described_plan const& p, plan::step_t const& s) {
    return p.view.extents[s.first_extent] == ir::open_ended;
  }
  // the registers of a kernel, a line each; loads stand where they are used
  String body(described_plan const& p, int step) const {
    auto const& s = p.view.steps[step];
    auto const& k = p.kernels[s.kernel];
    plan::operand_t const* const operands = p.view.operands + s.first_operand;
    String lines;
    if (k.kind == plan::step_kind::loop_end) return lines;
    if (k.kind == plan::step_kind::loop_begin && is_open(p, s)) return "as often as " + place(operands[0]) + " says\n";
    if (k.kind == plan::step_kind::loop_begin) return s.is_counted ? "where " + place(operands[0]) + " is 1\n" : lines;
    if (k.kind == plan::step_kind::contract)
      lines = "product = " + place(operands[0]) + " x " + place(operands[1]) + "\n";
    auto const value = [&](int r) {
      auto const& reg = p.registers[k.first_register + r];
      switch (reg.kind) {
        case plan::register_kind::load:
          return place(operands[reg.slot]);
        case plan::register_kind::constant:
          return number(reg.slot);
        case plan::register_kind::product:
          return String("product");
        case plan::register_kind::scalar: {
          auto const& c = p.view.scalars[s.first_scalar + reg.slot];
          return c.is_dim ? dimension(c.bits) : constant(c.type, c.bits);
        }
        case plan::register_kind::apply:
          return "r" + number(r);
      }
      __builtin_unreachable();
    };
    for (int r = 0; r < k.registers; ++r) {
      auto const& reg = p.registers[k.first_register + r];
      if (reg.kind != plan::register_kind::apply) continue;
      lines.append("r").append(number(r)).append(" = ").append(reg.op->name).append("(");
      for (int i = 0; i < reg.count; ++i) lines.append(i ? ", " : "").append(value(reg.in[i]));
      lines.append(")\n");
    }
    for (int i = 0; i < k.sinks; ++i) {
      auto const& sink = p.sinks[k.first_sink + i];
      String const what = value(sink.reg);
      lines.append(place(operands[sink.slot]))
          .append(" = ")
          .append(sink.reduction->id != 0 ? sink.reduction->name + ("(" + what) + ")" : what)
          .append("\n");
    }
    if (k.sinks > 0) return lines;
    String written, read;
    for (int o = 0; o < k.slots; ++o)
      (operands[o].written ? written : read)
          .append((operands[o].written ? written : read).empty() ? "" : ", ")
          .append(place(operands[o]));
    if (k.kind == plan::step_kind::table) return written + " = constants\n";
    return lines + written + " = " + k.op->name + "(" + read + ")\n";
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::inspect
