// Determinants of matrices near a lower rank. Where the compiler contracts products and sums, minors of a matrix of
// rank 1 are what rounding leaves of them, which no sum of theirs shows: so this is compiled for instructions that do,
// too.
#include <doctest/doctest.h>

#include "matrices.hpp"

namespace rc = ricci;
namespace la = rc::linalg;
using namespace matrices;

namespace {

// Determinants beside exact ones of matrices of integers, within what elimination with row pivots promises: n units of
// rounding of cofactors times the largest elements of their columns [Higham, Accuracy and Stability of Numerical
// Algorithms, 2nd edition, sections 9.2 and 14.6]. Those of matrices near rank 1 or 2 are much smaller than the
// products of elements of which they are made.
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
  constexpr int many = 40;
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
    double sum = 0;
    for (int j = 0; j < N; ++j) {
      double most = 0, cofactors = 0;
      for (int i = 0; i < N; ++i) {
        int rows[4]{}, columns[4]{};
        for (int k = 0, to = 0; k < N; ++k)
          if (k != i) rows[to++] = k;
        for (int k = 0, to = 0; k < N; ++k)
          if (k != j) columns[to++] = k;
        cofactors += std::abs(double(exact<N - 1>(a, rows, columns)));
        most = std::abs(double(a[i][j])) > most ? std::abs(double(a[i][j])) : most;
      }
      sum += cofactors * most;
    }
    bound[m] =
        .5 + N * sum * std::numeric_limits<double>::epsilon() + 1e-15 * std::abs(expected[m]);  // .5: of higher order
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
