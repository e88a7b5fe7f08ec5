// Cholesky's factors of several matrices at once, one in each lane of packs (ops/elimination_in_lanes.hpp).
#pragma once

#include <ricci/ops/elimination_in_lanes.hpp>

RICCI_OPTIMIZED
namespace ricci::linalg {

// By tiles of 4 x 4 elements, each of which becomes less the products of rows to the left of it and is then finished by
// the tile on the diagonal above it [Golub and Van Loan, Matrix Computations, section 4.2.9]. Tiles that reach beyond
// the last row repeat it.
template <class N>
struct cholesky_in_lanes {
  using P = typename N::number;
  using condition = typename N::condition;
  using lanes = in_lanes<N>;
  static constexpr index_t width = 4;

  // l, (n, n), of the symmetric part of a; NaN where it is not positive definite
  RICCI_INLINE static void factor(P const* a, index_t n, P* l) {
    condition is_definite = N::all();
    for (index_t j = 0; j < n; j += width) {
      P inverse[width];  // of the diagonal
      make_tile<true>(a, n, l, j, j, inverse, is_definite);
      for (index_t i = j + width; i < n; i += width) make_tile<false>(a, n, l, i, j, inverse, is_definite);
    }
    for (index_t i = 0; i < n; ++i)
      for (index_t j = i + 1; j < n; ++j) l[i * n + j] = P(0);
    if (N::is_any(!is_definite)) lanes::fill_where_not(is_definite, lanes::nan(), l, n * n);
  }
  template <bool OnDiagonal>
  RICCI_INLINE static void make_tile(P const* a, index_t n, P* l, index_t row, index_t column, P (&inverse)[width],
                                     condition& is_definite) {
    index_t i[width], j[width];
    P s[width][width];
    RICCI_UNROLL(4)
    for (index_t k = 0; k < width; ++k) {
      i[k] = (row + k < n ? row + k : n - 1) * n;
      j[k] = (column + k < n ? column + k : n - 1) * n;
    }
    P const half(.5f);
    RICCI_UNROLL(4)
    for (index_t r = 0; r < width; ++r) RICCI_UNROLL(4)
    for (index_t c = 0; c < (OnDiagonal ? r + 1 : width); ++c)
      s[r][c] = a[i[r] + j[c] / n] * half + a[j[c] + i[r] / n] * half;
    for (index_t k = 0; k < column; ++k) {
      P const y[] = {l[j[0] + k], l[j[1] + k], l[j[2] + k], l[j[3] + k]};
      RICCI_UNROLL(4)
      for (index_t r = 0; r < width; ++r) {
        P const x = OnDiagonal ? y[r] : l[i[r] + k];
        RICCI_UNROLL(4)
        for (index_t c = 0; c < (OnDiagonal ? r + 1 : width); ++c) s[r][c] = N::less_product(s[r][c], x, y[c]);
      }
    }
    RICCI_UNROLL(4)
    for (index_t c = 0; c < width; ++c) {
      if (column + c >= n) break;
      if constexpr (OnDiagonal) {
        P const square = s[c][c];
        is_definite = is_definite && square > P(0) && lanes::is_finite(square);
        P const d = N::square_root(square);
        inverse[c] = P(1) / d;
        l[i[c] + column + c] = d;
      }
      RICCI_UNROLL(4)
      for (index_t r = OnDiagonal ? c + 1 : 0; r < width; ++r) {
        if (row + r >= n) break;
        P const x = s[r][c] * inverse[c];
        l[i[r] + column + c] = x;
        RICCI_UNROLL(4)
        for (index_t k = c + 1; k < (OnDiagonal ? r + 1 : width); ++k)
          s[r][k] = N::less_product(s[r][k], x, l[j[k] + column + c]);
      }
    }
  }
};

}  // namespace ricci::linalg
RICCI_OPTIMIZED_END
