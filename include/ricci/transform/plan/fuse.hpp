// Fusion: which values are stored, and which kernel computes each of the others. One loop from the last instruction to
// the first, so that every value is decided when all that is done with it is known.
#pragma once

#include <ricci/ops/loop.hpp>
#include <ricci/transform/plan/factors.hpp>
#include <ricci/transform/plan/groups.hpp>

namespace ricci::plan {

template <class G>
class fuser : group_builder<G> {
 public:
  using base = group_builder<G>;
  // `arguments` and `outputs`: whether each lies in row-major order
  constexpr fuser(G const& g, fusion& result, ir::span<bool> arguments, ir::span<bool> outputs)
      : base(g, result), arguments_(arguments), outputs_(outputs) {}

  constexpr void begin() {
    transform::mark_needed(g_, 1, {g_.outputs, g_.output_count}, f_.needed);
    for (int k = 0; k < g_.output_count; ++k) claim_output(k);
  }
  // instructions [first, last), the last of them first
  constexpr void advance(int first, int last) {
    for (int i = last - 1; i >= first; --i)
      if (f_.needed[i]) decide(i);
  }

 private:
  using base::add_use;
  using base::f_;
  using base::fits_users;
  using base::g_;
  using base::inline_into;
  using base::is_left_to_products;
  using base::kind;
  using base::may_hold;
  using base::merge_users;
  using base::roots_of;
  using base::scope;
  using base::stores_two;
  using base::use_operands;
  using base::uses_of;
  using typename base::summary;

  static constexpr bool is_computed(ir::op_kind k) { return ir::traits_of(k).is_computed; }
  // the frame of a loop: what its body stands between
  static constexpr bool is_frame(ir::op_kind k) {
    return k == ir::op_kind::region || k == ir::op_kind::carry || k == ir::op_kind::next || k == ir::op_kind::yield;
  }
  // An output lies in the memory of the value itself where that is computed for it alone, or is a view that a reshape
  // wants in memory anyway; else it is a copy.
  constexpr void claim_output(int k) {
    int const v = g_.outputs[k];
    int origin = v;
    bool regroups = false;
    if (outputs_.data[k])
      for (; kind(origin) == ir::op_kind::reshape; origin = g_.in(origin, 0))
        regroups = regroups || !relabels_axes(g_, origin);
    bool const is_loop = kind(origin) == ir::op_kind::loop || is_part_of_loop(origin);
    bool const in_place = kind(origin) == ir::op_kind::elementwise || kind(origin) == ir::op_kind::reduce ||
                          kind(origin) == ir::op_kind::contract || outputs_.data[k];
    bool const regrouped_view = regroups && kind(origin) == ir::op_kind::view && scope(origin) == 0;
    if ((is_computed(kind(origin)) || regrouped_view) && in_place && !is_loop && f_.output_of[origin] == 0) {
      f_.output_of[origin] = k + 1;
      f_.stored[origin] = true;
      return;
    }
    int const group = f_.add_group(step_kind::map, 0, g_.ins[v].shape, position_of(g_.size + k));
    f_.add_root(group, {v, 0, k, -1, false, 0});
    add_use(v, group, relation::same);
  }

  constexpr bool is_part_of_loop(int v) const {
    return kind(v) == ir::op_kind::part && kind(g_.in(v, 0)) == ir::op_kind::loop;
  }

