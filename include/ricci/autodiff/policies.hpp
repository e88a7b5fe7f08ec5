// What reverse mode keeps of a checkpoint beside its arguments is said by a policy: `rc::checkpoint(f, policy)`, as
// jax.checkpoint has them. A policy is a function of one `rc::saveable`, a value that f computes, which returns whether
// that is kept; `rc::policies` has those of JAX, and one's own is a lambda.
//
//   auto const layer = [](auto h, auto w) { return rc::tanh(rc::checkpoint_name<"product">(rc::matmul(h, w))); };
//   h = rc::checkpoint(layer, rc::policies::save_only_these_names<"product">)(h, w);
#pragma once

#include <concepts>

#include <ricci/autodiff/trace.hpp>
#include <ricci/ops/checkpoint_name.hpp>
#include <ricci/transform/replay.hpp>

namespace ricci {

// A value that a function under a checkpoint computes of its arguments.
struct saveable {
  char const* operation;  // that gives it, as rc::saved names it
  dtype type;
  int rank;
  bool is_product;  // of matmul, einsum and their like; one that a loop stacks, too
  int batch_axes;   // of a product, those that both operands have and that are not summed over
  label name;       // of rc::checkpoint_name
  bool has_name;
};

template <class P>
concept CheckpointPolicy = std::default_initializable<P> && requires(P const& policy, saveable const& value) {
  { policy(value) } -> std::convertible_to<bool>;
};

namespace policies {

// Nothing is kept but arguments: checkpoint(f) itself.
struct nothing_saveable_t {
  constexpr bool operator()(saveable const&) const { return false; }
};
inline constexpr nothing_saveable_t nothing_saveable{};
// All is kept that a derivative reads, as if there were no checkpoint.
struct everything_saveable_t {
  constexpr bool operator()(saveable const&) const { return true; }
};
inline constexpr everything_saveable_t everything_saveable{};
// Results of products are kept, the rest is computed again.
struct dots_saveable_t {
  constexpr bool operator()(saveable const& v) const { return v.is_product; }
};
inline constexpr dots_saveable_t dots_saveable{};
// Of products those of weights with all rows at once, not those of batches of matrices, as attention has them.
struct dots_with_no_batch_dims_saveable_t {
  constexpr bool operator()(saveable const& v) const { return v.is_product && v.batch_axes == 0; }
};
inline constexpr dots_with_no_batch_dims_saveable_t dots_with_no_batch_dims_saveable{};
template <label... Names>
struct save_only_these_names_t {
  static_assert(sizeof...(Names) > 0, "save_only_these_names: the names of what is kept");
  constexpr bool operator()(saveable const& v) const { return v.has_name && ((v.name == Names) || ...); }
};
// What rc::checkpoint_name calls one of these is kept.
template <label... Names>
inline constexpr save_only_these_names_t<Names...> save_only_these_names{};
template <label... Names>
struct save_any_names_but_these_t {
  constexpr bool operator()(saveable const& v) const { return v.has_name && !((v.name == Names) || ...); }
};
// What has another name than these is kept.
template <label... Names>
inline constexpr save_any_names_but_these_t<Names...> save_any_names_but_these{};
template <CheckpointPolicy P, CheckpointPolicy Q>
struct save_from_both_policies_t {
  constexpr bool operator()(saveable const& v) const { return P{}(v) || Q{}(v); }
};
// What one of the two keeps is kept.
template <CheckpointPolicy P, CheckpointPolicy Q>
constexpr save_from_both_policies_t<P, Q> save_from_both_policies(P const&, Q const&) {
  return {};
}

}  // namespace policies

namespace tracing {
inline namespace RICCI_ABI {

// What a loop's body stacks where `id` is that as a result, through loops in loops; the loop of any other result of
// one; else `id` itself.
template <class G>
constexpr int behind_stacks(G const& g, int id) {
  for (;;) {
    int const loop = g.ins[id].op->kind == ir::op_kind::part ? g.in(id, 0) : id;
    if (g.ins[loop].op->kind != ir::op_kind::loop) return id;
    transform::loop_view<G> const l(g, loop);
    int const k = id - l.stacked_result(0);
    if (k < 0 || k >= l.stacked) return loop;
    id = l.stack(k);
  }
}
// What a policy is told of a value: a loop's result that is stacked is what the body stacks.
template <class G>
constexpr saveable saveable_of(G const& g, int id) {
  int of = behind_stacks(g, id);
  saveable v{nullptr, g.ins[id].type, g.shape(id).rank, false, 0, {0, 0, 0, 0}, false};
  if (ir::is_checkpoint_name(g, of)) v.name = ir::checkpoint_label(g, of), v.has_name = true;
  of = ir::named_value(g, of);
  bool const is_part = g.ins[of].op->kind == ir::op_kind::part;
  v.operation = g.ins[is_part ? g.in(of, 0) : of].op->name;
  v.is_product = g.ins[of].op->kind == ir::op_kind::contract;
  v.batch_axes = v.is_product ? g.shape(of).rank - 2 : 0;
  return v;
}
// Whether it is a value of its own, which can be kept: not a view, a constant, another name, or a loop's carries as
// iterations found them.
template <class G>
constexpr bool can_be_kept(G const& g, int id) {
  switch (g.ins[id].op->kind) {
    using enum ir::op_kind;
    case elementwise:
    case reduce:
    case contract:
    case index:
    case scatter:
    case assemble:
    case call:
    case loop:
      return true;
    case part: {
      int const of = g.in(id, 0);
      if (g.ins[of].op->kind == call) return true;
      return g.ins[of].op->kind == loop && id - of < int(g.attr(of, 0) + g.attr(of, 1));
    }
    case alias:
      return ir::is_checkpoint_name(g, id);
    case argument:
    case literal:
    case number:
    case table:
    case view:
    case reshape:
    case region:
    case carry:
    case next:
    case yield:
      return false;
  }
  __builtin_unreachable();
}

// What a policy keeps of the instructions from `begin` on, which compute something of the values `in`: each once, in
// the order in which they were recorded.
template <class Policy>
struct values_kept {
  int id[ir::max_operands]{};
  int count = 0;

  template <class G>
  constexpr void find(G const& g, int begin, ir::span<int> in, int most) {
    bool changes[ir::capacity]{};
    for (int k = 0; k < in.size; ++k) changes[in.data[k]] = true;
    for (int i = begin; i < g.size; ++i) {
      for (int k = 0; !changes[i] && k < g.ins[i].count; ++k) changes[i] = changes[g.in(i, k)];
      if (!changes[i] || g.ins[i].scope != g.scope || !can_be_kept(g, i)) continue;
      int const value = ir::named_value(g, i);
      if (value < begin || is_there(value) || !Policy{}(saveable_of(g, i))) continue;
      if (count == most) limits::a_checkpoint_keeps_more_values_than_64_less_its_arguments_and_results();
      id[count++] = value;
    }
  }

 private:
  constexpr bool is_there(int value) const {
    for (int k = 0; k < count; ++k)
      if (id[k] == value) return true;
    return false;
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// `rc::checkpoint_name<"a">(x)`: x, which policies of checkpoints know by that name: a symbol of a traced function, or
// a tuple or record of such. Of what is no symbol it is x alone.
template <label Name, class X>
constexpr auto checkpoint_name(X const& x) {
  X y = x;
  if constexpr (tree::has_symbols<X>())
    tree::for_each_leaf(
        [](auto& leaf) {
          if constexpr (is_symbol<std::remove_cvref_t<decltype(leaf)>>)
            if (leaf.v.g != nullptr) leaf.v = checkpoint_name_t::record(Name, leaf.v);
        },
        y);
  return y;
}

}  // namespace ricci
