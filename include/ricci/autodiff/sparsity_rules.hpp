// How the elements of a value depend on an argument, given how those of its operands do: a rule for each kind of
// operation. Products and reductions depend on all that enters; of rows that unknown integers name any may be meant.
// Calls: sparsity_calls.hpp.
#pragma once

#include <ricci/autodiff/column_sets.hpp>
#include <ricci/autodiff/sparsity_table.hpp>

RICCI_OPTIMIZED
namespace ricci::sparsity {
inline namespace RICCI_ABI {

class set_rules {
 protected:
  // of each value: the sets of its elements; of integers that are known, their values, which lie in `memory` or with
  // the caller
  struct known_value {
    element_sets sets;
    std::int64_t const* integers = nullptr;
    core::shared_buffer memory;
  };

  graph_view const& g_;
  index_t const* first_column_;
  column_sets sets_;
  core::owned_array<index_t> dims_;
  core::owned_array<known_value> of_;

  set_rules(graph_view const& g, index_t const* first_column, index_t columns)
      : g_(g), first_column_(first_column), sets_(columns), dims_(g.dim_count), of_(g.size) {}

  index_t number(index_t d) const { return exec::resolve(d, &dims_[0]); }
  shape_t shape(int id) const {
    shape_t s = g_.dims.shapes[g_.ins[id].shape];
    for (int k = 0; k < s.rank; ++k) s.extent[k] = number(s.extent[k]);
    return s;
  }
  index_t plain_attribute(int id, int k) const { return g_.attributes[g_.ins[id].attr + k]; }
  // one that is a dimension
  index_t attribute(int id, int k) const { return number(plain_attribute(id, k)); }
  element_sets const& in(int id, int k) const { return of_[g_.in(id, k)].sets; }

  element_sets sets_of(int id) {
    using enum ir::op_kind;
    switch (g_.ins[id].op->kind) {
      case argument:
        return argument_sets(id);
      case literal:
      case number:
      case table:
      case region:
      case yield:
        return {};
      case alias:
      case elementwise:
        return elementwise_sets(id);
      case view:
        return moved_sets(id);
      case reshape:
        return in(id, 0);
      case reduce:
        return reduced_sets(id);
      case contract:
        return product_sets(id);
      case index:
        return taken_sets(id);
      case scatter:
        return scattered_sets(id);
      case assemble:
        return joined_sets(id);
      case carry:  // as it is before the first iteration
      case next:
        return in(id, 0);
      case call:
      case part:
      case loop:
        break;
    }
    __builtin_unreachable();
  }

  element_sets argument_sets(int id) {
    index_t const first = first_column_[plain_attribute(id, 0)], n = size_of(shape(id));
    if (first < 0) return {};
    element_sets y(n);
    for (index_t k = 0; k < n; ++k) y.data()[k] = column_sets::single(first + k);
    return y;
  }
  element_sets elementwise_sets(int id) {
    if (ir::same_operation(g_.ins[id].op, ir::facts_of<where_t>()) && of_[g_.in(id, 0)].integers)
      return chosen_sets(id);
    element_sets y{};
    bool shared = true;  // with an operand
    index_t const n = size_of(shape(id));
    for (int k = 0; k < g_.ins[id].count; ++k) {
      element_sets const& x = in(id, k);
      if (!(g_.ins[id].follows >> k & 1) || !x) continue;
      if (!y) {
        y = x;
        continue;
      }
      if (shared) {
        element_sets own(n);
        for (index_t e = 0; e < n; ++e) own.data()[e] = y[e];
        y = own;
        shared = false;
      }
      for (index_t e = 0; e < n; ++e) y.data()[e] = sets_.united(y[e], x[e]);
    }
    return y;
  }
  // where the condition is known
  element_sets chosen_sets(int id) {
    element_sets const a = in(id, 1), b = in(id, 2);
    if (!a && !b) return {};
    std::int64_t const* const condition = of_[g_.in(id, 0)].integers;
    index_t const n = size_of(shape(id));
    element_sets y(n);
    for (index_t e = 0; e < n; ++e) y.data()[e] = condition[e] != 0 ? a[e] : b[e];
    return y;
  }

  // ---- what moves elements ----

  // move(n, i) for each element of a part, in order, and the element of the whole that belongs to it
  template <class Move>
  static void for_each_element(shape_t const& part, shape_t const& whole, affine_map const& map, Move const& move) {
    index_t stride[max_rank]{}, step[max_rank]{}, at[max_rank]{}, n = 1, offset = 0;
    for (int k = whole.rank - 1; k >= 0; --k) stride[k] = n, n *= whole.extent[k];
    for (int k = 0; k < whole.rank; ++k) offset += map.start[k] * stride[k];
    for (int k = 0; k < map.count; ++k) step[map.terms[k].with] += map.terms[k].step * stride[map.terms[k].of];
    index_t const count = size_of(part);
    for (index_t e = 0; e < count; ++e) {
      move(e, offset);
      for (int k = part.rank - 1; k >= 0; --k) {
        offset += step[k];
        if (++at[k] < part.extent[k]) break;
        offset -= at[k] * step[k];
        at[k] = 0;
      }
    }
  }
  struct numbers {
    index_t at[ir::max_attributes];
  };
  numbers attributes(int id) const {
    numbers a{};
    for (int k = 0; k < g_.ins[id].attrs; ++k) a.at[k] = attribute(id, k);
    return a;
  }
  template <class Move>
  void for_each_of_view(int id, Move const& move) const {
    shape_t const to = shape(id), from = shape(g_.in(id, 0));
    for_each_element(to, from, g_.ins[id].op->map(attributes(id).at, from, to), move);
  }
  element_sets moved_sets(int id) {
    element_sets const x = in(id, 0);
    if (!x) return {};
    element_sets y(size_of(shape(id)));
    for_each_of_view(id, [&](index_t to, index_t from) { y.data()[to] = x[from]; });
    return y;
  }
  element_sets joined_sets(int id) {
    bool some = false;
    for (int k = 0; k < g_.ins[id].count; ++k) some = some || in(id, k);
    if (!some) return {};
    shape_t const to = shape(id);
    element_sets y(size_of(to));
    index_t before = 0;  // elements of earlier parts along the axis behind which a part lies
    for (int k = 0; k < g_.ins[id].count; ++k) {
      shape_t const part = shape(g_.in(id, k));
      auto [map, axis] = g_.ins[id].op->part(attributes(id).at, part, k);
      if (axis >= 0) map.start[axis] += before, before += part.extent[axis];
      element_sets const x = in(id, k);
      for_each_element(part, to, map, [&](index_t from, index_t at) { y.data()[at] = x[from]; });
    }
    return y;
  }

  // ---- what goes over axes ----

  element_sets reduced_sets(int id) {
    element_sets const x = in(id, 0);
    if (!x) return {};
    shape_t const from = shape(g_.in(id, 0));
    index_t const axes = plain_attribute(id, 0);
    // the kept axes before those that are reduced, so that one result follows another
    affine_map map{from.rank, {}, 0, {}, 0};
    shape_t order{};
    index_t n = 1;
    for (int reduced = 0; reduced < 2; ++reduced)
      for (int k = 0; k < from.rank; ++k) {
        if ((axes >> k & 1) != reduced) continue;
        add_term(map, k, order.rank);
        order.push(from.extent[k]);
        if (reduced) n *= from.extent[k];
      }
    index_t const count = size_of(shape(id));
    element_sets y(count);
    if (n == 0) return y;
    for_each_element(order, from, map, [&](index_t e, index_t at) {
      if (e % n == 0) sets_.begin();
      sets_.add(x[at]);
      if (e % n == n - 1) y.data()[e / n] = sets_.end();
    });
    return y;
  }
  element_sets product_sets(int id) {
    shape_t const to = shape(id), left = shape(g_.in(id, 0));
    index_t const rows = to.extent[to.rank - 2], columns = to.extent[to.rank - 1], depth = left.extent[left.rank - 1];
    index_t const n = size_of(to), batches = rows * columns == 0 ? 0 : n / (rows * columns);
    element_sets const a = in(id, 0), b = in(id, 1);
    if (!a && !b) return {};
    element_sets y(n);
    core::owned_array<int> of_row(rows), of_column(columns);
    for (index_t p = 0; p < batches; ++p) {
      for (index_t i = 0; i < rows; ++i) {
        sets_.begin();
        for (index_t k = 0; k < depth; ++k) sets_.add(a[(p * rows + i) * depth + k]);
        of_row[i] = sets_.end();
      }
      for (index_t j = 0; j < columns; ++j) {
        sets_.begin();
        for (index_t k = 0; k < depth; ++k) sets_.add(b[(p * depth + k) * columns + j]);
        of_column[j] = sets_.end();
      }
      for (index_t i = 0; i < rows; ++i)
        for (index_t j = 0; j < columns; ++j)
          y.data()[(p * rows + i) * columns + j] = sets_.united(of_row[i], of_column[j]);
    }
    return y;
  }
  // Every element of every result depends on all of the operands.
  void depend_on_everything(int id) {
    bool some = false;
    sets_.begin();
    for (int k = 0; k < g_.ins[id].count; ++k) {
      element_sets const& x = in(id, k);
      if (!x) continue;
      some = true;
      index_t const n = size_of(shape(g_.in(id, k)));
      for (index_t e = 0; e < n; ++e) sets_.add(x[e]);
    }
    int const all = sets_.end();
    for (int k = 0; k == 0 || k < int(g_.ins[id].results); ++k) {
      index_t const n = some && is_inexact(g_.ins[id + k].type) ? size_of(shape(id + k)) : 0;
      of_[id + k].sets = n > 0 ? element_sets(n) : element_sets{};
      for (index_t e = 0; e < n; ++e) of_[id + k].sets.data()[e] = all;
    }
  }

  // ---- rows by indices ----

  struct named_rows {
    index_t outer = 1, inner = 1, choices = 0, count = 0;
    bool own = false;
    std::int64_t const* named = nullptr;

    // of row r, which is in range
    index_t row(index_t o, index_t r) const {
      index_t const i = named[own ? o * count + r : r];
      return i < 0 ? i + choices : i;
    }
  };
  named_rows rows_of(int id, bool own) const {
    named_rows r;
    shape_t const whole = shape(g_.in(id, 0));
    int const axis = int(plain_attribute(id, 0)), indices = g_.in(id, 1);
    for (int k = 0; k < whole.rank; ++k)
      if (k != axis) (k < axis ? r.outer : r.inner) *= whole.extent[k];
    r.choices = whole.extent[axis];
    r.own = own;
    r.named = of_[indices].integers;
    index_t const named = size_of(shape(indices));
    r.count = own && r.outer > 0 ? named / r.outer : named;
    for (index_t k = 0; r.named && k < named; ++k)
      if (r.named[k] < -r.choices || r.named[k] >= r.choices)
        core::raise_index(g_.ins[id].op->name, r.named[k], r.choices);
    return r;
  }
  element_sets taken_sets(int id) {
    element_sets const x = in(id, 0);
    if (!x) return {};
    element_sets y(size_of(shape(id)));
    named_rows const r = rows_of(id, plain_attribute(id, 1) != 0);
    for (index_t o = 0; o < r.outer; ++o)
      for (index_t k = 0; k < r.inner; ++k) {
        int const any = r.named ? no_columns : any_row(x, r, o, k, r.choices);
        for (index_t i = 0; i < r.count; ++i)
          y.data()[(o * r.count + i) * r.inner + k] = r.named ? x[(o * r.choices + r.row(o, i)) * r.inner + k] : any;
      }
    return y;
  }
  int any_row(element_sets const& x, named_rows const& r, index_t o, index_t k, index_t count) {
    sets_.begin();
    for (index_t i = 0; i < count; ++i) sets_.add(x[(o * count + i) * r.inner + k]);
    return sets_.end();
  }
  element_sets scattered_sets(int id) {
    element_sets const base = in(id, 0), x = in(id, 2);
    if (!base && !x) return {};
    bool const adds = plain_attribute(id, 1) != 0;
    index_t const n = size_of(shape(id));
    element_sets y(n);
    for (index_t e = 0; e < n; ++e) y.data()[e] = base[e];
    named_rows const r = rows_of(id, plain_attribute(id, 2) != 0);
    for (index_t o = 0; o < r.outer; ++o)
      for (index_t k = 0; k < r.inner; ++k) {
        if (r.named) {
          for (index_t i = 0; i < r.count; ++i) {
            int& to = y.data()[(o * r.choices + r.row(o, i)) * r.inner + k];
            int const from = x[(o * r.count + i) * r.inner + k];
            to = adds ? sets_.united(to, from) : from;
          }
        } else {
          int const any = any_row(x, r, o, k, r.count);
          for (index_t i = 0; i < r.choices; ++i) {
            int& to = y.data()[(o * r.choices + i) * r.inner + k];
            to = sets_.united(to, any);
          }
        }
      }
    return y;
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
RICCI_OPTIMIZED_END
