// From a finished graph to its plan: fusion, emission in order, and a place in the workspace for every stored value.
#pragma once

#include <ricci/transform/plan/checks.hpp>
#include <ricci/transform/plan/emit.hpp>
#include <ricci/transform/plan/neighbours.hpp>
#include <ricci/transform/plan/one_pass.hpp>
#include <ricci/transform/plan/row_order.hpp>

namespace ricci::plan {

// Groups that are still there, by position. They come nearly sorted, latest first.
constexpr int ordered_groups(fusion const& f, int* order) {
  int n = 0;
  for (int k = f.group_count - 1; k >= 1; --k) {
    if (f.groups[k].parent != k || f.groups[k].first_root == 0) continue;
    int at = n++;
    for (; at > 0 && f.groups[order[at - 1]].position > f.groups[k].position; --at) order[at] = order[at - 1];
    order[at] = k;
  }
  return n;
}

constexpr void note_lifetimes(plan_t& p) {
  for (int s = 0; s < p.step_count; ++s) {
    int const first = p.steps[s].first_operand, last = first + p.kernels[p.steps[s].kernel].slots;
    for (int k = first; k < last; ++k) {
      if (p.operands[k].where != home::workspace) continue;
      auto& b = p.buffers[p.operands[k].index];
      if (b.first_step < 0) b.first_step = s;
      b.last_step = s;
    }
  }
  // What a loop reads again in its next iteration lives until its end, and what is read behind it from its beginning.
  for (int s = p.step_count - 1; s >= 0; --s) {
    if (p.kernels[p.steps[s].kernel].kind != step_kind::loop_begin) continue;
    for (int k = 0; k < p.buffer_count; ++k) {
      auto& b = p.buffers[k];
      int const end = p.steps[s].partner;
      if (b.first_step < s && b.last_step > s && b.last_step < end) b.last_step = end;
      if (b.first_step > s && b.first_step < end && b.last_step > end) b.first_step = s;
    }
  }
}

// Fixed sizes: best fit among the gaps that values left when their last reader was done, else at the end.
constexpr void place_buffers(plan_t& p) {
  struct gap {
    index_t offset, size;
  };
  gap gaps[256]{};
  int gap_count = 0;
  // those that begin and end in each step, as lists; 0: none, else one more than the buffer
  int first_begin[largest_plan.steps]{}, next_begin[largest_plan.buffers]{};
  int first_end[largest_plan.steps]{}, next_end[largest_plan.buffers]{};
  for (int k = p.buffer_count; k > 0; --k) {
    int& first = first_begin[p.buffers[k - 1].first_step];
    next_begin[k - 1] = first;
    first = k;
  }
  index_t top = 0;
  for (int s = 0; s < p.step_count; ++s) {
    for (int begin = first_begin[s]; begin != 0; begin = next_begin[begin - 1]) {
      auto& b = p.buffers[begin - 1];
      index_t const size = core::whole_lines(b.elements * b.element_size);
      int best = -1;
      for (int k = 0; k < gap_count; ++k)
        if (gaps[k].size >= size && (best < 0 || gaps[k].size < gaps[best].size)) best = k;
      if (best >= 0) {
        b.offset = gaps[best].offset;
        gaps[best].offset += size;
        gaps[best].size -= size;
        if (gaps[best].size == 0) gaps[best] = gaps[--gap_count];
      } else {
        b.offset = top;
        top += size;
      }
      next_end[begin - 1] = first_end[b.last_step];
      first_end[b.last_step] = begin;
    }
    for (int end = first_end[s]; end != 0; end = next_end[end - 1]) {
      auto const& b = p.buffers[end - 1];
      index_t const size = core::whole_lines(b.elements * b.element_size);
      if (size == 0) continue;
      gap freed{b.offset, size};
      for (int k = 0; k < gap_count;) {
        if (gaps[k].offset + gaps[k].size == freed.offset || freed.offset + freed.size == gaps[k].offset) {
          freed = {gaps[k].offset < freed.offset ? gaps[k].offset : freed.offset, gaps[k].size + freed.size};
          gaps[k] = gaps[--gap_count];
          k = 0;
        } else {
          ++k;
        }
      }
      if (freed.offset + freed.size == top) {
        p.workspace = p.workspace > top ? p.workspace : top;
        top = freed.offset;
      } else if (gap_count < 256) {
        gaps[gap_count++] = freed;
      }
    }
  }
  p.workspace = p.workspace > top ? p.workspace : top;
}

// Symbolic sizes: a value takes the place of a dead one of the same size; the offsets are computed when the plan runs.
constexpr void share_buffers(plan_t& p) {
  int taken_until[sizeof(p.buffers) / sizeof(buffer_t)]{};  // the last step that needs a place
  for (int k = 0; k < p.buffer_count; ++k) {
    auto& b = p.buffers[k];
    b.place = k;
    for (int other = 0; other < k; ++other) {
      auto const& o = p.buffers[other];
      if (o.place != other || o.elements != b.elements || o.element_size != b.element_size ||
          taken_until[other] >= b.first_step)
        continue;
      b.place = other;
      break;
    }
    taken_until[b.place] = b.last_step;
  }
}

constexpr bool has_known_buffers(plan_t const& p) {
  for (int k = 0; k < p.buffer_count; ++k)
    if (ir::is_symbolic(p.buffers[k].elements)) return false;
  return true;
}
constexpr bool has_symbols(plan_t const& p) {
  for (int k = 0; k < p.extent_count; ++k)
    if (ir::is_symbolic(p.extents[k])) return true;
  for (int k = 0; k < p.stride_count; ++k)
    if (ir::is_symbolic(p.strides[k])) return true;
  for (int k = 0; k < p.operand_count; ++k)
    if (ir::is_symbolic(p.operands[k].offset)) return true;
  for (int k = 0; k < p.scalar_count; ++k)
    if (p.scalars[k].is_dim) return true;
  return !has_known_buffers(p) || p.check_count > 0;
}

// The shape of an argument with its own symbolic extents, also where they were found to equal others.
template <class G>
constexpr shape_t argument_shape(G const& g, int argument, int rank, shape_t s) {
  for (int k = 0; k < g.dim_count; ++k)
    if (g.dims[k].op == ir::dim_op::argument && g.dims[k].a == argument && g.dims[k].b < rank)
      s.extent[g.dims[k].b] = ir::dim_id(k);
  return s;
}

// The dimensions that have to be known when the plan runs; each is made of earlier ones.
constexpr void note_used_dims(plan_t& p) {
  bool used[ir::capacity / 8]{};
  auto const note = [&](index_t d) {
    if (ir::is_symbolic(d)) used[ir::dim_index(d)] = true;
  };
  for (int k = 0; k < p.extent_count; ++k) note(p.extents[k]);
  for (int k = 0; k < p.stride_count; ++k) note(p.strides[k]);
  for (int k = 0; k < p.operand_count; ++k) note(p.operands[k].offset);
  for (int k = 0; k < p.scalar_count; ++k)
    if (p.scalars[k].is_dim) note(p.scalars[k].bits);
  for (int k = 0; k < p.buffer_count; ++k) note(p.buffers[k].elements);
  for (int k = 0; k < p.shape_count; ++k)
    for (int axis = 0; axis < p.shapes[k].rank; ++axis) note(p.shapes[k].extent[axis]);
  for (int k = 0; k < p.guard_count; ++k) note(p.guards[k].a), note(p.guards[k].b);
  for (int k = p.dim_count - 1; k >= 0; --k) {
    auto const& d = p.dims[k];
    if (!used[k] || ir::is_given(d.op)) continue;
    note(d.a), note(d.b);
  }
  for (int k = 0; k < p.dim_count; ++k)
    if (used[k]) p.used_dims[p.used_dim_count++] = k;
}

// `arguments`, `outputs`: whether each is known to lie in row-major order.
template <class G>
constexpr fusion fused(G const& g, ir::span<bool> arguments, ir::span<bool> outputs) {
  fusion f{};
  fuser<G> by(g, f, arguments, outputs);
  by.begin();
  by.advance(1, g.size);
  return f;
}

// Where values lie, and the order of groups: what emission carries along beside graph, fusion and plan, all of which it
// extends.
struct layout_of_values {
  place_t places[ir::capacity], output_places[limits::most_arguments];
  int order[ir::capacity / 4];
  int groups;
};
template <class G>
constexpr void begin_plan(G const& g, fusion& f, layout_of_values& at, ir::span<bool> arguments,
                          ir::span<bool> outputs) {
  pass_joiner<G>(g, f, arguments, outputs).join();
  if (g.scope_count > 0) {
    loop_placer<G> placer(g, f, at.places);
    placer.place_in_stacks();
    neighbour_joiner<G>(g, f, at.places).join(at.order, ordered_groups(f, at.order));
    placer.place_in_carries();
  }
  for (int k = 0; k < g.output_count; ++k) at.output_places[k] = {home::output, k, true, !outputs.data[k]};
  for (int v = 1; v < g.size; ++v) {
    if (f.output_of[v] != 0)
      at.places[v] = at.output_places[f.output_of[v] - 1];
    else if (g.ins[v].op->kind == ir::op_kind::argument && !f.stored[v])
      at.places[v] = {home::argument, static_cast<int>(g.attr(v, 0)), true, !arguments.data[g.attr(v, 0)]};
  }
  at.groups = ordered_groups(f, at.order);
  if (g.scope_count == 0) row_orderer<G>(g, f).arrange(at.order, at.groups);
}
// groups [first, last) in their order, as far as there are
template <class G>
constexpr void emit_groups(plan_t& p, G& g, fusion& f, layout_of_values& at, int arguments, int first, int last) {
  emitter<G> e(g, f, p, at.places, at.output_places, arguments);
  for (int k = first; k < last && k < at.groups; ++k) e.emit(at.order[k]);
}
template <class G>
constexpr void finish_plan(plan_t& p, G const& g, ir::span<bool> arguments) {
  for (int k = 0; k < p.buffer_count; ++k) p.buffers[k].first_step = -1;
  note_lifetimes(p);
  note_checks(p);
  p.dim_count = g.dim_count;
  for (int k = 0; k < g.dim_count; ++k) p.dims[k] = g.dims[k];
  auto const keep_shape = [&](int shape) {
    p.shapes[p.shape_count] = g.shapes[shape];
    for (int k = 0; k < g.shapes[shape].rank; ++k)
      p.shapes[p.shape_count].extent[k] = ir::find(g, g.shapes[shape].extent[k]);
    return p.shape_count++;
  };
  p.argument_count = arguments.size;
  p.elementwise = g.elementwise;
  for (int v = 1; v < g.size; ++v) {
    if (g.ins[v].op->kind != ir::op_kind::argument) continue;
    auto const a = g.attr(v, 0);
    p.argument_type[a] = g.ins[v].type;
    p.argument_shapes[a] = p.shape_count;
    p.shapes[p.shape_count++] = argument_shape(g, static_cast<int>(a), g.shape(v).rank, g.shapes[g.ins[v].shape]);
  }
  p.output_count = g.output_count;
  for (int k = 0; k < g.output_count; ++k) p.output_shapes[k] = keep_shape(g.ins[g.outputs[k]].shape);
  note_guards(p, g);
  note_used_dims(p);
  keep_checks(p, g);
  p.is_static = !has_symbols(p) && p.loop_count == 0;
  p.is_placed = has_known_buffers(p);
  if (p.is_placed)
    place_buffers(p);
  else
    share_buffers(p);
}

template <class G>
constexpr void plan_graph(plan_t& p, G g, fusion f, ir::span<bool> arguments, ir::span<bool> outputs) {
  layout_of_values at{};
  begin_plan(g, f, at, arguments, outputs);
  emit_groups(p, g, f, at, arguments.size, 0, at.groups);
  finish_plan(p, g, arguments);
}
template <class G>
constexpr void plan_graph(plan_t& p, G const& g, ir::span<bool> arguments, ir::span<bool> outputs) {
  plan_graph(p, g, fused(g, arguments, outputs), arguments, outputs);
}

}  // namespace ricci::plan
