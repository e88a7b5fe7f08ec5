// Distributions of whole numbers: poisson, binomial, geometric, categorical, multinomial. They have no derivatives by
// their parameters.
#pragma once

#include <bit>

#include <ricci/ops/arg_reduce.hpp>
#include <ricci/random/count_samples.hpp>
#include <ricci/random/gamma.hpp>

RICCI_OPTIMIZED
namespace ricci::random {

// Counts, int64, of parameters, double, and a word.
template <class Derived>
struct count_call : core_call<Derived> {
  static constexpr dtype operand_type(dtype) { return dtype::float64; }
  template <class V>
  static constexpr V jvp(ir::application<V> const&, V const*) {
    return V{};
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const&, V, V*) {}
};
struct poisson_t : count_call<poisson_t> {
  static constexpr auto name = "random::poisson";
  static constexpr core_signature core{"(),()->()"};
  template <class T>
  using types = type_list<T, std::uint64_t, std::int64_t>;
  RICCI_FN run(auto const&, auto const& mean, auto const& word, auto const& k) { k() = poisson_count(mean(), word()); }
};
struct binomial_t : count_call<binomial_t> {
  static constexpr auto name = "random::binomial";
  static constexpr core_signature core{"(),(),()->()"};
  template <class T>
  using types = type_list<T, T, std::uint64_t, std::int64_t>;
  RICCI_FN run(auto const&, auto const& n, auto const& p, auto const& word, auto const& k) {
    k() = binomial_count(n(), p(), word());
  }
};
// The trials of each class are a binomial count of those that are left, with the part of its weight in what is left.
struct multinomial_t : count_call<multinomial_t> {
  static constexpr auto name = "random::multinomial";
  static constexpr core_signature core{"(),(c),()->(c)"};
  template <class T>
  using types = type_list<T, T, std::uint64_t, std::int64_t>;
  RICCI_FN run(auto const& c, auto const& n, auto const& weights, auto const& word, auto const& counts) {
    index_t const classes = c.extents[0];
    double weight = 0, left = n();
    bool valid = is_count(left);
    for (index_t k = classes - 1; k >= 0; --k) {
      double const w = weights(k);
      valid = valid && w >= 0;
      weight += w;
      counts(k) = std::bit_cast<std::int64_t>(weight);  // of this class and those behind it, until it is counted
    }
    valid = valid && weight > 0 && weight <= std::numeric_limits<double>::max();
    for (index_t k = 0; k < classes; ++k) {
      double const w = weights(k), of_rest = std::bit_cast<double>(static_cast<std::int64_t>(counts(k)));
      std::int64_t const count =
          valid && w > 0 ? binomial_count(left, w / of_rest, philox_child(word(), std::uint64_t(k))) : 0;
      counts(k) = valid ? count : -1;
      left -= double(count);
    }
  }
};

// How many events happen whose number is `mean` on average, a number or a tensor that is broadcast to the shape. -1
// where that is negative, NaN or above 2^53.
template <class T = std::int64_t, Key K, class A, ShapeArgument S>
requires operands<A>
constexpr auto poisson(K const& from, A&& mean, S const& shape) {
  return astype<T>(poisson_t{}(parameter<double>("random::poisson", static_cast<A&&>(mean), shape),
                               words<std::uint64_t>(from, shape)));
}
// How many of n trials succeed, each with probability p; both numbers or tensors that are broadcast to the shape. -1
// where n is no whole number from 0 to 2^53 or p not within 0 and 1.
template <class T = std::int64_t, Key K, class N, class P, ShapeArgument S>
requires operands<N, P>
constexpr auto binomial(K const& from, N&& n, P&& p, S const& shape) {
  return astype<T>(binomial_t{}(parameter<double>("random::binomial", static_cast<N&&>(n), shape),
                                parameter<double>("random::binomial", static_cast<P&&>(p), shape),
                                words<std::uint64_t>(from, shape)));
}
// How many trials it takes until one succeeds, 1 or more; -1 where p is not within 0 and 1, or 0.
struct geometric_t : composite_function<geometric_t, 2> {
  static constexpr auto name = "random::geometric";
  template <class V>
  static constexpr V formula(V time, V p) {
    return where((p > 0.) & (p <= 1.), minimum(floor(time / -log1p(-p)), 9e18) + 1., -1.);
  }
};
template <class T = std::int64_t, Key K, class P, ShapeArgument S>
requires operands<P>
constexpr auto geometric(K const& from, P&& p, S const& shape) {
  return astype<T>(geometric_t{}(exponential<double>(from, shape),
                                 parameter<double>("random::geometric", static_cast<P&&>(p), shape)));
}
// A class for each element of the shape, int64: each with a probability proportional to the exponential of its number
// in the last axis of `logits`, whose other axes are broadcast to the shape. It is the largest of these with numbers of
// the Gumbel distribution added.
template <Key K, Tensor L, ShapeArgument S>
constexpr auto categorical(K const& from, L&& logits, S const& shape) {
  using T = std::conditional_t<TensorOf<L, float>, float, double>;
  auto const wide = with_last_extent(shape, logits);
  return argmax(gumbel<T>(from, wide) + parameter<T>("random::categorical", static_cast<L&&>(logits), wide), axis<-1>);
}
// How many of n trials fall into each class, whose probabilities are proportional to the last axis of `weights`: the
// shape, and that axis behind it. -1 where n is no whole number from 0 to 2^53, or weights are negative, or none is
// positive.
template <class T = std::int64_t, Key K, class N, Tensor W, ShapeArgument S>
requires operands<N>
constexpr auto multinomial(K const& from, N&& n, W&& weights, S const& shape) {
  auto const wide = with_last_extent(shape, weights);
  return astype<T>(multinomial_t{}(parameter<double>("random::multinomial", static_cast<N&&>(n), shape),
                                   parameter<double>("random::multinomial", static_cast<W&&>(weights), wide),
                                   words<std::uint64_t>(from, shape)));
}

}  // namespace ricci::random
RICCI_OPTIMIZED_END
