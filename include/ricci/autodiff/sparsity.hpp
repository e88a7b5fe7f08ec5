// Which elements of a function's results depend on which elements of an argument: one pass over its recorded graph, for
// extents that are known now. It is no template over functions, and compiled once.
//
// A pattern holds for all values of floating arguments: rows that are named by integers, and what conditions choose,
// are found where these are arguments or follow from such. Of branches both sides count. A loop is followed from one
// iteration to the next.
#pragma once

#include <ricci/autodiff/sparsity_calls.hpp>

RICCI_OPTIMIZED
namespace ricci::sparsity {
inline namespace RICCI_ABI {

// A value of the graph of which each element is a column.
struct read_value {
  int id;
  index_t first_column, size;
};

class search : call_rules {
 public:
  // first_column[k]: that of argument k in the matrix, -1 where it is constant; integers: the values that are wanted,
  // one after another. Elements of `reads` are columns of their own, behind the others; set_of_read(k, e) is what an
  // element of them depends on.
  search(graph_view const& g, operand_ref const* arguments, index_t const* first_column, index_t columns,
         std::int64_t const* integers, ir::span<read_value> reads = {})
      : call_rules(g, first_column, columns),
        arguments_(arguments),
        iteration_(ir::max_scopes),
        reads_(reads),
        sets_of_reads_(reads.size) {
    exec::resolve_exactly(g.dims, arguments, nullptr, &dims_[0]);
    for (int k = 0; k < g.wanted_count; ++k) {
      of_[g.wanted[k]].integers = integers;
      integers += size_of(shape(g.wanted[k]));
    }
    run(0, 1, g.size);
  }
  column_sets const& sets() const { return sets_; }
  element_sets const& sets_at(int id) const { return of_[id].sets; }
  element_sets const& sets_of_read(int k) const { return sets_of_reads_[k]; }
  // f(set) for each element of the results
  template <class Look>
  void for_each_row(Look const& look) const {
    for (int k = 0; k < g_.output_count; ++k) {
      index_t const n = size_of(shape(g_.outputs[k]));
      for (index_t e = 0; e < n; ++e) look(of_[g_.outputs[k]].sets[e]);
    }
  }

 private:
  operand_ref const* arguments_;
  core::owned_array<index_t> iteration_;
  ir::span<read_value> reads_;
  core::owned_array<element_sets> sets_of_reads_;

  // the instructions of one region
  void run(int scope, int from, int to) {
    for (int id = from; id < to; ++id)
      if (g_.ins[id].needed && g_.ins[id].scope == scope) look_at(id);
  }
  void look_at(int id) {
    auto const kind = g_.ins[id].op->kind;
    if (kind == ir::op_kind::loop) return loop(id);
    if (kind == ir::op_kind::call) return call(id);
    if (kind == ir::op_kind::part) return;  // with what it is a part of
    if (has_rule_of_its_own(g_.ins[id]) && g_.ins[id].follows == 0)
      depend_on_everything(id);
    else if (is_inexact(g_.ins[id].type))
      of_[id].sets = sets_of(id);
    for (int k = 0; k < reads_.size; ++k)
      if (reads_.data[k].id == id) become_columns(k);
    if (!is_inexact(g_.ins[id].type) && g_.ins[id].scope != 0) find_integers(id);
  }

  void become_columns(int k) {
    read_value const& read = reads_.data[k];
    element_sets& x = of_[read.id].sets;
    sets_of_reads_[k] = x;
    x = element_sets(read.size);
    for (index_t e = 0; e < read.size; ++e) x.data()[e] = column_sets::single(read.first_column + e);
  }

  // ---- loops ----

  // All iterations, one after another. A branch, which runs once or not at all, may leave its carries as they are.
  void loop(int id) {
    int const yield = g_.in(id, 0), region = g_.in(yield, 0);
    int const scope = int(plain_attribute(region, 0));
    int const carries = int(plain_attribute(id, 0)), stacked = int(plain_attribute(id, 1));
    bool const is_branch = g_.ins[region].count > 0;
    index_t const n = attribute(region, 1);
    for (int k = 0; k < carries; ++k) of_[id + k].sets = in(g_.in(g_.in(yield, 1 + k), 1), 0);
    if (n == ir::open_ended) return open_loop(id, carries);
    for (int k = carries; k < 2 * carries + stacked; ++k)
      of_[id + k].sets = g_.ins[id + k].needed && is_inexact(g_.ins[id + k].type) ? element_sets(size_of(shape(id + k)))
                                                                                  : element_sets{};
    for (index_t t = 0; t < n; ++t) {
      iteration_[scope] = t;
      set_dims();
      for (int k = 0; k < carries; ++k) put(id + carries + stacked + k, t, of_[id + k].sets);
      run_iteration(region, yield, scope, id);
      for (int k = 0; k < stacked; ++k) put(id + carries + k, t, of_[g_.in(yield, 1 + carries + k)].sets);
      for (int k = 0; k < carries; ++k) {
        element_sets const& next = of_[g_.in(yield, 1 + k)].sets;
        of_[id + k].sets = is_branch ? both(of_[id + k].sets, next, size_of(shape(id + k))) : next;
      }
    }
    iteration_[scope] = 0;
    set_dims();
  }
  // Of as many iterations as a value says: none, or so many that carries depend on no more. Where the number of the
  // iteration names elements there is no such end, and carries depend on all that the loop reads.
  void open_loop(int id, int carries) {
    int const yield = g_.in(id, 0), region = g_.in(yield, 0);
    int const scope = int(plain_attribute(region, 0));
    if (names_by_iteration(region, yield, scope)) return depend_on_all_that_is_read(id, carries);
    for (bool changes = true; changes;) {
      changes = false;
      run_iteration(region, yield, scope, id);
      for (int k = 0; k < carries; ++k) {
        index_t const n = size_of(shape(id + k));
        element_sets const &before = of_[id + k].sets, &next = of_[g_.in(yield, 1 + k)].sets;
        element_sets const after = both(before, next, n);
        for (index_t e = 0; e < n; ++e) changes = changes || after[e] != before[e];
        of_[id + k].sets = after;
      }
    }
  }
  // Whether elements are named by it: in attributes, or as an integer among indices.
  bool names_by_iteration(int region, int yield, int scope) const {
    core::owned_array<bool> follows(g_.dim_count + 1), is_such(yield + 1);
    auto const does = [&](index_t d) { return ir::is_symbolic(d) && follows[ir::dim_index(d)]; };
    for (int k = 0; k < g_.dim_count; ++k) {
      auto const& e = g_.dims.dims[k];
      follows[k] = e.op == ir::dim_op::iteration ? e.a == scope : !ir::is_given(e.op) && (does(e.a) || does(e.b));
    }
    for (int id = region + 1; id < yield; ++id) {
      using enum ir::op_kind;
      auto const& i = g_.ins[id];
      bool named = false, reads_such = false;
      for (int k = 0; i.op->kind != literal && k < i.attrs; ++k) named = named || does(plain_attribute(id, k));
      for (int k = 0; k < i.count; ++k) reads_such = reads_such || is_such[g_.in(id, k)];
      if (i.op->kind == number || i.op->kind == elementwise)
        is_such[id] = !is_inexact(i.type) && (named || reads_such);
      else if (i.needed && (named || (reads_such && i.op->kind != next)))
        return true;
    }
    return false;
  }
  void depend_on_all_that_is_read(int loop, int carries) {
    int const yield = g_.in(loop, 0), region = g_.in(yield, 0);
    int const scope = int(plain_attribute(region, 0));
    sets_.begin();
    for (int id = region + 1; id < yield; ++id)
      for (int k = 0; g_.ins[id].needed && k < g_.ins[id].count; ++k) {
        int const x = g_.in(id, k);
        if ((x > region && g_.ins[x].scope >= scope) || !of_[x].sets) continue;
        for (index_t e = 0; e < size_of(shape(x)); ++e) sets_.add(of_[x].sets[e]);
      }
    int const all = sets_.end();
    for (int k = 0; k < carries; ++k) {
      index_t const n = is_inexact(g_.ins[loop + k].type) && all != no_columns ? size_of(shape(loop + k)) : 0;
      of_[loop + k].sets = n > 0 ? element_sets(n) : element_sets{};
      for (index_t e = 0; e < n; ++e) of_[loop + k].sets.data()[e] = all;
    }
  }
  // the carries of that region are what its loop has by now
  void run_iteration(int region, int yield, int scope, int loop) {
    for (int id = region; id < yield; ++id) {
      if (g_.ins[id].scope != scope || !g_.ins[id].needed) continue;
      if (g_.ins[id].op->kind == ir::op_kind::carry)
        of_[id].sets = of_[loop + int(plain_attribute(id, 1))].sets;
      else
        look_at(id);
    }
  }
  void set_dims() {
    for (int k = 0; k < g_.dim_count; ++k) {
      auto const& e = g_.dims.dims[k];
      dims_[k] = e.op == ir::dim_op::iteration ? iteration_[e.a] : exec::evaluate(e, arguments_, nullptr, &dims_[0]);
    }
  }
  // element t along the first axis
  void put(int id, index_t t, element_sets const& x) {
    if (!of_[id].sets) return;
    shape_t const s = shape(id);
    index_t const each = s.extent[0] == 0 ? 0 : size_of(s) / s.extent[0];
    for (index_t e = 0; e < each; ++e) of_[id].sets.data()[t * each + e] = x[e];
  }
  element_sets both(element_sets const& a, element_sets const& b, index_t n) {
    if (!a || !b) return a ? a : b;
    element_sets y(n);
    for (index_t e = 0; e < n; ++e) y.data()[e] = sets_.united(a[e], b[e]);
    return y;
  }

  // ---- integers and conditions in loops: what is only moved there is followed ----

  void find_integers(int id) {
    using enum ir::op_kind;
    auto& y = of_[id];
    y.integers = nullptr;
    auto const kind = g_.ins[id].op->kind;
    if (kind == literal || kind == number) {
      std::int64_t* const to = room(y, size_of(shape(id)));
      for (index_t e = 0; e < size_of(shape(id)); ++e)
        to[e] = kind == number ? attribute(id, 0) : plain_attribute(id, 0);
      return;
    }
    if (g_.ins[id].count == 0) return;
    auto const& x = of_[g_.in(id, 0)];
    bool const converts = kind == elementwise && ir::same_operation(g_.ins[id].op, ir::facts_of<astype_t>()) &&
                          size_of(g_.ins[id].type) >= size_of(g_.ins[g_.in(id, 0)].type);
    if (!x.integers) return;
    if (kind == alias || kind == reshape || converts) {
      y.integers = x.integers;
      y.memory = x.memory;
    } else if (kind == view) {
      std::int64_t const* const from = x.integers;
      std::int64_t* const to = room(y, size_of(shape(id)));
      for_each_of_view(id, [&](index_t e, index_t at) { to[e] = from[at]; });
    }
  }
  static std::int64_t* room(known_value& y, index_t n) {
    y.memory = core::shared_buffer(core::bytes_of(n, sizeof(std::int64_t)));
    y.integers = reinterpret_cast<std::int64_t const*>(y.memory.data());
    return reinterpret_cast<std::int64_t*>(y.memory.data());
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
RICCI_OPTIMIZED_END
