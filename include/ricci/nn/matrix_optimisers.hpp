// Directions that know rows and columns of a parameter: of tensors of order 2 or more, the last two axes. Where they
// differ in details they are Optax's.
#pragma once

#include <ricci/nn/chain.hpp>
#include <ricci/nn/require.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

namespace factors {

// zeros without axis `Without` of x
template <int Without, class X>
auto zeros_along(X const& x) {
  auto const one = take(x, 0, axis<Without>);
  return eval(zeros_like(one));
}
// what is remembered of a parameter: means of rows and of columns, or of every element
template <class X>
auto memory_of_leaf(X const& x) {
  if constexpr (rank_of < X >> 1)
    return std::pair(zeros_along<-1>(x), zeros_along<-2>(x));
  else
    return eval(zeros_like(x));
}
template <class X>
constexpr auto leaves_of(X& x) {
  if constexpr (tree::Leaf<std::remove_cv_t<X>>)
    return std::tie(x);
  else
    return tree::apply([](auto&... m) { return std::tuple_cat(leaves_of(m)...); }, tree::members(x));
}
constexpr auto root_of_mean_square(auto const& x) { return sqrt(mean(square(x))); }

}  // namespace factors

// Adafactor (N. Shazeer, M. Stern, 2018): Adam without momentum, whose mean squares are the products of those of rows
// and of columns, so that it remembers N + M numbers of a matrix of N M; a direction's root mean square is cut at
// `threshold`, and multiplied by that of the parameter, `least_scale` at least. A rate behind it is relative to the
// parameters: `nn::adafactor{} | nn::constant{1e-2f}`.
struct adafactor {
  float power = .8f, threshold = 1, eps = 1e-30f, least_scale = 1e-3f;
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) {
    return std::apply([](auto const&... x) { return std::make_tuple(factors::memory_of_leaf(x)...); },
                      factors::leaves_of(p));
  }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const& step) {
    auto const& [power, given_threshold, epsilon, lowest] = h;
    auto const decay = 1.f - pow(astype<float>(step) + 1.f, -power);
    auto const one = [threshold = given_threshold, eps = epsilon, least = lowest, decay](auto& d, auto& m,
                                                                                         auto const& w) {
      auto const squares = square(d) + eps;
      if constexpr (rank_of < std::remove_cvref_t < decltype(d) >>> 1) {
        auto& [rows, columns] = m;
        rows = decay * rows + (1.f - decay) * mean(squares, axis<-1>);
        columns = decay * columns + (1.f - decay) * mean(squares, axis<-2>);
        auto const relative = rows / mean(rows, axis<-1>, keepdims);
        d = d / sqrt(expand_dims(relative, axis<-1>)) / sqrt(expand_dims(columns, axis<-2>));
      } else {
        m = decay * m + (1.f - decay) * squares;
        d = d / sqrt(m);
      }
      d = d / maximum(factors::root_of_mean_square(d) / threshold, 1.f);
      d = d * maximum(factors::root_of_mean_square(w), least);
    };
    auto const of_g = factors::leaves_of(g);
    auto const of_w = factors::leaves_of(params);
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (one(std::get<I>(of_g), std::get<I>(s), std::get<I>(of_w)), ...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(s)>>{});
    return std::pair(g, s);
  }
};

