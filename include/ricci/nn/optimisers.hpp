// Directions made of gradients, as links of a chain (nn/chain.hpp). Where methods differ in details, these are Optax's.
// g is the gradient, t the number of the step from 1 on.
#pragma once

#include <ricci/nn/chain.hpp>
#include <ricci/nn/require.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

// The gradient divided by its norm over all parameters where that is above `norm`, times it (R. Pascanu, T. Mikolov, Y.
// Bengio, 2013).
struct clip_by_global_norm {
  required<float, struct missing_norm> norm;
  void check() const { require_above_0("nn::clip_by_global_norm", "a norm of", double(float(norm))); }
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [norm] = tree::members(h);
    auto const scale = norm / maximum(sqrt(sum_of_squares(g)), norm);
    update_leaves([&](auto& d) { d = d * scale; }, g);
    return std::pair(g, s);
  }
};
// Adam (D. P. Kingma, J. Ba, 2015).
struct adam {
  float b1 = .9f, b2 = .999f, eps = 1e-8f;
  void check() const { require_decays("nn::adam", {b1, b2}); }
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) { return two_zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [beta1, beta2, epsilon] = h;
    auto const t = astype<float>(step) + 1.f;
    auto const r1 = 1.f / (1.f - pow(beta1, t)), r2 = 1.f / (1.f - pow(beta2, t));
    update_leaves(
        [b1 = beta1, b2 = beta2, eps = epsilon, r1, r2](auto& d, auto& m, auto& v) {
          m = b1 * m + (1.f - b1) * d;
          v = b2 * v + (1.f - b2) * d * d;
          d = r1 * m / (sqrt(r2 * v) + eps);
        },
        g, s.first, s.second);
    return std::pair(g, s);
  }
};
// Adds `decay` times the parameters (behind Adam: AdamW, I. Loshchilov, F. Hutter, 2019).
struct add_decayed_weights {
  float decay = 1e-4f;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const&) {
    auto const& [given_decay] = h;
    update_leaves([decay = given_decay](auto& d, auto const& w) { d = d + decay * w; }, g, params);
    return std::pair(g, s);
  }
};
// Each element of the gradient within [-bound, bound].
struct clip {
  required<float, struct missing_bound> bound;
  void check() const { require_above_0("nn::clip", "a bound of", double(float(bound))); }
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_bound] = tree::members(h);
    update_leaves([bound = given_bound](auto& d) { d = maximum(minimum(d, bound), -bound); }, g);
    return std::pair(g, s);
  }
};
// The gradient itself: `nn::sgd{} | nn::constant{1e-2f}`.
struct sgd {
  static constexpr bool needs_rate = true;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const&, auto g, auto s, auto const&, auto const&) { return std::pair(g, s); }
};
// The sum m = g + decay m (B. T. Polyak, 1964).
struct momentum {
  float decay = .9f;
  void check() const { require_decays("nn::momentum", {decay}); }
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_decay] = h;
    update_leaves([decay = given_decay](auto& d, auto& m) { d = m = d + decay * m; }, g, s);
    return std::pair(g, s);
  }
};
// g + decay m of that sum (I. Sutskever, J. Martens, G. Dahl, G. Hinton, 2013).
struct nesterov {
  float decay = .9f;
  void check() const { require_decays("nn::nesterov", {decay}); }
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_decay] = h;
    update_leaves(
        [decay = given_decay](auto& d, auto& m) {
          m = d + decay * m;
          d = d + decay * m;
        },
        g, s);
    return std::pair(g, s);
  }
};
// v = decay v + (1 - decay) g^2, and g / sqrt(v + eps) (T. Tieleman, G. Hinton, 2012).
struct rmsprop {
  float decay = .9f, eps = 1e-8f;
  void check() const { require_decays("nn::rmsprop", {decay}); }
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_decay, epsilon] = h;
    update_leaves(
        [decay = given_decay, eps = epsilon](auto& d, auto& v) {
          v = decay * v + (1.f - decay) * d * d;
          d = d / sqrt(v + eps);
        },
        g, s);
    return std::pair(g, s);
  }
};
// v = v + g^2, and g / sqrt(initial + v + eps) (J. Duchi, E. Hazan, Y. Singer, 2011).
struct adagrad {
  float initial = .1f, eps = 1e-7f;
  // both 0 divide by 0 where a derivative has been 0 so far
  void check() const { require_above_0("nn::adagrad", "a sum of initial and eps of", double(initial + eps)); }
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_initial, epsilon] = h;
    update_leaves(
        [initial = given_initial, eps = epsilon](auto& d, auto& v) {
          v = v + d * d;
          d = d / sqrt(v + initial + eps);
        },
        g, s);
    return std::pair(g, s);
  }
};
// Steps that have the units of the parameters, from running means of squares of gradients and of steps (M. D. Zeiler,
// 2012).
struct adadelta {
  float rho = .9f, eps = 1e-6f;
  void check() const { require_decays("nn::adadelta", {rho}); }
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) { return two_zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_rho, epsilon] = h;
    update_leaves(
        [rho = given_rho, eps = epsilon](auto& d, auto& v, auto& x) {
          v = rho * v + (1.f - rho) * d * d;
          d = d * sqrt(x + eps) / sqrt(v + eps);
          x = rho * x + (1.f - rho) * d * d;
        },
        g, s.first, s.second);
    return std::pair(g, s);
  }
};
// Adam by the largest of the decayed gradients in place of their mean square (D. P. Kingma, J. Ba, 2015, section 7).
struct adamax {
  float b1 = .9f, b2 = .999f, eps = 1e-8f;
  void check() const { require_decays("nn::adamax", {b1, b2}); }
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) { return two_zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [beta1, beta2, epsilon] = h;
    auto const r1 = 1.f / (1.f - pow(beta1, astype<float>(step) + 1.f));
    update_leaves(
        [b1 = beta1, b2 = beta2, eps = epsilon, r1](auto& d, auto& m, auto& u) {
          m = b1 * m + (1.f - b1) * d;
          u = maximum(abs(d) + eps, b2 * u);
          d = r1 * m / u;
        },
        g, s.first, s.second);
    return std::pair(g, s);
  }
};
// Adam with Nesterov's momentum (T. Dozat, 2016).
struct nadam {
  float b1 = .9f, b2 = .999f, eps = 1e-8f;
  void check() const { require_decays("nn::nadam", {b1, b2}); }
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) { return two_zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [beta1, beta2, epsilon] = h;
    auto const t = astype<float>(step) + 1.f;
    auto const now = 1.f / (1.f - pow(beta1, t)), next = 1.f / (1.f - pow(beta1, t + 1.f)),
               r2 = 1.f / (1.f - pow(beta2, t));
    update_leaves(
        [b1 = beta1, b2 = beta2, eps = epsilon, now, next, r2](auto& d, auto& m, auto& v) {
          m = b1 * m + (1.f - b1) * d;
          v = b2 * v + (1.f - b2) * d * d;
          d = (next * b1 * m + now * (1.f - b1) * d) / (sqrt(r2 * v) + eps);
        },
        g, s.first, s.second);
    return std::pair(g, s);
  }
};
// Adam with the largest mean square so far, after its correction (S. J. Reddi, S. Kale, S. Kumar, 2018).
struct amsgrad {
  float b1 = .9f, b2 = .999f, eps = 1e-8f;
  void check() const { require_decays("nn::amsgrad", {b1, b2}); }
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) { return std::tuple(zeros_like(p), zeros_like(p), zeros_like(p)); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [beta1, beta2, epsilon] = h;
    auto const t = astype<float>(step) + 1.f;
    auto const r1 = 1.f / (1.f - pow(beta1, t)), r2 = 1.f / (1.f - pow(beta2, t));
    update_leaves(
        [b1 = beta1, b2 = beta2, eps = epsilon, r1, r2](auto& d, auto& m, auto& v, auto& most) {
          m = b1 * m + (1.f - b1) * d;
          v = b2 * v + (1.f - b2) * d * d;
          most = maximum(most, r2 * v);
          d = r1 * m / (sqrt(most) + eps);
        },
        g, std::get<0>(s), std::get<1>(s), std::get<2>(s));
    return std::pair(g, s);
  }
};
// The sign of a running mean (X. Chen and others, 2023).
struct lion {
  float b1 = .9f, b2 = .99f;
  void check() const { require_decays("nn::lion", {b1, b2}); }
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [beta1, beta2] = h;
    update_leaves(
        [b1 = beta1, b2 = beta2](auto& d, auto& m) {
          auto const way = sign(b1 * m + (1.f - b1) * d);
          m = b2 * m + (1.f - b2) * d;
          d = way;
        },
        g, s);
    return std::pair(g, s);
  }
};
// Adam whose step is divided by the root of the mean square only where that is known well enough (L. Liu and others,
// 2020); before, it is momentum.
struct radam {
  float b1 = .9f, b2 = .999f, eps = 1e-8f, threshold = 5;
  void check() const { require_decays("nn::radam", {b1, b2}); }
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) { return two_zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [beta1, beta2, epsilon, threshold] = h;
    auto const t = astype<float>(step) + 1.f;
    auto const power = pow(beta2, t);
    auto const r1 = 1.f / (1.f - pow(beta1, t)), r2 = 1.f / (1.f - power);
    auto const most = 2.f / (1.f - beta2) - 1.f, length = most - 2.f * t * power * r2;
    auto const is_known = length >= threshold;
    auto const safe = where(is_known, length, most);
    auto const r = sqrt((safe - 4.f) * (safe - 2.f) * most / ((most - 4.f) * (most - 2.f) * safe));
    update_leaves(
        [b1 = beta1, b2 = beta2, eps = epsilon, r1, r2, r, is_known](auto& d, auto& m, auto& v) {
          m = b1 * m + (1.f - b1) * d;
          v = b2 * v + (1.f - b2) * d * d;
          d = r1 * m * where(is_known, r / (sqrt(r2 * v) + eps), 1.f);
        },
        g, s.first, s.second);
    return std::pair(g, s);
  }
};
// Each tensor's direction times coefficient |w| / |direction|, or itself where either is 0. Behind Adam and decay:
// LAMB, `adam{.eps = 1e-6f} | add_decayed_weights{} | trust_ratio{} | rate` (Y. You and others, 2020); before
// momentum: LARS, `add_decayed_weights{} | trust_ratio{.001f} | rate | momentum{}` (Y. You, I. Gitman, B. Ginsburg,
// 2017).
struct trust_ratio {
  float coefficient = 1, eps = 0;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const&) {
    auto const& [given_coefficient, epsilon] = h;
    update_leaves(
        [coefficient = given_coefficient, eps = epsilon](auto& d, auto const& w) {
          auto const of_w = sqrt(sum(square(w))), of_d = sqrt(sum(square(d)));
          auto const is_zero = logical_or(of_w == 0.f, of_d == 0.f);
          d = d * where(is_zero, 1.f, coefficient * of_w / where(is_zero, 1.f, of_d + eps));
        },
        g, params);
    return std::pair(g, s);
  }
};
// A step for each element, which grows while its derivative keeps its sign, shrinks where that changes, and is then
// left out once (M. Riedmiller, H. Braun, 1993; C. Igel, M. Huesken, 2003: iRprop-). For gradients of all data. It has
// its rate: `init_step` is the first step.
struct rprop {
  float init_step = .01f, shrink = .5f, grow = 1.2f, least = 1e-6f, most = 50;
  static constexpr bool has_rate = true;
  static auto init(auto const& p) { return two_zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [first, less, more, lowest, highest] = h;
    auto const is_first = step == 0;
    update_leaves(
        [first_step = first, shrink = less, grow = more, least = lowest, most = highest, is_first](
            auto& d, auto& before, auto& size) {
          auto const same = d * before;
          auto const next =
              maximum(minimum(size * where(same > 0.f, grow, where(same < 0.f, shrink, 1.f)), most), least);
          size = where(is_first, first_step, next);
          before = where(same < 0.f, 0.f, d);
          d = -sign(before) * size;
        },
        g, s.first, s.second);
    return std::pair(g, s);
  }
};

}  // namespace ricci::nn
