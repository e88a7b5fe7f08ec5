// `std::cout << rc::explain(rc::grad(loss), p, x)`: what a call of the function becomes. The graph as it was recorded
// and as it is after simplification, the kernels of the plan with loops, instruction set and the operations fused into
// each, the buffers with their sizes and lifetimes. `.graphviz()` is the same as a drawing for `dot -Tsvg`.
#pragma once

#include <ricci/exec/control.hpp>
#include <ricci/exec/described.hpp>
#include <ricci/inspect/count.hpp>
#include <ricci/inspect/describe.hpp>

namespace ricci {

struct explanation {
  std::string text, dot;
  cost total;

  std::string const& graphviz() const { return dot; }
  template <class Stream>
  friend Stream& operator<<(Stream& s, explanation const& e) {
    s << e.text;
    return s;
  }
};

namespace inspect {
inline namespace RICCI_ABI {

template <class P>
struct recorded_graph {
  static constexpr ir::graph const& graph = P::trace().g;
};
template <int Memory, class P>
struct explained_plan {
  using words = exec::described<Memory, P>;
  static constexpr auto kernels = exec::tables::exact<P::plan.kernel_count>(P::plan.kernels);
  static constexpr auto registers = exec::tables::exact<P::plan.register_count>(P::plan.registers);
  static constexpr auto sinks = exec::tables::exact<P::plan.sink_count>(P::plan.sinks);
  static constexpr auto simd_types = [] {
    exec::table<dtype, P::plan.kernel_count> t{};
    for (int k = 0; k < P::plan.kernel_count; ++k) t.at[k] = simd_type_of(P::plan, k);
    return t;
  }();
  static described_plan text(index_t workspace) {
    using t = exec::plan_tables<P>;
    return {exec::view_of<P>(), kernels.at,         works_of<P>.at,       simd_types.at,        registers.at,
            sinks.at,           t::buffers.at,      words::loops.at,      words::group_ends.at, words::together,
            &words::numbers,    P::plan.step_count, P::plan.kernel_count, P::plan.buffer_count, workspace};
  }
};

}  // namespace RICCI_ABI
}  // namespace inspect

inline namespace RICCI_ABI {

// What a call of f, a function or a transformed one, with such arguments becomes; f is not called, but extents are
// checked as for a call: shape_error.
template <class F, class... A>
requires(!operands<F>) explanation explain(F const&, A const&... arguments) {
  explanation e;
  auto const look = [&]<class P>(std::type_identity<P>, index_t const* dims) {
    e.total = inspect::cost_of<P>(dims);
    using explained = inspect::explained_plan<tree::memory_of<A...>, P>;
    index_t offsets[P::plan.buffer_count > 0 ? P::plan.buffer_count : 1]{};
    inspect::described_plan const p = explained::text(exec::resolve_buffers<P>(dims, offsets));
    inspect::describer<std::string> words(dims, exec::dims_in_loops<P>::depends.at),
        drawing(dims, exec::dims_in_loops<P>::depends.at);
    inspect::graph_view const &before = inspect::graph_tables<inspect::recorded_graph<P>>::view,
                              &after = inspect::graph_tables<P>::view;
    words.graph("recorded", before);
    words.graph("simplified", after);
    words.plan(p, offsets);
    drawing.text = "digraph ricci {\n  node [fontname=\"monospace\"];\n";
    drawing.draw_graph("recorded", "recorded", before);
    drawing.draw_graph("simplified", "simplified", after);
    drawing.draw_plan(p);
    e.text = static_cast<std::string&&>(words.text);
    e.dot = static_cast<std::string&&>(drawing.text += "}\n");
  };
  inspect::with_program<F>(look, tracing::in_memory(arguments)...);
  core::text total;
  total << "total: " << e.total.operations << " operations, " << e.total.read << " bytes read, " << e.total.written
        << " written\n";
  e.text += total.c_str();
  return e;
}

template <class X, class... A>
requires operands<X> explanation explain(X const&, A const&...) {
  static_assert(always_false<X>,
                "explain is told a function and what it is called with: rc::explain([](auto x) { return 2. * x; }, x)");
  return {};
}

}  // namespace RICCI_ABI
}  // namespace ricci
