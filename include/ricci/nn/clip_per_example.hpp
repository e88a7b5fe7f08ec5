// The gradient of each example of a batch, clipped before their mean is taken, so that no example can pull a step
// further than others; with noise, so that a model does not show which examples it has seen (M. Abadi and others, Deep
// learning with differential privacy, 2016). Either is the first link of an optimiser:
//
//   auto const o = nn::clip_per_example{1.f} | nn::adam{} | nn::constant{1e-3f};
//   auto const p = nn::differentially_private{.norm = 1.f, .noise_multiplier = 1.1f} | nn::sgd{} | nn::constant{.1f};
//
// The loss is called as ever, with batches of one example each, and is the mean over these. Gradients of all examples
// are there at once: memory for as many times the parameters as a batch has rows.
#pragma once

#include <ricci/autodiff/has_aux.hpp>
#include <ricci/autodiff/vmap.hpp>
#include <ricci/nn/chain.hpp>
#include <ricci/nn/mode.hpp>
#include <ricci/nn/require.hpp>
#include <ricci/ops/create.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/random/normal.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

namespace examples {

// The rows of the first tensor of a batch, as one tensor of that length has them.
template <class First, class... Rest>
constexpr auto first_tensor(First const& first, Rest const&... rest) {
  if constexpr (!Tensor<First>)
    return tree::apply([&](auto const&... x) { return first_tensor(x..., rest...); }, tree::members(first));
  else if constexpr (rank_of<First> == 0 && sizeof...(Rest) > 0)
    return first_tensor(rest...);
  else
    return first;
}

// An example as a batch of one, a record like that of all examples.
template <class X, class All>
constexpr auto as_batch(X const& x, All const& all) {
  if constexpr (!Tensor<X>) {
    All one = all;
    tree::for_each_leaf(
        []<class To>(To& to, auto const& from) {
          static_assert(rank_of<To> > 0 && extents_of<To>::extent(0) < 0,
                        "nn::clip_per_example: the tensors of a record in a batch have a first axis of rc::dyn, as an "
                        "example is a batch of one");
          to = expand_dims(from, axis<0>);
        },
        one, x);
    return one;
  } else if constexpr (rank_of<All> == 0) {  // a number, which is that of all
    return x;
  } else {
    return eval(expand_dims(x, axis<0>));
  }
}
template <class X>
inline constexpr bool is_number = false;
template <Tensor X>
inline constexpr bool is_number<X> = rank_of<X> == 0;

// The pair of the losses of all examples, (n), and their gradients, each with a first axis of n.
template <class Loss>
constexpr auto gradients(auto const& params, auto const& state, auto const& mode, auto const& numbers,
                         auto const&... batch) {
  using Mode = std::remove_cvref_t<decltype(mode)>;
  auto const of_one = [&](auto const& number, auto const&... x) {
    auto const derived =
        value_and_grad(Loss{}, has_aux)(params, state, Mode{random::fold_in(mode.key, number)}, as_batch(x, batch)...);
    if constexpr (std::is_same_v<decltype(derived), tracing::no_result const>)
      return derived;
    else
      return std::pair(derived.first.first, derived.second);
  };
  return vmap(of_one, in_axes<0, (is_number<std::remove_cvref_t<decltype(batch)>> ? unbatched : 0)...>)(numbers,
                                                                                                        batch...);
}

// The sum over the examples of their gradients, each times the number of its own in `scale` (n), like the parameters.
template <class P>
constexpr auto weighted_sum(P const& params, auto const& each, auto const& scale) {
  P g = params;
  tree::for_each_leaf(
      [&]<class D>(D& d, auto const& of_examples) {
        [&]<int... A>(std::integer_sequence<int, A...>) {
          d = sum(expand_dims(scale, axis<(A + 1)...>) * of_examples, axis<0>);
        }
        (std::make_integer_sequence<int, rank_of<D>>{});
      },
      g, each);
  return g;
}

// What both links do: finish(sum of clipped gradients, number of examples) is the gradient of the step.
template <class Loss>
constexpr auto clipped(auto const& norm, auto const& finish, auto const& params, auto const& state, auto const& mode,
                       auto const&... batch) {
  static_assert(tree::count_leaves<std::remove_cvref_t<decltype(state)>>() == 0,
                "nn::clip_per_example: the examples of a batch have nothing in common, so that a model has no state "
                "(that of a batch norm mixes them: take a group or layer norm)");
  auto const first = first_tensor(batch...);
  auto const n = first.shape(0);
  auto const all = gradients<Loss>(params, state, mode, eval(arange<std::int64_t>(n, like(first))), batch...);
  if constexpr (!requires { std::get<1>(all); }) {
    return tracing::no_result{};
  } else {
    auto const& [losses, each] = all;
    auto const sum_of_examples = []<class D, int... A>(D const& d, std::integer_sequence<int, A...>) {
      return sum(square(d), axis<(A + 1)...>);
    };
    auto squares = eval(zeros_like(losses));
    tree::for_each_leaf(
        [&]<class D>(D const& d) {
          squares = squares + sum_of_examples(d, std::make_integer_sequence<int, rank_of<D> - 1>{});
        },
        each);
    auto const scale = eval(norm / maximum(sqrt(squares), norm));
    return std::pair(std::pair(mean(losses), state),
                     finish(weighted_sum(params, each, scale), eval(sum(zeros_like(losses) + 1))));
  }
}

}  // namespace examples

