// Groups while they form: who reads a value and how, and whether several groups become one kernel.
#pragma once

#include <ricci/transform/plan/fusion.hpp>
#include <ricci/transform/simplify.hpp>

namespace ricci::plan {

inline constexpr int max_weight = 48;        // of a kernel: keeps it compilable
inline constexpr int max_shared_cost = 1;    // what is as cheap as this is computed again in every kernel that reads it
inline constexpr int max_recomputation = 2;  // how deep chains of such instructions may grow
// As long as no value is read in several places, a kernel takes no more: a value weighs as much as its operands, the
// last one may exceed the weight by 2, and a root may be an operand itself. Where values are read in several places,
// only the emitter sees what a kernel takes.
static_assert(max_weight + 2 + max_sinks < max_registers);
template <class G>
class group_builder {
 protected:
  constexpr group_builder(G const& g, fusion& result) : g_(g), f_(result) {}

  constexpr ir::op_kind kind(int v) const { return g_.ins[v].op->kind; }
  constexpr int scope(int v) const { return g_.ins[v].scope; }

  // Of arguments and constants it is only asked how they are read, not by whom, and often many do.
  constexpr void add_use(int v, int group, relation how) {
    bool const by_anyone = g_.ins[v].count == 0;
    // what comes from another region is there already
    if (scope(v) != f_.groups[group].scope && !by_anyone && how < relation::stored) how = relation::stored;
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next)
      if (f_.uses[u].how == how && (by_anyone || f_.uses[u].group == group)) return;
    require_room(f_.use_count < max_uses);
    f_.uses[f_.use_count] = {group, how, f_.first_use[v]};
    f_.first_use[v] = f_.use_count++;
  }
  constexpr void use_operands(int v, int group, relation how) {
    for (int k = 0; k < g_.ins[v].count; ++k) add_use(g_.in(v, k), group, how);
  }

