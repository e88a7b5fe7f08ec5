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

// complex ones against Eigen's, with four real multiplications and additions each
template <class T>
void complex_product(char const* type, long n, double peak) {
  std::string const name = std::string(type) + " " + std::to_string(n) + "x" + std::to_string(n);
  if (!wanted(name)) return;
  rc::ndarray<T, 2> a(n, n), b(n, n), c(n, n);
  for (long i = 0; i < n * n; ++i)
    a.data()[i] = T(float(i % 7) - 3.f, float(i % 3)), b.data()[i] = T(float(i % 5) - 2.f, float(i % 2));
  auto const with_ricci = [&] { c = rc::matmul(a, b), touch(c.data()); };
#if BENCH_EIGEN
  using matrix_t = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  Eigen::Map<matrix_t const> const ea(a.data(), n, n), eb(b.data(), n, n);
  matrix_t ec(n, n);
  auto const with_eigen = [&] { ec.noalias() = ea * eb, touch(ec.data()); };
#else
  auto const with_eigen = [] {};
#endif
  auto const t = race(with_ricci, with_eigen);
  figure_row(name, 8. * double(n) * double(n) * double(n), t[0], BENCH_EIGEN ? t[1] : absent, 1, peak);
}

// products of narrow types, against those of floats
template <class T, class Sum>
void narrow_product(char const* type, long n, double goal) {
  std::string const name = std::string(type) + " " + std::to_string(n) + "x" + std::to_string(n);
  if (!wanted(name)) return;
  rc::ndarray<T, 2> a(n, n), b(n, n);
  rc::ndarray<Sum, 2> c(n, n);
  matrix fa(n, n), fb(n, n), fc(n, n);
  for (long i = 0; i < n * n; ++i) {
    fa.data()[i] = float(i % 7) - 3.f, fb.data()[i] = float(i % 5) - 2.f;
    a.data()[i] = T(fa.data()[i]), b.data()[i] = T(fb.data()[i]);
  }
  auto const narrow = [&] { c = rc::matmul(a, b, rc::result<Sum>), touch(c.data()); };
  auto const floats = [&] { ricci_product(fc, fa, fb), touch(fc.data()); };
  auto const t = race(narrow, floats);
  times(name, t[0], faster(t[0], t[1], goal), nothing());
}

// a matrix times a vector from both sides: A x and A^T x
template <class T>
void vector_product(char const* type, long m, long k, double goal) {
  std::string const name = std::string(type) + " " + std::to_string(m) + "x" + std::to_string(k);
  if (!wanted(name)) return;
  rc::ndarray<T, 2> a(m, k);
  rc::ndarray<T, 1> x(k), y(m), z(k);
  for (long i = 0; i < m * k; ++i) a.data()[i] = T(i % 7) - T(3);
  for (long i = 0; i < k; ++i) x(i) = T(i % 5) - T(2);
  for (long i = 0; i < m; ++i) y(i) = T(i % 3) - T(1);
  rc::ndarray<T, 1> const left = y;
  auto const from_right = [&] { y = rc::matmul(a, x), touch(y.data()); };
  auto const from_left = [&] { z = rc::matmul(left, a), touch(z.data()); };
#if BENCH_EIGEN
  using matrix_t = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using vector_t = Eigen::Matrix<T, Eigen::Dynamic, 1>;
  Eigen::Map<matrix_t> const ea(a.data(), m, k);
  vector_t const ex = Eigen::Map<vector_t>(x.data(), k), ey = Eigen::Map<vector_t const>(left.data(), m);
  vector_t to_m(m), to_k(k);
  auto const eigen_right = [&] { to_m.noalias() = ea * ex, touch(to_m.data()); };
  auto const eigen_left = [&] { to_k.noalias() = ea.transpose() * ey, touch(to_k.data()); };
#else
  auto const eigen_right = [] {}, eigen_left = [] {};
#endif
  auto const t = race(from_right, eigen_right, from_left, eigen_left);
  times("A x, " + name, t[0], faster(t[0], BENCH_EIGEN ? t[1] : absent, goal), nothing());
  times("A^T x, " + name, t[2], faster(t[2], BENCH_EIGEN ? t[3] : absent, goal), nothing());
}

