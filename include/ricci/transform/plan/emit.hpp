// Emission: a group of the fusion becomes a kernel and a step. Values are turned into registers, those that lie in memory into
// operands with a stride for every loop; then loops that run on as one are joined.
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/transform/plan/fuse.hpp>

namespace ricci::plan {

// Which element of a value belongs to an element of the domain: coordinate k of the value is start[k] + step[k] times
// coordinate from[k] of the domain (from[k] < 0: start[k] alone).
struct axis_map {
  int rank;
  int from[max_rank];
  index_t start[max_rank], step[max_rank];

  constexpr bool operator==(axis_map const& other) const {
    if (rank != other.rank) return false;
    for (int k = 0; k < rank; ++k)
      if (from[k] != other.from[k] || start[k] != other.start[k] || step[k] != other.step[k]) return false;
    return true;
  }
};

constexpr axis_map identity_map(int rank) {
  axis_map m{rank, {}, {}, {}};
  for (int k = 0; k < rank; ++k) m.from[k] = k, m.step[k] = 1;
  return m;
}

// Where a stored value lies.
struct place_t {
  home where;
  int index;  // argument, output or buffer
  bool known;
  bool strided;  // strides are given with it (arguments and outputs that are views)
};

template <class G>
class emitter {
 public:
  constexpr emitter(G& g, fusion const& f, plan_t& p, place_t* places, place_t const* outputs, int argument_count)
      : g_(g), f_(f), p_(p), places_(places), outputs_(outputs), argument_count_(argument_count) {}

  constexpr void emit(int group) {
    group_ = group;
    auto const& from = f_.groups[group];
    domain_ = g_.shapes[from.domain];
    for (int k = 0; k < domain_.rank; ++k) domain_.extent[k] = ir::find(g_, domain_.extent[k]);
    kernel_ = {from.kind, 0, dtype::none, &ir::no_operation, 0, p_.register_count, 0, p_.sink_count, 0, 0, 0};
    memo_count_ = operand_count_ = 0;
    switch (from.kind) {
      case step_kind::map:
      case step_kind::reduce: return emit_loops(from);
      case step_kind::contract: return emit_contract(from);
      case step_kind::accumulate: return emit_accumulate(from);
      case step_kind::locate: return emit_locate(from);
      default: return emit_rows(from);
    }
  }

 private:
  struct memo_t {
    int value;
    axis_map map;
    int reg;
  };
  // An operand before its loops are known: strides along the axes of the domain.
  struct pending_t {
    operand_t to;
    index_t stride[max_rank + 1];
  };

  constexpr ir::op_kind kind(int v) const { return g_.ins[v].op->kind; }
  constexpr index_t times(index_t a, index_t b) { return ir::times(g_, a, b); }
  constexpr index_t plus(index_t a, index_t b) { return ir::plus(g_, a, b); }

  // ---- where values lie ----

