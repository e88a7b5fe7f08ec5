// The method of Levenberg and Marquardt over vectors in memory, compiled once for all functions of an element type:
// steps of Gauss and Newton, damped by the scale of each number [Moré, The Levenberg-Marquardt algorithm:
// implementation and theory, 1978], the damping changed by how much of what was foretold a step brought [Nielsen,
// Damping parameter in Marquardt's method, 1999].
#pragma once

#include <cmath>
#include <limits>

#include <ricci/core/errors.hpp>
#include <ricci/linalg/qr.hpp>
#include <ricci/linalg/triangular.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/optimize/minimise.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci::optimize {

// When `least_squares` is done, with SciPy's names and numbers.
struct least_squares_options {
  double gtol = 1e-8;  // where no element of the gradient is larger
  double ftol = 1e-8;  // where a step makes the value less by no more than ftol times the value, as was foretold
  double xtol = 1e-8;  // where a step is no longer than xtol times x, both by the scales of the numbers
  int max_steps = 1000;
  int max_evaluations = 1000;  // of the residuals
};

inline namespace RICCI_ABI {

// residuals(self, x) at x; jacobian(self) there where they were taken last, (m, n).
template <class T>
struct residuals {
  ndarray<T, 1> (*at)(void* self, T const* x);
  ndarray<T, 2> (*jacobian)(void* self);
  void* self;
};

template <class T>
class damped_steps {
 public:
  damped_steps(residuals<T> const& f, least_squares_options const& o, ndarray<T, 1>& x) : f_(f), options_(o), x_(x) {}

  outcome run() {
    check();
    outcome& r = result_;
    r_ = at(x_);
    r.value = half_of_squares(r_);
    require_finite(name, r.value, "the sum of squares");
    ndarray<T, 1> scale = zeros<T>(shape(x_.size()));
    double damping = 1e-3, factor = 2;
    for (;;) {
      ndarray<T, 2> const j = f_.jacobian(f_.self);
      ndarray<T, 1> const gradient = matmul(r_, j);
      r.gradient_norm = gradient.size() == 0 ? 0 : double(max(abs(gradient)).item());
      if (r.steps == 0) require_finite(name, r.gradient_norm, "an element of the gradient");
      if (!std::isfinite(r.gradient_norm)) return r.reason = stop::no_progress, r;
      if (r.gradient_norm <= options_.gtol) return r.reason = stop::gradient, r;
      if (r.steps >= options_.max_steps) return r.reason = stop::max_steps, r;
      ndarray<T, 1> const lengths = sqrt(sum(square(j), axis<0>));
      scale = maximum(scale, where(lengths > T(0), lengths, where(scale > T(0), scale, T(1))));
      auto const [q, upper] = linalg::qr(j);
      ndarray<T, 2> const r_factor = upper;
      ndarray<T, 1> const c = matmul(r_, q);
      for (bool taken = false; !taken;) {
        if (r.evaluations >= options_.max_evaluations) return r.reason = stop::max_evaluations, r;
        ndarray<T, 1> const step = damped(r_factor, c, scale, damping);
        double const length = norm_of(ndarray<T, 1>(scale * step)), along = norm_of(ndarray<T, 1>(matmul(j, step)));
        double const foretold = .5 * along * along + damping * length * length;
        if (!(foretold > 0)) return r.reason = stop::no_progress, r;  // NaN, or a step of nothing
        ndarray<T, 1> const next = x_ + step;
        ndarray<T, 1> const there = at(next);
        double const value = half_of_squares(there), won = r.value - value, ratio = won / foretold;
        taken = ratio > 1e-4;  // no NaN
        double const at_least = options_.ftol * r.value;
        bool const is_flat = std::fabs(won) <= at_least && foretold <= at_least && ratio <= 2;
        bool const is_short = length <= options_.xtol * norm_of(ndarray<T, 1>(scale * x_));
        if (taken) {
          x_ = next, r_ = there, r.value = value, ++r.steps;
          double const t = 2 * ratio - 1;
          damping *= std::fmax(1. / 3, 1 - t * t * t), factor = 2;
        } else {
          damping *= factor, factor *= 2;
        }
        if (is_flat) return ends(stop::value, taken);
        if (is_short) return ends(stop::step, taken);
        if (!taken && !(damping < 1e30)) return ends(stop::no_progress, false);
      }
    }
  }

 private:
  static constexpr auto name = "least_squares";
  void check() const {
    require(name, options_.gtol >= 0, "a gtol of at least 0");
    require(name, options_.ftol >= 0, "an ftol of at least 0");
    require(name, options_.xtol >= 0, "an xtol of at least 0");
    require(name, options_.max_steps >= 0, "max_steps of at least 0");
    require(name, options_.max_evaluations > 0, "max_evaluations above 0");
  }
  ndarray<T, 1> at(ndarray<T, 1> const& x) { return ++result_.evaluations, f_.at(f_.self, x.data()); }
  static double half_of_squares(ndarray<T, 1> const& r) {
    double s = 0;
    for (index_t k = 0; k < r.size(); ++k) s += double(r.data()[k]) * double(r.data()[k]);
    return s / 2;
  }
  static double norm_of(ndarray<T, 1> const& v) { return std::sqrt(2 * half_of_squares(v)); }
  // The step d with least |R d + c|^2 + damping |scale d|^2.
  static ndarray<T, 1> damped(ndarray<T, 2> const& r, ndarray<T, 1> const& c, ndarray<T, 1> const& scale,
                              double damping) {
    index_t const n = scale.size();
    ndarray<T, 2> below = zeros<T>(shape(n, n));
    for (index_t k = 0; k < n; ++k) below(k, k) = T(std::sqrt(damping)) * scale(k);
    auto const [q, upper] = linalg::qr(concat(r, below));
    ndarray<T, 1> const right = -matmul(concat(c, zeros<T>(shape(n))), q);
    return linalg::solve_triangular(upper, right, ricci::upper);
  }
  // With the gradient where it ended, if it has just come there.
  outcome ends(stop reason, bool moved) {
    result_.reason = reason;
    if (moved) {
      ndarray<T, 1> const gradient = matmul(r_, f_.jacobian(f_.self));
      result_.gradient_norm = double(max(abs(gradient)).item());
    }
    return result_;
  }

  residuals<T> f_;
  least_squares_options options_;
  ndarray<T, 1>& x_;
  ndarray<T, 1> r_;
  outcome result_;
};

}  // namespace RICCI_ABI
}  // namespace ricci::optimize
