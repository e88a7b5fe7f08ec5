// Regression by a Gaussian process: the amplitude and length of a curve and the noise of its measurements are those
// that make the measurements likeliest, found by gradients through a Cholesky factor. `gaussian_process [folder]` draws
// curve.png, the curve within two standard deviations.
#include <cmath>
#include <cstdio>
#include <string>

#include <ricci/io.hpp>
#include <ricci/linalg.hpp>
#include <ricci/random.hpp>

namespace rc = ricci;

template <class Kind = rc::values>
struct logarithms {
  rc::field<Kind, double> amplitude, length, noise;
};

constexpr auto covariance = [](auto a, auto b, auto p) {
  auto distance = a(rc::all, rc::newaxis) - b(rc::newaxis, rc::all);
  return rc::exp(2. * p.amplitude - 0.5 * rc::square(distance) * rc::exp(-2. * p.length));
};
constexpr auto lower_factor = [](auto p, auto x) {
  return rc::linalg::cholesky(covariance(x, x, p) + rc::exp(2. * p.noise) * rc::eye<double>(x.shape(0)));
};
// minus the logarithm of the likelihood, but for a constant
constexpr auto loss = [](auto p, auto x, auto y) {
  auto l = lower_factor(p, x);
  return 0.5 * rc::sum(rc::square(rc::linalg::solve_triangular(l, y))) + rc::sum(rc::log(rc::diagonal(l)));
};
constexpr auto predict = [](auto p, auto x, auto y, auto at) {
  auto l = lower_factor(p, x);
  auto v = rc::linalg::solve_triangular(l, covariance(x, at, p));
  auto mean = rc::matmul(rc::linalg::solve_triangular(l, y), v);
  return std::pair(mean, rc::sqrt(rc::exp(2. * p.amplitude) - rc::sum(v * v, rc::axis<0>)));
};

int main(int argc, char** argv) {
  rc::random::generator rng(3);
  rc::ndarray<double, 1> const x = rng.uniform<double>(rc::shape(60), 0., 8.);
  rc::ndarray<double, 1> const y = 2 * rc::sin(x) + 0.3 * rng.normal<double>(x.shape());

  logarithms<> p, speed;
  for (int step = 0; step < 400; ++step)
    rc::tree_map([](auto& q, auto& v, auto const& g) { v = 0.9 * v - 0.001 * g, q += v; }, p, speed,
                 rc::grad(loss)(p, x, y));
  std::printf("amplitude %.3f, length %.3f, noise %.3f\n", std::exp(double(p.amplitude)), std::exp(double(p.length)),
              std::exp(double(p.noise)));

  auto const [mean, deviation] = rc::fn(predict)(p, x, y, rc::linspace<double>(0, 10, 400));
  auto const height = rc::eval(rc::linspace<double>(4, -4, 240)(rc::all, rc::newaxis));
  auto const off = rc::abs(height - mean);
  rc::ndarray<std::uint8_t, 2> picture = rc::where(off < 0.03, 60, rc::where(off < 2 * deviation, 190, 255));
  picture(rc::astype<int>((4 - y) * (239. / 8)), rc::astype<int>(x * 39.9)) = 0;
  rc::io::save(std::string(argc > 1 ? argv[1] : ".") + "/curve.png", picture);
}