  constexpr place_t place_of(int v) {
    if ((kind(v) == ir::op_kind::reshape || kind(v) == ir::op_kind::alias) && !places_[v].known) return place_of(g_.in(v, 0));
    if (!places_[v].known) {
      auto const shape = g_.shape(v);
      index_t elements = 1;
      for (int k = 0; k < shape.rank; ++k) elements = times(elements, shape.extent[k]);
      places_[v] = {home::workspace, p_.buffer_count, true, false};
      p_.buffers[p_.buffer_count] = {elements, size_of(g_.ins[v].type), 0, p_.buffer_count, v, p_.step_count, p_.step_count};
      ++p_.buffer_count;
    }
    return places_[v];
  }
  // strides of a stored value along its own axes
  constexpr void strides_of(int v, place_t const& place, index_t* strides) {
    shape_t const& shape = g_.shape(v);
    int const owner = place.where == home::argument ? place.index : argument_count_ + place.index;
    index_t run = 1;
    for (int k = shape.rank - 1; k >= 0; --k) {
      strides[k] = place.strided ? ir::dim(g_, ir::dim_op::stride, owner, k) : run;
      run = times(run, ir::find(g_, shape.extent[k]));
    }
  }
  constexpr pending_t pending(int v, place_t const& place, axis_map const& m, bool written) {
    pending_t o{{place.where, g_.ins[v].type, written, place.index, 0, 0}, {}};
    index_t strides[max_rank]{};
    strides_of(v, place, strides);
    for (int k = 0; k < m.rank; ++k) {
      index_t s = strides[k];
      if (ir::is_symbolic(g_.shape(v).extent[k]) && stretches_at_run_time(v, m, k))
        s = ir::unless_one(g_, g_.shape(v).extent[k], s);
      o.to.offset = plus(o.to.offset, times(m.start[k], s));
      if (m.from[k] >= 0) o.stride[m.from[k]] = plus(o.stride[m.from[k]], times(m.step[k], s));
    }
    return o;
  }
  // an extent that may be 1 where the domain is longer: only known when the plan runs
  constexpr bool stretches_at_run_time(int v, axis_map const& m, int k) const {
    return m.from[k] >= 0 && m.step[k] == 1 && m.start[k] == 0 &&
           ir::find(g_, g_.shape(v).extent[k]) != domain_.extent[m.from[k]] && is_broadcast_dim(domain_.extent[m.from[k]]);
  }
  constexpr bool is_broadcast_dim(index_t d) const { return !ir::is_symbolic(d) || g_.dims[ir::dim_index(d)].op == ir::dim_op::broadcast; }

  // ---- registers ----

  constexpr int add_register(register_t r) {
    p_.registers[p_.register_count++] = r;
    return kernel_.registers++;
  }
  constexpr int add_operand(pending_t const& o) {
    for (int k = 0; k < operand_count_; ++k) {
      auto const& other = operands_[k];
      bool same = other.to.where == o.to.where && other.to.index == o.to.index && other.to.offset == o.to.offset &&
                  other.to.written == o.to.written && other.to.type == o.to.type && !o.to.written;
      for (int d = 0; d < domain_.rank && same; ++d) same = other.stride[d] == o.stride[d];
      if (same) return k;
    }
    operands_[operand_count_] = o;
    return operand_count_++;
  }
  constexpr int add_scalar(bool is_dim, dtype type, index_t bits) {
    int const first = p_.scalar_count - kernel_.scalars;
    for (int k = 0; k < kernel_.scalars; ++k) {
      auto const& s = p_.scalars[first + k];
      if (s.is_dim == is_dim && s.type == type && s.bits == bits) return k;
    }
    p_.scalars[p_.scalar_count++] = {is_dim, type, bits};
    return kernel_.scalars++;
  }

