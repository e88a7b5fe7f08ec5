// Emission: a group of the fusion becomes a kernel and a step; loops that run on as one are joined.
#pragma once

#include <ricci/transform/plan/steps.hpp>

namespace ricci::plan {

template <class G>
class emitter : step_builder<G> {
 public:
  using base = step_builder<G>;
  constexpr emitter(G& g, fusion& source, plan_t& p, place_t* places, place_t const* outputs, int argument_count)
      : base(g, source, p, places, outputs, argument_count) {}

  constexpr void emit(int group) {
    require_room_for_kernel();
    group_ = group;
    auto const& from = f_.groups[group];
    domain_ = g_.shapes[from.domain];
    for (int k = 0; k < domain_.rank; ++k) domain_.extent[k] = ir::find(g_, domain_.extent[k]);
    kernel_ = {from.kind, 0, dtype::none, &ir::no_operation, 0, p_.register_count, 0, p_.sink_count, 0, 0, 0};
    operand_count_ = 0;
    is_full_ = false;
    switch (from.kind) {
      case step_kind::map:
      case step_kind::reduce:
        return emit_loops(from);
      case step_kind::contract:
        return emit_contract(from);
      case step_kind::accumulate:
        return emit_accumulate(from);
      case step_kind::call:
        return emit_call(from);
      case step_kind::loop_begin:
      case step_kind::loop_end:
        return emit_loop(from);
      case step_kind::table:
        return emit_table(from);
      case step_kind::take:
      case step_kind::scatter:
        return emit_rows(from);
    }
    __builtin_unreachable();
  }

 private:
  using base::add_memory_operand;
  using base::add_operand;
  using base::add_step;
  using base::begin_step;
  using base::best_to_store;
  using base::domain_;
  using base::emit_accumulate;
  using base::emit_call;
  using base::emit_loop;
  using base::emit_rows;
  using base::emit_table;
  using base::f_;
  using base::g_;
  using base::group_;
  using base::is_full_;
  using base::kernel_;
  using base::kind;
  using base::operand_count_;
  using base::operand_limit_;
  using base::operands_;
  using base::outputs_;
  using base::p_;
  using base::pending;
  using base::place_of;
  using base::place_of_carry;
  using base::plus;
  using base::times;
  using base::value_of;
  using base::write_operands;
  using typename base::pending_t;

  // Room for the largest kernel there may be; checked before each, so that nothing else has to.
  constexpr void require_room_for_kernel() const {
    constexpr plan_sizes room = largest_plan;
    require_room(p_.step_count < room.steps && p_.kernel_count < room.kernels &&
                 p_.register_count + max_registers <= room.registers && p_.sink_count + max_sinks <= room.sinks &&
                 p_.operand_count + max_slots <= room.operands && p_.scalar_count + max_registers <= room.scalars &&
                 p_.stride_count + max_slots * (max_rank + 1) <= room.strides &&
                 p_.extent_count + max_rank < room.extents && p_.buffer_count + max_sinks <= room.buffers);
  }

  // ---- loops ----

  struct loop_t {
    int axis;  // the innermost axis of the domain in it, whose strides are the loop's
    index_t extent;
    bool reduced;
  };

  struct roots_t {
    int at[max_sinks], reg[max_sinks], count;
  };
  // the registers of all roots, unless the kernel is full; one operand each is left for them, and one for a product
  constexpr roots_t compute_roots(group_t const& from, int rank) {
    roots_t roots{};
    for (int r = from.first_root; r != 0; r = f_.roots[r].next) roots.at[roots.count++] = r;
    operand_limit_ = max_slots - 1 - roots.count;
    for (int k = 0; k < roots.count && !is_full_; ++k)
      roots.reg[k] = value_of(f_.roots[roots.at[k]].value, identity_map(rank));
    operand_limit_ = max_slots;
    return roots;
  }
  // The kernel of this group would be too large, since values are read in several places: one of them is stored by a
  // kernel of its own, before. Nothing of this one has been written but registers and scalars.
  constexpr void emit_in_parts() {
    int const rest = group_, v = best_to_store(), from_scope = f_.groups[rest].scope;
    p_.register_count = kernel_.first_register;
    p_.scalar_count -= kernel_.scalars;
    f_.stored[v] = true;
    int const apart = f_.add_group(step_kind::map, from_scope, g_.ins[v].shape, position_of(v));
    f_.add_root(apart, {v, v, -1, -1, false, 0});
    emit(apart);
    emit(rest);
  }

