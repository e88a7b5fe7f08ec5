// Products of small static matrices against Fastor, and of larger ones against Eigen; both against the peak of a core.
#include <ricci/ricci.hpp>

#include "peers.hpp"
#include "timing.hpp"

#if __has_include(<Fastor/Fastor.h>)
#define BENCH_FASTOR 1
#include <Fastor/Fastor.h>
#else
#define BENCH_FASTOR 0
#endif

namespace rc = ricci;

namespace bench {
namespace {

constexpr int batch = 8;  // products in a row, independent of each other, all in the first-level cache

template <class M>
[[gnu::noinline]] void ricci_products(M* c, M const* a, M const* b) {
  for (int k = 0; k < batch; ++k) c[k] = rc::matmul(a[k], b[k]);
}
#if BENCH_FASTOR
template <class M>
[[gnu::noinline]] void fastor_products(M* c, M const* a, M const* b) {
  for (int k = 0; k < batch; ++k) c[k] = Fastor::matmul(a[k], b[k]);
}
#endif

template <class M>
void fill(M* m) {
  for (int k = 0; k < batch; ++k)
    for (int i = 0; i < int(m[k].size()); ++i) m[k].data()[i] = float((7 * i + k) % 11) - 5.f;
}

void figure_row(std::string const& name, double flops, double ricci, double peer, double goal, double peak) {
  char figure[32];
  std::snprintf(figure, sizeof figure, "%.1f GF/s", flops / ricci * 1e-9);
  row(name, figure, faster(ricci, peer, goal), {flops / ricci / peak, 0});
}

template <int N>
void static_product(double peak) {
  std::string const size = std::to_string(N), name = "static " + size + "x" + size;
  if (!wanted(name)) return;
  using M = rc::tensor<float, N, N>;
  static M a[batch]{}, b[batch]{}, c[batch]{};
  fill(a), fill(b);
  auto const with_ricci = [&] { ricci_products(c, a, b), touch(c); };
#if BENCH_FASTOR
  using F = Fastor::Tensor<float, N, N>;
  static F fa[batch], fb[batch], fc[batch];
  fill(fa), fill(fb);
  auto const with_fastor = [&] { fastor_products(fc, fa, fb), touch(fc); };
#else
  auto const with_fastor = [] {};
#endif
  auto const t = race(with_ricci, with_fastor);
  figure_row(name, 2. * batch * N * N * N, t[0], BENCH_FASTOR ? t[1] : absent, 1, peak);
}

using matrix = rc::ndarray<float, 2>;
[[gnu::noinline]] void ricci_product(matrix& c, matrix const& a, matrix const& b) { c = rc::matmul(a, b); }
#if BENCH_EIGEN
[[gnu::noinline]] void eigen_product(eigen_matrix& c, eigen_matrix const& a, eigen_matrix const& b) {
  c.matrix().noalias() = a.matrix() * b.matrix();
}
#endif

void product(long n, double peak) {
  std::string const name = "dynamic " + std::to_string(n) + "x" + std::to_string(n);
  if (!wanted(name)) return;
  matrix a(n, n), b(n, n), c(n, n);
  for (long i = 0; i < n * n; ++i) a.data()[i] = float(i % 7) - 3.f, b.data()[i] = float(i % 5) - 2.f;
  auto const with_ricci = [&] { ricci_product(c, a, b), touch(c.data()); };
#if BENCH_EIGEN
  eigen_matrix ea(a.data(), n, n), eb(b.data(), n, n), ec(c.data(), n, n);
  auto const with_eigen = [&] { eigen_product(ec, ea, eb), touch(c.data()); };
#else
  auto const with_eigen = [] {};
#endif
  auto const t = race(with_ricci, with_eigen);
  figure_row(name, 2. * double(n) * double(n) * double(n), t[0], BENCH_EIGEN ? t[1] : absent, 0, peak);
}

}  // namespace

void products() {
  double const peak = fma_peak();
  section("static matmul, floats", "Fastor", "FMA peak");
  static_product<3>(peak);
  static_product<4>(peak);
  static_product<8>(peak);
  static_product<16>(peak);
  section("matmul, floats", "Eigen", "FMA peak");
  for (long n : {32L, 64L, 256L, 1024L}) product(n, peak);
}

}  // namespace bench