  constexpr int value_of(int v, axis_map const& m) {
    for (int k = memo_count_ - 1; k >= 0; --k)
      if (memo_[k].value == v && memo_[k].map == m) return memo_[k].reg;
    int const r = make_register(v, m);
    memo_[memo_count_++] = {v, m, r};
    return r;
  }
  constexpr bool is_root_here(int v) const {
    for (int r = f_.groups[group_].first_root; r != 0; r = f_.roots[r].next)
      if (f_.roots[r].target == v && f_.roots[r].value == v && !f_.roots[r].reduces) return true;
    return false;
  }
  constexpr int make_register(int v, axis_map const& m) {
    auto const& i = g_.ins[v];
    if (v == f_.groups[group_].anchor) return add_register({register_kind::product, i.type, access::contiguous, 0, &ir::no_operation, 0, {}});
    bool const here = is_root_here(v) && m == identity_map(m.rank);
    if ((kind(v) == ir::op_kind::argument || f_.stored[v]) && !here) return load(v, m);
    switch (kind(v)) {
      case ir::op_kind::argument: return load_argument(v, m);
      case ir::op_kind::literal: return literal(v);
      case ir::op_kind::number: return add_register({register_kind::scalar, i.type, access::fixed,
                                                     add_scalar(true, i.type, g_.attr(v, 0)), &ir::no_operation, 0, {}});
      case ir::op_kind::reshape:
        if (!relabels_axes(v)) return load(v, m);
        return value_of(g_.in(v, 0), through_reshape(v, m));
      case ir::op_kind::view: return value_of(g_.in(v, 0), through_view(v, m));
      case ir::op_kind::alias: return value_of(g_.in(v, 0), m);
      default: break;
    }
    register_t r{register_kind::apply, i.type, access::contiguous, 0, i.op, i.count, {}};
    bool const turned = i.op->commutative && order_of(g_.in(v, 1)) < order_of(g_.in(v, 0));
    for (int k = 0; k < i.count; ++k) r.in[turned ? 1 - k : k] = value_of(g_.in(v, turned ? 1 - k : k), m);
    return add_register(r);
  }
  // operands of commutative operations come in an order of kinds, so that equal kernels look equal
  constexpr int order_of(int v) const {
    if (v == f_.groups[group_].anchor) return 0;
    if (kind(v) == ir::op_kind::literal || kind(v) == ir::op_kind::number) return 5;
    if (kind(v) == ir::op_kind::argument) return 4;
    if (f_.stored[v]) return 2;
    return kind(v) == ir::op_kind::view || kind(v) == ir::op_kind::reshape ? 3 : 1;
  }
  constexpr int load(int v, axis_map const& m) {
    return add_register({register_kind::load, g_.ins[v].type, access::strided, add_operand(pending(v, place_of(v), m, false)),
                         &ir::no_operation, 0, {}});
  }
  // an argument that is copied by this very kernel
  constexpr int load_argument(int v, axis_map const& m) {
    place_t const from{home::argument, static_cast<int>(g_.attr(v, 0)), true, true};
    return add_register({register_kind::load, g_.ins[v].type, access::strided, add_operand(pending(v, from, m, false)),
                         &ir::no_operation, 0, {}});
  }
  constexpr int literal(int v) {
    auto const type = g_.ins[v].type;
    double const x = ir::literal_number(g_, v);
    if ((x == 0 && std::bit_cast<index_t>(x) == 0) || x == 1 || x == -1)
      return add_register({register_kind::constant, type, access::fixed, static_cast<int>(x), &ir::no_operation, 0, {}});
    return add_register({register_kind::scalar, type, access::fixed, add_scalar(false, type, g_.attr(v, 0)), &ir::no_operation, 0, {}});
  }

  // ---- views ----

  constexpr axis_map through_view(int v, axis_map const& m) {
    int const x = g_.in(v, 0);
    axis_map r{g_.shape(x).rank, {}, {}, {}};
    auto const* op = g_.ins[v].op;
    for (int k = 0; k < m.rank; ++k) {
      int const to = ir::same_operation(op, ir::facts_of<permute_dims_t>()) ? static_cast<int>(g_.attr(v, k))
                     : ir::same_operation(op, ir::facts_of<broadcast_to_t>()) ? k - (m.rank - r.rank) : k;
      if (to >= 0) r.from[to] = m.from[k], r.start[to] = m.start[k], r.step[to] = m.step[k];
    }
    for (int k = 0; k < r.rank; ++k) {
      if (ir::same_operation(op, ir::facts_of<broadcast_to_t>()) && is_one(x, k)) r.from[k] = -1, r.start[k] = 0, r.step[k] = 0;
      if (ir::same_operation(op, ir::facts_of<slice_t>())) {
        index_t const step = g_.attr(v, r.rank + k);
        r.start[k] = plus(g_.attr(v, k), times(r.start[k], step));
        r.step[k] *= step;
      }
    }
    return r;
  }
  constexpr bool is_one(int x, int k) const { return ir::find(g_, g_.shape(x).extent[k]) == 1; }
  constexpr bool relabels_axes(int v) const {
    auto const &s = g_.shape(g_.in(v, 0)), &t = g_.shape(v);
    int i = 0, k = 0;
    while (true) {
      while (i < s.rank && s.extent[i] == 1) ++i;
      while (k < t.rank && t.extent[k] == 1) ++k;
      if (i == s.rank || k == t.rank) return i == s.rank && k == t.rank;
      if (ir::find(g_, s.extent[i++]) != ir::find(g_, t.extent[k++])) return false;
    }
  }
  constexpr axis_map through_reshape(int v, axis_map const& m) const {
    auto const &s = g_.shape(g_.in(v, 0)), &t = g_.shape(v);
    axis_map r{s.rank, {}, {}, {}};
    for (int i = 0, k = 0; i < s.rank; ++i) {
      r.from[i] = -1;
      if (s.extent[i] == 1) continue;
      while (t.extent[k] == 1) ++k;
      r.from[i] = m.from[k], r.start[i] = m.start[k], r.step[i] = m.step[k];
      ++k;
    }
    return r;
  }

