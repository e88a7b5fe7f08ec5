// Coordinates as affine functions of others: which element of a tensor belongs to an element of a view of it, or of the
// loops of a kernel.
#pragma once

#include <ricci/shape/shape.hpp>

namespace ricci {
inline namespace RICCI_ABI {

// Coordinate `of` of the tensor grows by `step` with coordinate `with` of the view.
struct affine_term {
  int of, with;
  index_t step;
};

inline constexpr int most_affine_terms = 2 * max_rank;

// Coordinate k of the tensor is start[k] and the sum of its terms. A coordinate of the view that is in no term shows
// the same elements again (broadcast); one that is in two terms walks along a diagonal; two terms of one coordinate of
// the tensor are a window that moves. Starts and steps may be symbolic dimensions.
struct affine_map {
  int rank;  // of the tensor
  index_t start[max_rank];
  int count;
  affine_term terms[most_affine_terms];  // in the order of `of`, then of `with`
  // Bit k: axis k of the tensor may turn out to have extent 1, and is then read at 0 all along.
  std::uint32_t broadcast;
};

// Where a part of a tensor lies: which of its elements belongs to an element of the part.
struct part_map {
  affine_map map;
  // an axis along which it starts behind as many elements as all parts before it have, counted from start; or none
  int behind = -1;
};

// Adds `step` times coordinate `with` of the view to coordinate `of` of the tensor. A 25th term does not compile, or
// ends the program where a plan is made at run time.
constexpr void add_term(affine_map& m, int of, int with, index_t step = 1) {
  if (m.count == most_affine_terms) limits::a_view_of_views_has_more_than_24_terms();
  int k = m.count++;
  for (; k > 0 && (m.terms[k - 1].of > of || (m.terms[k - 1].of == of && m.terms[k - 1].with > with)); --k)
    m.terms[k] = m.terms[k - 1];
  m.terms[k] = {of, with, step};
}
constexpr bool operator==(affine_map const& a, affine_map const& b) {
  if (a.rank != b.rank || a.count != b.count || a.broadcast != b.broadcast) return false;
  for (int k = 0; k < a.rank; ++k)
    if (a.start[k] != b.start[k]) return false;
  for (int k = 0; k < a.count; ++k) {
    auto const &s = a.terms[k], &t = b.terms[k];
    if (s.of != t.of || s.with != t.with || s.step != t.step) return false;
  }
  return true;
}
constexpr affine_map identity_map(int rank) {
  affine_map m{rank, {}, rank, {}, 0};
  for (int k = 0; k < rank; ++k) m.terms[k] = {k, k, 1};
  return m;
}
// elements starts[k], starts[k] + steps[k], ... of axis k
constexpr affine_map slice_map(int rank, index_t const* starts, index_t const* steps) {
  affine_map m = identity_map(rank);
  for (int k = 0; k < rank; ++k) m.start[k] = starts[k], m.terms[k].step = steps[k];
  return m;
}

}  // namespace RICCI_ABI
}  // namespace ricci
