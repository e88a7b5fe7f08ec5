// Fits a dying oscillation y = a exp(-b t) cos(c t + d) to measurements: `fit a b c d < table`, where a b c d is a
// first guess and each line of the table holds t and y. Without arguments it makes measurements of a known curve and
// finds it again.
//
// Levenberg's and Marquardt's method: each step solves (J'J + m I) s = -J'r for the residuals r and their Jacobian J,
// which is never formed. Conjugate gradients need only J v, which is a jvp, and J'w, which is a vjp.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <ricci/ricci.hpp>

namespace rc = ricci;

using curve = rc::tensor<double, 4>;  // a, b, c, d
using samples = rc::tensor<double, rc::dim<"samples">>;

constexpr auto model = [](auto const& p, auto const& t) {
  return p(0) * rc::exp(-p(1) * t) * rc::cos(p(2) * t + p(3));
};
constexpr auto residuals = [](auto const& p, auto const& t, auto const& y) { return model(p, t) - y; };

double dot(curve const& x, curve const& y) { return double(rc::sum(x * y)); }

curve fit(curve p, samples const& t, samples const& y) {
  samples const fixed = rc::zeros_like(t);  // the measurements do not move
  double damping = 1e-3;
  for (int round = 1; round <= 100; ++round) {
    auto const [r, pull] = rc::vjp(residuals)(p, t, y);
    double const error = double(rc::sum(r * r));
    curve step, left = -std::get<0>(pull(r)), direction = left;
    double const steepness = dot(left, left);
    for (int k = 0; k < 4 && dot(left, left) > 1e-30 * steepness; ++k) {
      auto const [same, moved] = rc::jvp(residuals)(p, t, y)(direction, fixed, fixed);
      curve const image = std::get<0>(pull(moved)) + damping * direction;
      double const before = dot(left, left), length = before / dot(direction, image);
      step += length * direction;
      left -= length * image;
      direction = left + dot(left, left) / before * direction;
    }
    curve const next = p + step;
    double const next_error = double(rc::sum(rc::square(rc::fn(residuals)(next, t, y))));
    if (!(next_error <= error)) {  // too far: trust the slope more and the curvature less
      damping *= 10;
      continue;
    }
    std::printf("round %2d   root mean square of the residuals %.6f\n", round,
                std::sqrt(next_error / double(t.size())));
    p = next;
    damping /= 10;
    if (error - next_error <= 1e-12 * error) break;
  }
  return p;
}

int main(int argc, char** argv) {
  std::vector<double> times, values;
  curve guess{1, 0, 2.6, 0};
  if (argc == 5) {
    for (int k = 0; k < 4; ++k) guess(k) = std::atof(argv[k + 1]);
    for (double t, y; std::scanf("%lf %lf", &t, &y) == 2;) times.push_back(t), values.push_back(y);
  } else {
    for (int k = 0; k < 200; ++k) {
      double const t = 0.05 * k, noise = 0.02 * std::sin(12.9898 * k * k);
      times.push_back(t), values.push_back(1.5 * std::exp(-0.3 * t) * std::cos(2.5 * t + 0.4) + noise);
    }
    std::printf("200 measurements of 1.5 exp(-0.3 t) cos(2.5 t + 0.4), with noise up to 0.02\n");
  }
  if (times.size() < 4) return std::fprintf(stderr, "fit: four parameters need at least four measurements\n"), 1;
  curve const p = fit(guess, rc::asarray<double>(times), rc::asarray<double>(values));
  std::printf("y = %.3f exp(%.3f t) cos(%.3f t + %.3f)\n", p(0), -p(1), p(2), p(3));
  return 0;
}
