// Complex numbers: loops over elements of 8 and 16 bytes, arithmetic and functions against <complex>, derivatives
// against differences by real and imaginary parts.
#include <limits>
#include <sstream>
#include <tuple>
#include <type_traits>

#include "element_loops.hpp"

namespace rc = ricci;
using C = std::complex<float>;
using Z = std::complex<double>;

namespace {

rc::tensor<Z, 6> const x{Z(1, 2), Z(-.5, .25), Z(0, -1), Z(3, 0), Z(-2, -.75), Z(.125, -3)};
rc::tensor<Z, 6> const y{Z(.5, -1), Z(2, 1), Z(-1, 0), Z(.25, .5), Z(-3, 1), Z(0, .75)};

template <class F, class G>
void like_std(F const& f, G g) {
  rc::tensor<Z, 6> z;
  for (int k = 0; k < 6; ++k) z.data()[k] = g(x(k), y(k));
  CHECK(numbers(rc::fn(f)(x, y)).near(numbers(z), 1e-14));
  CHECK(numbers(rc::fn(f)(rc::ndarray<Z, 1>(x), rc::ndarray<Z, 1>(y))).near(numbers(z), 1e-14));
  CHECK(numbers(rc::interpret(f)(x, y)).near(numbers(z), 1e-14));
  CHECK(numbers(rc::fn(f)(rc::eval(rc::astype<C>(x)), rc::eval(rc::astype<C>(y)))).near(numbers(z), 1e-5));
}

// The gradient of a real f by complex numbers: by the real part, minus i times by the imaginary one.
template <class F>
void derivatives(F const& f) {
  double const h = 1e-6;
  auto const by_parts = [&](int k) {
    double parts[2];
    for (int p = 0; p < 2; ++p) {
      auto up = x, down = x;
      Z const d = p == 0 ? Z(h) : Z(0, h);
      up(k) += d, down(k) -= d;
      parts[p] = (rc::fn(f)(up).item() - rc::fn(f)(down).item()) / (2 * h);
    }
    return Z(parts[0], -parts[1]);
  };
  rc::tensor<Z, 6> expected;
  for (int k = 0; k < 6; ++k) expected.data()[k] = by_parts(k);
  auto const g = rc::grad(f)(x);
  CHECK_MESSAGE(numbers(g).near(numbers(expected), 1e-7), numbers(g), " and ", numbers(expected));
  CHECK(numbers(rc::interpret(rc::grad(f))(x)).near(numbers(g), 1e-13));
  double along = 0;  // a tangent t gives the real part of g t
  for (int k = 0; k < 6; ++k) along += (g(k) * y(k)).real();
  CHECK(std::get<1>(rc::jvp(f)(x)(y)).item() == doctest::Approx(along));
  CHECK(numbers(std::get<0>(std::get<1>(rc::vjp(f)(x))(1.))).near(numbers(g), 1e-13));
  // second derivatives: of the gradient along y
  auto const slope = [f](auto z, auto t) { return rc::sum(rc::real(rc::grad(f)(z) * t)); };
  auto const second = [f](auto z, auto t) { return std::get<1>(rc::jvp(rc::grad(f))(z)(t)); };
  CHECK(numbers(rc::grad(slope)(x, y)).near(numbers(rc::fn(second)(x, y)), 1e-9));
  rc::tensor<Z, 2, 6> batch;
  batch(0) = x, batch(1) = y;
  CHECK(numbers(rc::vmap(rc::grad(f))(batch)(0)).near(numbers(g), 1e-13));
}

}  // namespace

TEST_CASE("loops over elements of 8 and 16 bytes") {
  element_loops::check_loops_of_all<C>();
  element_loops::check_loops_of_all<Z>();
}

