// Determinants of matrices near a lower rank. Where the compiler contracts products and sums, minors of a matrix of
// rank 1 are what rounding leaves of them, which no sum of theirs shows: so this is compiled for instructions that do,
// too.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "matrices.hpp"

namespace rc = ricci;
namespace la = rc::linalg;
using namespace matrices;

namespace {

// Determinants beside exact ones of matrices of integers, within what elimination with row pivots promises: n units of
// rounding of cofactors times the largest elements of their columns [Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, sections 9.2 and 14.6], and the same of two elements and the minors without their rows and
// columns: what elimination makes is the determinant of elements that are off by so much, and where all cofactors are
// 0, as of rank 2 of 4 rows, two of them at once are all that is left. Those of matrices near rank 1 or 2 are much
// smaller than the products of elements of which they are made.
__extension__ using whole = __int128;
template <int N>
whole exact(std::int64_t const (&a)[4][4], int const* rows, int const* columns) {
  if constexpr (N == 0) {
    return 1;
  } else {
    whole sum = 0;
    for (int j = 0; j < N; ++j) {
      int rest[4]{};
      for (int k = 0, to = 0; k < N; ++k)
        if (k != j) rest[to++] = columns[k];
      whole const term = a[rows[0]][columns[j]] * exact<N - 1>(a, rows + 1, rest);
      sum += j % 2 == 0 ? term : -term;
    }
    return sum;
  }
}
template <int N>
void exact_determinants() {
  CAPTURE(N);
  constexpr int many = 400;
  rc::tensor<double, rc::dyn, N, N> all(many, N, N);
  double expected[many], bound[many];
  unsigned seed = 1;
  auto const below = [&seed](int n) { return std::int64_t((noise(seed++) + 1) / 2 * n); };
  for (int m = 0; m < many; ++m) {
    int const rank = m % 4, order[] = {0, 1, 2, 3};
    std::int64_t a[4][4]{}, u[4][3], v[4][3];
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < 3; ++k) u[i][k] = 1 + below(1 << 15), v[i][k] = 1 + below(1 << 14);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j < N; ++j) {  // rank 0: of random numbers, rows and columns of every third one of several sizes
        a[i][j] = below(rank == 0 ? 1 << 29 : 8) >> (m % 3 == 0 ? 3 * (i + j) : 0);
        for (int k = 0; k < rank; ++k) a[i][j] += u[i][k] * v[j][k];
        all(m, i, j) = double(a[i][j]);
      }
    expected[m] = double(exact<N>(a, order, order));
    // the minor without rows i, p and columns j, q (without one of each where they are the same)
    auto const minor = [&]<int Rows>(std::integral_constant<int, Rows>, int i, int p, int j, int q) {
      int rows[4]{}, columns[4]{};
      for (int k = 0, r = 0, c = 0; k < N; ++k) {
        if (k != i && k != p) rows[r++] = k;
        if (k != j && k != q) columns[c++] = k;
      }
      return std::abs(double(exact<Rows>(a, rows, columns)));
    };
    double off[4]{}, first = 0, second = 0;  // how far elements of a column may be off
    for (int j = 0; j < N; ++j)
      for (int i = 0; i < N; ++i) off[j] = std::max(off[j], N * std::abs(double(a[i][j])));
    for (int j = 0; j < N; ++j) {
      off[j] *= std::numeric_limits<double>::epsilon();
      for (int i = 0; i < N; ++i) first += off[j] * minor(std::integral_constant<int, N - 1>{}, i, i, j, j);
    }
    for (int j = 0; j < N; ++j)
      for (int q = 0; q < j; ++q)
        for (int i = 0; i < N; ++i)
          for (int p = 0; p < i; ++p)
            second += 2 * off[j] * off[q] * minor(std::integral_constant<int, N - 2>{}, i, p, j, q);
    // .5: of three elements
    bound[m] = .5 + first + second + 1e-15 * std::abs(expected[m]);
  }
  rc::tensor<double, rc::dyn> const together = la::det(all);
  for (int m = 0; m < many; ++m) {
    CAPTURE(m);
    CHECK(std::abs(together(m) - expected[m]) <= bound[m]);
    rc::tensor<double, N, N> const one = all(m);
    CHECK(std::abs(rc::eval(la::det(one)).item() - expected[m]) <= bound[m]);
    matrix<double> const any = all(m);
    CHECK(std::abs(rc::eval(la::det(any)).item() - expected[m]) <= bound[m]);
  }
}

}  // namespace

TEST_CASE("determinants of integers near a lower rank") {
  exact_determinants<2>();
  exact_determinants<3>();
  exact_determinants<4>();
}