// Muon (K. Jordan and others, 2024): Nesterov's momentum made orthogonal, nearly, by five steps of a polynomial of its
// Gram matrix (Newton and Schulz), times the root of outputs / inputs where that is above 1. Of matrices alone; others
// have an optimiser of their own:
//
//   nn::groups(nn::on<"blocks.*.w">(nn::muon{} | nn::constant{.02f}), nn::on<"*">(nn::adam{} | nn::constant{1e-3f}))
struct muon {
  float decay = .95f, eps = 1e-8f;
  void check() const { require_decays("nn::muon", {decay}); }
  static constexpr bool needs_rate = true, forgets_scale = true;
  static auto init(auto const& p) { return zeros_like(p); }
  static constexpr auto update(auto const& h, auto g, auto s, auto const&, auto const& step) {
    auto const& [given_decay, epsilon] = h;
    auto const t = astype<float>(step) + 1.f;
    auto const now = 1.f / (1.f - pow(given_decay, t)), next = 1.f / (1.f - pow(given_decay, t + 1.f));
    update_leaves(
        [decay = given_decay, eps = epsilon, now, next](auto& d, auto& m) {
          static_assert(rank_of<std::remove_cvref_t<decltype(d)>> == 2,
                        "nn::muon: of parameters with two axes; nn::groups gives others another optimiser");
          m = decay * m + (1.f - decay) * d;
          auto const way = eval(decay * next * m + (1.f - decay) * now * d);
          auto const zero = 0.f * sum(way);
          auto const wide = (zero + d.shape(1)) / (zero + d.shape(0));
          auto x = eval(way / (sqrt(sum(square(way))) + eps));
          bool const is_tall = x.v.shape().extent[0] > x.v.shape().extent[1];  // the smaller of two Gram matrices
          for (int k = 0; k < 5; ++k) {
            auto const turned = eval(swapaxes(x, axis<0>, axis<1>));
            auto const gram = is_tall ? eval(matmul(turned, x)) : eval(matmul(x, turned));
            auto const p = eval(-4.775f * gram + 2.0315f * matmul(gram, gram));
            x = eval(3.4445f * x + (is_tall ? eval(matmul(x, p)) : eval(matmul(p, x))));
          }
          d = x * sqrt(maximum(wide, 1.f));
        },
        g, s);
    return std::pair(g, s);
  }
};

// A unit's gradient is cut where its norm is above `bound` times that of the unit's parameters, `least` at least (A.
// Brock, S. De, S. L. Smith, K. Simonyan, 2021). The units of a tensor of order 2 or more lie along its last axis;
// another tensor is one unit.
struct adaptive_clip {
  float bound = .01f, least = 1e-3f;
  void check() const { require_above_0("nn::adaptive_clip", "a bound of", double(bound)); }
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const& h, auto g, auto s, auto const& params, auto const&) {
    auto const& [given_bound, lowest] = h;
    update_leaves(
        [bound = given_bound, least = lowest](auto& d, auto const& w) {
          auto const norm = [](auto const& x) {
            constexpr int rank = rank_of<std::remove_cvref_t<decltype(x)>>;
            return [&]<int... A>(std::integer_sequence<int, A...>) {
              return sqrt(sum(square(x), axis<A...>, keepdims));
            }
            (std::make_integer_sequence<int, (rank > 1 ? rank - 1 : rank)>{});
          };
          auto const most = bound * maximum(norm(w), least), size = norm(d);
          d = d * where(size < most, 1.f, most / maximum(size, 1e-6f));
        },
        g, params);
    return std::pair(g, s);
  }
};

// Behind the rate: parameters that are multiplied by exp(direction), and then by a number so that their sum along the
// last axis stays what it was: distributions stay distributions (J. Kivinen, M. K. Warmuth, Exponentiated gradient
// versus gradient descent, 1997). `nn::sgd{} | nn::constant{.1f} | nn::exponentiated_gradient{}`.
struct exponentiated_gradient {
  static constexpr bool behind_rate = true;
  static auto init(auto const&) { return std::tuple<>{}; }
  static constexpr auto update(auto const&, auto g, auto s, auto const& params, auto const&) {
    update_leaves(
        [](auto& d, auto const& w) {
          static_assert(rank_of<std::remove_cvref_t<decltype(d)>> > 0,
                        "nn::exponentiated_gradient: of parameters with an axis");
          auto const grown = eval(w * exp(d - max(d, axis<-1>, keepdims)));
          d = grown * (sum(w, axis<-1>, keepdims) / sum(grown, axis<-1>, keepdims)) - w;
        },
        g, params);
    return std::pair(g, s);
  }
};

}  // namespace ricci::nn
