// What steps and changes of the gradient tell of the second derivatives: the last pairs of them, and the direction that
// follows from these by two loops [Nocedal and Wright, Numerical Optimization, 2nd edition, algorithm 7.4].
#pragma once

#include <cmath>
#include <cstddef>
#include <limits>

#include <ricci/core/abi.hpp>
#include <ricci/core/config.hpp>

namespace ricci::optimize {
inline namespace RICCI_ABI {

using std::ptrdiff_t;

// Vectors of n elements; sums in double.
template <class T>
double dot(T const* a, T const* b, ptrdiff_t n) {
  double s[8] = {};
  ptrdiff_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (int j = 0; j < 8; ++j) s[j] += double(a[k + j]) * double(b[k + j]);
  double all = ((s[0] + s[1]) + (s[2] + s[3])) + ((s[4] + s[5]) + (s[6] + s[7]));
  for (; k < n; ++k) all += double(a[k]) * double(b[k]);
  return all;
}
template <class T>
void add(T* to, double factor, T const* x, ptrdiff_t n) {
  for (ptrdiff_t k = 0; k < n; ++k) to[k] = static_cast<T>(double(to[k]) + factor * double(x[k]));
}

// The last pairs of a step s and the change of the gradient y, at most `most` of them, in memory of 2 most n elements.
template <class T>
class curvature {
 public:
  curvature(T* memory, double* numbers, int most, ptrdiff_t n)
      : steps_(memory), changes_(memory + most * n), inverse_(numbers), factors_(numbers + most), most_(most), n_(n) {}

  int count() const { return count_; }
  void forget() { count_ = 0, scale_ = 1; }
  // Kept where the function is curved upwards along the step: where the cosine of s and y is above rounding, which no
  // unit of the function or of x changes.
  void learn(T const* x, T const* x_before, T const* g, T const* g_before) {
    double product = 0, square = 0, length = 0;
    for (ptrdiff_t k = 0; k < n_; ++k) {
      double const y = double(g[k]) - double(g_before[k]), s = double(x[k]) - double(x_before[k]);
      product += y * s, square += y * y, length += s * s;
    }
    if (!(product > std::numeric_limits<T>::epsilon() * std::sqrt(length) * std::sqrt(square))) return;
    int const slot = next_;
    T* const s = steps_ + slot * n_;
    T* const y = changes_ + slot * n_;
    for (ptrdiff_t k = 0; k < n_; ++k) s[k] = x[k] - x_before[k], y[k] = g[k] - g_before[k];
    inverse_[slot] = 1 / product;
    scale_ = product / square;  // (7.20)
    next_ = (slot + 1) % most_;
    if (count_ < most_) ++count_;
  }
  // minus the approximate inverse of the second derivatives times g
  void direction(T const* g, T* d) const {
    for (ptrdiff_t k = 0; k < n_; ++k) d[k] = -g[k];
    for (int age = 1; age <= count_; ++age) {
      int const slot = (next_ - age + most_) % most_;
      factors_[slot] = inverse_[slot] * dot(steps_ + slot * n_, d, n_);
      add(d, -factors_[slot], changes_ + slot * n_, n_);
    }
    for (ptrdiff_t k = 0; k < n_; ++k) d[k] = static_cast<T>(scale_ * double(d[k]));
    for (int age = count_; age >= 1; --age) {
      int const slot = (next_ - age + most_) % most_;
      add(d, factors_[slot] - inverse_[slot] * dot(changes_ + slot * n_, d, n_), steps_ + slot * n_, n_);
    }
  }

 private:
  T *steps_, *changes_;
  double *inverse_, *factors_;
  int most_;
  ptrdiff_t n_;
  int count_ = 0, next_ = 0;
  double scale_ = 1;
};

}  // namespace RICCI_ABI
}  // namespace ricci::optimize
