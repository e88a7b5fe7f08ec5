// What batching has to satisfy for any function of tensors: a case is what derivatives.hpp takes. `vmap` compiled and
// interpreted is compared with a loop that calls the interpreted function on one element after another; with the batch
// at other axes and with operands that are the same for all, compiled is compared with interpreted; and gradients of a
// batch with the batch of gradients.
#pragma once

#include "derivatives.hpp"

namespace batching {

namespace rc = ricci;
using derivatives::flat, derivatives::distance, derivatives::vector;

inline constexpr rc::index_t count = 3;

// the tensor type with one more axis, and the extents
template <class T, int Axis, class E>
struct batch;
template <class T, int Axis, rc::index_t... E>
struct batch<T, Axis, rc::extents<E...>> {
  using extents = rc::extents_of_shape<rc::shapes::with_axis<rc::extents<E...>, Axis, count>>;
  using in_place = typename derivatives::tensors<T, extents>::in_place;
  static auto dynamic() { return derivatives::tensors<T, extents>::sized(); }
};

// element n of a tensor whose first axis is the batch
template <class X>
auto element(X const& x, rc::index_t n) {
  return rc::eval(x(n));
}

template <class F>
struct checker {
  using inputs = typename F::inputs;
  static constexpr std::size_t arity = std::tuple_size_v<inputs>;
  using all_operands = std::make_index_sequence<arity>;
  using constants_type = decltype(F::constants());

  template <class Tuple>
  static void fill(Tuple& x, double low, double high, bool positive) {
    derivatives::source points;
    derivatives::checker<F>::fill(x, [&](int k) {
      double const p = points.point(k, low, high);
      return positive ? std::abs(p) : p;
    });
  }
  // the constants (integers) once for every element of the batch, moved on by one from each to the next
  static auto batched_constants() {
    return std::apply(
        [](auto const&... k) {
          return std::tuple([&] {
            using X = std::remove_cvref_t<decltype(k)>;
            typename batch<typename X::value_type, 0, typename X::extents>::in_place all;
            for (rc::index_t n = 0; n < count; ++n)
              for (rc::index_t i = 0; i < k.size(); ++i) all.data()[n * k.size() + i] = k.data()[(i + n) % k.size()];
            return all;
          }()...);
        },
        F::constants());
  }

  // all operands in a batch, extents known when it runs
  static void against_a_loop(double low, double high, bool positive) {
    auto x = []<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple(batch<double, 0, std::tuple_element_t<I, inputs>>::dynamic()...);
    }
    (all_operands{});
    fill(x, low, high, positive);
    auto const constants = batched_constants();
    auto const with_all = [&](auto const& f) {
      return std::apply(
          [&](auto const&... q) { return std::apply([&](auto const&... k) { return f(q..., k...); }, constants); }, x);
    };
    vector loop;
    for (rc::index_t n = 0; n < count; ++n)
      derivatives::flatten(with_all([&](auto const&... q) { return rc::interpret(F{})(element(q, n)...); }), loop);
    CHECK(!loop.empty());
    CHECK(distance(loop, loop) == 0);  // no NaN
    CHECK(distance(flat(with_all([](auto const&... q) { return rc::interpret(rc::vmap(F{}))(q...); })), loop) == 0);
    CHECK(distance(flat(with_all([](auto const&... q) { return rc::vmap(F{})(q...); })), loop) < 1e-12);
  }

  // Every second operand in a batch that is its last axis, the others the same for all; the constants, too, if there is
  // an operand left for the batch. The results have it as their last axis.
  template <bool First>
  static void some_operands(double low, double high, bool positive) {
    auto x = []<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple([] {
        using E = std::tuple_element_t<I, inputs>;
        if constexpr ((I % 2 == 0) == First)
          return typename batch<double, -1, E>::in_place{};
        else
          return typename derivatives::tensors<double, E>::in_place{};
      }()...);
    }
    (all_operands{});
    fill(x, low, high, positive);
    auto const f = []<std::size_t... I, std::size_t... K>(std::index_sequence<I...>, std::index_sequence<K...>) {
      return rc::vmap(F{}, rc::in_axes<((I % 2 == 0) == First ? -1 : rc::unbatched)..., (void(K), rc::unbatched)...>,
                      rc::out_axes<-1>);
    }
    (all_operands{}, std::make_index_sequence<std::tuple_size_v<constants_type>>{});
    auto const of = [&](auto const& g) {
      return flat(std::apply(
          [&](auto const&... q) { return std::apply([&](auto const&... k) { return g(q..., k...); }, F::constants()); },
          x));
    };
    CHECK(distance(of(f), of(rc::interpret(f))) < 1e-12);
  }
  // the constants alone in a batch
  static void constants_alone(double low, double high, bool positive) {
    auto x = derivatives::checker<F>::template tuple_of_tensors<double, true>();
    fill(x, low, high, positive);
    auto const f = []<std::size_t... I>(std::index_sequence<I...>) {
      return rc::vmap(F{}, rc::in_axes<(void(I), rc::unbatched)..., 0>);
    }
    (all_operands{});
    auto const constants = batched_constants();
    auto const of = [&](auto const& g) {
      return flat(std::apply(
          [&](auto const&... q) { return std::apply([&](auto const&... k) { return g(q..., k...); }, constants); }, x));
    };
    CHECK(distance(of(f), of(rc::interpret(f))) < 1e-12);
  }

  // The gradient of each element's result, the gradient of their sum, and the first one element by element.
  static void with_gradients(double low, double high, bool positive) {
    auto x = []<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple<typename batch<double, 0, std::tuple_element_t<I, inputs>>::in_place...>{};
    }
    (all_operands{});
    fill(x, low, high, positive);
    constexpr auto number = [](auto p, auto k) {
      return std::apply(
          [&](auto... q) { return std::apply([&](auto... c) { return rc::sum(rc::square(F{}(q..., c...))); }, k); }, p);
    };
    constexpr auto of_elements = rc::vmap(rc::grad(number));
    auto const constants = batched_constants();
    vector const elements = flat(of_elements(x, constants));
    vector const sum = flat(rc::grad([=](auto p, auto k) { return rc::sum(rc::vmap(number)(p, k)); })(x, constants));
    CHECK(!elements.empty());
    CHECK(distance(sum, elements) < 1e-12);
    CHECK(distance(elements, flat(rc::interpret(of_elements)(x, constants))) < 1e-12);
  }

  static void run(std::string const& name, double low, double high, bool positive) {
    INFO("operation ", name);
    against_a_loop(low, high, positive);
    some_operands<true>(low, high, positive);
    if constexpr (arity > 1) some_operands<false>(low, high, positive);
    if constexpr (std::tuple_size_v < constants_type >> 0) constants_alone(low, high, positive);
  }
};

}  // namespace batching
