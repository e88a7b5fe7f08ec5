// Large matrices by LAPACK or Eigen, where a program has them: residuals, orthonormal vectors, order of the values, and
// the same values as of a part of the sizes that do not go there.
#include <ricci/linalg.hpp>

#include <doctest/doctest.h>

namespace rc = ricci;

namespace {

template <class T>
rc::ndarray<T, 2> numbers(rc::index_t m, rc::index_t n) {
  rc::ndarray<T, 2> a(m, n);
  std::uint32_t state = 7;
  for (rc::index_t k = 0; k < a.size(); ++k) {
    state = state * 1664525u + 1013904223u;
    a.data()[k] = T(state >> 8) / T(1 << 23) - T(1);
  }
  return a;
}
template <class T>
T largest(auto const& x) {
  return T(rc::eval(rc::max(rc::abs(x))));
}
template <class T>
T far_from_identity(auto const& q) {  // of columns
  return largest<T>(rc::matmul(q.T(), q) - rc::eye<T>(q.shape(1)));
}

}  // namespace

TEST_CASE_TEMPLATE("symmetric eigenvalues", T, float, double) {
  static_assert(rc::linalg::library::is_linked);
  rc::index_t const n = rc::linalg::library::least_for_eigenvalues + 5;
  T const eps = std::numeric_limits<T>::epsilon() * T(n);
  auto const x = numbers<T>(n, n);
  rc::ndarray<T, 2> const a = x + x.T();
  auto const [w, v] = rc::linalg::eigh(a);
  CHECK(bool(rc::all(w(rc::range(1, rc::end)) >= w(rc::range(0, -1)))));
  CHECK(far_from_identity<T>(rc::eval(v)) < 10 * eps);
  CHECK(largest<T>(rc::matmul(a, v) - v * w) < 10 * eps * largest<T>(w));
  CHECK(largest<T>(rc::linalg::eigvalsh(a) - w) < 10 * eps * largest<T>(w));
  // a block that is too small for LAPACK, among zeros
  rc::ndarray<T, 2> b(n, n);
  b(rc::range(0, 20), rc::range(0, 20)) = a(rc::range(0, 20), rc::range(0, 20));
  rc::ndarray<T, 1> const part = rc::linalg::eigvalsh(rc::eval(a(rc::range(0, 20), rc::range(0, 20))));
  rc::ndarray<T, 1> const all = rc::linalg::eigvalsh(b);
  CHECK(std::abs(all(0) - part(0)) < 10 * eps);
  CHECK(std::abs(all(-1) - part(-1)) < 10 * eps);
  rc::ndarray<T, 2> wrong = a;
  wrong(3, 4) = std::numeric_limits<T>::quiet_NaN();
  CHECK(bool(rc::all(rc::isnan(rc::eval(rc::linalg::eigvalsh(wrong))))));
}

TEST_CASE_TEMPLATE("singular values, higher, wider and square", T, float, double) {
  rc::index_t const k = rc::linalg::library::least_for_singular_values;
  for (auto const& [m, n] : {std::pair{k + 40, k + 3}, {k + 3, k + 40}, {k, k}}) {
    CAPTURE(m);
    T const eps = std::numeric_limits<T>::epsilon() * T(k);
    auto const a = numbers<T>(m, n);
    auto const [u, s, vh] = rc::linalg::svd(a, rc::full_matrices<false>);
    CHECK(bool(rc::all(s(rc::range(1, rc::end)) <= s(rc::range(0, -1)))));
    CHECK(far_from_identity<T>(rc::eval(u)) < 10 * eps);
    CHECK(far_from_identity<T>(rc::eval(vh.T())) < 10 * eps);
    CHECK(largest<T>(rc::matmul(u * s, vh) - a) < 10 * eps * largest<T>(s));
    CHECK(largest<T>(rc::linalg::svdvals(a) - s) < 10 * eps * largest<T>(s));
    auto const [whole_u, whole_s, whole_vh] = rc::linalg::svd(a);
    CHECK(whole_u.shape() == rc::shape(m, m));
    CHECK(whole_vh.shape() == rc::shape(n, n));
    CHECK(far_from_identity<T>(rc::eval(whole_u)) < 10 * eps);
    CHECK(far_from_identity<T>(rc::eval(whole_vh)) < 10 * eps);
    CHECK(largest<T>(rc::matmul(rc::matmul(a, rc::linalg::pinv(a)), a) - a) < 100 * eps * largest<T>(s));
  }
}

TEST_CASE("static matrices still are constants") {
  constexpr auto w = rc::eval(rc::linalg::eigvalsh(rc::tensor<double, 2, 2>{{2, 1}, {1, 2}}));
  static_assert(w(0) > .999 && w(1) < 3.001);
}
