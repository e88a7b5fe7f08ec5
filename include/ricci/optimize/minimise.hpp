// The method of L-BFGS over vectors in memory, compiled once for all functions of an element type [Nocedal and Wright,
// Numerical Optimization, 2nd edition, algorithm 7.5].
#pragma once

#include <ricci/core/errors.hpp>
#include <ricci/optimize/curvature.hpp>
#include <ricci/optimize/line_search.hpp>

namespace ricci::optimize {

// When `lbfgs` is done, with SciPy's names and numbers; a tolerance of 0 is never reached but by a gradient of zeros.
struct lbfgs_options {
  double gtol = 1e-5;    // where no element of the gradient is larger
  double ftol = 2.2e-9;  // where a step makes the value less by no more than ftol max(|before|, |after|, 1)
  int max_steps = 15000;
  int max_evaluations = 15000;
};

// Why a minimiser stopped; `step` is one of least_squares alone.
enum class stop { gradient, value, max_steps, max_evaluations, no_progress, step };

constexpr char const* name_of(stop reason) {
  constexpr char const* names[] = {"gradient", "value", "max_steps", "max_evaluations", "no_progress", "step"};
  return names[static_cast<int>(reason)];
}

inline namespace RICCI_ABI {

struct outcome {
  double value = 0, gradient_norm = 0;
  int steps = 0, evaluations = 0;
  stop reason = stop::gradient;
};

// value_error in the name of a minimiser: an option is none, or a number at x0 is not finite.
RICCI_COLD inline void require(char const* who, bool holds, char const* option) {
  if (!holds) core::raise<value_error>(core::text() << "optimize::" << who << ": " << option << " is expected");
}
RICCI_COLD inline void require_finite(char const* who, double x, char const* what) {
  if (!std::isfinite(x))
    core::raise<value_error>(core::text() << "optimize::" << who << ": at x0 " << what << " is "
                                          << (std::isnan(x) ? "NaN"
                                              : x > 0       ? "infinity"
                                                            : "minus infinity"));
}

// evaluate(self, x, g) writes the gradient at x and returns the value.
template <class T>
struct objective {
  double (*evaluate)(void* self, T const* x, T* g);
  void* self;
};

// How many vectors it works in, beside x.
constexpr int work_rows(int history) { return 2 * history + 4; }

template <class T>
class minimiser {
 public:
  // work: of work_rows vectors; numbers: two for each pair
  minimiser(objective<T> const& f, lbfgs_options const& o, T* x, T* work, double* numbers, int history, ptrdiff_t n)
      : f_(f),
        options_(o),
        n_(n),
        x_(x),
        g_(work),
        next_x_(work + n),
        next_g_(work + 2 * n),
        d_(work + 3 * n),
        past_(work + 4 * n, numbers, history, n) {}

  outcome run() {
    check();
    auto& r = result_;
    r.value = at(x_, g_);
    require_finite(name, r.value, "the value");
    for (ptrdiff_t k = 0; k < n_; ++k) require_finite(name, double(g_[k]), "an element of the gradient");
    r.gradient_norm = largest(g_);
    for (;;) {
      if (r.gradient_norm <= options_.gtol) return r.reason = stop::gradient, r;
      if (r.steps >= options_.max_steps) return r.reason = stop::max_steps, r;
      if (r.evaluations >= options_.max_evaluations) return r.reason = stop::max_evaluations, r;
      double const before = r.value;
      if (!step()) return r.reason = spent() ? stop::max_evaluations : stop::no_progress, r;
      double const size = std::fmax(std::fmax(std::fabs(before), std::fabs(r.value)), 1);
      if (r.gradient_norm > options_.gtol && options_.ftol > 0 && before - r.value <= options_.ftol * size)
        return r.reason = stop::value, r;
    }
  }

 private:
  static constexpr auto name = "lbfgs";
  void check() const {
    require(name, options_.gtol >= 0, "a gtol of at least 0");
    require(name, options_.ftol >= 0, "an ftol of at least 0");
    require(name, options_.max_steps >= 0, "max_steps of at least 0");
    require(name, options_.max_evaluations > 0, "max_evaluations above 0");
  }
  double at(T const* x, T* g) { return ++result_.evaluations, f_.evaluate(f_.self, x, g); }
  bool spent() const { return result_.evaluations >= options_.max_evaluations; }
  double largest(T const* g) const {
    double most = 0;
    for (ptrdiff_t k = 0; k < n_; ++k) most = std::fmax(most, std::fabs(double(g[k])));
    return most;
  }
  line_point along(double length) {
    for (ptrdiff_t k = 0; k < n_; ++k) next_x_[k] = static_cast<T>(double(x_[k]) + length * double(d_[k]));
    double const value = at(next_x_, next_g_);
    return {length, value, dot(next_g_, d_, n_)};
  }
  // One along the direction that the past tells, or, where that is of no use, along the gradient alone.
  bool step() {
    for (;;) {
      past_.direction(g_, d_);
      double const slope = dot(g_, d_, n_);
      bool const informed = past_.count() > 0;
      if (slope < 0 && std::isfinite(slope) && search(slope, informed ? 1 : std::fmin(1, 1 / std::sqrt(-slope))))
        return true;
      if (!informed || spent()) return false;
      past_.forget();
    }
  }
  bool search(double slope, double first) {
    auto const probe = [this](double length) { return along(length); };
    int const left = options_.max_evaluations - result_.evaluations, most = left < 50 ? left : 50;
    double const rounding = 100 * double(std::numeric_limits<T>::epsilon()) * std::fabs(result_.value);
    line_search<decltype(probe) const> line(probe, result_.value, slope, rounding, most);
    line_point p;
    if (line.find(first)) {
      p = line.taken();
    } else {
      p = line.lowest();
      if (!(p.value < result_.value) || spent()) return false;
      p = along(p.at);
    }
    past_.learn(next_x_, x_, next_g_, g_);
    for (ptrdiff_t k = 0; k < n_; ++k) x_[k] = next_x_[k];
    T* const g = g_;
    g_ = next_g_, next_g_ = g;
    result_.value = p.value, result_.gradient_norm = largest(g_), ++result_.steps;
    return true;
  }

  objective<T> f_;
  lbfgs_options options_;
  ptrdiff_t n_;
  T *x_, *g_, *next_x_, *next_g_, *d_;
  curvature<T> past_;
  outcome result_;
};

}  // namespace RICCI_ABI
}  // namespace ricci::optimize
