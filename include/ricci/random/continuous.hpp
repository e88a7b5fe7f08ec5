// Continuous distributions that are formulas of one word, in their standard forms: what has another scale and place is
// `place + scale * laplace<T>(key, shape)`, and so are its derivatives by both. Each is the inverse of the distribution
// function at a tail (tail_of_word_t), so that neither end is cut off where numbers between 0 and 1 are. (Formulas:
// L. Devroye, Non-uniform random variate generation, 1986, section II.2.)
#pragma once

#include <ricci/ops/select.hpp>
#include <ricci/ops/trigonometry.hpp>
#include <ricci/random/normal.hpp>
#include <ricci/special/error_functions.hpp>

RICCI_OPTIMIZED
namespace ricci::random {

namespace tail_formulas {

// A formula of a tail t, -p or p with 0 < p <= 1/2.
template <class Derived>
struct of_tail : composite_function<Derived> {};
// -log(1 - u)
struct exponential_t : of_tail<exponential_t> {
  static constexpr auto name = "random::exponential";
  template <class V>
  static constexpr V formula(V t) {
    return -where(t < 0., log1p(t), log(t));
  }
};
// -log(-log(u))
struct gumbel_t : of_tail<gumbel_t> {
  static constexpr auto name = "random::gumbel";
  template <class V>
  static constexpr V formula(V t) {
    return -log(-where(t < 0., log(-t), log1p(-t)));
  }
};
// log(u / (1 - u))
struct logistic_t : of_tail<logistic_t> {
  static constexpr auto name = "random::logistic";
  template <class V>
  static constexpr V formula(V t) {
    V const p = abs(t);
    return sign(t) * (log1p(-p) - log(p));
  }
};
struct laplace_t : of_tail<laplace_t> {
  static constexpr auto name = "random::laplace";
  template <class V>
  static constexpr V formula(V t) {
    return -(sign(t) * log(2. * abs(t)));
  }
};
// tan(pi (u - 1/2)), which is 1 / tan(pi t)
struct cauchy_t : of_tail<cauchy_t> {
  static constexpr auto name = "random::cauchy";
  template <class V>
  static constexpr V formula(V t) {
    return 1. / ricci::tan(3.1415926535897932 * t);
  }
};

}  // namespace tail_formulas

// Waiting times of mean 1: density exp(-x), x > 0.
template <class T, Key K, ShapeArgument S>
constexpr auto exponential(K const& from, S const& shape) {
  return tail_formulas::exponential_t{}(tails<T>(from, shape));
}
// The largest of many: distribution function exp(-exp(-x)).
template <class T, Key K, ShapeArgument S>
constexpr auto gumbel(K const& from, S const& shape) {
  return tail_formulas::gumbel_t{}(tails<T>(from, shape));
}
// Distribution function 1 / (1 + exp(-x)).
template <class T, Key K, ShapeArgument S>
constexpr auto logistic(K const& from, S const& shape) {
  return tail_formulas::logistic_t{}(tails<T>(from, shape));
}
// Density exp(-|x|) / 2.
template <class T, Key K, ShapeArgument S>
constexpr auto laplace(K const& from, S const& shape) {
  return tail_formulas::laplace_t{}(tails<T>(from, shape));
}
// Density 1 / (pi (1 + x^2)).
template <class T, Key K, ShapeArgument S>
constexpr auto cauchy(K const& from, S const& shape) {
  return tail_formulas::cauchy_t{}(tails<T>(from, shape));
}

// The quantile of what is normal between two numbers: of the probability between those below a and below b.
struct truncated_normal_t : composite_function<truncated_normal_t, 3> {
  static constexpr auto name = "random::truncated_normal";
  template <class V>
  static constexpr V formula(V t, V a, V b) {
    V const p = abs(t), u = where(t < 0., p, 1. - p), v = where(t < 0., 1. - p, p);
    V const below = v * special::ndtr(a) + u * special::ndtr(b), above = v * special::ndtr(-a) + u * special::ndtr(-b);
    V const x = clip(V(normal_of_tail(where(below < above, -below, above))), a, b);
    return where(a <= b, x, special::not_a_number);
  }
};
// Normal numbers between `low` and `high`, numbers or tensors that are broadcast to the shape; derivatives by both.
// Where both lie so far in a tail that less than the least number of T is beyond (37 deviations for double, 13 for
// float) it is NaN, and where a tensor's low is above high; of two numbers that is a value_error.
template <class T, Key K, class A, class B, ShapeArgument S>
requires operands<A, B>
constexpr auto truncated_normal(K const& from, A&& low, B&& high, S const& shape) {
  if constexpr (Arithmetic<std::remove_cvref_t<A>> && Arithmetic<std::remove_cvref_t<B>>)
    if (!(double(low) <= double(high)))
      core::raise<value_error>(core::text()
                               << "random::truncated_normal: low has to be a number that is not above high");
  return truncated_normal_t{}(tails<T>(from, shape),
                              parameter<T>("random::truncated_normal", static_cast<A&&>(low), shape),
                              parameter<T>("random::truncated_normal", static_cast<B&&>(high), shape));
}

}  // namespace ricci::random
RICCI_OPTIMIZED_END
