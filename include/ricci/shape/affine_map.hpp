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

// Coordinate k of the tensor is start[k] and the sum of its terms. A coordinate of the view that is in no term shows
// the same elements again (broadcast); one that is in two terms walks along a diagonal; two terms of one coordinate of
// the tensor are a window that moves.
struct affine_map {
  static constexpr int most_terms = 2 * max_rank;

  int rank;  // of the tensor
  index_t start[max_rank];
  int count;
  affine_term terms[most_terms];  // in the order of `of`, then of `with`

  constexpr void add(int of, int with, index_t step = 1) {
    if (count == most_terms) limits::a_view_of_views_has_more_than_24_terms();
    int k = count++;
    for (; k > 0 && (terms[k - 1].of > of || (terms[k - 1].of == of && terms[k - 1].with > with)); --k)
      terms[k] = terms[k - 1];
    terms[k] = {of, with, step};
  }
  constexpr bool operator==(affine_map const& other) const {
    if (rank != other.rank || count != other.count) return false;
    for (int k = 0; k < rank; ++k)
      if (start[k] != other.start[k]) return false;
    for (int k = 0; k < count; ++k) {
      auto const &a = terms[k], &b = other.terms[k];
      if (a.of != b.of || a.with != b.with || a.step != b.step) return false;
    }
    return true;
  }
};

constexpr affine_map identity_map(int rank) {
  affine_map m{rank, {}, rank, {}};
  for (int k = 0; k < rank; ++k) m.terms[k] = {k, k, 1};
  return m;
}

// What a view is, from its attributes and the shapes of operand and result; extents, starts and steps may be symbolic
// dimensions. Bit k of `broadcast`: axis k of the operand may turn out to have extent 1, and is then read at 0 all
// along.
struct view_map : affine_map {
  std::uint32_t broadcast;
};

}  // namespace RICCI_ABI
}  // namespace ricci