// The mean over the examples of their gradients, each divided by its norm over all parameters where that is above
// `norm`, times `norm`.
struct clip_per_example {
  required<float, struct missing_norm> norm;
  void check() const { require_above_0("nn::clip_per_example", "a norm of", double(float(norm))); }
  static constexpr bool derives_loss = true;
  static auto init(auto const&) { return std::tuple<>{}; }
  template <class Loss>
  static constexpr auto derived(auto const& h, auto const&, auto const&... arguments) {
    auto const& [norm] = tree::members(h);
    auto const mean_of = [](auto g, auto const& n) {
      update_leaves([&](auto& d) { d = d / n; }, g);
      return g;
    };
    return examples::clipped<Loss>(norm, mean_of, arguments...);
  }
  static constexpr auto update(auto const&, auto g, auto s, auto const&, auto const&) { return std::pair(g, s); }
};

// Beside that, normal noise of deviation `noise_multiplier` times `norm` is added to the sum of the clipped gradients,
// before it is divided by the number of examples. What is private then follows from the noise, the number of steps and
// the part of the data that a batch is, which an accountant of privacy computes; the noise comes from the key of the
// run, which is not secret, by Philox, which is no generator for cryptography.
struct differentially_private {
  required<float, struct missing_norm> norm;
  required<float, struct missing_noise_multiplier> noise_multiplier;
  void check() const {
    require_above_0("nn::differentially_private", "a norm of", double(float(norm)));
    if (!(noise_multiplier >= 0))
      raise_number("nn::differentially_private", "a noise_multiplier of", double(float(noise_multiplier)), "0 or more");
  }
  static constexpr bool derives_loss = true;
  static auto init(auto const&) { return std::tuple<>{}; }
  template <class Loss>
  static constexpr auto derived(auto const& h, auto const&, auto const& params, auto const& state, auto const& mode,
                                auto const&... batch) {
    auto const& [norm, multiplier] = tree::members(h);
    auto const with_noise = [&, &most = norm, &times = multiplier](auto g, auto const& n) {
      auto const of_noise = random::fold_in(mode.key, std::uint64_t(-1));  // no example has this number
      auto const deviation = times * most;
      int k = 0;
      tree_map(
          [&](auto& d) {
            d = (d + deviation * random::normal<float>(random::fold_in(of_noise, k++), shape_of(d))) / n;
          },
          g);
      return g;
    };
    return examples::clipped<Loss>(norm, with_noise, params, state, mode, batch...);
  }
  static constexpr auto update(auto const&, auto g, auto s, auto const&, auto const&) { return std::pair(g, s); }
};

}  // namespace ricci::nn