TEST_CASE("arithmetic and functions") {
  like_std([](auto a, auto b) { return a + b; }, [](Z a, Z b) { return a + b; });
  like_std([](auto a, auto b) { return a * b - 2. * a; }, [](Z a, Z b) { return a * b - 2. * a; });
  like_std([](auto a, auto b) { return a / b + 1; }, [](Z a, Z b) { return a / b + 1.; });
  like_std([](auto a, auto b) { return -a * Z(0, 1) + rc::conj(b); }, [](Z a, Z b) { return -a * Z(0, 1) + conj(b); });
  like_std([](auto a, auto b) { return rc::exp(a) * rc::log(b); }, [](Z a, Z b) { return exp(a) * log(b); });
  like_std([](auto a, auto b) { return rc::sqrt(a) + rc::tanh(b); }, [](Z a, Z b) { return sqrt(a) + tanh(b); });
  like_std([](auto a, auto b) { return rc::sin(a) * rc::cosh(b); }, [](Z a, Z b) { return sin(a) * cosh(b); });
  like_std([](auto a, auto b) { return rc::cos(a) * rc::sinh(b); }, [](Z a, Z b) { return cos(a) * sinh(b); });
  like_std([](auto a, auto b) { return rc::complex(rc::real(a), rc::imag(b)); },
           [](Z a, Z b) { return Z(a.real(), b.imag()); });
  like_std([](auto a, auto b) { return rc::where(rc::abs(a) < rc::abs(b), a, b) * rc::astype<double>(a != b); },
           [](Z a, Z b) { return abs(a) < abs(b) ? a : b; });
  like_std([](auto a, auto b) { return rc::sum(a) * rc::mean(b) + rc::cumulative_sum(a); },
           [sum = Z()](Z a, Z) mutable {
             Z s{}, m{};
             for (int k = 0; k < 6; ++k) s += x(k), m += y(k) / 6.;
             return s * m + (sum += a);
           });
  like_std([](auto a, auto b) { return rc::matmul(a, b) * rc::prod(b) + a; },
           [](Z a, Z) {
             Z dot{}, all = 1;
             for (int k = 0; k < 6; ++k) dot += x(k) * y(k), all *= y(k);
             return dot * all + a;
           });
  // no overflow on the way
  rc::tensor<C, 2> const large{C(1e38f, 1e38f), C(0, 2e38f)};
  CHECK(numbers(rc::eval(large / large)).near({1, 0, 1, 0}, 1e-6));
  CHECK(rc::eval(rc::abs(large))(0) == doctest::Approx(1e38 * std::sqrt(2.)));
  CHECK(std::isinf(rc::eval(large / rc::tensor<C, 2>{})(0).real()));
}

// Rows of every length: registers of complex numbers and their parts, and the last elements.
template <class T>
void rows_of_parts() {
  for (int n = 0; n < 40; ++n) {
    rc::ndarray<std::complex<T>, 1> z(n), w(2 * n);
    for (int k = 0; k < n; ++k) z(k) = {T(k % 7) - 2, T(3 - k % 5)}, w(2 * k) = z(k), w(2 * k + 1) = {T(99), T(77)};
    rc::ndarray<T, 1> const lengths = rc::abs(z), steps = rc::abs(w(rc::range(0, 2 * n, 2))),
                            mixed = rc::real(z) * T(2) + rc::imag(rc::conj(z) * std::complex<T>(0, 1)) + rc::abs(z);
    using other = std::conditional_t<std::is_same_v<T, float>, double, float>;  // parts of another width than the rest
    rc::ndarray<other, 1> const ones = rc::ones<other>(rc::shape(n));
    rc::ndarray<double, 1> const wide = rc::astype<double>(rc::real(z)) + rc::astype<double>(rc::exp(ones - other(1)));
    rc::ndarray<std::complex<double>, 1> const both = rc::complex(rc::imag(z), ones) * std::complex<double>(0, 1);
    rc::ndarray<std::complex<T>, 1> const swapped = rc::complex(rc::imag(z) + rc::abs(z), rc::real(z) - T(1));
    for (int k = 0; k < n; ++k) {
      std::complex<T> const c = z(k);
      CHECK(lengths(k) == doctest::Approx(std::abs(c)));
      CHECK(steps(k) == lengths(k));
      CHECK(mixed(k) == doctest::Approx(3 * c.real() + std::abs(c)));
      CHECK(wide(k) == doctest::Approx(double(c.real()) + 1));
      CHECK(std::abs(both(k) - std::complex<double>(-1, double(c.imag()))) < 1e-12);
      CHECK(std::abs(swapped(k) - std::complex<T>(c.imag() + std::abs(c), c.real() - 1)) < T(1e-5));
    }
  }
}
TEST_CASE("complex numbers beside their parts, in rows of any length") {
  rows_of_parts<float>();
  rows_of_parts<double>();
}

