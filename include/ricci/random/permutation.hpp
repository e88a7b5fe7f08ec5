// Orders and choices at random.
#pragma once

#include <ricci/ops/cumulative.hpp>
#include <ricci/ops/index.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/ops/search.hpp>
#include <ricci/ops/sort.hpp>
#include <ricci/random/continuous.hpp>

namespace ricci::random {

// The numbers 0 to n - 1 in a random order, (n,), int64: n is an integer, an extent or rc::extents<n>{}. It is the
// order of as many words of 64 bits.
template <Key K, class N>
requires(Extent<N> || shapes::is_extents<N>) constexpr auto permutation(K const& from, N const& n) {
  if constexpr (Extent<N>) {
    return argsort(words<std::uint64_t>(from, shape(n)));
  } else {
    static_assert(N::rank == 1, "random::permutation: how many is one extent");
    return argsort(words<std::uint64_t>(from, n));
  }
}
// The extent of an axis as a shape.
template <Tensor X>
constexpr auto first_extent(X const& x) {
  static_assert(rank_of<X> > 0, "random::permutation and random::choice need a tensor of order 1 or more");
  if constexpr (extents_of<X>::value.extent[0] >= 0)
    return extents<extents_of<X>::value.extent[0]>{};
  else
    return shape(x.shape(0));
}
// x with what lies along its first axis in a random order; the other axes stay together (a deck of cards, or the rows
// of a table: NumPy's `shuffle`).
template <Key K, Tensor X>
constexpr auto permutation(K const& from, X&& x) {
  return take(static_cast<X&&>(x), argsort(words<std::uint64_t>(from, first_extent(x))), axis<0>);
}

struct without_replacement_t {};
// `rc::random::choice(key, x, rc::shape(3), rc::random::without_replacement)`: nothing twice.
inline constexpr without_replacement_t without_replacement{};

namespace choosing {

// How many there are to choose from: an integer itself, of a tensor its first extent.
template <class X>
constexpr auto count_of(X const& x) {
  if constexpr (Tensor<X>)
    return x.shape(0);
  else
    return x;
}
template <class N>
constexpr void expect_some(N const& count) {
  if constexpr (Arithmetic<N>)
    if (!(std::int64_t(count) > 0))
      core::raise<value_error>(core::text()
                               << "random::choice: elements to choose from are expected, not " << std::int64_t(count));
}
// As many weights as elements: a compile error, or a value_error. Where extents are symbols there is none.
template <class X, class W>
constexpr void expect_as_many([[maybe_unused]] X const& x, [[maybe_unused]] W const& weights) {
  constexpr index_t n = extents_of<W>::value.extent[0];
  index_t elements = -1, count = -1;
  if constexpr (Tensor<X>) {
    constexpr index_t m = extents_of<X>::value.extent[0];
    static_assert(n < 0 || m < 0 || n == m, "random::choice: there are not as many weights as elements to choose from");
  }
  if constexpr (requires { index_t(choosing::count_of(x)); }) elements = index_t(choosing::count_of(x));
  if constexpr (requires { index_t(weights.shape(0)); }) count = index_t(weights.shape(0));
  if (elements >= 0 && count >= 0 && elements != count)
    core::raise<value_error>(core::text() << "random::choice: " << count << " weights of " << elements << " elements");
}
// Whether weights can be chosen by: none is negative or NaN, and their sum is above 0 and finite.
template <class T, class W>
constexpr auto are_weights(W const& weights) {
  auto const sum = ricci::sum(weights);
  return all(weights >= T(0)) & (sum > T(0)) & (sum <= std::numeric_limits<T>::max());
}
// The numbers of chosen elements, or where the weights are none what is refused when elements are taken, and -1 where
// the numbers themselves are the result.
template <class X, class V, class I>
constexpr auto where_valid(X const& x, V const& is_valid, I const& indices) {
  if constexpr (Tensor<X>)
    return where(is_valid, indices, choosing::count_of(x));
  else
    return where(is_valid, indices, std::int64_t(-1));
}
template <class X, class I>
constexpr auto chosen(X&& x, I const& indices) {
  if constexpr (Tensor<X>)
    return take(static_cast<X&&>(x), indices, axis<0>);
  else
    return indices;
}
// The first elements of a vector, in a shape; it has at least so many.
struct first_elements_t : formula_of_one<first_elements_t> {
  static constexpr auto name = "random::choice without replacement";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    shape_t s{a.count, {}};
    index_t n = 1;
    for (int k = 0; k < a.count; ++k) {
      s.extent[k] = a.are_known ? a.numbers[k] : dyn;
      n = c.times(n, s.extent[k]);
    }
    if constexpr (!requires { c.g; })  // in types; when it is recorded `formula` asks
      if (n >= 0 && x.extent[0] >= 0 && n > x.extent[0]) c.fail();
    return s;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int shape) {
    index_t n = 1;
    for (int k = 0; k < a.count; ++k) n = ir::times(*x.g, n, a.numbers[k]);
    ir::needs_elements<first_elements_t>(x, 0, n);
    return ir::reshape(ir::stretch(x, 0, 0, n), shape);
  }
};
template <class Order, class S>
constexpr auto first_of(Order const& order, S const& s) {
  return first_elements_t::call(order, axes_t<>{}, s);
}

}  // namespace choosing

