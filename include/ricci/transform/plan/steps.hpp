// Emission of steps that compute no registers: calls, tables, rows by index, sums over axes that show at run time, and
// where loops begin and end. What they write, and what they read, is operands with strides along all their loops.
#pragma once

#include <ricci/transform/plan/registers.hpp>

namespace ricci::plan {

template <class G>
class step_builder : protected register_builder<G> {
 protected:
  using base = register_builder<G>;
  using base::add_step;
  using base::base;
  using base::domain_;
  using base::f_;
  using base::g_;
  using base::kernel_;
  using base::kind;
  using base::lies_in_operand;
  using base::operand_count_;
  using base::operands_;
  using base::p_;
  using base::pending;
  using base::place_of;
  using base::through_reshape;
  using base::through_view;
  using base::times;
  using typename base::pending_t;

  constexpr void write_operands(int const* axes, int n) {
    for (int k = 0; k < operand_count_; ++k) {
      operand_t o = operands_[k].to;
      o.first_stride = p_.stride_count;
      for (int d = 0; d < n; ++d) p_.strides[p_.stride_count++] = operands_[k].stride[axes[d]];
      p_.operands[p_.operand_count++] = o;
    }
    kernel_.slots = operand_count_;
  }

  constexpr void add_memory_operand(int v, affine_map m) {
    while (!f_.stored[v]) {
      if (kind(v) == ir::op_kind::view)
        m = through_view(v, m);
      else if (kind(v) == ir::op_kind::reshape && relabels_axes(g_, v))
        m = through_reshape(v, m);
      else if (kind(v) != ir::op_kind::alias && kind(v) != ir::op_kind::elementwise)  // a factor that is converted
        break;
      v = g_.in(v, 0);
    }
    pending_t& o = operands_[operand_count_++] = pending(v, place_of(v), m, false);
    while (lies_in_operand(v)) v = g_.in(v, 0);
    o.to.type = g_.ins[v].type;
  }

  // A step whose extents and operands are written next; scalars of its kernel have been.
  constexpr step_t begin_step(int loops, int kept) const {
    return {0, loops, kept, p_.extent_count, p_.operand_count, p_.scalar_count - kernel_.scalars};
  }
  constexpr void emit_loop(group_t const& from) {
    int const region = f_.roots[from.first_root].value;
    step_t step = begin_step(1, 1);
    p_.extents[p_.extent_count++] = ir::find(g_, g_.attr(region, 1));
    int const counted_by = int(g_.attr(region, 2)) - 1;
    if (g_.ins[region].count > 0 || counted_by >= 0) {
      step.is_counted = true;
      add_memory_operand(counted_by < 0 ? g_.in(region, 0) : ir::carry_of(g_, f_.loop_of[from.scope], counted_by),
                         identity_map(0));
      int const no_axis = max_rank;
      write_operands(&no_axis, 1);
    }
    step.iteration = ir::dim_index(ir::dim(g_, ir::dim_op::iteration, from.scope, 0));
    if (from.kind == step_kind::loop_begin) {
      ++p_.loop_count;
    } else {
      int begin = p_.step_count - 1;
      while (p_.kernels[p_.steps[begin].kernel].kind != step_kind::loop_begin ||
             p_.steps[begin].iteration != step.iteration)
        --begin;
      step.partner = begin;
      p_.steps[begin].partner = p_.step_count;
    }
    add_step(step);
  }

  constexpr void emit_accumulate(group_t const& from) {
    auto const& root = f_.roots[from.first_root];
    int const v = root.target;
    kernel_.type = g_.ins[v].type;
    kernel_.op = g_.ins[v].op;
    add_memory_operand(root.value, identity_map(domain_.rank));
    affine_map m = identity_map(domain_.rank);
    for (int k = 0; k < m.rank; ++k)
      if (ir::find(g_, g_.shape(v).extent[k]) != domain_.extent[k])
        m.terms[k].step = ir::unless_one(g_, g_.shape(v).extent[k], 1);
    operands_[operand_count_++] = pending(v, place_of(v), m, true);
    write_domain();
  }
  // all axes as loops
  constexpr void write_domain() {
    int axes[max_rank + 1]{};
    for (int k = 0; k < domain_.rank; ++k) axes[k] = k;
    write_loops(domain_.extent, axes, domain_.rank, domain_.rank);
  }
  constexpr void write_loops(index_t const* extents, int const* axes, int n, int kept) {
    step_t const step = begin_step(n, kept);
    for (int k = 0; k < n; ++k) p_.extents[p_.extent_count++] = extents[axes[k]];
    write_operands(axes, n);
    add_step(step);
  }