TEST_CASE("derivatives of real functions of complex numbers") {
  derivatives([](auto z) { return rc::sum(rc::square(rc::abs(z))); });
  derivatives(
      [](auto z) { return rc::sum(rc::real(rc::exp(z) / (z * z + 3.)) - rc::imag(rc::conj(z) * rc::sqrt(z))); });
  derivatives([](auto z) { return rc::sum(rc::abs(rc::sin(z) * rc::complex(rc::imag(z), rc::real(z) * 2.))); });
  derivatives([](auto z) {
    rc::tensor<Z, 2> const c{Z(0, 1), Z(2, -1)};  // constants
    auto const m = rc::matmul(rc::reshape(z, rc::shape(3, 2)), c);
    return rc::sum(rc::real(m * rc::conj(m))) + rc::abs(rc::prod(z)) + rc::imag(rc::sum(rc::log(z)));
  });
  derivatives([](auto z) {  // a loop
    auto const step = [](auto h, auto t) { return std::pair(h * t + Z(.5, -.25), rc::imag(h)); };
    auto const [last, ys] = rc::scan(step, rc::sum(z), z);
    return rc::square(rc::abs(last)) + rc::sum(ys);
  });
  derivatives([](auto z) {
    return rc::sum(rc::abs(rc::pow(z, 3.) + rc::pow(z + 2., z) + rc::expm1(z) * rc::log1p(z * .5)) +
                   rc::imag(rc::sign(z) * rc::log2(z + 3.) + rc::exp2(z)));
  });
  auto const at_zero = [](auto z) { return rc::sum(rc::abs(z)) + rc::sum(rc::real(rc::sign(z))); };
  CHECK(numbers(rc::grad(at_zero)(rc::tensor<Z, 2>{})) == numbers{0, 0, 0, 0});
  // mixed with real parameters, whose gradients are real
  auto const mixed = [](auto r, auto z) { return rc::sum(rc::square(rc::abs(r * z + Z(0, 1)))); };
  rc::tensor<double, 2> const r{2, -1};
  rc::tensor<Z, 2> const z{Z(1, 1), Z(0, 3)};
  auto const [gr, gz] = rc::grad<0, 1>(mixed)(r, z);
  static_assert(std::is_same_v<decltype(gr), rc::tensor<double, 2> const>);
  CHECK(numbers(gr).near({10, -12}));  // 2 Re(conj(r z + i) z)
  CHECK(numbers(gz).near({8, -12, 0, -4}));
}

TEST_CASE("powers, logarithms and exponentials that <complex> lacks") {
  double const inf = std::numeric_limits<double>::infinity();
  auto const value = [](auto const& e) { return rc::eval(e).item(); };
  auto const of = [](double re, double im) { return rc::tensor<Z>(Z(re, im)); };
  CHECK(value(rc::pow(of(1, 2), 2)) == Z(-3, 4));  // exact
  CHECK(value(rc::pow(of(0, 2), -2.)) == Z(-.25, 0));
  CHECK(value(rc::pow(of(0, 0), of(0, 0))) == Z(1, 0));
  CHECK(value(rc::pow(of(0, 0), of(.5, 1))) == Z(0, 0));
  CHECK(value(rc::isnan(rc::pow(of(0, 0), of(-.5, 1)))));
  for (double const b : {-1., -1.5}) {
    Z const y = value(rc::pow(of(0, 0), b));
    CHECK((std::isnan(y.real()) && std::isnan(y.imag())));
  }
  CHECK(value(rc::log2(of(8, 0))) == Z(3, 0));
  CHECK(value(rc::exp2(of(3, 0))) == Z(8, 0));
  CHECK(value(rc::expm1(of(inf, 0))) == Z(inf, 0));
  CHECK(value(rc::expm1(of(-inf, 1))) == Z(-1, 0));
  CHECK(numbers(rc::eval(rc::expm1(of(1e-20, 1e-20)) * 1e20)).near({1, 1}));
  CHECK(numbers(rc::eval(rc::log1p(of(1e-20, 1e-20)) * 1e20)).near({1, 1}));
  CHECK(value(rc::sign(of(3, -4))) == Z(.6, -.8));
  CHECK(value(rc::sign(of(0, 0))) == Z(0, 0));
  CHECK(value(rc::round(of(2.5, -1.5))) == Z(2, -2));
}

