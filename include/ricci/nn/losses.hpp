// Losses of numbers and of conditions, element by element: x is what the model says, t what is true, both of one shape.
#pragma once

#include <ricci/nn/reduced_loss.hpp>
#include <ricci/nn/require.hpp>

namespace ricci::nn {

// (x - t)^2
struct mse_t : loss_of_two<mse_t> {
  static constexpr auto name = "mse";
  template <class V>
  static constexpr V terms(V x, V t) {
    return square(x - t);
  }
};
// |x - t|, with derivative 0 where both are equal
struct l1_t : loss_of_two<l1_t> {
  static constexpr auto name = "l1";
  template <class V>
  static constexpr V terms(V x, V t) {
    return abs(x - t);
  }
};
// (x - t)^2 / 2 as far as delta, 1 where it is left out, and from there on the line that continues it (P. J. Huber,
// Robust estimation of a location parameter, 1964). delta > 0; a value_error where another number is given.
struct huber_t : loss_of_two<huber_t> {
  static constexpr auto name = "huber";
  static constexpr void check(Arithmetic auto delta) { require_above_0("nn::huber", "a delta of", double(delta)); }
  template <class V>
  static constexpr V terms(V x, V t) {
    return terms(x, t, 1.);
  }
  template <class V, class D>
  static constexpr V terms(V x, V t, D delta) {
    V const d = x - t, a = abs(d);
    return where(a <= delta, 0.5 * square(d), delta * (a - 0.5 * delta));
  }
};
// log(cosh(x - t)), without overflow, and without cancellation near 0
struct log_cosh_t : loss_of_two<log_cosh_t> {
  static constexpr auto name = "log_cosh";
  template <class V>
  static constexpr V terms(V x, V t) {
    V const d = x - t, a = abs(d);
    V const near = log1p(2. * square(sinh(0.5 * where(a < 1., d, 0.))));
    return where(a < 1., near, a + softplus(-2. * a) - 0.69314718055994531);
  }
};
// Binary cross-entropy of logits: -t log(sigmoid(x)) - (1 - t) log(1 - sigmoid(x)), for t from 0 to 1. A weight
// multiplies the first of both terms.
struct bce_with_logits_t : loss_of_two<bce_with_logits_t> {
  static constexpr auto name = "bce_with_logits";
  // softplus(x) - x t, written from the nearer label, so that nothing cancels where the answer is right
  template <class V>
  static constexpr V terms(V x, V t) {
    auto const is_one = t > 0.5;
    V const wrong = where(is_one, -x, x);
    return softplus(wrong) - wrong * where(is_one, 1. - t, t);
  }
  template <class V>
  static constexpr V terms(V x, V t, V positive_weight) {
    return positive_weight * t * softplus(-x) + (1. - t) * softplus(x);
  }
};
// The same times alpha (for t = 1) or 1 - alpha, and times the probability of the wrong answer to the power of gamma
// (T.-Y. Lin et al., Focal loss for dense object detection, 2017). gamma is 2 and alpha 0.25 where they are left out.
struct focal_t : loss_of_two<focal_t> {
  static constexpr auto name = "focal";
  template <class V>
  static constexpr V terms(V x, V t) {
    return terms(x, t, 2., 0.25);
  }
  template <class V, class N, class M>
  static constexpr V terms(V x, V t, N gamma, M alpha) {
    V const wrong = sigmoid(x) * (1. - t) + sigmoid(-x) * t;
    V const weight = alpha * t + (1. - alpha) * (1. - t);
    auto const some = wrong > 0.;  // a power below 1 has no derivative at 0
    V const power = where(some, pow(where(some, wrong, 1.), gamma), 0.);
    return weight * power * bce_with_logits_t::terms(x, t);
  }
};
// max(0, 1 - t x), for t = -1 or 1
struct hinge_t : loss_of_two<hinge_t> {
  static constexpr auto name = "hinge";
  template <class V>
  static constexpr V terms(V x, V t) {
    return relu(1. - t * x);
  }
};
// The terms t (log(t) - x) of the Kullback-Leibler divergence, where x is the logarithm of what the model says and t a
// probability; 0 where t is 0.
struct kl_t : loss_of_two<kl_t> {
  static constexpr auto name = "kl";
  template <class V>
  static constexpr V terms(V x, V t) {
    auto const is_zero = t == 0.;  // NaN and what is no probability give NaN
    return where(is_zero, 0., t) * (ricci::log(where(is_zero, 1., t)) - where(is_zero, 0., x));
  }
};
// exp(x) - t x: minus the log-likelihood of a count t, less what does not depend on x, where x is the logarithm of the
// rate
struct poisson_nll_t : loss_of_two<poisson_nll_t> {
  static constexpr auto name = "poisson_nll";
  template <class V>
  static constexpr V terms(V x, V t) {
    return exp(x) - t * x;
  }
};
// (log(v) + (x - t)^2 / v) / 2: minus the log-likelihood of t for a mean x and a variance v, less a constant. v is at
// least 1e-6, or what is given behind it. (mean, target, variance)
struct gaussian_nll_t : loss_of_three<gaussian_nll_t> {
  static constexpr auto name = "gaussian_nll";
  template <class V>
  static constexpr V terms(V x, V t, V variance) {
    return terms(x, t, variance, 1e-6);
  }
  template <class V, class N>
  static constexpr V terms(V x, V t, V variance, N least) {
    V const v = maximum(variance, least);
    return 0.5 * (ricci::log(v) + square(x - t) / v);
  }
};
// max(0, margin - y (a - b)): a is to be above b where y is 1, below where it is -1. The margin is 0 where it is left
// out. (a, b, y)
struct margin_ranking_t : loss_of_three<margin_ranking_t> {
  static constexpr auto name = "margin_ranking";
  template <class V>
  static constexpr V terms(V a, V b, V y) {
    return relu(y * (b - a));
  }
  template <class V>
  static constexpr V terms(V a, V b, V y, V margin) {
    return relu(margin - y * (a - b));
  }
};

inline constexpr mse_t mse{};
inline constexpr l1_t l1{};
inline constexpr huber_t huber{};
inline constexpr log_cosh_t log_cosh{};
inline constexpr bce_with_logits_t bce_with_logits{};
inline constexpr focal_t focal{};
inline constexpr hinge_t hinge{};
inline constexpr kl_t kl{};
inline constexpr poisson_nll_t poisson_nll{};
inline constexpr gaussian_nll_t gaussian_nll{};
inline constexpr margin_ranking_t margin_ranking{};

}  // namespace ricci::nn
