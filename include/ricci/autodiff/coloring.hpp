// The pattern of a sparse matrix, and its colouring: columns that have no row in common get one colour, and are found
// by one derivative in the direction of all of them (Curtis, Powell and Reid, "On the estimation of sparse Jacobian
// matrices", 1974). It is greedy, those with the most neighbours first (Gebremedhin, Manne and Pothen, "What color is
// your Jacobian?", 2005, algorithm 3.1 on the bipartite graph). Rows are coloured by the same function.
#pragma once

#include <ricci/autodiff/column_sets.hpp>

RICCI_OPTIMIZED
namespace ricci::sparsity {
inline namespace RICCI_ABI {

// For each of `count` things the numbers of others, in ascending order: columns by row, or rows by column.
struct incidence {
  index_t count = 0;
  list<index_t> starts;
  list<int> items;

  index_t size(index_t k) const { return starts[k + 1] - starts[k]; }
  index_t longest() const {
    index_t most = 0;
    for (index_t k = 0; k < count; ++k) most = size(k) > most ? size(k) : most;
    return most;
  }
};

// the same by the others, of which there are n
inline incidence transposed(incidence const& from, index_t n) {
  incidence to;
  to.count = n;
  for (index_t k = 0; k <= n; ++k) to.starts.push(0);
  for (index_t k = 0; k < from.items.size(); ++k) ++to.starts[from.items[k] + 1], to.items.push(0);
  for (index_t k = 0; k < n; ++k) to.starts[k + 1] += to.starts[k];
  core::owned_array<index_t> at(n);
  for (index_t k = 0; k < n; ++k) at[k] = to.starts[k];
  for (index_t k = 0; k < from.count; ++k)
    for (index_t i = from.starts[k]; i < from.starts[k + 1]; ++i) to.items[at[from.items[i]]++] = static_cast<int>(k);
  return to;
}

struct coloring {
  core::owned_array<int> of;  // that of each; -1 where there is nothing
  index_t colors = 0;

  coloring() = default;
  explicit coloring(index_t n) : of(n) {
    for (index_t k = 0; k < n; ++k) of[k] = -1;
  }
  // taken, by color: 1 + the last that may not have it
  void give_lowest(index_t k, core::owned_array<index_t> const& taken) {
    int mine = 0;
    while (taken[mine] == k + 1) ++mine;
    of[k] = mine;
    if (mine >= colors) colors = mine + 1;
  }
};

// n things, the largest first; size(k) is at most n
template <class Size>
core::owned_array<int> by_size(index_t n, Size const& size) {
  core::owned_array<index_t> starts(n + 2);
  core::owned_array<int> order(n);
  for (index_t k = 0; k < n; ++k) ++starts[n - size(k) + 1];
  for (index_t k = 0; k < n; ++k) starts[k + 1] += starts[k];
  for (index_t k = 0; k < n; ++k) order[starts[n - size(k)]++] = static_cast<int>(k);
  return order;
}

// Colours the things that `others` names by what they have in common; `shared` is its transpose.
inline coloring color(incidence const& others, incidence const& shared) {
  index_t const n = others.count;
  // by how many neighbours each has at most
  core::owned_array<int> const order = by_size(n, [&](index_t k) {
    index_t sum = 0;
    for (index_t i = others.starts[k]; i < others.starts[k + 1]; ++i) sum += shared.size(others.items[i]) - 1;
    return sum < n ? sum : n - 1;
  });
  coloring c(n);
  core::owned_array<index_t> taken(n + 1);
  for (index_t at = 0; at < n; ++at) {
    int const k = order[at];
    if (others.size(k) == 0) continue;
    for (index_t i = others.starts[k]; i < others.starts[k + 1]; ++i) {
      int const row = others.items[i];
      for (index_t j = shared.starts[row]; j < shared.starts[row + 1]; ++j)
        if (int const other = c.of[shared.items[j]]; other >= 0) taken[other] = k + 1;
    }
    c.give_lowest(k, taken);
  }
  return c;
}

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity

namespace ricci {

// Which elements of a sparse jacobian are computed together: those of columns (by jvp), of rows (by vjp), or whichever
// are fewer; or columns of a symmetric one, as the jacobian of a gradient is, of which half the elements are enough.
enum class compressed : std::uint8_t { fewer, columns, rows, by_symmetry };

}  // namespace ricci

namespace ricci::sparsity {
inline namespace RICCI_ABI {

// A pattern with the cheaper of both ways to compute its elements: derivatives in the direction of columns (jvp), or
// of rows (vjp).
struct pattern {
  incidence by_row;
  index_t columns = 0;
  bool compresses_rows = false;
  coloring colored;

  index_t rows() const { return by_row.count; }
  index_t nonzeros() const { return by_row.items.size(); }
};

// rows: the columns of each row, in any order, each once
inline pattern colored_pattern(incidence const& rows, index_t columns, compressed way) {
  incidence const by_column = transposed(rows, columns);
  pattern p;
  p.by_row = transposed(by_column, rows.count);
  p.columns = columns;
  // Columns need as many colours as the longest row has elements; where that is many, looking for them takes long. So
  // what may need fewer is tried first.
  index_t const most_in_row = p.by_row.longest(), most_in_column = by_column.longest();
  auto const colored = [&](bool of_rows) { return of_rows ? color(p.by_row, by_column) : color(by_column, p.by_row); };
  p.compresses_rows = way == compressed::rows || (way == compressed::fewer && most_in_column < most_in_row);
  p.colored = colored(p.compresses_rows);
  if (way == compressed::fewer && p.colored.colors > (p.compresses_rows ? most_in_row : most_in_column)) {
    coloring other = colored(!p.compresses_rows);
    if (other.colors < p.colored.colors) {
      p.colored = static_cast<coloring&&>(other);
      p.compresses_rows = !p.compresses_rows;
    }
  }
  return p;
}

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
RICCI_OPTIMIZED_END