TEST_CASE("statistics") {  // as in NumPy
  rc::tensor<Z, 2, 3> const m{{Z(1, 2), Z(3, -1), Z(0, 2)}, {Z(0, 1), Z(2, 2), Z(-1, 0)}};
  auto const c = rc::eval(rc::cov(m));
  CHECK(std::abs(c(0, 1) - Z(5 / 6., -4)) < 1e-14);
  CHECK(std::abs(c(1, 0) - std::conj(c(0, 1))) < 1e-14);
  CHECK(std::abs(rc::eval(rc::cov(m(0))).item() - c(0, 0)) < 1e-14);
  CHECK(std::abs(rc::eval(rc::average(m(0), rc::tensor<double, 3>{1, 2, 3})).item() - Z(7 / 6., 1)) < 1e-14);
  rc::tensor<Z, 3> const holes{Z(1, 2), Z(std::numeric_limits<double>::quiet_NaN(), 0), Z(3, -1)};
  CHECK(rc::eval(rc::nansum(holes)).item() == Z(4, 1));
  CHECK(rc::eval(rc::nanmean(holes)).item() == Z(2, .5));
  static_assert(std::is_same_v<decltype(rc::eval(rc::nanvar(holes))), rc::tensor<double>>);
  CHECK(rc::eval(rc::nanvar(holes)).item() == 3.25);
}

TEST_CASE("types, constants, printing") {
  rc::tensor<float, 2> const f{1, 2};
  rc::tensor<int, 2> const i{3, -4};
  static_assert(std::is_same_v<decltype(rc::eval(f * Z(0, 1))), rc::tensor<C, 2>>);  // a scalar is weak
  static_assert(std::is_same_v<decltype(rc::eval(i * C(0, 1))), rc::tensor<Z, 2>>);
  static_assert(std::is_same_v<decltype(rc::eval(i * x(rc::range<0, 2>()))), rc::tensor<Z, 2>>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::abs(rc::tensor<C, 2>{}))), rc::tensor<float, 2>>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::complex(i, i))), rc::tensor<Z, 2>>);
  CHECK(numbers(rc::eval(f * Z(0, 1) + i)) == numbers{3, 1, -4, 2});
  CHECK(numbers(rc::eval(rc::astype<double>(x(rc::range<0, 2>())))) == numbers{1, -.5});
  CHECK(numbers(rc::eval(rc::astype<bool>(rc::tensor<C, 3>{C(0, 1), C(0, 0), C(2, 0)}))) == numbers{1, 0, 1});
  CHECK(numbers(rc::full<C>(rc::shape(2), C(1, -1))) == numbers{1, -1, 1, -1});
  CHECK(numbers(rc::eye<Z>(rc::extents<2, 2>{})) == numbers{1, 0, 0, 0, 0, 0, 1, 0});
  CHECK(numbers(rc::linspace<Z>(Z(0, 1), 1, 3)) == numbers{0, 1, .5, .5, 1, 0});
  CHECK(numbers(rc::linspace<C>(0, C(1, 2), rc::extents<2>{}, rc::endpoint{false})) == numbers{0, 0, .5, 1});
  auto const between = [](auto a, auto n) { return rc::linspace<Z>(a, Z(1, 0), n.shape(0)); };
  CHECK(numbers(rc::fn(between)(Z(0, 1), rc::ndarray<float, 1>(3))) == numbers{0, 1, .5, .5, 1, 0});
  auto const scaled = [](auto a, auto factor) { return a * factor; };
  CHECK(numbers(rc::fn(scaled)(f, C(0, 2))) == numbers{0, 2, 0, 4});
  CHECK(numbers(rc::interpret(scaled)(f, C(0, 2))) == numbers{0, 2, 0, 4});
  CHECK(rc::eval(rc::sum(x)).item() == Z(1.625, -2.5));
  std::ostringstream s;
  s << rc::tensor<C, 3>{C(1, 2), C(-.5, -1), C(0, -0.f)};
  CHECK(s.str() == "[1+2j -0.5-1j 0-0j]");
  std::string const text = rc::explain([](auto a) { return a * Z(0, 1); }, x).text;
  CHECK(text.find("complex128") != text.npos);
}

// by the compiler
constexpr double constant() {
  rc::tensor<Z, 2> const a{Z(1, 2), Z(0, -1)};
  rc::tensor<Z, 2> const b = a * rc::conj(a) + rc::flip(a);
  return b(0).real() + b(1).imag();
}
static_assert(constant() == 5 + 2);
