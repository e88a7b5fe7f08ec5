// The gamma distribution and those that are made of it: gamma, beta, dirichlet, student_t, chi_square. Samples have
// derivatives by their parameters: how each would move if the probability of less than it stayed what it is.
#pragma once

#include <ricci/ops/composite.hpp>
#include <ricci/random/continuous.hpp>
#include <ricci/random/gamma_sample.hpp>
#include <ricci/random/shapes.hpp>
#include <ricci/special/gamma_slope.hpp>

RICCI_OPTIMIZED
namespace ricci::random {

// An element from a parameter of type T and a word of its own.
template <class Derived>
struct sample_call : core_call<Derived> {
  template <class T>
  using types = type_list<T, std::uint64_t, T>;
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }
};

// not constexpr: reached where a derivative of a derivative is asked for, while compiling or where it is recorded
inline void numbers_of_the_gamma_distribution_have_first_derivatives_alone() {}
// dy / da of y = log(x); it has no derivative of its own.
struct gamma_slope_t : core_call<gamma_slope_t> {
  static constexpr auto name = "slope_of_log_gamma";
  static constexpr core_signature core{"(),()->()"};
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }
  RICCI_FN run(auto const&, auto const& a, auto const& y, auto const& slope) {
    using T = std::remove_cvref_t<decltype(slope())>;
    slope() = static_cast<T>(special::slope_of_log_gamma(double(a()), double(y())));
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const&, V const* t) {
    if (t[0] || t[1]) refuse<V>();
    return V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const&, V, V*) {
    refuse<V>();
  }

 private:
  template <class V>
  static constexpr void refuse() {
    if constexpr (V::mode::runs)
      core::raise<value_error>(core::text() << "random::gamma: there are first derivatives by its parameter alone");
    else
      numbers_of_the_gamma_distribution_have_first_derivatives_alone();
  }
};
// log(x), a > 0.
struct log_gamma_sample_t : sample_call<log_gamma_sample_t> {
  static constexpr auto name = "random::gamma";
  static constexpr core_signature core{"(),()->()"};
  RICCI_FN run(auto const&, auto const& a, auto const& word, auto const& y) {
    using T = std::remove_cvref_t<decltype(y())>;
    y() = static_cast<T>(log_of_gamma(double(a()), word()));
  }
  template <class V>
  static constexpr V slope(ir::application<V> const& at) {
    V operands[] = {at.operand(0), at.y};
    return gamma_slope_t::over(at.y.type(), operands);
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return t[0] ? V(t[0] * slope(at)) : V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = ct * slope(at);
  }
};

// Logarithms of numbers of the gamma distribution, for what has that name.
template <class T, Key K, class A, ShapeArgument S>
constexpr auto log_gamma_of(char const* name, K const& from, A&& a, S const& shape) {
  static_assert(std::is_same_v<T, float> || std::is_same_v<T, double>, "random numbers are float or double");
  return log_gamma_sample_t{}(parameter<T>(name, static_cast<A&&>(a), shape), words<std::uint64_t>(from, shape));
}

// The logarithm of a number of the gamma distribution, which keeps what gamma itself loses where a is small: half of
// those of a = 0.001 are below 1e-300.
template <class T, Key K, class A, ShapeArgument S>
requires operands<A>
constexpr auto log_gamma(K const& from, A&& a, S const& shape) {
  return log_gamma_of<T>("random::log_gamma", from, static_cast<A&&>(a), shape);
}
// Density x^(a-1) exp(-x) / Gamma(a), x > 0; a > 0 is a number or a tensor that is broadcast to the shape. NaN for
// other a. First derivatives by a.
template <class T, Key K, class A, ShapeArgument S>
requires operands<A>
constexpr auto gamma(K const& from, A&& a, S const& shape) {
  return exp(log_gamma_of<T>("random::gamma", from, static_cast<A&&>(a), shape));
}
// The sum of the squares of `df` normal numbers, df > 0 not only an integer.
template <class T, Key K, class A, ShapeArgument S>
requires operands<A>
constexpr auto chi_square(K const& from, A&& df, S const& shape) {
  return T(2) * exp(log_gamma_of<T>("random::chi_square", from, T(0.5) * parameter<T>(static_cast<A&&>(df)), shape));
}
// Density proportional to x^(a-1) (1-x)^(b-1), 0 < x < 1: of two gamma numbers the part of the first, by the difference
// of their logarithms.
template <class T, Key K, class A, class B, ShapeArgument S>
requires operands<A, B>
constexpr auto beta(K const& from, A&& a, B&& b, S const& shape) {
  auto const [first, second] = split(from);
  return sigmoid(log_gamma_of<T>("random::beta", first, static_cast<A&&>(a), shape) -
                 log_gamma_of<T>("random::beta", second, static_cast<B&&>(b), shape));
}
// Student's t with `df` degrees of freedom: a normal number by the root of a chi-square one over df.
template <class T, Key K, class A, ShapeArgument S>
requires operands<A>
constexpr auto student_t(K const& from, A&& df, S const& shape) {
  auto const [first, second] = split(from);
  auto const half = T(0.5) * parameter<T>(static_cast<A&&>(df));
  return normal<T>(first, shape) *
         exp(T(0.5) * (log(half) - log_gamma_of<T>("random::student_t", second, half, shape)));
}

// Positive numbers that add up to 1, as many as alpha has along its last axis; density proportional to the product of
// their powers alpha - 1. The result has the shape and that axis behind it; the others of alpha are broadcast to it.
template <class T, Key K, Tensor A, ShapeArgument S>
constexpr auto dirichlet(K const& from, A&& alpha, S const& shape) {
  auto const wide = with_last_extent(shape, alpha);
  return softmax(log_gamma_of<T>("random::dirichlet", from, static_cast<A&&>(alpha), wide), axis<-1>);
}

}  // namespace ricci::random
RICCI_OPTIMIZED_END
