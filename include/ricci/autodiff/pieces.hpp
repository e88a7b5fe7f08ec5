// From pieces of derivatives, each computed as a vector of its own (autodiff/components.hpp), to the elements of a
// sparse jacobian row by row: which numbers of which piece go where, as a list of runs that is made once for a pattern.
#pragma once

#include <ricci/autodiff/coloring.hpp>
#include <ricci/autodiff/components.hpp>

RICCI_OPTIMIZED
namespace ricci::sparsity {
inline namespace RICCI_ABI {

// Numbers `from` to before `from + count` of a piece go to elements `to`, `to + step`, ...; piece -1 is zero.
struct run_of_piece {
  int piece;
  index_t from, to, step, count;
};

// Elements of so many rows are filled together, so that they stay in cache while all pieces are looked through.
inline constexpr index_t elements_at_once = 4096;

// A tensor of arguments or results: what its type tells, and its extents.
struct leaf_of_tree {
  tracing::leaf_facts const* facts;
  index_t extents[max_rank];

  index_t elements() const {
    index_t n = 1;
    for (int k = 0; k < facts->rank; ++k) n *= extents[k];
    return n;
  }
};

// extents_of(leaf, axis): an extent that is known now
template <int N, class Refs>
void place_leaves(leaf_of_tree (&to)[N], tracing::tree_facts const& facts, Refs const& extents_of) {
  for (int k = 0; k < facts.leaves; ++k) {
    to[k].facts = &facts.at[k];
    for (int d = 0; d < facts.at[k].rank; ++d) to[k].extents[d] = extents_of(k, d);
  }
}

// look(component) for each element of a tensor, in row-major order
template <class Look>
void for_each_component(leaf_of_tree const& x, Look const& look) {
  index_t at[max_rank]{};
  index_t const n = x.elements();
  for (index_t e = 0; e < n; ++e) {
    look(x.facts->axes.component_of(at, x.extents, x.facts->rank));
    for (int k = x.facts->rank - 1; k >= 0; --k) {
      if (++at[k] < x.extents[k]) break;
      at[k] = 0;
    }
  }
}

// The direction in which each column is found; nothing, where two columns of a row have the same.
struct directions {
  core::owned_array<int> of;
  bool is_enough = false;
};
inline directions directions_of(pattern const& p, leaf_of_tree const* arguments, int leaves, index_t count) {
  directions d{core::owned_array<int>(p.columns), true};
  index_t column = 0;
  for (int k = 0; k < leaves; ++k)
    for_each_component(arguments[k], [&](index_t component) {
      d.of[column++] = static_cast<int>(arguments[k].facts->directions + component);
    });
  core::owned_array<index_t> seen(count);  // 1 + the last row that has a column of that direction
  for (index_t row = 0; row < p.rows(); ++row)
    for (index_t k = p.by_row.starts[row]; k < p.by_row.starts[row + 1]; ++k) {
      index_t& last = seen[d.of[p.by_row.items[k]]];
      d.is_enough = d.is_enough && last != row + 1;
      last = row + 1;
    }
  return d;
}

// Where the elements of a pattern come from. sizes[k]: that of piece k, of `pieces_each` for each direction.
class piece_list {
 public:
  void make(pattern const& p, directions const& d, leaf_of_tree const* results, int leaves, int pieces_each,
            index_t const* sizes, int pieces) {
    runs_.shrink(0);
    core::owned_array<int> open(pieces + 1);  // 1 + the run of a piece that may go on
    index_t row = 0, until = elements_at_once;
    for (int leaf = 0; leaf < leaves; ++leaf) {
      leaf_of_tree const& y = results[leaf];
      index_t inner = 1;
      index_t const n = y.elements(), along = y.facts->axis < 0 ? 1 : y.extents[y.facts->axis];
      for (int k = y.facts->axis + 1; y.facts->axis >= 0 && k < y.facts->rank; ++k) inner *= y.extents[k];
      for (index_t e = 0; e < n; ++e, ++row) {
        if (p.by_row.starts[row] >= until) {
          for (int k = 0; k <= pieces; ++k) open[k] = 0;
          until = p.by_row.starts[row] + elements_at_once;
        }
        int const piece = y.facts->axis < 0 ? 0 : static_cast<int>(e / inner % along);
        index_t const place = e / inner / along * inner + e % inner;
        for (index_t k = p.by_row.starts[row]; k < p.by_row.starts[row + 1]; ++k) {
          int const whole = d.of[p.by_row.items[k]] * pieces_each + y.facts->pieces_before;
          bool const is_whole = sizes[whole] == n;
          int const from = is_whole ? whole : whole + piece;
          add(open, sizes[from] == 0 ? -1 : from, is_whole ? e : place, k);
        }
      }
    }
  }
  template <class T>
  void fill(T* values, T const* const* pieces) const {
    for (index_t k = 0; k < runs_.size(); ++k) {
      run_of_piece const r = runs_[k];
      T* const to = values + r.to;
      if (r.piece < 0) {
        for (index_t i = 0; i < r.count; ++i) to[i * r.step] = T(0);
      } else {
        T const* const from = pieces[r.piece] + r.from;
        for (index_t i = 0; i < r.count; ++i) to[i * r.step] = from[i];
      }
    }
  }

 private:
  list<run_of_piece> runs_;

  void add(core::owned_array<int>& open, int piece, index_t from, index_t to) {
    int& number = open[piece + 1];
    if (number > 0) {
      run_of_piece& r = runs_[number - 1];
      bool const follows = piece < 0 || r.from + r.count == from;
      if (r.count == 1) r.step = to - r.to;
      if (follows && r.to + r.count * r.step == to) {
        ++r.count;
        return;
      }
    }
    runs_.push({piece, from, to, 1, 1});
    number = static_cast<int>(runs_.size());
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
RICCI_OPTIMIZED_END
