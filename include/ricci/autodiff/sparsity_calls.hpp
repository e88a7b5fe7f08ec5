// How the elements of a call's results depend on an argument: scans on what stands before an element, convolutions on
// what meets in a sum. Of other calls (sorting, decompositions) every element of a core depends on all of that core.
#pragma once

#include <ricci/autodiff/sparsity_rules.hpp>
#include <ricci/ops/convolve.hpp>

RICCI_OPTIMIZED
namespace ricci::sparsity {
inline namespace RICCI_ABI {

class call_rules : protected set_rules {
 protected:
  using set_rules::set_rules;

  void call(int id) {
    call_operands const c = operands_of(id);
    auto const& facts = *g_.ins[id].op->call;
    for (int k = 0; k < facts.core.results; ++k)
      of_[id + k].sets = is_inexact(g_.ins[id + k].type) ? element_sets(size_of(shape(id + k))) : element_sets{};
    index_t const shift = convolution_shift(id);
    for (index_t batch = 0; batch < c.batches; ++batch) {
      if (facts.scan != scan_kind::none)
        scanned(id, c, batch);
      else if (shift >= 0)
        convolved(id, c, batch, shift);
      else
        mixed(id, c, batch);
    }
  }

 private:
  // a core: how many elements it has, how far apart they lie, and the same of the batches inside of that
  struct cores {
    index_t count = 1, inner = 1;
  };
  struct call_operands {
    cores core[most_call_arrays];
    index_t batches = 0;
    int operands = 0, results = 0;

    index_t element(int k, index_t batch, index_t i) const {
      return (batch / core[k].inner * core[k].count + i) * core[k].inner + batch % core[k].inner;
    }
  };
  call_operands operands_of(int id) const {
    auto const& facts = *g_.ins[id].op->call;
    call_operands c;
    c.operands = facts.core.operands, c.results = facts.core.results;
    for (int k = facts.core.arrays() - 1; k >= 0; --k) {
      shape_t const s = shape(k < c.operands ? g_.in(id, k) : id + k - c.operands);
      int const first = facts.along_axis ? int(plain_attribute(id, 0)) : s.rank - facts.core.rank[k];
      int const last = first + facts.core.rank[k];
      for (int d = first; d < last; ++d) c.core[k].count *= s.extent[d];
      for (int d = last; d < s.rank && facts.core.rank[k] > 0; ++d) c.core[k].inner *= s.extent[d];
      if (c.core[k].count > 0) c.batches = size_of(s) / c.core[k].count;
    }
    return c;
  }
  // element i of core `batch` of operand k
  int set_in(int id, call_operands const& c, int k, index_t batch, index_t i) const {
    return in(id, k)[c.element(k, batch, i)];
  }

  void mixed(int id, call_operands const& c, index_t batch) {
    sets_.begin();
    for (int k = 0; k < c.operands; ++k)
      if (in(id, k))
        for (index_t i = 0; i < c.core[k].count; ++i) sets_.add(set_in(id, c, k, batch, i));
    int const all = sets_.end();
    for (int k = 0; k < c.results; ++k)
      if (element_sets& y = of_[id + k].sets)
        for (index_t i = 0; i < c.core[c.operands + k].count; ++i) y.data()[c.element(c.operands + k, batch, i)] = all;
  }
  // attribute 1: whether it runs backwards
  void scanned(int id, call_operands const& c, index_t batch) {
    element_sets& y = of_[id].sets;
    if (!y) return;
    bool const backwards = plain_attribute(id, 1) != 0, before = g_.ins[id].op->call->scan == scan_kind::before;
    index_t const n = c.core[c.operands].count;
    int state = no_columns;
    for (index_t i = 0; i < n; ++i) {
      index_t const at = backwards ? n - 1 - i : i;
      int const old = state;
      for (int k = 0; k < c.operands; ++k) state = sets_.united(state, set_in(id, c, k, batch, at));
      y.data()[c.element(c.operands, batch, at)] = before ? old : state;
    }
  }
  // Sum i of a convolution is of x[i + shift - j] v[j], of a correlation of x[i + shift - (m - 1 - j)] v[j]; -1: no
  // convolution, or a shift that is not known.
  index_t convolution_shift(int id) const {
    auto const* op = g_.ins[id].op;
    if (!ir::same_operation(op, ir::facts_of<convolution_t<false>>()) &&
        !ir::same_operation(op, ir::facts_of<convolution_t<true>>()))
      return -1;
    int from = g_.in(id, 2);
    while (g_.ins[from].op->kind == ir::op_kind::view || g_.ins[from].op->kind == ir::op_kind::reshape)
      from = g_.in(from, 0);
    if (g_.ins[from].op->kind == ir::op_kind::literal) return plain_attribute(from, 0);
    return g_.ins[from].op->kind == ir::op_kind::number ? attribute(from, 0) : -1;
  }
  void convolved(int id, call_operands const& c, index_t batch, index_t shift) {
    element_sets& y = of_[id].sets;
    if (!y) return;
    bool const correlates = ir::same_operation(g_.ins[id].op, ir::facts_of<convolution_t<true>>());
    index_t const n = c.core[0].count, m = c.core[1].count;
    for (index_t i = 0; i < c.core[c.operands].count; ++i) {
      sets_.begin();
      for (index_t j = 0; j < m; ++j) {
        index_t const at = i + shift - (correlates ? m - 1 - j : j);
        if (at < 0 || at >= n) continue;
        sets_.add(set_in(id, c, 0, batch, at));
        sets_.add(set_in(id, c, 1, batch, j));
      }
      y.data()[c.element(c.operands, batch, i)] = sets_.end();
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
RICCI_OPTIMIZED_END
