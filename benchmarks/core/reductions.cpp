// Matrices of 1024 x 1024: broadcast arithmetic, sums, and a sum with a transpose, against Eigen and against the
// memory.
#include <ricci/ricci.hpp>

#include "peers.hpp"
#include "timing.hpp"

namespace rc = ricci;

namespace bench {
namespace {

using matrix = rc::ndarray<float, 2>;
using vector = rc::ndarray<float, 1>;
using column_vector = rc::tensor<float, rc::dyn, 1>;
constexpr long n = 1024;

template <class Column>
[[gnu::noinline]] void ricci_affine(matrix& c, matrix const& a, vector const& row, Column const& column) {
  c = a * row + column;
}
[[gnu::noinline]] float ricci_sum(matrix const& a) { return float(rc::sum(a)); }
[[gnu::noinline]] void ricci_sum0(vector& v, matrix const& a) { v = rc::sum(a, rc::axis<0>); }
[[gnu::noinline]] void ricci_sum1(vector& v, matrix const& a) { v = rc::sum(a, rc::axis<1>); }
[[gnu::noinline]] float ricci_distance(matrix const& a, matrix const& b) { return float(rc::sum(rc::square(a - b))); }
[[gnu::noinline]] void ricci_transposed(matrix& c, matrix const& a, matrix const& b) {
  c = a + rc::matrix_transpose(b);
}

#if BENCH_EIGEN
using row_map = Eigen::Map<Eigen::Array<float, 1, Eigen::Dynamic>, Eigen::Aligned64>;
[[gnu::noinline]] void eigen_affine(eigen_matrix& c, eigen_matrix const& a, row_map const& row,
                                    eigen_array const& column) {
  c = (a.rowwise() * row).colwise() + column;
}
[[gnu::noinline]] float eigen_sum(eigen_matrix const& a) { return a.sum(); }
[[gnu::noinline]] void eigen_sum0(row_map& v, eigen_matrix const& a) { v = a.colwise().sum(); }
[[gnu::noinline]] void eigen_sum1(eigen_array& v, eigen_matrix const& a) { v = a.rowwise().sum(); }
[[gnu::noinline]] float eigen_distance(eigen_matrix const& a, eigen_matrix const& b) { return (a - b).square().sum(); }
[[gnu::noinline]] void eigen_transposed(eigen_matrix& c, eigen_matrix const& a, eigen_matrix const& b) {
  c = a + b.transpose();
}
#endif

// ricci against the peer, and how much of a bandwidth it reaches with so many bytes
template <class R, class E>
void line(char const* name, double bytes, double bandwidth, double goal, R const& with_ricci, E const& with_eigen) {
  if (!wanted(name)) return;
  auto const t = race(with_ricci, with_eigen);
  times(name, t[0], faster(t[0], BENCH_EIGEN ? t[1] : absent, goal), {bytes / t[0] / bandwidth, 0});
}

}  // namespace

void reductions() {
  section("1024 x 1024 floats", "Eigen", "memory");
  matrix a(n, n), b(n, n), c(n, n), thin(n, 1);
  column_vector column(n, 1);
  vector r(n), v(n);
  for (long i = 0; i < n * n; ++i) a.data()[i] = float(i % 997) / 997.f, b.data()[i] = float(i % 1009) / 1009.f;
  for (long i = 0; i < n; ++i) r.data()[i] = float(i) / n, thin.data()[i] = column.data()[i] = 1.f - float(i) / n;
  float s = 0;
  double const triad = triad_bandwidth(n * n), reading = read_bandwidth(n * n);
#if BENCH_EIGEN
  eigen_matrix ea(a.data(), n, n), eb(b.data(), n, n), ec(c.data(), n, n);
  row_map er(r.data(), n), ev_row(v.data(), n);
  eigen_array ecolumn(column.data(), n), ev(v.data(), n);
#define BENCH_PEER(...) [&] { __VA_ARGS__, touch(&s), touch(c.data()), touch(v.data()); }
#else
#define BENCH_PEER(...) [] {}
#endif
  double const one = 4. * n * n;
  line(
      "A*row+col", 2 * one, triad, 1, [&] { ricci_affine(c, a, r, column), touch(c.data()); },
      BENCH_PEER(eigen_affine(ec, ea, er, ecolumn)));
  line(
      "A*row+col, col of run-time extents (n, 1)", 2 * one, triad, 1,
      [&] { ricci_affine(c, a, r, thin), touch(c.data()); }, BENCH_PEER(eigen_affine(ec, ea, er, ecolumn)));
  line(
      "sum(A)", one, reading, 1, [&] { s = ricci_sum(a), touch(&s); }, BENCH_PEER(s = eigen_sum(ea)));
  line(
      "sum(A, axis 0)", one, reading, 1, [&] { ricci_sum0(v, a), touch(v.data()); },
      BENCH_PEER(eigen_sum0(ev_row, ea)));
  line(
      "sum(A, axis 1)", one, reading, 1, [&] { ricci_sum1(v, a), touch(v.data()); }, BENCH_PEER(eigen_sum1(ev, ea)));
  line(
      "sum((A-B)^2)", 2 * one, reading, 1, [&] { s = ricci_distance(a, b), touch(&s); },
      BENCH_PEER(s = eigen_distance(ea, eb)));
  line(
      "A+B^T", 3 * one, triad, 3, [&] { ricci_transposed(c, a, b), touch(c.data()); },
      BENCH_PEER(eigen_transposed(ec, ea, eb)));
#undef BENCH_PEER
}

}  // namespace bench