  constexpr void emit_loops(group_t const& from) {
    roots_t const roots = compute_roots(from, domain_.rank);
    if (is_full_) return emit_in_parts();
    for (int k = 0; k < roots.count; ++k) {
      auto const& root = f_.roots[roots.at[k]];
      auto const* reduction = root.reduces ? g_.ins[root.target].op : &ir::no_operation;
      sink_t const sink{reduction, roots.reg[k], add_operand(target_of(root, from.mask)), g_.ins[root.value].type,
                        access::strided};
      p_.sinks[p_.sink_count++] = sink;
      ++kernel_.sinks;
    }
    finish(from);
  }

  // the memory that a root writes, along the axes of the domain
  constexpr pending_t target_of(root_t const& root, int mask) {
    if (root.output >= 0) return pending(root.value, outputs_[root.output], identity_map(domain_.rank), true);
    affine_map m = identity_map(domain_.rank);
    int const v = root.target;
    if (root.reduces) {
      m = {g_.shape(v).rank, {}, 0, {}, 0};
      for (int axis = 0, k = 0; axis < domain_.rank; ++axis)
        if (!(mask >> axis & 1)) add_term(m, k++, axis);
    } else if (is_stacked(v)) {
      m = {domain_.rank + 1, {}, 0, {}, 0};
      m.start[0] = ir::dim(g_, ir::dim_op::iteration, f_.groups[group_].scope, 0);
      for (int axis = 0; axis < domain_.rank; ++axis) add_term(m, axis + 1, axis);
    } else if (g_.ins[v].op->kind == ir::op_kind::assemble) {
      auto const [map, axis] = ir::part_of(g_, v, root.part);
      m = map;
      for (int k = 0; axis >= 0 && k < root.part; ++k)
        m.start[axis] = plus(m.start[axis], g_.shape(g_.in(v, k)).extent[axis]);
    }
    bool const is_initial = kind(v) == ir::op_kind::carry && f_.groups[group_].scope != g_.ins[v].scope;
    if (is_initial) return pending(v, place_of_carry(v, 0), m, true);
    return pending(v, place_of(v), m, true);
  }

  // whether it is a result of a loop with one element for every iteration
  constexpr bool is_stacked(int v) const {
    int const loop = kind(v) == ir::op_kind::part ? g_.in(v, 0) : v;
    return kind(loop) == ir::op_kind::loop && v - loop >= g_.attr(loop, 0);
  }
  constexpr void finish(group_t const& from) {
    loop_t loops[max_rank + 1]{};
    int n = 0;
    for (int axis = 0; axis < domain_.rank; ++axis) {
      if (domain_.extent[axis] == 1) continue;
      loop_t const next{axis, domain_.extent[axis], kernel_.kind == step_kind::reduce && (from.mask >> axis & 1)};
      if (n > 0 && loops[n - 1].reduced == next.reduced && runs_on(loops[n - 1].axis, next)) {
        loops[n - 1].extent = times(loops[n - 1].extent, next.extent);
        loops[n - 1].axis = axis;
      } else {
        loops[n++] = next;
      }
    }
    // kept loops outside, reduced ones inside, but the innermost one as operands lie: where it is kept, whole rows are
    // added up
    int kept = 0;
    loop_t ordered[max_rank + 1]{};
    int m = 0;
    int const inner = innermost(loops, n);
    bool const inner_kept = n > 0 && !loops[inner].reduced;
    for (int k = 0; k < n; ++k)
      if (k != inner && !loops[k].reduced) ordered[m++] = loops[k], ++kept;
    for (int k = 0; k < n; ++k)
      if (k != inner && loops[k].reduced) ordered[m++] = loops[k];
    if (n > 0) ordered[m++] = loops[inner], kept += inner_kept;
    kernel_.variant = kernel_.kind == step_kind::reduce && inner_kept ? 1 : 0;
    step_t const step = begin_step(n, kept);
    for (int k = 0; k < n; ++k) p_.extents[p_.extent_count++] = ordered[k].extent;
    note_moves(n > 0 ? ordered[n - 1].axis : -1, n > 0 && loops[inner].reduced);
    int axes[max_rank + 1]{};
    for (int k = 0; k < n; ++k) axes[k] = ordered[k].axis;
    write_operands(axes, n);
    add_step(step);
  }
  // Of a reduction the last loop along which most operands lie side by side, of a map the last one.
  constexpr int innermost(loop_t const* loops, int n) const {
    int best = n - 1, most = 0;
    for (int k = n - 1; k >= 0 && kernel_.kind == step_kind::reduce; --k) {
      int side_by_side = 0;
      for (int i = 0; i < kernel_.registers; ++i)
        if (auto const& r = p_.registers[kernel_.first_register + i]; r.kind == register_kind::load) {
          access const along = access_by(operands_[r.slot].stride[loops[k].axis]);
          side_by_side += (along == access::contiguous) - (along == access::strided);
        }
      if (k == n - 1 || side_by_side > most) best = k, most = side_by_side;
    }
    return best;
  }
  // How operands are walked along the innermost loop, over axis `inner`, or over none; whether that loop is reduced.
  constexpr void note_moves(int inner, bool reduced) {
    auto const along = [&](int slot) { return access_by(operands_[slot].stride[inner]); };
    for (int k = 0; k < kernel_.registers; ++k)
      if (auto& r = p_.registers[kernel_.first_register + k]; r.kind == register_kind::load)
        r.moves = inner < 0 ? access::fixed : along(r.slot);
    for (int k = 0; k < kernel_.sinks; ++k) {
      auto& s = p_.sinks[kernel_.first_sink + k];
      bool const reduces = s.reduction->id != 0;
      if (inner < 0)
        s.moves = reduces ? access::fixed : access::contiguous;
      else
        s.moves = reduces && reduced ? access::fixed : along(s.slot);
    }
  }
  // whether the loop over `outer` and the next one step through every operand as a single loop would
  constexpr bool runs_on(int outer, loop_t const& next) {
    for (int k = 0; k < operand_count_; ++k)
      if (operands_[k].stride[outer] != times(operands_[k].stride[next.axis], next.extent)) return false;
    return true;
  }
  static constexpr access access_by(index_t stride) {
    return stride == 0 ? access::fixed : stride == 1 ? access::contiguous : access::strided;
  }
  // ---- products, and what is no fused loop ----