// Elements of x along its first axis, or where x is an integer numbers below it, each as likely as the others and
// chosen again and again: the shape of the result is that one, with the other axes of x behind it. A value_error where
// there are none.
template <Key K, class X, ShapeArgument S>
requires(Extent<std::remove_cvref_t<X>> || Tensor<X>) constexpr auto choice(K const& from, X&& x, S const& shape) {
  auto const count = choosing::count_of(x);
  choosing::expect_some(count);
  return choosing::chosen(static_cast<X&&>(x), randint<std::int64_t>(from, shape, std::int64_t(0), count));
}
// The same with weights of order 1, one for each, which need not add up to 1: the place of (1 - u) times their sum
// among their sums, so that nothing of weight 0 is chosen. A value_error where there are not as many weights as
// elements; where one is negative or NaN, none is positive or their sum is infinite, an index_error when elements are
// taken, and of numbers below an integer -1.
template <Key K, class X, ShapeArgument S, Tensor W>
requires(Extent<std::remove_cvref_t<X>> || Tensor<X>) constexpr auto choice(K const& from, X&& x, S const& shape,
                                                                            W&& weights) {
  static_assert(rank_of<W> == 1, "random::choice: the weights have order 1");
  using T = std::conditional_t<TensorOf<W, float>, float, double>;
  choosing::expect_some(choosing::count_of(x));
  choosing::expect_as_many(x, weights);
  auto const w = astype<T>(static_cast<W&&>(weights));
  auto const sums = cumulative_sum(w, axis<0>);
  auto const places = searchsorted(sums, (T(1) - uniform<T>(from, shape)) * ricci::max(sums));
  auto const indices = choosing::where_valid(x, choosing::are_weights<T>(w), places);
  return choosing::chosen(static_cast<X&&>(x), indices);
}
// Nothing twice: the first of a random order. An index_error where there are fewer.
template <Key K, class X, ShapeArgument S>
requires(Extent<std::remove_cvref_t<X>> || Tensor<X>) constexpr auto choice(K const& from, X&& x, S const& shape,
                                                                            without_replacement_t) {
  return choosing::chosen(static_cast<X&&>(x), choosing::first_of(permutation(from, choosing::count_of(x)), shape));
}
// The same with weights, of what is left each time: the order of exponential times divided by the weights (P.
// Efraimidis, P. Spirakis, Weighted random sampling with a reservoir, 2006). What has weight 0 comes last.
template <Key K, class X, ShapeArgument S, Tensor W>
requires(Extent<std::remove_cvref_t<X>> || Tensor<X>) constexpr auto choice(K const& from, X&& x, S const& shape,
                                                                            without_replacement_t, W&& weights) {
  static_assert(rank_of<W> == 1, "random::choice: the weights have order 1");
  using T = std::conditional_t<TensorOf<W, float>, float, double>;
  choosing::expect_some(choosing::count_of(x));
  choosing::expect_as_many(x, weights);
  auto const count = first_extent(weights);
  auto const w = astype<T>(static_cast<W&&>(weights));
  auto const order = choosing::first_of(argsort(exponential<T>(from, count) / w), shape);
  auto const indices = choosing::where_valid(x, choosing::are_weights<T>(w), order);
  return choosing::chosen(static_cast<X&&>(x), indices);
}

}  // namespace ricci::random
