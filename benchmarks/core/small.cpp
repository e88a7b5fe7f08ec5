// Small things: statements, reductions and functions of a few numbers, where nothing may stand between the caller and
// the arithmetic; and functions of many rows that are made of single elements.
#include <cmath>
#include <ricci/ricci.hpp>

#include "peers.hpp"
#include "timing.hpp"

namespace rc = ricci;

namespace bench {
namespace {

// ---- statements ----

template <class X>
void statements(std::string const& kind, X a, X b, double goal) {
  std::string const name = kind + " " + std::to_string(a.size());
  if (!wanted(name)) return;
  X o = a;
  double s = 0;
  auto const add = [&] { o = a + b, touch(o.data()), touch(a.data()); };
  auto const dot = [&] { s = rc::sum(a * b).item(), touch(&s), touch(a.data()); };
#if BENCH_EIGEN
  constexpr int n = X::extents::is_static ? int(X::extents::size) : Eigen::Dynamic;
  using vector = Eigen::Array<double, n, 1>;
  vector const ea = Eigen::Map<vector const>(a.data(), a.size()), eb = Eigen::Map<vector const>(b.data(), b.size());
  vector eo = ea;
  auto const eigen_add = [&] { eo = ea + eb, touch(eo.data()), touch(ea.data()); };
  auto const eigen_dot = [&] { s = (ea * eb).sum(), touch(&s), touch(ea.data()); };
#else
  auto const eigen_add = [] {}, eigen_dot = [] {};
#endif
  auto const t = race(add, eigen_add, dot, eigen_dot);
  times("a + b, " + name, t[0], faster(t[0], BENCH_EIGEN ? t[1] : absent, goal), nothing());
  times("sum(a b), " + name, t[2], faster(t[2], BENCH_EIGEN ? t[3] : absent, goal), nothing());
}
template <int N>
void static_statements() {
  rc::tensor<double, N> a, b;
  for (int k = 0; k < N; ++k) a(k) = k, b(k) = 2 * k + 1;
  statements("static", a, b, N == 16 ? .5 : .15);
}
void dynamic_statements(long n) {
  rc::ndarray<double, 1> a(n), b(n);
  for (long k = 0; k < n; ++k) a(k) = double(k), b(k) = double(2 * k + 1);
  statements("dynamic", a, b, 0);
}

// ---- functions ----

constexpr auto lorenz = [](auto y) {
  auto const u = y(0), v = y(1), w = y(2);
  return rc::stack(10. * (v - u), u * (28. - w) - v, u * v - 8. / 3 * w);
};
constexpr auto runge_kutta = [](auto y) {
  double const h = 0.01;
  auto const k1 = lorenz(y), k2 = lorenz(y + h / 2 * k1), k3 = lorenz(y + h / 2 * k2), k4 = lorenz(y + h * k3);
  return y + h / 6 * (k1 + 2. * k2 + 2. * k3 + k4);
};
struct point {
  double at[3];
  friend point moved(point p, double h, point const& d) {
    for (int k = 0; k < 3; ++k) p.at[k] += h * d.at[k];
    return p;
  }
};
point slope(point const& p) {
  auto const [u, v, w] = p.at;
  return {{10 * (v - u), u * (28 - w) - v, u * v - 8. / 3 * w}};
}
[[gnu::noinline]] void by_hand(point& to, point const& y) {
  double const h = 0.01;
  point const k1 = slope(y), k2 = slope(moved(y, h / 2, k1)), k3 = slope(moved(y, h / 2, k2)),
              k4 = slope(moved(y, h, k3));
  to = moved(moved(moved(moved(y, h / 6, k1), h / 3, k2), h / 3, k3), h / 6, k4);
}
void time_step() {
  if (!wanted("Runge-Kutta step")) return;
  rc::tensor<double, 3> const direction{1, 0.5, 0.2};
  rc::tensor<double, 3> y{1, 2, 3}, to;
  point p{{1, 2, 3}}, next;
  auto const hand = [&] { by_hand(next, p), touch(&next), touch(&p); };
  auto const step = [&] { to = rc::fn(runge_kutta)(y), touch(&to), touch(&y); };
  auto const tangent = [&] {
    auto const both = rc::jvp(runge_kutta)(y)(direction);
    touch(&both), touch(&y);
  };
  auto const t = race(step, hand, tangent);
  times("Runge-Kutta step of 3 numbers", t[0], nothing(), faster(t[0], t[1], .5));
  times("Runge-Kutta step with its tangent", t[2], nothing(), faster(t[2], t[1], .25));
}

constexpr auto of_elements = [](auto x) { return x(0) * rc::exp(x(1)) + x(2) * x(3) * x(4) + rc::square(x(0) - x(4)); };
void gradients_of_rows() {
  std::string const name = "vmap(grad) over 1e5 rows of 5";
  if (!wanted(name)) return;
  constexpr long n = 100000;
  rc::tensor<double, rc::dyn, 5> x(n, 5), g(n, 5);
  for (long k = 0; k < 5 * n; ++k) x.data()[k] = double(k % 17) * 0.1;
  auto const with_ricci = [&] { rc::vmap(rc::grad(of_elements)).into(g)(x), touch(g.data()); };
  auto const hand = [&] {
    for (long k = 0; k < n; ++k) {
      double const* p = x.data() + 5 * k;
      double* to = g.data() + 5 * k;
      double const e = std::exp(p[1]), d = 2 * (p[0] - p[4]);
      to[0] = e + d, to[1] = p[0] * e, to[2] = p[3] * p[4], to[3] = p[2] * p[4], to[4] = p[2] * p[3] - d;
    }
    touch(g.data());
  };
  auto const t = race(with_ricci, hand);
  times(name, t[0], nothing(), faster(t[0], t[1], .25));
}

// a condition of integers beside one of floats, in the same kernel
void conditions() {
  std::string const name = "where by integers, 1e5";
  if (!wanted(name)) return;
  constexpr long n = 100000;
  rc::ndarray<float, 1> x(n), y(n), z(n), floats(n);
  rc::ndarray<std::int32_t, 1> integers(n);
  for (long k = 0; k < n; ++k) {
    x(k) = float(k % 17) * 0.1f, y(k) = float(k % 13) * 0.2f;
    integers(k) = std::int32_t(k % 5), floats(k) = float(k % 5);
  }
  auto const by_integers = [&] { z = rc::where(integers > 2, rc::exp(x) * y, x), touch(z.data()); };
  auto const by_floats = [&] { z = rc::where(floats > 2.f, rc::exp(x) * y, x), touch(z.data()); };
  auto const t = race(by_integers, by_floats);
  times(name, t[0], nothing(), faster(t[0], t[1], .9));
}

}  // namespace

void small() {
  section("small statements, doubles", "Eigen", "-");
  static_statements<3>(), static_statements<4>(), static_statements<16>();
  for (long n : {4L, 16L, 64L}) dynamic_statements(n);
  section("small functions", "-", "hand loop");
  time_step();
  gradients_of_rows();
  section("mixed types", "-", "floats alone");
  conditions();
}

}  // namespace bench