  // Operands 0 and 1 are the factors: strides (batch.., m, k) and (batch.., n, k), the product's third axis being k.
  constexpr void emit_contract(group_t const& from) {
    int const v = from.anchor, a = g_.in(v, 0), b = g_.in(v, 1), rank = domain_.rank;
    kernel_.type = g_.ins[v].type;
    // A matrix times a column is the row times the transposed matrix: the loops that are meant for many columns run
    // over what there is many of.
    bool const column = domain_.extent[rank - 1] == 1;
    int m = column ? rank - 1 : rank - 2;
    int const n = column ? rank - 2 : rank - 1;
    if (column) {
      add_factor(b, rank, rank, rank - 1);
      add_factor(a, rank, rank - 2, rank);
    } else {
      add_factor(a, rank, rank - 2, rank);
      add_factor(b, rank, rank, rank - 1);
    }
    if (dtype const x = operands_[0].to.type, y = operands_[1].to.type; x != kernel_.type || y != kernel_.type)
      kernel_.variant = variant_of_factors(x, y);
    roots_t const roots = compute_roots(from, rank);
    if (is_full_) return emit_in_parts();
    for (int k = 0; k < roots.count; ++k) {
      auto const& root = f_.roots[roots.at[k]];
      p_.sinks[p_.sink_count++] = {&ir::no_operation, roots.reg[k], add_operand(target_of(root, 0)),
                                   g_.ins[root.value].type, access::strided};
      ++kernel_.sinks;
    }
    step_t const step = begin_step(rank + 1, rank);
    int axes[max_rank + 1]{};
    if (!column) m = axis_of_rows(rank);
    for (int k = 0, batch = 0; k < rank; ++k)
      if (k != m && k != n) axes[batch++] = k;
    axes[rank - 2] = m, axes[rank - 1] = n, axes[rank] = rank;
    for (int k = 0; k < rank; ++k) p_.extents[p_.extent_count++] = domain_.extent[axes[k]];
    p_.extents[p_.extent_count++] = ir::find(g_, g_.shape(a).extent[rank - 1]);
    note_moves(domain_.extent[n] == 1 ? -1 : n, false);
    write_operands(axes, rank + 1);
    add_step(step);
  }
  // Single rows of a batch that all are multiplied by one matrix are rows of one product; which axis of the domain they
  // lie along.
  constexpr int axis_of_rows(int rank) const {
    for (int axis = rank - 3; axis >= 0 && domain_.extent[rank - 2] == 1; --axis)
      if (domain_.extent[axis] != 1 && operands_[1].stride[axis] == 0 && operands_[0].stride[axis] != 0) return axis;
    return rank - 2;
  }
  // A factor is read through its views, so that transposes cost nothing; its last two axes become `row` and `column`.
  constexpr void add_factor(int v, int rank, int row, int column) {
    affine_map m = identity_map(rank);
    m.terms[rank - 2].with = row;
    m.terms[rank - 1].with = column;
    add_memory_operand(v, m);
  }
};

}  // namespace ricci::plan
