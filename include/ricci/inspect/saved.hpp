// `std::cout << rc::saved(loss, p, x)`: what reverse mode keeps between the value and the pullback of
// `rc::vjp(loss)(p, x)`, value by value, without computing anything. Where memory is short, this says what a checkpoint
// saves, and which product or argument is in the way.
#pragma once

#include <ricci/autodiff/leaf_names.hpp>
#include <ricci/autodiff/policies.hpp>
#include <ricci/autodiff/vjp.hpp>
#include <ricci/inspect/work.hpp>

namespace ricci {

struct saved_value {
  char const* name;    // the operation that it is the result of; of what a loop stacks, that in its body
  bool is_argument;    // it is an argument itself, no part or result
  int argument, leaf;  // which argument it is or is taken from, and which leaf of that record; -1 where none
  dtype type;
  shape_t shape;
  index_t bytes;                      // of its elements
  label checkpoint_name{0, 0, 0, 0};  // what rc::checkpoint_name calls it, none but zeros where nothing does

  constexpr bool has_checkpoint_name() const { return checkpoint_name[0] != 0; }
};

struct saved_values {
  index_t bytes = 0;  // of all that is kept, each value in a multiple of 64: what `bytes()` of the pullback says
  core::owned_array<saved_value> values;
  int count = 0;

  int size() const { return count; }
  saved_value const& operator[](int k) const { return values[k]; }
  saved_value const* begin() const { return count > 0 ? &values[0] : nullptr; }
  saved_value const* end() const { return begin() + count; }

  template <class Stream>
  friend Stream& operator<<(Stream& s, saved_values const& kept) {
    core::text total;
    s << (total << kept.count << (kept.count == 1 ? " value, " : " values, ") << kept.bytes << " bytes\n").c_str();
    for (auto const& v : kept) {
      core::text line;
      tree::leaf_name const argument{v.argument, v.leaf};
      if (v.argument < 0)
        line << "  result of " << v.name;
      else if (v.is_argument)
        line << "  " << argument;
      else
        line << "  " << v.name << " of " << argument;
      if (v.has_checkpoint_name()) {
        line << ", \"";
        for (std::size_t k = 0; k < 32 && v.checkpoint_name[k] != 0; ++k) line << v.checkpoint_name[k];
        line << '"';
      }
      line << ": " << name_of(v.type) << ' ';
      s << (line.shape(v.shape.extent, v.shape.rank) << ", " << v.bytes << " bytes\n").c_str();
    }
    return s;
  }
};

namespace inspect {
inline namespace RICCI_ABI {

// The name of a value, which may be that of what a loop stacks.
template <class G>
constexpr label name_in(G const& g, int id) {
  auto const own = tracing::saveable_of(g, id);
  for (int v = 1; v < g.size && !own.has_name; ++v)
    if (ir::is_checkpoint_name(g, v) && ir::named_value(g, v) == id) return ir::checkpoint_label(g, v);
  return own.name;
}
// What is known of the values that a pullback keeps before there are extents.
template <class P, class... A>
inline constexpr auto kept_by = [] {
  constexpr auto const& g = P::first::graph;
  table<saved_value, P::trace.kept> t{};
  for (int k = 0; k < P::trace.kept; ++k) {
    int const id = g.outputs[P::trace.results + k];
    auto const& i = g.ins[id];
    saved_value& v = t.at[k];
    v.name = tracing::saveable_of(g, id).operation, v.type = i.type, v.argument = v.leaf = -1;
    v.checkpoint_name = name_in(P::trace.first, P::trace.first.outputs[P::trace.results + k]);
    v.is_argument = i.op->kind == ir::op_kind::argument;
    int of = id;
    while (g.ins[of].op->kind == ir::op_kind::view || g.ins[of].op->kind == ir::op_kind::reshape) of = g.in(of, 0);
    if (g.ins[of].op->kind != ir::op_kind::argument) continue;
    auto const name = tree::name_of_leaf<A...>(int(g.attr(of, 0)));
    v.argument = name.argument, v.leaf = name.leaf;
  }
  return t;
}();

template <class P, class... A, int N>
bool look_at_kept(saved_values& all, tracing::bound_arguments<N> const& b) {
  using plan = typename P::first;
  index_t dims[exec::dim_capacity<plan>]{};
  if (!exec::resolve_dims<plan>(b.refs, nullptr, dims)) return false;
  all.values = core::owned_array<saved_value>(P::trace.kept);
  all.count = P::trace.kept;
  for (int k = 0; k < P::trace.kept; ++k) {
    saved_value& v = all.values[k];
    v = kept_by<P, A...>.at[k];
    v.shape = exec::plan_tables<plan>::shapes.at[plan::plan.output_shapes[0] + P::trace.results + k];
    for (int d = 0; d < v.shape.rank; ++d) v.shape.extent[d] = resolve(v.shape.extent[d], dims);
    v.bytes = core::bytes_of(v.shape.extent, v.shape.rank, size_of(v.type));
    all.bytes += core::whole_lines(v.bytes);
  }
  return true;
}

template <class F, class... A>
saved_values saved_by(A const&... a) {
  saved_values all;
  (void)sizeof(tracing::function_without_state<F>);
  if constexpr (tracing::is_stateless<F>) {
    tracing::bound_arguments<(tree::count_leaves<A>() + ... + 0)> b;
    (tree::for_each_leaf([&](auto const& leaf) { tracing::bind_leaf(b, leaf); }, a), ...);
    using usual = tracing::program_in_halves<tracing::backwards, F, tracing::extents_are::equal, A...>;
    if (!look_at_kept<usual, A...>(all, b))
      if constexpr (usual::first::plan.takes_for_equal)
        look_at_kept<tracing::program_in_halves<tracing::backwards, F, tracing::extents_are::any, A...>, A...>(all, b);
  }
  return all;
}

}  // namespace RICCI_ABI
}  // namespace inspect

inline namespace RICCI_ABI {

// What `rc::vjp(f)(x, y)` keeps: in all, and value by value. f, a function or a transformed one, is not called, but
// extents are checked as for a call: shape_error. rc::grad keeps nothing after its call; what it holds while it runs is
// the workspace of rc::count.
template <class F, class... A>
saved_values saved(F const&, A const&... arguments) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return inspect::saved_by<F>(tracing::in_memory(arguments)...);
}

}  // namespace RICCI_ABI
}  // namespace ricci
