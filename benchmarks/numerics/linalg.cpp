// Linear algebra beside Eigen, in one process and alternating, the least of many rounds: nanoseconds of a matrix of
// doubles, and the time of Eigen over ours. Extents that the compiler knows, one matrix and 512 of them, then such that
// show at run time.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>

#include <ricci/linalg.hpp>

#if __has_include(<Eigen/Dense>)
#include <Eigen/Dense>
#define BENCH_EIGEN 1
#endif

namespace rc = ricci;
namespace la = rc::linalg;

namespace {

template <class F>
double nanoseconds(F const& f, int times) {
  auto const start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) {
    f();
    asm volatile("" ::: "memory");
  }
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / times;
}
template <class F, class G>
void compare(char const* extents, int n, char const* name, int matrices, F const& ours, G const& peer) {
  double const once = nanoseconds(ours, 1) + 1;
  int const times = int(std::clamp(2e6 / once, 1., 20000.));
  double least = 1e300, least_of_peer = 1e300;
  for (int round = 0; round < 15; ++round) {
    least = std::min(least, nanoseconds(ours, times) / matrices);
    least_of_peer = std::min(least_of_peer, nanoseconds(peer, times) / matrices);
  }
  std::printf("%-8s %4d  %-9s %12.1f", extents, n, name, least);
#if defined(BENCH_EIGEN)
  std::printf(" %12.1f %6.2f\n", least_of_peer, least_of_peer / least);
#else
  std::printf("       absent\n");
#endif
}
#if defined(BENCH_EIGEN)
#define PEER(...) [&] { __VA_ARGS__; }
#else
#define PEER(...) [] {}
#endif

// what is written there counts as read, or compilers leave out what it is made of
template <class... X>
void keep(X&... x) {
  (([&] { asm volatile("" : : "r"(&x) : "memory"); }()), ...);
}

double element(int n, int k, int i, int j) { return (i == j ? n + 2. + k % 7 : 0.) + 1. / (1 + i + j); }

template <int N>
void known() {
  constexpr int many = 512;
  static rc::tensor<double, N, N> a, y;
  static rc::tensor<double, N> b, x;
  static rc::tensor<double> d;
  static rc::tensor<double, rc::dyn, N, N> all(many, N, N), results(many, N, N);
  static rc::tensor<double, rc::dyn, N, 1> rights(many, N, 1), solutions(many, N, 1);
  static rc::tensor<double, rc::dyn> determinants(many);
  keep(a, y, b, x, d, all, results, rights, solutions, determinants);
#if defined(BENCH_EIGEN)
  using matrix = Eigen::Matrix<double, N, N>;
  using vector = Eigen::Matrix<double, N, 1>;
  static matrix ea, ey, eall[many], eresults[many];
  static vector eb, ex, erights[many], esolutions[many];
  static double ed, edeterminants[many];
  keep(ea, ey, eb, ex, ed, edeterminants, eall, eresults, erights, esolutions);
#endif
  for (int k = 0; k < many; ++k)
    for (int i = 0; i < N; ++i) {
      b(i) = rights(k, i, 0) = i + 1;
      for (int j = 0; j < N; ++j) a(i, j) = element(N, 0, i, j), all(k, i, j) = element(N, k, i, j);
#if defined(BENCH_EIGEN)
      eb(i) = erights[k](i) = i + 1;
      for (int j = 0; j < N; ++j) ea(i, j) = element(N, 0, i, j), eall[k](i, j) = element(N, k, i, j);
#endif
    }
  compare(
      "known", N, "cholesky", 1, [&] { y = la::cholesky(a); }, PEER(ey = ea.llt().matrixL()));
  compare(
      "known", N, "solve", 1, [&] { x = la::solve(a, b); }, PEER(ex = ea.partialPivLu().solve(eb)));
  compare(
      "known", N, "inv", 1, [&] { y = la::inv(a); }, PEER(ey = ea.inverse()));
  compare(
      "known", N, "det", 1, [&] { d = la::det(a); }, PEER(ed = ea.determinant()));
#define EACH(...) PEER(for (int k = 0; k < many; ++k) { __VA_ARGS__; })
  compare(
      "512", N, "cholesky", many, [&] { results = la::cholesky(all); }, EACH(eresults[k] = eall[k].llt().matrixL()));
  compare(
      "512", N, "solve", many, [&] { solutions = la::solve(all, rights); },
      EACH(esolutions[k] = eall[k].partialPivLu().solve(erights[k])));
  compare(
      "512", N, "inv", many, [&] { results = la::inv(all); }, EACH(eresults[k] = eall[k].inverse()));
  compare(
      "512", N, "det", many, [&] { determinants = la::det(all); }, EACH(edeterminants[k] = eall[k].determinant()));
}

void of_any_size(int n) {
  rc::ndarray<double, 2> a(n, n), y(n, n);
  rc::ndarray<double, 1> b(n), x(n);
  rc::tensor<double> d;
#if defined(BENCH_EIGEN)
  Eigen::MatrixXd ea(n, n), ey(n, n);
  Eigen::VectorXd eb(n), ex(n);
  double ed = 0;
  keep(ed);
#endif
  for (int i = 0; i < n; ++i) {
    b(i) = i + 1;
    for (int j = 0; j < n; ++j) a(i, j) = element(n, 0, i, j);
#if defined(BENCH_EIGEN)
    eb(i) = i + 1;
    for (int j = 0; j < n; ++j) ea(i, j) = element(n, 0, i, j);
#endif
  }
  compare(
      "dynamic", n, "cholesky", 1, [&] { y = la::cholesky(a); }, PEER(ey = ea.llt().matrixL()));
  compare(
      "dynamic", n, "solve", 1, [&] { x = la::solve(a, b); }, PEER(ex = ea.partialPivLu().solve(eb)));
  compare(
      "dynamic", n, "inv", 1, [&] { y = la::inv(a); }, PEER(ey = ea.inverse()));
  compare(
      "dynamic", n, "det", 1, [&] { d = la::det(a); }, PEER(ed = ea.determinant()));
  compare(
      "dynamic", n, "qr", 1, [&] { auto const r = la::qr(a); },
      PEER(Eigen::HouseholderQR<Eigen::MatrixXd> const qr(ea); ey = qr.householderQ()));
  compare(
      "dynamic", n, "eigh", 1, [&] { auto const r = la::eigh(a); },
      PEER(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> const r(ea)));
  compare(
      "dynamic", n, "svd", 1, [&] { auto const r = la::svd(a); },
      PEER(Eigen::BDCSVD<Eigen::MatrixXd> const r(ea, Eigen::ComputeFullU | Eigen::ComputeFullV)));
  compare(
      "dynamic", n, "svdvals", 1, [&] { x = la::svdvals(a); }, PEER(Eigen::BDCSVD<Eigen::MatrixXd> const r(ea)));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) a(i, j) = std::sin(double(i * i + 3 * j));  // not symmetric
#if defined(BENCH_EIGEN)
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) ea(i, j) = a(i, j);
#endif
  compare(
      "dynamic", n, "eig", 1, [&] { auto const r = la::eig(a); },
      PEER(Eigen::EigenSolver<Eigen::MatrixXd> const r(ea)));
}

}  // namespace

int main() {
  std::printf("%-8s %4s  %-9s %12s %12s %6s\n", "matrices", "n", "", "ricci, ns", "Eigen, ns", "ratio");
  known<3>();
  known<4>();
  known<8>();
  known<16>();
  for (int const n : {16, 64, 256}) of_any_size(n);
}