// products of a few columns
void few_columns(long m, long k, long n) {
  std::string const name = std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
  if (!wanted(name)) return;
  matrix a(m, k), b(k, n), c(m, n);
  for (long i = 0; i < m * k; ++i) a.data()[i] = float(i % 7) - 3.f;
  for (long i = 0; i < k * n; ++i) b.data()[i] = float(i % 5) - 2.f;
  auto const with_ricci = [&] { ricci_product(c, a, b), touch(c.data()); };
#if BENCH_EIGEN
  eigen_matrix ea(a.data(), m, k), eb(b.data(), k, n), ec(c.data(), m, n);
  auto const with_eigen = [&] { eigen_product(ec, ea, eb), touch(c.data()); };
#else
  auto const with_eigen = [] {};
#endif
  auto const t = race(with_ricci, with_eigen);
  times(name, t[0], faster(t[0], BENCH_EIGEN ? t[1] : absent, 1), nothing());
}

// products of a few rows with a transposed matrix, as nets have them that keep a row of weights for each unit
void few_rows(long m, long k, long n) {
  std::string const name = std::to_string(m) + "x" + std::to_string(k) + "x" + std::to_string(n);
  if (!wanted(name)) return;
  matrix a(m, k), b(n, k), c(m, n);
  for (long i = 0; i < m * k; ++i) a.data()[i] = float(i % 7) - 3.f;
  for (long i = 0; i < k * n; ++i) b.data()[i] = float(i % 5) - 2.f;
  auto const with_ricci = [&] { c = rc::matmul(a, b.T()), touch(c.data()); };
#if BENCH_EIGEN
  eigen_matrix ea(a.data(), m, k), eb(b.data(), n, k), ec(c.data(), m, n);
  auto const with_eigen = [&] { ec.matrix().noalias() = ea.matrix() * eb.matrix().transpose(), touch(c.data()); };
#else
  auto const with_eigen = [] {};
#endif
  auto const t = race(with_ricci, with_eigen);
  times(name, t[0], faster(t[0], BENCH_EIGEN ? t[1] : absent, 1), nothing());
}

// many products of small matrices, against a loop over static ones
template <int N>
void batch_of_products(long count) {
  std::string const name = std::to_string(count) + " of " + std::to_string(N) + "x" + std::to_string(N);
  if (!wanted(name)) return;
  rc::tensor<float, rc::dyn, N, N> a(count, N, N), b(count, N, N), c(count, N, N);
  for (long i = 0; i < a.size(); ++i) a.data()[i] = float(i % 7) - 3.f, b.data()[i] = float(i % 5) - 2.f;
  auto const with_ricci = [&] { c = rc::matmul(a, b), touch(c.data()); };
#if BENCH_EIGEN
  using small = Eigen::Map<Eigen::Matrix<float, N, N, Eigen::RowMajor>>;
  auto const with_eigen = [&] {
    for (long k = 0; k < count; ++k)
      small(c.data() + k * N * N).noalias() = small(a.data() + k * N * N) * small(b.data() + k * N * N);
    touch(c.data());
  };
#else
  auto const with_eigen = [] {};
#endif
  auto const t = race(with_ricci, with_eigen);
  times(name, t[0], faster(t[0], BENCH_EIGEN ? t[1] : absent, 1), nothing());
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
  for (long n : {32L, 64L, 100L, 256L, 1024L}) product(n, peak);
  section("matmul, complex numbers", "Eigen", "FMA peak");
  for (long n : {32L, 128L, 512L})
    complex_product<std::complex<float>>("complex64", n, peak),
        complex_product<std::complex<double>>("complex128", n, peak / 2);
  section("matmul of narrow types, with sums of 32 bits", "floats", "-");
  for (long n : {32L, 128L, 512L})
    narrow_product<std::int8_t, std::int32_t>("int8", n, 0), narrow_product<std::int16_t, std::int32_t>("int16", n, 0),
        narrow_product<rc::float16, float>("float16", n, .5), narrow_product<rc::bfloat16, float>("bfloat16", n, .5);
  section("matrix times vector", "Eigen", "-");
  for (long n : {16L, 64L}) vector_product<float>("floats", n, n, 0), vector_product<double>("doubles", n, n, 0);
  for (long n : {256L, 1024L}) vector_product<float>("floats", n, n, .9), vector_product<double>("doubles", n, n, .9);
  vector_product<double>("doubles", 1000, 150, .9);
  section("few columns, floats", "Eigen", "-");
  few_columns(256, 256, 2), few_columns(1024, 1024, 8), few_columns(256, 10, 64), few_columns(64, 784, 10);
  section("few rows times a transposed matrix, floats", "Eigen", "-");
  few_rows(2, 784, 600), few_rows(8, 64, 600), few_rows(8, 784, 600), few_rows(32, 784, 600), few_rows(64, 256, 256);
  section("batches of static products, floats", "Eigen, loop", "-");
  batch_of_products<3>(1024), batch_of_products<4>(1024), batch_of_products<8>(256), batch_of_products<16>(64);
}

}  // namespace bench
