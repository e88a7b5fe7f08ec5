// Directions made of gradients, as links of a chain (nn/chain.hpp). Where methods differ in details, these are Optax's.
// g is the gradient, t the number of the step from 1 on.
#pragma once

#include <ricci/nn/chain.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

// The gradient divided by its norm over all parameters where that is above `norm`, times it (R. Pascanu, T. Mikolov, Y.
// Bengio, 2013).
struct clip_by_global_norm {
  float norm;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [norm] = h;
    auto const scale = norm / maximum(sqrt(tree_vdot(g, g)), norm);
    tree_map([&](auto& d) { d = d * scale; }, g);
    return std::pair(g, s);
  }
};
// Adam (D. P. Kingma, J. Ba, 2015).
struct adam {
  float b1 = .9f, b2 = .999f, eps = 1e-8f;
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return std::pair(zeros_like(p), zeros_like(p)); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [beta1, beta2, epsilon] = h;
    auto const t = astype<float>(step) + 1.f;
    auto const r1 = 1.f / (1.f - pow(beta1, t)), r2 = 1.f / (1.f - pow(beta2, t));
    tree_map(
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
  float decay;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const&) {
    auto const& [given_decay] = h;
    tree_map([decay = given_decay](auto& d, auto const& w) { d = d + decay * w; }, g, params);
    return std::pair(g, s);
  }
};
// Each element of the gradient within [-bound, bound].
struct clip {
  float bound;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_bound] = h;
    tree_map([bound = given_bound](auto& d) { d = maximum(minimum(d, bound), -bound); }, g);
    return std::pair(g, s);
  }
};
// The gradient itself: `nn::sgd{} | nn::constant{1e-2f}`. With `momentum` the sum m = g + momentum m, or with
// `nesterov` g + momentum m (I. Sutskever, J. Martens, G. Dahl, G. Hinton, 2013).
struct sgd {
  static constexpr bool needs_rate = true;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const&, auto g, auto s, auto const&, auto const&) { return std::pair(g, s); }
};
struct momentum {
  float decay = .9f;
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_decay] = h;
    tree_map([decay = given_decay](auto& d, auto& m) { d = m = d + decay * m; }, g, s);
    return std::pair(g, s);
  }
};
struct nesterov {
  float decay = .9f;
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_decay] = h;
    tree_map(
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
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_decay, epsilon] = h;
    tree_map(
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
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_initial, epsilon] = h;
    tree_map(
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
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return std::pair(zeros_like(p), zeros_like(p)); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [given_rho, epsilon] = h;
    tree_map(
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
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return std::pair(zeros_like(p), zeros_like(p)); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [beta1, beta2, epsilon] = h;
    auto const r1 = 1.f / (1.f - pow(beta1, astype<float>(step) + 1.f));
    tree_map(
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
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return std::pair(zeros_like(p), zeros_like(p)); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [beta1, beta2, epsilon] = h;
    auto const t = astype<float>(step) + 1.f;
    auto const now = 1.f / (1.f - pow(beta1, t)), next = 1.f / (1.f - pow(beta1, t + 1.f)),
               r2 = 1.f / (1.f - pow(beta2, t));
    tree_map(
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
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return std::tuple(zeros_like(p), zeros_like(p), zeros_like(p)); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [beta1, beta2, epsilon] = h;
    auto const t = astype<float>(step) + 1.f;
    auto const r1 = 1.f / (1.f - pow(beta1, t)), r2 = 1.f / (1.f - pow(beta2, t));
    tree_map(
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
  static constexpr bool needs_rate = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const&) {
    auto const& [beta1, beta2] = h;
    tree_map(
        [b1 = beta1, b2 = beta2](auto& d, auto& m) {
          auto const way = sign(b1 * m + (1.f - b1) * d);
          m = b2 * m + (1.f - b2) * d;
          d = way;
        },
        g, s);
    return std::pair(g, s);
  }
};

}  // namespace ricci::nn