  // ---- loops ----

  struct loop_t {
    int axis;  // the innermost axis of the domain in it, whose strides are the loop's
    index_t extent;
    bool reduced;
  };

  constexpr void emit_loops(group_t const& from) {
    axis_map const whole = identity_map(domain_.rank);
    int roots[max_sinks]{}, count = 0;
    for (int r = from.first_root; r != 0 && count < max_sinks; r = f_.roots[r].next) roots[count++] = r;
    int regs[max_sinks]{};
    for (int k = 0; k < count; ++k) regs[k] = value_of(f_.roots[roots[k]].value, whole);
    for (int k = 0; k < count; ++k) {
      auto const& root = f_.roots[roots[k]];
      auto const* reduction = root.reduces ? g_.ins[root.target].op : &ir::no_operation;
      sink_t const sink{reduction, regs[k], add_operand(target_of(root, from.mask)), g_.ins[root.value].type, access::strided};
      p_.sinks[p_.sink_count++] = sink;
      ++kernel_.sinks;
    }
    finish(from);
  }

  // the memory that a root writes, along the axes of the domain
  constexpr pending_t target_of(root_t const& root, int mask) {
    if (root.output >= 0) return pending(root.value, outputs_[root.output], identity_map(domain_.rank), true);
    axis_map m = identity_map(domain_.rank);
    int const v = root.target;
    if (root.reduces) {
      m = {g_.shape(v).rank, {}, {}, {}};
      for (int axis = 0, k = 0; axis < domain_.rank; ++axis)
        if (!(mask >> axis & 1)) m.from[k] = axis, m.step[k++] = 1;
    } else if (root.part >= 0 && ir::same_operation(g_.ins[v].op, ir::facts_of<concat_t>())) {
      auto const axis = static_cast<int>(g_.attr(v, 0));
      for (int k = 0; k < root.part; ++k) m.start[axis] = plus(m.start[axis], g_.shape(g_.in(v, k)).extent[axis]);
    } else if (root.part == 1) {
      for (int k = 0; k < m.rank; ++k) m.start[k] = g_.attr(v, k), m.step[k] = g_.attr(v, m.rank + k);
    }
    return pending(v, place_of(v), m, true);
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
    // kept loops outside, reduced ones inside, but an innermost kept loop stays innermost: whole rows are added up there
    int kept = 0;
    loop_t ordered[max_rank + 1]{};
    int m = 0;
    bool const inner_kept = n > 0 && !loops[n - 1].reduced;
    for (int k = 0; k < n - (inner_kept ? 1 : 0); ++k)
      if (!loops[k].reduced) ordered[m++] = loops[k], ++kept;
    for (int k = 0; k < n; ++k)
      if (loops[k].reduced) ordered[m++] = loops[k];
    if (inner_kept) ordered[m++] = loops[n - 1], ++kept;
    kernel_.variant = kernel_.kind == step_kind::reduce && inner_kept && kept < n ? 1 : 0;
    step_t step{0, n, kept, p_.extent_count, p_.operand_count, p_.scalar_count - kernel_.scalars,
                static_cast<int>(from.position / ir::max_operands)};
    for (int k = 0; k < n; ++k) p_.extents[p_.extent_count++] = ordered[k].extent;
    int const inner = n > 0 ? ordered[n - 1].axis : -1;
    for (int k = 0; k < kernel_.registers; ++k) {
      auto& r = p_.registers[kernel_.first_register + k];
      if (r.kind == register_kind::load) r.moves = inner < 0 ? access::fixed : access_by(operands_[r.slot].stride[inner]);
    }
    for (int k = 0; k < kernel_.sinks; ++k) {
      auto& s = p_.sinks[kernel_.first_sink + k];
      s.moves = inner < 0 || (s.reduction->id != 0 && loops[n - 1].reduced) ? access::contiguous : access_by(operands_[s.slot].stride[inner]);
      if (s.reduction->id != 0 && (inner < 0 || loops[n - 1].reduced)) s.moves = access::fixed;
    }
    int axes[max_rank + 1]{};
    for (int k = 0; k < n; ++k) axes[k] = ordered[k].axis;
    write_operands(axes, n);
    add_step(step);
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
  constexpr void write_operands(int const* axes, int n) {
    for (int k = 0; k < operand_count_; ++k) {
      operand_t o = operands_[k].to;
      o.first_stride = p_.stride_count;
      for (int d = 0; d < n; ++d) p_.strides[p_.stride_count++] = operands_[k].stride[axes[d]];
      p_.operands[p_.operand_count++] = o;
    }
    kernel_.slots = operand_count_;
  }

  // The kernel, new or one that computes the same, and its step.
  constexpr void add_step(step_t step) {
    std::uint32_t h = static_cast<std::uint32_t>(kernel_.kind) * 31 + static_cast<std::uint32_t>(kernel_.registers);
    for (int k = 0; k < kernel_.registers; ++k) {
      auto const& r = p_.registers[kernel_.first_register + k];
      h = (h ^ static_cast<std::uint32_t>(static_cast<int>(r.kind) + 8 * static_cast<int>(r.type) + 64 * r.slot)) * 0x85ebca6bu;
      h += static_cast<std::uint32_t>(r.op->id) + static_cast<std::uint32_t>(r.in[0] + 64 * r.in[1]) * 0x9e3779b1u;
    }
    kernel_.hash = h;
    int id = 0;
    while (id < p_.kernel_count && !equals(p_.kernels[id])) ++id;
    if (id == p_.kernel_count) {
      p_.kernels[p_.kernel_count++] = kernel_;
    } else {
      p_.register_count = kernel_.first_register;
      p_.sink_count = kernel_.first_sink;
    }
    step.kernel = id;
    p_.steps[p_.step_count++] = step;
  }
  constexpr bool equals(kernel_t const& k) const {
    auto const& mine = kernel_;
    if (k.hash != mine.hash || k.kind != mine.kind || k.variant != mine.variant || k.type != mine.type || !ir::same_operation(k.op, mine.op) ||
        k.registers != mine.registers || k.sinks != mine.sinks || k.slots != mine.slots || k.scalars != mine.scalars)
      return false;
    for (int i = 0; i < k.registers; ++i) {
      auto const &a = p_.registers[k.first_register + i], &b = p_.registers[mine.first_register + i];
      if (a.kind != b.kind || a.type != b.type || a.moves != b.moves || a.slot != b.slot || !ir::same_operation(a.op, b.op) || a.count != b.count ||
          a.in[0] != b.in[0] || a.in[1] != b.in[1] || a.in[2] != b.in[2])
        return false;
    }
    for (int i = 0; i < k.sinks; ++i) {
      auto const &a = p_.sinks[k.first_sink + i], &b = p_.sinks[mine.first_sink + i];
      if (!ir::same_operation(a.reduction, b.reduction) || a.reg != b.reg || a.slot != b.slot || a.type != b.type || a.moves != b.moves) return false;
    }
    return true;
  }

  // ---- products, and what is no fused loop ----

  // Operands 0 and 1 are the factors: strides (batch.., m, k) and (batch.., n, k), the product's third axis being k.
  constexpr void emit_contract(group_t const& from) {
    int const v = from.anchor, a = g_.in(v, 0), b = g_.in(v, 1), rank = domain_.rank;
    kernel_.type = g_.ins[v].type;
    add_factor(a, rank, rank - 2, rank);
    add_factor(b, rank, rank, rank - 1);
    int roots[max_sinks]{}, regs[max_sinks]{}, count = 0;
    for (int r = from.first_root; r != 0 && count < max_sinks; r = f_.roots[r].next) roots[count++] = r;
    for (int k = 0; k < count; ++k) regs[k] = value_of(f_.roots[roots[k]].value, identity_map(rank));
    for (int k = 0; k < count; ++k) {
      auto const& root = f_.roots[roots[k]];
      p_.sinks[p_.sink_count++] = {&ir::no_operation, regs[k], add_operand(target_of(root, 0)), g_.ins[root.value].type, access::strided};
      ++kernel_.sinks;
    }
    step_t step{0, rank + 1, rank, p_.extent_count, p_.operand_count, p_.scalar_count - kernel_.scalars,
                static_cast<int>(from.position / ir::max_operands)};
    for (int k = 0; k < rank; ++k) p_.extents[p_.extent_count++] = domain_.extent[k];
    p_.extents[p_.extent_count++] = ir::find(g_, g_.shape(a).extent[rank - 1]);
    for (int k = 0; k < kernel_.registers; ++k) {
      auto& r = p_.registers[kernel_.first_register + k];
      if (r.kind == register_kind::load) r.moves = access_by(operands_[r.slot].stride[rank - 1]);
    }
    for (int k = 0; k < kernel_.sinks; ++k) {
      auto& s = p_.sinks[kernel_.first_sink + k];
      s.moves = domain_.extent[rank - 1] == 1 ? access::contiguous : access_by(operands_[s.slot].stride[rank - 1]);
    }
    int axes[max_rank + 1]{};
    for (int k = 0; k <= rank; ++k) axes[k] = k;
    write_operands(axes, rank + 1);
    add_step(step);
  }
  // A factor is read through its views, so that transposes cost nothing; its last two axes become `row` and `column`.
  constexpr void add_factor(int v, int rank, int row, int column) {
    axis_map m = identity_map(rank);
    m.from[rank - 2] = row;
    m.from[rank - 1] = column;
    add_memory_operand(v, m);
  }
  constexpr void add_memory_operand(int v, axis_map m) {
    while (!f_.stored[v]) {
      if (kind(v) == ir::op_kind::view) m = through_view(v, m);
      else if (kind(v) == ir::op_kind::reshape && relabels_axes(v)) m = through_reshape(v, m);
      else if (kind(v) != ir::op_kind::alias) break;
      v = g_.in(v, 0);
    }
    operands_[operand_count_++] = pending(v, place_of(v), m, false);
  }

  constexpr void emit_accumulate(group_t const& from) {
    auto const& root = f_.roots[from.first_root];
    int const v = root.target;
    kernel_.type = g_.ins[v].type;
    kernel_.op = g_.ins[v].op;
    add_memory_operand(root.value, identity_map(domain_.rank));
    axis_map m{g_.shape(v).rank, {}, {}, {}};
    for (int k = 0; k < m.rank; ++k) m.from[k] = k + domain_.rank - m.rank, m.step[k] = 1;
    operands_[operand_count_++] = pending(v, place_of(v), m, true);
    write_domain(from, 0);
  }
  constexpr void emit_locate(group_t const& from) {
    int const v = f_.roots[from.first_root].target, x = g_.in(v, 0);
    int const mask = static_cast<int>(g_.attr(v, 0));
    kernel_.type = g_.ins[x].type;
    kernel_.op = g_.ins[v].op;
    domain_ = g_.shape(x);
    for (int k = 0; k < domain_.rank; ++k) domain_.extent[k] = ir::find(g_, domain_.extent[k]);
    add_memory_operand(x, identity_map(domain_.rank));
    operands_[operand_count_++] = target_of({v, v, -1, -1, true, 0}, mask);
    write_domain(from, mask);
  }
  // all axes as loops, those in the mask last
  constexpr void write_domain(group_t const& from, int mask) {
    int axes[max_rank + 1]{}, n = 0;
    for (int reduced = 0; reduced < 2; ++reduced)
      for (int k = 0; k < domain_.rank; ++k)
        if ((mask >> k & 1) == reduced) axes[n++] = k;
    int kept = 0;
    for (int k = 0; k < domain_.rank; ++k) kept += !(mask >> k & 1);
    step_t const step{0, n, kept, p_.extent_count, p_.operand_count, p_.scalar_count, static_cast<int>(from.position / ir::max_operands)};
    for (int k = 0; k < n; ++k) p_.extents[p_.extent_count++] = domain_.extent[axes[k]];
    write_operands(axes, n);
    add_step(step);
  }

  // take: rows of operand 0 by the integers in 1 into 2; scatter: rows 1 by the integers in 2 into 0. Extents: outer, rows,
  // inner, and how many rows there are to choose from.
  constexpr void emit_rows(group_t const& from) {
    int const v = f_.roots[from.first_root].target, whole = g_.in(v, 0), indices = g_.in(v, 1);
    auto const axis = static_cast<int>(g_.attr(v, 0));
    bool const takes = kernel_.kind == step_kind::take;
    kernel_.type = g_.ins[v].type;
    kernel_.variant = !takes && g_.attr(v, 1) != 0 ? 1 : 0;
    shape_t const shape = g_.shape(whole), by = g_.shape(indices);
    domain_ = {};
    index_t extents[4] = {1, 1, 1, ir::find(g_, shape.extent[axis])};
    for (int k = 0; k < shape.rank; ++k)
      if (k != axis) extents[k < axis ? 0 : 2] = times(extents[k < axis ? 0 : 2], shape.extent[k]);
    for (int k = 0; k < by.rank; ++k) extents[1] = times(extents[1], by.extent[k]);
    int const sources[] = {takes ? whole : v, takes ? indices : g_.in(v, 2), takes ? v : indices};
    for (int k = 0; k < 3; ++k) {
      place_t const place = place_of(sources[k]);
      operands_[operand_count_++] = {{place.where, g_.ins[sources[k]].type, sources[k] == v, place.index, 0, 0}, {}};
    }
    step_t const step{0, 4, 4, p_.extent_count, p_.operand_count, p_.scalar_count, v};
    for (index_t e : extents) p_.extents[p_.extent_count++] = e;
    int const no_axes[4] = {max_rank, max_rank, max_rank, max_rank};  // the steps know their strides
    write_operands(no_axes, 4);
    add_step(step);
  }

  G& g_;
  fusion const& f_;
  plan_t& p_;
  place_t* places_;
  place_t const* outputs_;
  int argument_count_ = 0;
  int group_ = 0;
  shape_t domain_{};
  kernel_t kernel_{};
  memo_t memo_[128]{};
  int memo_count_ = 0;
  pending_t operands_[64]{};
  int operand_count_ = 0;
};

}  // namespace ricci::plan
