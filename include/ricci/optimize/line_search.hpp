// How far to go along a direction in which a function falls: the line search of W. W. Hager and H. Zhang, A new
// conjugate gradient method with guaranteed descent and an efficient line search, SIAM J. Optim. 16 (2005), section 4,
// whose names of steps (B, U, S, L) stand below. A place is taken by Wolfe's conditions, or by the approximate ones,
// which can be told apart also where values differ by their rounding errors alone.
#pragma once

#include <cmath>

#include <ricci/core/abi.hpp>
#include <ricci/core/config.hpp>

namespace ricci::optimize {
inline namespace RICCI_ABI {

// The function of the length of the step, its value and its derivative.
struct line_point {
  double at = 0, value = 0, slope = 0;
};

// probe(length) gives a line_point, at most `most` times. After `find` the point that was taken is `taken()`, and was
// the last one that was asked for; where `find` gives false there is none, and `lowest()` is the lowest of all.
template <class Probe>
class line_search {
 public:
  // rounding: by how much values may be wrong
  line_search(Probe& probe, double value, double slope, double rounding, int most)
      : probe_(probe), begin_{0, value, slope}, lowest_(begin_), ceiling_(value + rounding), left_(most) {}

  bool find(double first) {
    line_point a = begin_, b{};
    if (!bracket(a, b, first)) return taken_;
    while (!ends_) {
      double const width = b.at - a.at;
      secant_squared(a, b);                                            // L1
      if (!ends_ && b.at - a.at > .66 * width) halve(a, b);            // L2
      if (!ends_ && !(b.at - a.at > 0 && b.at - a.at < width)) break;  // numbers of the step have run out
    }
    return taken_;
  }
  line_point const& taken() const { return at_; }
  line_point const& lowest() const { return lowest_; }

 private:
  static bool is_finite(line_point const& p) { return std::isfinite(p.value) && std::isfinite(p.slope); }
  bool is_high(line_point const& p) const { return !is_finite(p) || p.value > ceiling_; }

  line_point ask(double length) {
    if (left_-- <= 0) return ends_ = true, line_point{length, begin_.value, 0};
    at_ = probe_(length);
    if (!is_finite(at_)) return at_;
    if (at_.value < lowest_.value) lowest_ = at_;
    constexpr double delta = .1, sigma = .9;
    bool const is_flat = at_.slope >= sigma * begin_.slope;
    bool const wolfe = at_.value - begin_.value <= delta * length * begin_.slope;
    bool const approximate = at_.value <= ceiling_ && at_.slope <= (2 * delta - 1) * begin_.slope;
    if (is_flat && (wolfe || approximate)) taken_ = ends_ = true;
    return at_;
  }

  // B: an interval whose left end is not high and falls, and whose right end rises
  bool bracket(line_point& a, line_point& b, double length) {
    while (!ends_) {
      line_point const c = ask(length);
      if (ends_) return false;
      if (!is_high(c) && c.slope < 0) {  // B3
        a = c, length *= 5;
        continue;
      }
      b = c;
      if (is_finite(c) && c.slope >= 0) return true;  // B1
      between(a, b);                                  // B2
      return !ends_;
    }
    return false;
  }
  // U3: b is high, and the interval is made smaller until its right end rises
  void between(line_point& a, line_point& b) {
    while (!ends_) {
      line_point const d = ask(a.at + (is_finite(b) ? .5 : .1) * (b.at - a.at));
      if (ends_ || d.at == a.at || d.at == b.at) {
        ends_ = true;
      } else if (is_finite(d) && d.slope >= 0) {
        b = d;
        return;
      } else if (is_high(d)) {
        b = d;
      } else {
        a = d;
      }
    }
  }
  // U: c becomes an end of the interval
  void update(line_point& a, line_point& b, line_point const& c) {
    if (is_finite(c) && c.slope >= 0) {
      b = c;
    } else if (!is_high(c)) {
      a = c;
    } else {
      b = c;
      between(a, b);
    }
  }
  static double secant(line_point const& a, line_point const& b) {
    return (a.at * b.slope - b.at * a.slope) / (b.slope - a.slope);
  }
  bool asks_between(line_point& a, line_point& b, double length, line_point& c) {
    if (!(length > a.at && length < b.at)) return false;  // U0, also where it is NaN
    c = ask(length);
    if (ends_) return false;
    update(a, b, c);
    return !ends_;
  }
  // S: a step of the secant, and another from the end that it has moved
  void secant_squared(line_point& a, line_point& b) {
    line_point const left = a, right = b;
    line_point c;
    if (!asks_between(a, b, secant(a, b), c)) return;
    if (c.at == b.at)
      asks_between(a, b, secant(right, b), c);
    else if (c.at == a.at)
      asks_between(a, b, secant(left, a), c);
  }
  void halve(line_point& a, line_point& b) {
    line_point c;
    asks_between(a, b, .5 * (a.at + b.at), c);
  }

  Probe& probe_;
  line_point begin_, at_{}, lowest_;
  double ceiling_;
  int left_;
  bool taken_ = false, ends_ = false;
};

}  // namespace RICCI_ABI
}  // namespace ricci::optimize