  constexpr void decide(int v) {
    // in loops, what belonged to results that nobody reads
    bool read = scope(v) == 0;
    if (is_frame(kind(v)))
      read = read || f_.loop_of[scope(v)] != 0;
    else
      for (int k = 0; k < g_.ins[v].results; ++k) read = read || is_read(v + k) || !is_computed(kind(v));
    if (!read) return;
    switch (kind(v)) {
      case ir::op_kind::elementwise:
        return decide_elementwise(v);
      case ir::op_kind::view:
      case ir::op_kind::reshape:
        return decide_view(v);
      case ir::op_kind::reduce:
        return decide_reduce(v);
      case ir::op_kind::contract:
        return decide_contract(v);
      case ir::op_kind::assemble:
        return decide_assemble(v);
      case ir::op_kind::index:
        return decide_whole(v, step_kind::take, relation::dense);
      case ir::op_kind::scatter:
        return decide_whole(v, step_kind::scatter, relation::dense);
      case ir::op_kind::table:
        return decide_whole(v, step_kind::table, relation::stored);
      case ir::op_kind::call:
        return decide_whole(v, step_kind::call, stored_with_dense_axes(g_.ins[v].op->call->dense_axes));
      case ir::op_kind::part:
        f_.stored[v] = true;  // by the step of its call, or in the loop
        return;
      case ir::op_kind::region:
        return decide_region(v);
      case ir::op_kind::carry:
        return decide_carry(v);
      case ir::op_kind::next:
        return decide_next(v);
      case ir::op_kind::yield:
        return decide_yield(v);
      case ir::op_kind::loop:
        return decide_loop(v);
      case ir::op_kind::alias:
        return decide_alias(v);
      case ir::op_kind::argument:
        return decide_argument(v);
      case ir::op_kind::literal:
      case ir::op_kind::number:
        return decide_constant(v);
    }
    __builtin_unreachable();
  }

  constexpr void decide_elementwise(int v) {
    if (is_left_to_products(v)) return decide_alias(v);
    summary s = uses_of(v);
    int const cost = g_.ins[v].op->cost;
    if (!f_.stored[v] && !s.from_memory) {
      if (s.groups > 1 && s.all_same && cost > max_shared_cost) {
        merge_users(v);  // even if it gives up half-way, some groups have been merged by now
        s = uses_of(v);
      }
      int const only = s.groups == 1 ? f_.find(f_.uses[f_.first_use[v]].group) : 0;
      bool const once = s.groups == 1 && (s.all_same || (s.all_once && f_.uses[f_.first_use[v]].next == 0));
      if (once && f_.groups[only].weight < max_weight) return inline_into(v);
      bool const is_cheap = cost <= max_shared_cost && f_.depth[v] < max_recomputation && fits_users(v);
      if (is_cheap && (s.all_same || !stores_two(v))) {
        for (int k = 0; k < g_.ins[v].count; ++k)
          if (f_.depth[g_.in(v, k)] < f_.depth[v] + 1) f_.depth[g_.in(v, k)] = f_.depth[v] + 1;
        return inline_into(v);
      }
    }
    f_.stored[v] = true;
    int group = s.group;
    if (group == 0 || !may_hold(group, v))
      group = f_.add_group(step_kind::map, scope(v), g_.ins[v].shape, position_of(v));
    f_.add_root(group, {v, v, -1, -1, false, 0});
    f_.groups[group].weight += g_.ins[v].count;
    use_operands(v, group, relation::same);
  }