  // Whether nothing but products read it, as a factor that they convert, itself or through views.
  constexpr bool is_left_to_products(int v) const {
    if (g_.ins[v].type != dtype::int32 || f_.stored[v] || !ir::same_operation(g_.ins[v].op, ir::facts_of<astype_t>()) ||
        !converts_factors(g_.ins[g_.in(v, 0)].type, dtype::int32))
      return false;
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next) {
      auto const& group = f_.groups[f_.find(f_.uses[u].group)];
      if (group.kind != step_kind::contract || group.scope != scope(v) || !reads_memory(f_.uses[u].how)) return false;
    }
    bool shows[ir::capacity]{};  // it, or a part of it
    shows[v] = true;
    for (int i = v + 1; i < g_.size; ++i) {  // an epilogue might read it, too
      bool reads = false;
      for (int k = 0; k < g_.ins[i].count; ++k) reads = reads || shows[g_.in(i, k)];
      if (!reads || !f_.needed[i]) continue;
      shows[i] = kind(i) == ir::op_kind::view || kind(i) == ir::op_kind::reshape;
      if (!shows[i] && kind(i) != ir::op_kind::contract) return false;
    }
    for (int k = 0; k < g_.output_count; ++k)
      if (shows[g_.outputs[k]]) return false;
    return true;
  }

  // The readers of a value, summed up.
  struct summary {
    int groups = 0, group = 0;  // how many, and the earliest of those that read it element for element
    bool all_same = true, all_once = true, from_memory = false;
  };
  constexpr summary uses_of(int v) {
    summary s;
    int seen[16]{};
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next) {
      int const group = f_.uses[u].group = f_.find(f_.uses[u].group);
      relation const how = f_.uses[u].how;
      s.all_same = s.all_same && how == relation::same;
      s.all_once = s.all_once && reads_each_once(how);
      s.from_memory = s.from_memory || reads_memory(how);
      bool known = false;
      for (int k = 0; k < s.groups && k < 16; ++k) known = known || seen[k] == group;
      if (!known) {
        if (s.groups < 16) seen[s.groups] = group;
        ++s.groups;
      }
      if (how == relation::same && ir::same_shape(g_, f_.groups[group].domain, g_.ins[v].shape) &&
          (s.group == 0 || f_.groups[group].position < f_.groups[s.group].position))
        s.group = group;
    }
    return s;
  }

  constexpr void inline_into(int v) {
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next) {
      int const user = f_.find(f_.uses[u].group);
      use_operands(v, user, f_.uses[u].how);
      f_.groups[user].weight += g_.ins[v].count;
    }
  }

  // Whether the value may be a root of a group that reads it: everyone else reads it later.
  constexpr bool may_hold(int group, int v) const {
    if (!traits_of(f_.groups[group].kind).has_registers || f_.groups[group].weight >= max_weight ||
        roots_of(group) >= max_sinks)
      return false;
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next) {
      int const other = f_.find(f_.uses[u].group);
      if (other == group ? f_.uses[u].how != relation::same : f_.groups[other].position <= f_.groups[group].position)
        return false;
    }
    return true;
  }
  constexpr bool fits_users(int v) const {
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next)
      if (f_.groups[f_.find(f_.uses[u].group)].weight >= max_weight) return false;
    return true;
  }

  // Whether two values of its shape would have to be stored for its sake if v were computed again wherever it is read:
  // what it is made of, as far as that is not computed again, too, and nobody else reads it. `first`: one that was
  // seen.
  constexpr bool stores_two(int v, int depth, int& first) const {
    for (int k = 0; k < g_.ins[v].count; ++k) {
      int const x = g_.in(v, k);
      if (kind(x) != ir::op_kind::elementwise || f_.stored[x] || f_.first_use[x] != 0 || x == first) continue;
      bool const again = g_.ins[x].op->cost <= max_shared_cost && depth + 1 < max_recomputation;
      if (again ? stores_two(x, depth + 1, first) : first != 0) return true;
      if (!again) first = x;
    }
    return false;
  }
  constexpr bool stores_two(int v) const {
    int first = 0;
    return stores_two(v, f_.depth[v], first);
  }

  constexpr int roots_of(int group) const {
    int n = 0;
    for (int r = f_.groups[group].first_root; r != 0; r = f_.roots[r].next) ++n;
    return n;
  }

  // Makes one kernel of all that read a value element for element, so that it is computed once and never stored.
  constexpr void merge_users(int v) {
    int first = 0;
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next) {
      int const group = f_.find(f_.uses[u].group);
      if (first == 0)
        first = group;
      else if (group != first && !can_merge(first, group))
        return;
      else if (group != first)
        first = merge(first, group);
    }
  }
  constexpr bool can_merge(int a, int b) const {
    auto const &x = f_.groups[a], &y = f_.groups[b];
    if (!traits_of(x.kind).is_fused || !traits_of(y.kind).is_fused || x.anchor != 0 || y.anchor != 0 ||
        !ir::same_shape(g_, x.domain, y.domain))
      return false;
    if (x.kind == step_kind::reduce && y.kind == step_kind::reduce && x.mask != y.mask) return false;
    if (x.scope != y.scope || x.weight + y.weight > max_weight || roots_of(a) + roots_of(b) > max_sinks) return false;
    std::int64_t const position = x.position > y.position ? x.position : y.position;
    return read_after(a, b, position) && read_after(b, a, position);
  }
  // whether it has no roots any more, as what it stored needs no copy (loop_places.hpp)
  constexpr bool is_empty(int group) const { return f_.groups[group].first_root == 0; }
  // whether all roots of `group` are read after `position`, but for reads by `partner`
  constexpr bool read_after(int group, int partner, std::int64_t position) const {
    for (int r = f_.groups[group].first_root; r != 0; r = f_.roots[r].next) {
      if (f_.roots[r].part >= 0) return false;
      int const target = f_.roots[r].target;
      if (target == 0) continue;
      if (f_.roots[r].reduces) {
        for (int u = f_.first_use[target]; u != 0; u = f_.uses[u].next)
          if (int const other = f_.find(f_.uses[u].group); !is_empty(other) && f_.groups[other].position <= position)
            return false;
        continue;
      }
      for (int u = f_.first_use[target]; u != 0; u = f_.uses[u].next) {
        int const other = f_.find(f_.uses[u].group);
        if (is_empty(other)) continue;
        if (other == group || other == partner) {
          if (f_.uses[u].how != relation::same) return false;
        } else if (f_.groups[other].position <= position) {
          return false;
        }
      }
    }
    return true;
  }
  constexpr int merge(int a, int b) {
    if (f_.groups[a].position < f_.groups[b].position) return merge(b, a);
    auto &x = f_.groups[a], &y = f_.groups[b];
    y.parent = a;
    x.weight += y.weight;
    if (y.kind == step_kind::reduce) x.kind = step_kind::reduce, x.mask = y.mask;
    int last = y.first_root;
    while (f_.roots[last].next != 0) last = f_.roots[last].next;
    f_.roots[last].next = x.first_root;
    x.first_root = y.first_root;
    return a;
  }

  // Values that a group stores for itself alone, element for element, are part of its registers: but for those that
  // have a place of their own.
  template <class HasPlace>
  constexpr void forget_roots(int group, HasPlace const& has_place) {
    for (int* at = &f_.groups[group].first_root; *at != 0;) {
      auto const& r = f_.roots[*at];
      if (r.target == r.value && !r.reduces && !has_place(r.value) && is_read_within(group, r.value)) {
        f_.stored[r.value] = false;
        *at = r.next;
      } else {
        at = &f_.roots[*at].next;
      }
    }
  }
  constexpr bool is_read_within(int group, int v) const {
    if (kind(v) != ir::op_kind::elementwise || f_.first_use[v] == 0) return false;
    for (int u = f_.first_use[v]; u != 0; u = f_.uses[u].next)
      if (f_.find(f_.uses[u].group) != group || f_.uses[u].how != relation::same) return false;
    return true;
  }

  G const& g_;
  fusion& f_;
};

}  // namespace ricci::plan