  // Loops over the batch, then those of the core; attributes behind the axis become the step's scalars.
  constexpr void emit_call(group_t const& from) {
    int const v = f_.roots[from.first_root].target;
    auto const& call = *g_.ins[v].op->call;
    auto const& core = call.core;
    index_t const along = call.along_axis ? g_.attr(v, 0) : 0;
    int const batch = g_.shape(v).rank - core.rank[core.operands], loops = batch + core.loops();
    kernel_.op = g_.ins[v].op;
    kernel_.type =
        g_.ins[call.of_its_type < core.operands ? g_.in(v, call.of_its_type) : v + call.of_its_type - core.operands]
            .type;
    index_t extents[max_rank + 1]{};
    int axes[max_rank + 1]{};
    for (int k = 0; k < loops; ++k) extents[k] = 1, axes[k] = k;
    for (int k = 0; k < core.arrays(); ++k) {
      bool const written = k >= core.operands;
      int const x = written ? v + k - core.operands : g_.in(v, k);
      shape_t const shape = g_.shape(x);
      affine_map m{shape.rank, {}, 0, {}, 0};
      for (int axis = 0; axis < shape.rank; ++axis) {
        int const loop = call.loop_of(k, axis, batch, along);
        add_term(m, axis, loop);
        extents[loop < batch ? loop : batch + call.letter_of(k, loop, batch)] = ir::find(g_, shape.extent[axis]);
      }
      if (written)
        operands_[operand_count_++] = pending(x, place_of(x), m, true);
      else
        add_memory_operand(x, m);
    }
    for (int k = call.along_axis ? 1 : 0; k < g_.ins[v].attrs; ++k, ++kernel_.scalars)
      p_.scalars[p_.scalar_count++] = {ir::is_symbolic(g_.attr(v, k)), dtype::int64, g_.attr(v, k)};
    write_loops(extents, axes, loops, batch);
  }

  // numbers that stand in the plan, written in a row: kept in the plan's scalars; `kernel.scalars` stays 0, so kernels
  // are shared
  constexpr void emit_table(group_t const& from) {
    int const v = f_.roots[from.first_root].target;
    place_t const place = place_of(v);
    require_room(p_.scalar_count + g_.ins[v].attrs <= largest_plan.scalars);
    kernel_.type = g_.ins[v].type;
    operands_[operand_count_++] = {{place.where, kernel_.type, true, place.index, place.offset, 0}, {1}};
    step_t const step = begin_step(1, 1);
    p_.extents[p_.extent_count++] = g_.ins[v].attrs;
    for (int k = 0; k < g_.ins[v].attrs; ++k) p_.scalars[p_.scalar_count++] = {false, kernel_.type, g_.attr(v, k)};
    int const axis = 0;
    write_operands(&axis, 1);
    add_step(step);
  }

  // take: rows of operand 0 by the integers in 1 into 2; scatter: rows 1 by the integers in 2 into 0. Extents: outer,
  // rows, inner, and how many rows there are to choose from.
  constexpr void emit_rows(group_t const& from) {
    int const v = f_.roots[from.first_root].target, whole = g_.in(v, 0), indices = g_.in(v, 1);
    auto const axis = static_cast<int>(g_.attr(v, 0));
    bool const takes = kernel_.kind == step_kind::take;
    kernel_.type = g_.ins[v].type;
    kernel_.op = g_.ins[v].op;
    bool const own = g_.attr(v, takes ? 1 : 2) != 0;
    kernel_.variant =
        static_cast<std::uint8_t>((own ? own_indices : 0) | (!takes && g_.attr(v, 1) != 0 ? adds_rows : 0));
    shape_t const shape = g_.shape(whole), by = g_.shape(indices);
    domain_ = {};
    index_t extents[4] = {1, 1, 1, ir::find(g_, shape.extent[axis])};
    for (int k = 0; k < shape.rank; ++k)
      if (k != axis) extents[k < axis ? 0 : 2] = times(extents[k < axis ? 0 : 2], shape.extent[k]);
    for (int k = own ? axis : 0; k < by.rank; ++k) extents[1] = times(extents[1], by.extent[k]);
    int const sources[] = {takes ? whole : v, takes ? indices : g_.in(v, 2), takes ? v : indices};
    for (int k = 0; k < 3; ++k) {
      place_t const place = place_of(sources[k]);
      operands_[operand_count_++] = {
          {place.where, g_.ins[sources[k]].type, sources[k] == v, place.index, place.offset, 0}, {}};
    }
    step_t const step = begin_step(4, 4);
    for (index_t e : extents) p_.extents[p_.extent_count++] = e;
    int const no_axes[4] = {max_rank, max_rank, max_rank, max_rank};  // the steps know their strides
    write_operands(no_axes, 4);
    add_step(step);
  }
};

}  // namespace ricci::plan
