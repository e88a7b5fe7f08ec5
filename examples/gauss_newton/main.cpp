// Finds where the points of a network lie from distances that were measured between neighbours, as surveyors and sensor
// networks do: `gauss_newton [points per side]`. Four corners are known; the distances have an error of about 1/1000.
//
// Gauss and Newton's method, damped as Levenberg and Marquardt do: each step solves (J'J + m I) s = -J'r for the
// residuals r and their Jacobian J, which has four elements in each row, of the thousands that there are columns. They
// are computed by as many derivatives as its columns have colors, eight for any number of points. Conjugate gradients
// need products with J and J' alone.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <ricci/ricci.hpp>

namespace rc = ricci;

using points = rc::ndarray<double, 2>;  // x, y
using vector = rc::ndarray<double, 1>;
using indices = rc::ndarray<int, 1>;

// How much each bar is too long, and how far the corners, which weigh more, have moved.
constexpr auto residuals = [](auto p, auto from, auto to, auto measured, auto corners, auto fixed) {
  auto const bars = rc::take(p, from, rc::axis<0>) - rc::take(p, to, rc::axis<0>);
  auto const error = rc::sqrt(rc::sum(bars * bars, rc::axis<1>)) - measured;
  return rc::concat(error, rc::ravel(10. * (rc::take(p, corners, rc::axis<0>) - fixed)), rc::axis<0>);
};

double noise(double k) { return std::sin(12.9898 * k * k + 4.1 * k); }
double dot(vector const& x, vector const& y) { return double(rc::sum(x * y)); }

// the solution of (J'J + m I) s = right
template <class Matrix>
vector solve(Matrix const& j, double m, vector const& right) {
  vector s = rc::zeros_like(right), left = right, direction = right;
  double const begin = dot(right, right);
  for (int k = 0; k < 2000 && dot(left, left) > 1e-16 * begin; ++k) {
    vector const image = j.rmatvec(j.matvec(direction)) + m * direction;
    double const before = dot(left, left), length = before / dot(direction, image);
    s += length * direction;
    left -= length * image;
    direction = left + dot(left, left) / before * direction;
  }
  return s;
}

int main(int argc, char** argv) {
  int const side = argc > 1 ? std::atoi(argv[1]) : 40, count = side * side;
  if (side < 2) return std::fprintf(stderr, "gauss_newton: at least 2 points per side\n"), 1;
  points truth(count, 2), p(count, 2);
  std::vector<int> from, to;
  for (int k = 0; k < count; ++k) {
    int const x = k % side, y = k / side;
    truth(k, 0) = x + 0.2 * noise(k), truth(k, 1) = y + 0.2 * noise(k + 0.5);
    p(k, 0) = x, p(k, 1) = y;
    auto const bar = [&](int dx, int dy) {
      if (x + dx < 0 || x + dx >= side || y + dy >= side) return;
      from.push_back(k), to.push_back(k + dx + side * dy);
    };
    bar(1, 0), bar(0, 1), bar(1, 1), bar(-1, 1);
  }
  indices const i = rc::asarray<int>(from), j = rc::asarray<int>(to);
  indices const corners{0, side - 1, count - side, count - 1};
  points const fixed = rc::take(truth, corners, rc::axis<0>),
               bars = rc::take(truth, i, rc::axis<0>) - rc::take(truth, j, rc::axis<0>);
  vector measured = rc::sqrt(rc::sum(bars * bars, rc::axis<1>));
  for (int k = 0; k < int(from.size()); ++k) measured(k) *= 1 + 1e-3 * noise(k + 0.25);

  auto jacobian = rc::prepared(rc::sparse_jacobian(residuals));
  double damping = 1e-3;
  vector r = rc::fn(residuals)(p, i, j, measured, corners, fixed);
  for (int round = 1; round <= 50; ++round) {
    auto const a = jacobian(p, i, j, measured, corners, fixed);
    double const error = dot(r, r);
    points const next = p + rc::reshape(solve(a, damping, -a.rmatvec(r)), rc::shape(count, 2));
    vector const left = rc::fn(residuals)(next, i, j, measured, corners, fixed);
    if (!(dot(left, left) <= error)) {
      damping *= 10;
      continue;
    }
    std::printf("round %2d   %ld x %ld with %ld elements, %ld colors   sum of squares %.3g\n", round, long(a.shape(0)),
                long(a.shape(1)), long(a.nonzeros()), long(a.colors), dot(left, left));
    p = next, r = left, damping /= 10;
    if (error - dot(r, r) <= 1e-6 * error) break;
  }
  points const miss = p - truth;
  std::printf("of %d points at most %.4f from where they are\n", count,
              double(rc::max(rc::sqrt(rc::sum(miss * miss, rc::axis<1>)))));
  return 0;
}