  constexpr void decide_alias(int v) {
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next)
      add_use(g_.in(v, 0), f_.find(f_.uses[u].group), f_.uses[u].how);
  }
  // A copy in row-major order of what lies otherwise.
  constexpr void store_copy(int v, int of, relation how) { store_copy(v, of, how, position_of(v)); }
  constexpr void store_copy(int v, int of, relation how, std::int64_t position) {
    f_.stored[v] = true;
    int const group = f_.add_group(step_kind::map, scope(v), g_.ins[v].shape, position);
    f_.add_root(group, {v, v, -1, -1, false, 0});
    if (of != v) add_use(of, group, how);
  }
  // the last axes that one of its readers finds in row-major order; more than there can be: all of it
  constexpr int axes_read_dense(int v) const {
    int n = 0;
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next)
      if (dense_axes(f_.uses[u].how) > n) n = dense_axes(f_.uses[u].how);
    return n;
  }
  constexpr void decide_argument(int v) {
    if (axes_read_dense(v) > 0 && !arguments_.data[g_.attr(v, 0)]) store_copy(v, v, relation::same);
  }

  // Constants are part of the kernels that use them, unless one needs them in memory.
  constexpr void decide_constant(int v) {
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next)
      if (reads_memory(f_.uses[u].how)) return store_copy(v, v, relation::same);
  }

  // Views are read through; how depends on what they do. A reshape that regroups axes needs the elements in memory.
  constexpr void decide_view(int v) {
    int const x = g_.in(v, 0);
    int const axes = axes_read_dense(v);
    bool const is_reshape = kind(v) == ir::op_kind::reshape;
    bool const regroups = is_reshape && !(relabels_axes(g_, v) && relabels_last_axes(v, axes));
    relation const own = regroups ? relation::dense : repeats(v) ? relation::repeated : relation::moved;
    if (!is_reshape && (f_.output_of[v] != 0 || !keeps_last_axes(v, axes))) return store_copy(v, x, own);
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next)
      add_use(x, f_.find(f_.uses[u].group), through(f_.uses[u].how, own));
  }
  // Whether the last n axes of a view lie in row-major order where those of its operand do: they are those, whole but
  // for the first of them.
  constexpr bool keeps_last_axes(int v, int n) const {
    if (n == 0) return true;
    if (n > max_rank) return false;  // its reader is to find all of it, without a view
    affine_map const map = ir::map_of(g_, v);
    shape_t const &s = g_.shape(g_.in(v, 0)), &t = g_.shape(v);
    if (n > t.rank) n = t.rank;
    if (n > s.rank) return false;
    int const above = s.rank - t.rank;
    int kept = 0;
    for (int k = 0; k < map.count; ++k) {
      auto const& term = map.terms[k];
      bool const of_last = term.of >= s.rank - n, with_last = term.with >= t.rank - n;
      if (!of_last && !with_last) continue;
      if (term.of != term.with + above || term.step != 1 || (map.broadcast >> term.of & 1)) return false;
      bool const whole =
          map.start[term.of] == 0 && ir::find(g_, s.extent[term.of]) == ir::find(g_, t.extent[term.with]);
      if (!whole && term.of != s.rank - n) return false;
      ++kept;
    }
    return kept == n;
  }
  // Whether they are among the last n axes of its operand, of a reshape that only drops or makes axes of extent 1.
  constexpr bool relabels_last_axes(int v, int n) const {
    shape_t const &s = g_.shape(g_.in(v, 0)), &t = g_.shape(v);
    int longer = 0;
    for (int k = 1; k <= n && k <= t.rank; ++k) longer += t.extent[t.rank - k] != 1;
    for (int k = 1; k <= n && k <= s.rank; ++k) longer -= s.extent[s.rank - k] != 1;
    return longer <= 0;
  }
  constexpr bool repeats(int v) const {
    if (kind(v) != ir::op_kind::view) return false;
    affine_map const map = ir::map_of(g_, v);
    shape_t const& shape = g_.shape(v);
    bool shown[max_rank]{};  // by steps from one element to others
    for (int k = 0; k < map.count; ++k) {
      auto const& t = map.terms[k];
      bool const moves = k > 0 && map.terms[k - 1].of == t.of;  // a window, which overlaps the next one
      shown[t.with] = !moves && !(map.broadcast >> t.of & 1);
    }
    for (int k = 0; k < shape.rank; ++k)
      if (!shown[k] && shape.extent[k] != 1) return true;
    return false;
  }

  constexpr void decide_reduce(int v) {
    f_.stored[v] = true;
    int const x = g_.in(v, 0);
    bool const open = g_.attr(v, 1) != 0;
    int const group = f_.add_group(open ? step_kind::accumulate : step_kind::reduce, scope(v), g_.ins[x].shape,
                                   position_of(v), static_cast<int>(g_.attr(v, 0)));
    f_.add_root(group, {x, v, -1, -1, true, 0});
    add_use(x, group, open ? relation::stored : relation::same);
  }

  // A product takes the first kernel that reads it element for element for its epilogue; where others read it too, that
  // kernel stores it as well.
  constexpr void decide_contract(int v) {
    summary const s = uses_of(v);
    int group = s.group;
    bool const alone = !f_.stored[v] && s.groups == 1 && s.all_same;
    bool const joins = group != 0 && f_.groups[group].kind == step_kind::map && (alone || may_hold(group, v));
    if (!joins) group = f_.add_group(step_kind::contract, scope(v), g_.ins[v].shape, position_of(v));
    if (!joins || !alone) {
      f_.stored[v] = true;
      f_.add_root(group, {v, v, -1, -1, false, 0});
    }
    f_.groups[group].kind = step_kind::contract;
    f_.groups[group].anchor = v;
    for (int k = 0; k < 2; ++k) add_use(g_.in(v, k), group, relation_of_factor(g_, v, k));
  }

  // Neighbours of equal shape are written by one kernel: they often have much in common.
  constexpr void decide_assemble(int v) {
    f_.stored[v] = true;
    bool const joins = !g_.ins[v].op->parts_overlap;
    for (int k = 0, group = 0; k < g_.ins[v].count; ++k) {
      int const x = g_.in(v, k);
      bool const joined = joins && k > 0 && ir::same_shape(g_, g_.ins[x].shape, g_.ins[g_.in(v, k - 1)].shape) &&
                          roots_of(group) < max_sinks;
      if (!joined) group = f_.add_group(step_kind::map, scope(v), g_.ins[x].shape, position_of(v, k));
      f_.add_root(group, {x, v, -1, k, false, 0});
      add_use(x, group, relation::same);
    }
  }

  // ---- loops ----
  // Before a region, carries are given their initial values; where it begins, those that are wanted are kept; where it
  // ends, what is stacked is stored, then what is next, and then, when nobody reads them any more, carries are given
  // that. (ops/loop.hpp. Which of these need no step is found out later: loop_places.hpp.)

  // Positions of copies: of initial values and kept carries at the region, of what is next behind each `next`, of what
  // carries take at the yield, and of what is stacked, or next, as soon as it is there, behind what computes it.
  static constexpr int begin_part = 64, keep_part = 65, next_part = 64, take_part = 128, stack_part = 192;
  static_assert(ir::most_yields < begin_part);

  constexpr bool is_read(int v) const { return f_.first_use[v] != 0 || f_.output_of[v] != 0; }
  constexpr void decide_loop(int v) {
    f_.stored[v] = true;
    int const yield = g_.in(v, 0), region = g_.in(yield, 0);
    f_.loop_of[scope(yield)] = v;
    int const group = f_.add_group(step_kind::loop_end, scope(yield), 0, position_of(v));
    f_.add_root(group, {region, 0, -1, -1, false, 0});
    for (int k = 0; k < int(g_.attr(v, 0)); ++k)
      f_.stored[v + k] = true;  // the last carries are where the carries were
  }
  // What a body computes is copied to where nobody reads as soon as it is there.
  constexpr std::int64_t position_of_copy(int x, int region_scope, int k, std::int64_t otherwise) const {
    return scope(x) == region_scope && is_computed(kind(x)) && !is_frame(kind(x)) ? position_of(x, stack_part + k)
                                                                                  : otherwise;
  }
  constexpr void decide_next(int v) {
    int const loop = f_.loop_of[scope(v)], x = g_.in(v, 0), k = int(g_.attr(v, 1));
    std::int64_t const late = position_of(v, next_part);
    store_copy(v, x, relation::same, is_kept(loop, k) ? position_of_copy(x, scope(v), k, late) : late);
  }
  // whether a carry is stacked as iterations find it, with room for one more (loop_places.hpp)
  constexpr bool is_kept(int loop, int k) const {
    return counts_by_extent(g_, loop) && is_read(loop + int(g_.attr(loop, 0) + g_.attr(loop, 1)) + k);
  }
  constexpr void decide_yield(int v) {
    int const loop = f_.loop_of[scope(v)], carries = int(g_.attr(loop, 0)), stacked = int(g_.attr(loop, 1));
    int first_next = v;
    for (int k = 0; k < carries; ++k) first_next = g_.in(v, 1 + k) < first_next ? g_.in(v, 1 + k) : first_next;
    for (int k = 0; k < carries; ++k) {
      int const next = g_.in(v, 1 + k);
      int const group = copies_at(v, take_part, take_part + k, g_.ins[next].shape);
      f_.add_root(group, {next, ir::carry_of(g_, loop, k), -1, -1, false, 0});
      add_use(next, group, relation::stored);
    }
    for (int k = 0; k < stacked; ++k) {
      int const x = g_.in(v, 1 + carries + k), result = loop + carries + k;
      if (!is_read(result)) continue;
      int const group = f_.add_group(step_kind::map, scope(v), g_.ins[x].shape,
                                     position_of_copy(x, scope(v), k, position_of(first_next, k)));
      f_.add_root(group, {x, result, -1, -1, false, 0});
      add_use(x, group, relation::same);
    }
  }
  // The group of copies of that shape at instruction v, behind place `from` there: one, where they fit in a kernel.
  constexpr int copies_at(int v, int from, int part, int shape) {
    for (int k = f_.group_count - 1; k > 0; --k) {
      auto const& other = f_.groups[k];
      if (other.parent == k && other.kind == step_kind::map && other.scope == scope(v) &&
          other.position >= position_of(v, from) && other.position < position_of(v, from + ir::most_yields) &&
          ir::same_shape(g_, other.domain, shape) && roots_of(k) < max_sinks)
        return k;
    }
    return f_.add_group(step_kind::map, scope(v), shape, position_of(v, part));
  }
  constexpr void decide_carry(int v) {
    f_.stored[v] = true;
    int const loop = f_.loop_of[scope(v)], k = int(g_.attr(v, 1)), region = g_.in(g_.in(loop, 0), 0);
    int const group = f_.add_group(step_kind::map, scope(loop), g_.ins[v].shape, position_of(region, k));
    f_.add_root(group, {g_.in(v, 0), v, -1, -1, false, 0});
    add_use(g_.in(v, 0), group, relation::same);
    int const kept = loop + int(g_.attr(loop, 0) + g_.attr(loop, 1)) + k;
    if (g_.attr(region, 1) == ir::open_ended || !is_read(kept)) return;
    int const keep = copies_at(region, keep_part, keep_part + k, g_.ins[v].shape);
    f_.add_root(keep, {v, kept, -1, -1, false, 0});
    add_use(v, keep, relation::same);
  }
  constexpr void decide_region(int v) {
    int const group = f_.add_group(step_kind::loop_begin, scope(v), 0, position_of(v, begin_part));
    f_.add_root(group, {v, 0, -1, -1, false, 0});
    use_operands(v, group, relation::stored);
    // whoever reads them, and if nobody does: behind the loop their memory is that of its results
    int const loop = f_.loop_of[scope(v)];
    for (int k = 0; k < int(g_.attr(loop, 0)); ++k) add_use(ir::carry_of(g_, loop, k), group, relation::stored);
  }

  // Operations that find their operands in memory, in row-major order or by any strides; and tables, which have none.
  constexpr void decide_whole(int v, step_kind what, relation how) {
    f_.stored[v] = true;
    if (what == step_kind::scatter) {
      int const copy = f_.add_group(step_kind::map, scope(v), g_.ins[v].shape, position_of(v));
      f_.add_root(copy, {g_.in(v, 0), v, -1, 0, false, 0});
      add_use(g_.in(v, 0), copy, relation::same);
    }
    int const group = f_.add_group(what, scope(v), g_.ins[v].shape, position_of(v, 1));
    f_.add_root(group, {v, v, -1, what == step_kind::scatter ? 1 : -1, false, 0});
    for (int k = what == step_kind::scatter ? 1 : 0; k < g_.ins[v].count; ++k) add_use(g_.in(v, k), group, how);
  }

  ir::span<bool> arguments_, outputs_;
};

}  // namespace ricci::plan
