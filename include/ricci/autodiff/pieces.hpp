// From pieces of derivatives, each computed as a vector of its own (autodiff/components.hpp), to the elements of a
// sparse jacobian row by row: which numbers of which piece go where, as a list of runs that is made once for a pattern.
#pragma once

#include <ricci/autodiff/coloring.hpp>
#include <ricci/autodiff/components.hpp>
#include <ricci/exec/bindings.hpp>

RICCI_OPTIMIZED
namespace ricci::sparsity {
inline namespace RICCI_ABI {

// Numbers `from` to before `from + count` of a piece go to elements `to`, `to + step`, ...
struct run_of_piece {
  int piece;
  index_t from, to, step, count;
};

// Numbers of pieces that lie close together are brought to their places together: so many of each piece, which are
// still in cache where they have just been computed (exec/bindings.hpp).
inline constexpr index_t numbers_at_once = exec::block_of_rows, piece_rows_at_once = 32;

// Numbers of four pieces, which go to four elements that lie side by side, then to the next four.
template <class T>
RICCI_VECTORISED void interleave_four(T* __restrict to, index_t step, T const* a, T const* b, T const* c, T const* d,
                                      index_t n) {
  for (index_t i = 0; i < n; ++i, to += step) to[0] = a[i], to[1] = b[i], to[2] = c[i], to[3] = d[i];
}

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

// Where the elements of a pattern come from. They are noted one by one, best in an order in which neighbours come from
// neighbours.
class piece_list {
 public:
  void begin(int pieces) {
    runs_.shrink(0), more_.shrink(0), zeros_.shrink(0), starts_.shrink(0);
    open_ = core::owned_array<int>(2 * pieces);
  }
  // element `to` is number `from` of a piece
  void add(int piece, index_t from, index_t to) { add(runs_, open_[2 * piece], {piece, from, to, 1, 1}); }
  // that number is added to what the element is otherwise
  void add_more(int piece, index_t from, index_t to) { add(more_, open_[2 * piece + 1], {piece, from, to, 1, 1}); }
  void add_zero(index_t to) { zeros_.push(to); }
  // when all are there
  void end() {
    index_t blocks = 0;
    for (index_t k = 0; k < runs_.size(); ++k)
      if (block_of(runs_[k]) >= blocks) blocks = block_of(runs_[k]) + 1;
    for (index_t k = 0; k <= blocks; ++k) starts_.push(0);
    for (index_t k = 0; k < runs_.size(); ++k) ++starts_[block_of(runs_[k]) + 1];
    for (index_t k = 0; k < blocks; ++k) starts_[k + 1] += starts_[k];
    // the runs of each block in the order of elements, so that they come in order or nearly so
    core::owned_array<run_of_piece> in_order(runs_.size());
    core::owned_array<index_t> at(blocks);
    for (index_t k = 0; k < blocks; ++k) at[k] = starts_[k];
    for (index_t k = 0; k < runs_.size(); ++k) in_order[at[block_of(runs_[k])]++] = runs_[k];
    for (index_t k = 0; k < runs_.size(); ++k) runs_[k] = in_order[k];
    for (index_t block = 0; block < blocks; ++block) sort(starts_[block], starts_[block + 1]);
  }
  // whether what is computed block by block may be read so
  bool may_be_read_by_block() const { return more_.size() == 0; }
  index_t blocks() const { return starts_.size() - 1; }
  // The elements that come from a block; pieces[k]: its first number, null where the piece is zero.
  template <class T>
  void fill_block(T* values, index_t block, T const* const* pieces) const {
    if (block >= blocks()) return;
    index_t const begin = starts_[block], end = starts_[block + 1], first = block * numbers_at_once;
    // the rows that a few numbers of all pieces go to stay in the innermost cache
    index_t const each = is_even(begin, end) ? piece_rows_at_once : numbers_at_once;
    for (index_t at = 0; at < numbers_at_once; at += each)
      for (index_t k = begin; k < end; k += fill_run(values, &runs_.data()[k], end - k, first, at, each, pieces))
        continue;
  }
  // What comes from no piece.
  template <class T>
  void fill_zeros(T* values) const {
    for (index_t k = 0; k < zeros_.size(); ++k) values[zeros_[k]] = T(0);
  }
  // All elements. pieces[k]: null where it is zero.
  template <class T>
  void fill(T* values, T const** pieces, int count) const {
    fill_zeros(values);
    for (index_t block = 0; block < blocks(); ++block) {
      fill_block(values, block, pieces);
      for (int k = 0; k < count; ++k)
        if (pieces[k]) pieces[k] += numbers_at_once;
    }
    for (int k = 0; k < count; ++k)
      if (pieces[k]) pieces[k] -= blocks() * numbers_at_once;
    for (index_t k = 0; k < more_.size(); ++k) {
      run_of_piece const r = more_[k];
      for (index_t i = 0; pieces[r.piece] && i < r.count; ++i) values[r.to + i * r.step] += pieces[r.piece][r.from + i];
    }
  }

 private:
  list<run_of_piece> runs_, more_;
  list<index_t> zeros_, starts_;  // elements; where each block begins among runs_
  core::owned_array<int> open_;   // 1 + the run that may go on, of each piece in both lists

  // Of a run, or of four that go on side by side, what comes from numbers [at, at + each) of a block; how many runs.
  template <class T>
  static int fill_run(T* values, run_of_piece const* r, index_t left, index_t first, index_t at, index_t each,
                      T const* const* pieces) {
    index_t const before = at - (r->from - first), skipped = before > 0 ? before : 0;
    index_t const until = before + each < r->count ? before + each : r->count, n = until - skipped;
    T* const to = values + r->to + skipped * r->step;
    auto const from = [&](int i) { return pieces[r[i].piece] + (r[i].from - first) + skipped; };
    if (left >= 4 && pieces[r->piece] && is_beside(r, 1, pieces) && is_beside(r, 2, pieces) &&
        is_beside(r, 3, pieces)) {
      interleave_four(to, r->step, from(0), from(1), from(2), from(3), n);
      return 4;
    }
    if (pieces[r->piece] == nullptr)
      for (index_t i = 0; i < n; ++i) to[i * r->step] = T(0);
    else
      for (index_t i = 0; i < n; ++i) to[i * r->step] = from(0)[i];
    return 1;
  }
  // whether runs [begin, end) are of the same numbers
  bool is_even(index_t begin, index_t end) const {
    for (index_t k = begin + 1; k < end; ++k)
      if (runs_.data()[k].from != runs_.data()[begin].from || runs_.data()[k].count != runs_.data()[begin].count)
        return false;
    return true;
  }
  static index_t block_of(run_of_piece const& r) { return r.from / numbers_at_once; }
  // whether run i goes on where the one before it does, element by element
  template <class T>
  static bool is_beside(run_of_piece const* r, int i, T const* const* pieces) {
    return r[i].to == r[0].to + i && r[i].from == r[0].from && r[i].count == r[0].count && r[i].step == r[0].step &&
           pieces[r[i].piece];
  }
  void sort(index_t begin, index_t end) {  // Shell's, by element
    for (index_t gap = (end - begin) / 2; gap > 0; gap /= 2)
      for (index_t k = begin + gap; k < end; ++k) {
        run_of_piece const x = runs_[k];
        index_t at = k;
        for (; at >= begin + gap && x.to < runs_[at - gap].to; at -= gap) runs_[at] = runs_[at - gap];
        runs_[at] = x;
      }
  }
  static void add(list<run_of_piece>& runs, int& number, run_of_piece const& x) {
    if (number > 0) {
      run_of_piece& r = runs[number - 1];
      bool const follows = r.from + r.count == x.from && block_of(r) == block_of(x);
      index_t const step = r.count == 1 ? x.to - r.to : r.step;
      if (follows && r.to + r.count * step == x.to) {
        r.step = step, ++r.count;
        return;
      }
    }
    runs.push(x);
    number = static_cast<int>(runs.size());
  }
};

// Of pieces by direction. sizes[k]: that of piece k, of `pieces_each` for each direction.
inline void place_directions(piece_list& to, pattern const& p, directions const& d, leaf_of_tree const* results,
                             int leaves, int pieces_each, index_t const* sizes, int pieces) {
  to.begin(pieces);
  index_t row = 0;
  for (int leaf = 0; leaf < leaves; ++leaf) {
    leaf_of_tree const& y = results[leaf];
    index_t inner = 1;
    index_t const n = y.elements(), along = y.facts->axis < 0 ? 1 : y.extents[y.facts->axis];
    for (int k = y.facts->axis + 1; y.facts->axis >= 0 && k < y.facts->rank; ++k) inner *= y.extents[k];
    for (index_t e = 0; e < n; ++e, ++row) {
      int const piece = y.facts->axis < 0 ? 0 : static_cast<int>(e / inner % along);
      index_t const place = e / inner / along * inner + e % inner;
      for (index_t k = p.by_row.starts[row]; k < p.by_row.starts[row + 1]; ++k) {
        int const whole = d.of[p.by_row.items[k]] * pieces_each + y.facts->pieces_before;
        bool const is_whole = sizes[whole] == n;
        int const from = is_whole ? whole : whole + piece;
        if (sizes[from] == 0)
          to.add_zero(k);
        else
          to.add(from, is_whole ? e : place, k);
      }
    }
  }
  to.end();
}

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
RICCI_OPTIMIZED_END
