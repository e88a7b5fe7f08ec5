// The body of a kernel: values become registers, those that lie in memory operands with a stride along every axis of
// the domain; views are followed to what they look at.
#pragma once

#include <ricci/ops/index.hpp>
#include <ricci/transform/plan/loop_places.hpp>

namespace ricci::plan {

template <class G>
class register_builder {
 protected:
  constexpr register_builder(G& g, fusion& source, plan_t& p, place_t* places, place_t const* outputs,
                             int argument_count)
      : g_(g), f_(source), p_(p), places_(places), outputs_(outputs), argument_count_(argument_count) {}

  // What a register holds: an element of a value. Registers [first, own register] is what storing the value would save.
  struct element_t {
    int value;
    affine_map map;
    int first, before;  // before: the register with another element of the value, or -1
    bool tied;          // made from what this very kernel stores, or from the product that it follows
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

  // Whether it lies where its operand does, perhaps in another type, to which its readers convert it.
  constexpr bool lies_in_operand(int v) const {
    return (kind(v) == ir::op_kind::reshape || kind(v) == ir::op_kind::alias ||
            (kind(v) == ir::op_kind::elementwise && !f_.stored[v])) &&
           !places_[v].known;
  }
  constexpr place_t place_of(int v) {
    if (lies_in_operand(v)) return place_of(g_.in(v, 0));
    if (int const carry = carry_behind(v); carry != 0) return place_of_carry(carry, iterations_before(v));
    if (int const in = places_[v].in; in != 0) {
      loop_row const row = places_[v].row;
      if (row == loop_row::all) return place_of(in);
      if (row == loop_row::from_second) return row_of(v, 1);
      return row_of(v, ir::dim(g_, ir::dim_op::iteration, g_.ins[v].scope, 0), row == loop_row::behind_that);
    }
    if (!places_[v].known) {
      bool const one_more = places_[v].row == loop_row::one_more;
      auto const shape = g_.shape(v);
      index_t elements = one_more ? plus(shape.extent[0], 1) : 1;
      for (int k = one_more; k < shape.rank; ++k) elements = times(elements, shape.extent[k]);
      places_[v] = {home::workspace, p_.buffer_count, true, false};
      p_.buffers[p_.buffer_count] = {elements,     size_of(g_.ins[v].type), 0, p_.buffer_count, v, p_.step_count,
                                     p_.step_count};
      ++p_.buffer_count;
    }
    return places_[v];
  }
  // Row `row` of what v lies in, or the one behind it.
  constexpr place_t row_of(int v, index_t row, bool one_more = false) {
    int const in = places_[v].in;
    place_t place = place_of(in);
    shape_t const& whole = g_.shape(in);
    index_t size = 1;
    for (int k = 1; k < whole.rank; ++k) size = times(size, ir::find(g_, whole.extent[k]));
    place.offset = plus(place.offset, times(row, size));
    if (one_more) place.offset = plus(place.offset, size);
    return place;
  }
  // how many iterations the loop has of which v is a result
  constexpr index_t iterations_before(int v) const {
    int const yield = g_.in(kind(v) == ir::op_kind::loop ? v : g_.in(v, 0), 0);
    return ir::find(g_, g_.attr(g_.in(yield, 0), 1));
  }
  // Row 0: where its initial value is written, before its loop. (Of `a ? b() : c()` g++ 13.3 fails in nvcc's files.)
  constexpr place_t place_of_carry(int carry, index_t row) {
    if (places_[carry].in == 0) return place_of(carry);
    return row_of(carry, row);
  }
  // the carry whose memory a result of a loop is when that is done; 0: it is none
  constexpr int carry_behind(int v) const {
    int const loop = kind(v) == ir::op_kind::loop ? v : kind(v) == ir::op_kind::part ? g_.in(v, 0) : 0;
    if (loop == 0 || kind(loop) != ir::op_kind::loop || v - loop >= g_.attr(loop, 0)) return 0;
    return ir::carry_of(g_, loop, v - loop);
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
  constexpr pending_t pending(int v, place_t const& place, affine_map const& m, bool written) {
    pending_t o{{place.where, g_.ins[v].type, written, place.index, place.offset, 0}, {}};
    index_t strides[max_rank]{};
    strides_of(v, place, strides);
    for (int k = 0; k < m.rank; ++k) o.to.offset = plus(o.to.offset, times(m.start[k], strides[k]));
    for (int k = 0; k < m.count; ++k) {
      auto const& t = m.terms[k];
      o.stride[t.with] = plus(o.stride[t.with], times(t.step, strides[t.of]));
    }
    return o;
  }

  // ---- registers ----

  constexpr int add_register(register_t r) {
    is_full_ = is_full_ || kernel_.registers == max_registers;
    if (is_full_) return 0;
    p_.registers[p_.register_count++] = r;
    return kernel_.registers++;
  }
  // one that no operation computes
  constexpr int plain_register(register_kind kind, dtype type, access moves, int slot) {
    return add_register({kind, type, moves, slot, &ir::no_operation, 0, {}});
  }
  constexpr int add_operand(pending_t const& o) {
    for (int k = 0; k < operand_count_; ++k) {
      auto const& other = operands_[k];
      if (other.to.index != o.to.index || other.to.offset != o.to.offset) continue;
      bool same = other.to.where == o.to.where && !other.to.written && other.to.type == o.to.type && !o.to.written;
      for (int d = 0; d < domain_.rank && same; ++d) same = other.stride[d] == o.stride[d];
      if (same) return k;
    }
    is_full_ = is_full_ || operand_count_ == operand_limit_;
    if (is_full_) return 0;
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

  constexpr int value_of(int v, affine_map const& m) {
    if (!is_looked_through(v, m)) return element_of(v, m);
    affine_map n = m;
    do look_through(v, n);
    while (is_looked_through(v, n));
    return element_of(v, n);
  }
  constexpr int element_of(int v, affine_map const& m) {
    int const newest = newest_of(v);
    for (int k = newest; k >= 0; k = elements_[k].before)
      if (elements_[k].map == m) return k;
    int const first = kernel_.registers;
    bool tied = v == f_.groups[group_].anchor || is_root_here(v);
    int const r = make_register(v, m, tied);
    if (is_full_) return 0;
    elements_[r] = {v, m, first, newest, tied};
    newest_[v] = r;
    return r;
  }
  // The newest register with an element of a value, or -1. What was noted for another kernel says nothing here.
  constexpr int newest_of(int v) const {
    int const k = newest_[v];
    return k < kernel_.registers && elements_[k].value == v ? k : -1;
  }
  constexpr bool is_root_here(int v) const {
    if (!f_.stored[v]) return false;
    for (int r = f_.groups[group_].first_root; r != 0; r = f_.roots[r].next)
      if (f_.roots[r].target == v && f_.roots[r].value == v && !f_.roots[r].reduces) return true;
    return false;
  }
  constexpr bool is_in_memory(int v, affine_map const& m) const {
    return (kind(v) == ir::op_kind::argument || f_.stored[v]) && !(is_root_here(v) && m == identity_map(m.rank));
  }
  // Views are followed to what they look at.
  constexpr bool is_looked_through(int v, affine_map const& m) const {
    auto const k = kind(v);
    return (k == ir::op_kind::view || k == ir::op_kind::alias || k == ir::op_kind::next ||
            (k == ir::op_kind::reshape && relabels_axes(g_, v))) &&
           !is_in_memory(v, m);
  }
  constexpr void look_through(int& v, affine_map& m) {
    if (kind(v) == ir::op_kind::view)
      m = through_view(v, m);
    else if (kind(v) == ir::op_kind::reshape)
      m = through_reshape(v, m);
    v = g_.in(v, 0);
  }
  constexpr int make_register(int v, affine_map const& m, bool& tied) {
    auto const& i = g_.ins[v];
    if (v == f_.groups[group_].anchor) return plain_register(register_kind::product, i.type, access::contiguous, 0);
    if (is_in_memory(v, m)) return load(v, m);
    switch (kind(v)) {
      case ir::op_kind::argument:
        // one that is copied by this very kernel
        return load_from(v, {home::argument, static_cast<int>(g_.attr(v, 0)), true, true}, m);
      case ir::op_kind::literal:
        return literal(v);
      case ir::op_kind::number:
        return plain_register(register_kind::scalar, i.type, access::fixed, add_scalar(true, i.type, g_.attr(v, 0)));
      case ir::op_kind::reshape:
        return load(v, m);
      case ir::op_kind::elementwise:
        return apply(v, m, tied);
      // stored, or looked through
      case ir::op_kind::table:
      case ir::op_kind::alias:
      case ir::op_kind::view:
      case ir::op_kind::reduce:
      case ir::op_kind::contract:
      case ir::op_kind::index:
      case ir::op_kind::scatter:
      case ir::op_kind::assemble:
      case ir::op_kind::call:
      case ir::op_kind::part:
      case ir::op_kind::region:
      case ir::op_kind::carry:
      case ir::op_kind::next:
      case ir::op_kind::yield:
      case ir::op_kind::loop:
        break;
    }
    __builtin_unreachable();
  }
  constexpr int apply(int v, affine_map const& m, bool& tied) {
    auto const& i = g_.ins[v];
    register_t r{register_kind::apply, i.type, access::contiguous, 0, i.op, i.count, {}};
    bool const turned = i.op->commutative && order_of(g_.in(v, 1)) < order_of(g_.in(v, 0));
    for (int k = 0; k < i.count; ++k) {
      r.in[k] = value_of(g_.in(v, turned ? 1 - k : k), m);
      if (is_full_) return 0;
      tied = tied || elements_[r.in[k]].tied;
    }
    if (i.op->commutative && r.in[1] < r.in[0]) std::swap(r.in[0], r.in[1]);
    return add_register(r);
  }
  // Of a kernel that is full, the value that saves the most registers when it is computed before. There is one: what is
  // tied is read in one place, and so few values fit (fuse.hpp).
  constexpr int best_to_store() const {
    int best = 0, most = -1;
    for (int k = 0; k < kernel_.registers; ++k) {
      int const v = elements_[k].value;
      if (elements_[k].tied || kind(v) != ir::op_kind::elementwise || f_.stored[v]) continue;
      int saved = 0;
      for (int j = 0; j < kernel_.registers; ++j)
        if (elements_[j].value == v) saved += j - elements_[j].first;
      if (saved > most) best = v, most = saved;
    }
    return best;
  }
  // operands of commutative operations are computed in an order of kinds, so that equal kernels look equal
  constexpr int order_of(int v) const {
    if (v == f_.groups[group_].anchor) return 0;
    if (kind(v) == ir::op_kind::literal || kind(v) == ir::op_kind::number) return 5;
    if (kind(v) == ir::op_kind::argument) return 4;
    if (f_.stored[v]) return 2;
    return kind(v) == ir::op_kind::view || kind(v) == ir::op_kind::reshape ? 3 : 1;
  }
  constexpr int load(int v, affine_map const& m) { return load_from(v, place_of(v), m); }
  constexpr int load_from(int v, place_t const& from, affine_map const& m) {
    return plain_register(register_kind::load, g_.ins[v].type, access::strided,
                          add_operand(pending(v, from, m, false)));
  }
  constexpr int literal(int v) {
    auto const type = g_.ins[v].type;
    double const x = ir::literal_number(g_, v);
    if ((x == 0 && std::bit_cast<index_t>(x) == 0) || x == 1 || x == -1)
      return plain_register(register_kind::constant, type, access::fixed, static_cast<int>(x));
    return plain_register(register_kind::scalar, type, access::fixed, add_scalar(false, type, g_.attr(v, 0)));
  }

  // ---- views ----

  // What m finds in v, in its operand.
  constexpr affine_map through_view(int v, affine_map const& m) {
    affine_map const w = ir::map_of(g_, v);
    affine_map r{w.rank, {}, 0, {}, 0};
    for (int k = 0; k < w.rank; ++k) r.start[k] = w.start[k];
    for (int k = 0; k < w.count; ++k) {
      auto const& t = w.terms[k];
      r.start[t.of] = plus(r.start[t.of], times(t.step, m.start[t.with]));
      for (int i = 0; i < m.count; ++i)
        if (m.terms[i].of == t.with) add_to_term(r, t.of, m.terms[i].with, times(t.step, m.terms[i].step));
    }
    shape_t const& shape = g_.shape(g_.in(v, 0));
    auto const unless_one = [&](int axis, index_t x) {
      return w.broadcast >> axis & 1 ? ir::unless_one(g_, ir::find(g_, shape.extent[axis]), x) : x;
    };
    if (w.broadcast == 0) return r;
    for (int k = 0; k < r.rank; ++k) r.start[k] = unless_one(k, r.start[k]);
    for (int k = 0; k < r.count; ++k) r.terms[k].step = unless_one(r.terms[k].of, r.terms[k].step);
    return r;
  }
  constexpr void add_to_term(affine_map& m, int of, int with, index_t step) {
    for (int k = 0; k < m.count; ++k)
      if (m.terms[k].of == of && m.terms[k].with == with) {
        m.terms[k].step = plus(m.terms[k].step, step);
        return;
      }
    add_term(m, of, with, step);
  }
  constexpr affine_map through_reshape(int v, affine_map const& m) const {
    auto const &s = g_.shape(g_.in(v, 0)), &t = g_.shape(v);
    affine_map r{s.rank, {}, 0, {}, 0};
    for (int i = 0, k = 0; i < s.rank; ++i) {
      if (s.extent[i] == 1) continue;
      while (t.extent[k] == 1) ++k;
      r.start[i] = m.start[k];
      for (int j = 0; j < m.count; ++j)
        if (m.terms[j].of == k) add_term(r, i, m.terms[j].with, m.terms[j].step);
      ++k;
    }
    return r;
  }

  // The kernel, new or one that computes the same, and its step.
  constexpr void add_step(step_t step) {
    std::uint32_t h = static_cast<std::uint32_t>(kernel_.kind) * 31 + static_cast<std::uint32_t>(kernel_.registers);
    for (int k = 0; k < kernel_.registers; ++k) {
      auto const& r = p_.registers[kernel_.first_register + k];
      h = (h ^ static_cast<std::uint32_t>(static_cast<int>(r.kind) + 8 * static_cast<int>(r.type) + 64 * r.slot)) *
          0x85ebca6bu;
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
    if (k.hash != mine.hash || k.kind != mine.kind || k.variant != mine.variant || k.type != mine.type ||
        !ir::same_operation(k.op, mine.op) || k.registers != mine.registers || k.sinks != mine.sinks ||
        k.slots != mine.slots || k.scalars != mine.scalars)
      return false;
    for (int i = 0; i < k.registers; ++i) {
      auto const &a = p_.registers[k.first_register + i], &b = p_.registers[mine.first_register + i];
      if (a.kind != b.kind || a.type != b.type || a.moves != b.moves || a.slot != b.slot ||
          !ir::same_operation(a.op, b.op) || a.count != b.count || a.in[0] != b.in[0] || a.in[1] != b.in[1] ||
          a.in[2] != b.in[2])
        return false;
    }
    for (int i = 0; i < k.sinks; ++i) {
      auto const &a = p_.sinks[k.first_sink + i], &b = p_.sinks[mine.first_sink + i];
      if (!ir::same_operation(a.reduction, b.reduction) || a.reg != b.reg || a.slot != b.slot || a.type != b.type ||
          a.moves != b.moves)
        return false;
    }
    return true;
  }

  G& g_;
  fusion& f_;
  plan_t& p_;
  place_t* places_;
  place_t const* outputs_;
  int argument_count_ = 0;
  int group_ = 0;
  shape_t domain_{};
  kernel_t kernel_{};
  element_t elements_[max_registers]{};  // of each register
  int newest_[ir::capacity]{};           // of each value, see newest_of
  pending_t operands_[max_slots]{};
  int operand_count_ = 0, operand_limit_ = max_slots;
  bool is_full_ = false;  // the kernel would take more than a kernel may; its registers are not all there
};

}  // namespace ricci::plan
