// Colouring of symmetric matrices, as hessians are, which need fewer colours than others: an element may be found in
// its column or in the one that mirrors it. Neighbours (columns that have an element in a row of each other) differ,
// and no path of four columns has two colours: a star colouring (Coleman and Moré, "Estimation of sparse Hessian
// matrices and graph coloring problems", 1984). It is greedy, columns with the most elements first, by the conditions
// of Gebremedhin, Tarafdar, Manne and Pothen, "New acyclic and star coloring algorithms with application to computing
// Hessians", 2007.
//
//   an arrow of n columns: 2 colours, where columns that share no row would be n
#pragma once

#include <ricci/autodiff/coloring.hpp>

RICCI_OPTIMIZED
namespace ricci::sparsity {
inline namespace RICCI_ABI {

// A square pattern with all elements that mirror those which it has.
inline incidence symmetrized(incidence const& rows) {
  incidence const mirrored = transposed(rows, rows.count);
  incidence both;
  both.count = rows.count;
  both.starts.push(0);
  core::owned_array<index_t> seen(rows.count);
  for (index_t k = 0; k < rows.count; ++k) {
    auto const add = [&](incidence const& from) {
      for (index_t i = from.starts[k]; i < from.starts[k + 1]; ++i) {
        int const column = from.items[i];
        if (seen[column] != k + 1) both.items.push(column);
        seen[column] = k + 1;
      }
    };
    add(rows), add(mirrored);
    both.starts.push(both.items.size());
  }
  return both;
}

class star_colorer {
 public:
  // columns: a symmetric pattern
  explicit star_colorer(incidence const& columns)
      : g_(columns), taken_(columns.count + 1), first_(columns.count + 1), c_(columns.count) {}
  coloring run() {
    core::owned_array<int> const order = by_size(g_.count, [&](index_t k) { return g_.size(k); });
    for (index_t at = 0; at < g_.count; ++at)
      if (int const v = order[at]; g_.size(v) > 0) color_one(v);
    return static_cast<coloring&&>(c_);
  }

 private:
  struct neighbour {
    int of;
    bool again;
  };
  incidence const& g_;
  core::owned_array<index_t> taken_;  // by color: 1 + the last column that may not have it
  // by color: 1 + a column, its first neighbour of that color; whether it has more
  core::owned_array<neighbour> first_;
  coloring c_;

  // f(w) for the neighbours of v that have colors
  template <class F>
  void for_neighbours(int v, F const& f) const {
    for (index_t i = g_.starts[v]; i < g_.starts[v + 1]; ++i)
      if (int const w = g_.items[i]; w != v && c_.of[w] >= 0) f(w);
  }
  void color_one(int v) {
    for_neighbours(v, [&](int w) {
      taken_[c_.of[w]] = v + 1;
      neighbour& n = first_[c_.of[w]];
      n = {v + 1, n.of == v + 1};
    });
    // no color that would make a path of two colors: w, v, another neighbour of w's color, x; or v, w, x, y
    for_neighbours(v, [&](int w) {
      bool const is_one_of_several = first_[c_.of[w]].again;
      for_neighbours(w, [&](int x) {
        if (x == v || taken_[c_.of[x]] == v + 1) return;
        if (is_one_of_several || has_other(x, c_.of[w], w)) taken_[c_.of[x]] = v + 1;
      });
    });
    c_.give_lowest(v, taken_);
  }
  // whether x has a neighbour of that color besides w
  bool has_other(int x, int color, int w) const {
    for (index_t i = g_.starts[x]; i < g_.starts[x + 1]; ++i)
      if (int const y = g_.items[i]; y != w && y != x && c_.of[y] == color) return true;
    return false;
  }
};

// Where each element of a symmetric pattern is found: place color * n + row among the derivatives in the direction of
// each color. An element and the one that mirrors it are found in one place, so that the matrix is symmetric, also
// where rounding would make a difference. p.by_row is symmetric, of rows in order.
inline list<index_t> places_by_symmetry(pattern const& p) {
  index_t const n = p.rows();
  core::owned_array<index_t> count(p.colored.colors), round(p.colored.colors), at(n);
  core::owned_array<bool> alone(p.nonzeros() + 1);  // whether no other column of its color has an element in that row
  for (index_t row = 0; row < n; ++row) {
    at[row] = p.by_row.starts[row];
    auto const each = [&](auto const& f) {
      for (index_t k = p.by_row.starts[row]; k < p.by_row.starts[row + 1]; ++k) f(k, p.colored.of[p.by_row.items[k]]);
    };
    each([&](index_t, int color) {
      count[color] = round[color] == row + 1 ? count[color] + 1 : 1;
      round[color] = row + 1;
    });
    each([&](index_t k, int color) { alone[k] = count[color] == 1; });
  }
  list<index_t> places;
  for (index_t row = 0; row < n; ++row)
    for (index_t k = p.by_row.starts[row]; k < p.by_row.starts[row + 1]; ++k) {
      index_t const column = p.by_row.items[k];
      index_t const mirrored = at[column]++;  // rows come to the elements of that column in their order
      bool const here = column >= row ? alone[k] : !alone[mirrored];
      places.push(here ? p.colored.of[column] * n + row : p.colored.of[row] * n + column);
    }
  return places;
}

// A pattern for derivatives in the direction of columns of a symmetric matrix.
inline pattern star_colored_pattern(incidence const& rows, index_t columns) {
  if (rows.count != columns)
    core::raise<value_error>(core::text() << "sparse_jacobian: a symmetric matrix has as many rows as columns, not "
                                          << rows.count << " and " << columns);
  incidence const both = symmetrized(rows);
  pattern p;
  p.by_row = transposed(both, columns);  // in order
  p.columns = columns;
  p.colored = star_colorer(p.by_row).run();
  if (p.colored.colors > p.by_row.longest()) {  // columns that share no row are of no fewer colors than that
    coloring other = color(p.by_row, p.by_row);
    if (other.colors < p.colored.colors) p.colored = static_cast<coloring&&>(other);
  }
  return p;
}

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
RICCI_OPTIMIZED_END
