// What every operation's derivatives have to satisfy, for any function of tensors. A case is a stateless callable F
// with
//
//   using inputs = std::tuple<ricci::extents<3, 5>, ricci::extents<5>>;   // shapes of the operands that are derived
//   using constants = std::tuple<>;                                      // others, with a function `constant()` that
//   makes them
//
// From it one function is made that gives value, jvp, vjp and the second derivative in a direction, forward over
// reverse and reverse over reverse. It runs compiled and interpreted, in double over dynamic extents and in float over
// static ones, and then: compiled is as interpreted, jvp as central differences, vjp as the transposed jvp, the second
// derivatives as differences of the vjp and as each other, and float as double.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include <ricci/ricci.hpp>

namespace derivatives {

namespace rc = ricci;

// sum over the leaves of <a, b>
template <class X>
constexpr auto inner_product(X const& a, X const& b) {
  return std::apply(
      [&](auto const&... x) { return std::apply([&](auto const&... y) { return (rc::sum(x * y) + ...); }, b); }, a);
}

template <class F>
struct everything {
  template <class X, class T, class C, class K>
  constexpr auto operator()(X x, T t, C ct, K constants) const {
    auto const f = [constants](auto p) {
      return std::apply([&](auto... k) { return std::apply([&](auto... q) { return F{}(q..., k...); }, p); },
                        constants);
    };
    auto const weighted = [f, ct](auto p) { return rc::sum(f(p) * ct); };
    auto const gradient = [weighted](auto p) { return rc::grad(weighted)(p); };
    auto const [value, tangent] = rc::jvp(f)(x)(t);
    auto const [same_value, pull] = rc::vjp(f)(x);
    auto const [cotangents] = pull(ct);
    auto const [same_gradient, forward_over_reverse] = rc::jvp(gradient)(x)(t);
    auto const reverse_over_reverse = rc::grad([gradient, t](auto p) { return inner_product(gradient(p), t); })(x);
    return std::tuple(value, tangent, cotangents, forward_over_reverse, reverse_over_reverse);
  }
};

using vector = std::vector<double>;

// all elements of a tensor or of a tuple of them
template <class X>
void flatten(X const& x, vector& to) {
  if constexpr (requires { x.stride_values(); }) {
    for (rc::index_t k = 0; k < x.size(); ++k) to.push_back(static_cast<double>(x.data()[k]));
  } else {
    std::apply([&](auto const&... part) { (flatten(part, to), ...); }, x);
  }
}
template <class X>
vector flat(X const& x) {
  vector v;
  flatten(x, v);
  return v;
}
template <class T, class E>
struct tensors;
template <class T, rc::index_t... E>
struct tensors<T, rc::extents<E...>> {
  using in_place = rc::tensor<T, E...>;
  using dynamic = rc::ndarray<T, sizeof...(E)>;
  static dynamic sized() { return dynamic(E...); }
};

struct results {
  vector value, tangent, cotangents, forward_over_reverse, reverse_over_reverse;
};
template <class Tuple>
results flat_results(Tuple const& r) {
  return {flat(std::get<0>(r)), flat(std::get<1>(r)), flat(std::get<2>(r)), flat(std::get<3>(r)), flat(std::get<4>(r))};
}

// the largest difference, in units of 1 or the largest number, whichever is more
inline double distance(vector const& a, vector const& b) {
  if (a.size() != b.size()) return 1e300;
  double worst = 0, size = 1;
  for (double x : b) size = std::abs(x) > size ? std::abs(x) : size;
  for (std::size_t k = 0; k < a.size(); ++k) {
    double const d = std::abs(a[k] - b[k]);
    if (!(d <= worst)) worst = d;
    if (d != d) return 1e300;
  }
  return worst / size;
}
inline double distance(results const& a, results const& b) {
  double worst = 0;
  auto const note = [&](double d) { worst = d > worst ? d : worst; };
  note(distance(a.value, b.value));
  note(distance(a.tangent, b.tangent));
  note(distance(a.cotangents, b.cotangents));
  note(distance(a.forward_over_reverse, b.forward_over_reverse));
  note(distance(a.reverse_over_reverse, b.reverse_over_reverse));
  return worst;
}
inline double dot(vector const& a, vector const& b) {
  double s = 0;
  for (std::size_t k = 0; k < a.size(); ++k) s += a[k] * b[k];
  return s;
}

// Numbers that depend on nothing: points of operands keep away from multiples of 1/4 and of one another by more than
// the steps of the differences, so that no kink lies between them.
class source {
 public:
  double unit() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  // of operand k, in the part of [low, high] that lies about 0
  double point(int k, double low, double high) {
    double const from = low > -1.25 ? low + 0.25 : -1.25, to = high < 1.25 ? high - 0.25 : 1.25;
    double const cells = std::floor((to - from) * 4),
                 cell = std::floor(from * 4) + 1 + std::floor(unit() * (cells - 1));
    return 0.25 * cell + 0.03 + 0.07 * k + 0.04 * unit();
  }

 private:
  std::uint64_t state_ = 20240229;
};

template <class F>
struct checker {
  using inputs = typename F::inputs;
  static constexpr std::size_t count = std::tuple_size_v<inputs>;

  template <class T, bool Static>
  static auto tuple_of_tensors() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
      if constexpr (Static)
        return std::tuple<typename tensors<T, std::tuple_element_t<I, inputs>>::in_place...>{};
      else
        return std::tuple<typename tensors<T, std::tuple_element_t<I, inputs>>::dynamic...>{
            tensors<T, std::tuple_element_t<I, inputs>>::sized()...};
    }
    (std::make_index_sequence<count>{});
  }
  template <class Tuple, class Fill>
  static void fill(Tuple& x, Fill const& next) {
    int k = 0;
    std::apply(
        [&](auto&... part) {
          (
              [&] {
                using T = typename std::remove_cvref_t<decltype(part)>::value_type;
                for (rc::index_t i = 0; i < part.size(); ++i) part.data()[i] = static_cast<T>(next(k));
                ++k;
              }(),
              ...);
        },
        x);
  }

  template <class T, bool Static>
  struct problem {
    decltype(tuple_of_tensors<T, Static>()) x = tuple_of_tensors<T, Static>(), t = tuple_of_tensors<T, Static>();
    using value_type = decltype(std::apply(
        [](auto const&... q) {
          return std::apply([&](auto const&... k) { return rc::interpret(F{})(q..., k...); }, F::constants());
        },
        std::declval<decltype(tuple_of_tensors<T, Static>()) const&>()));
    value_type ct;

    problem(double step, double low, double high, bool positive) {
      source points;
      fill(x, [&](int k) {
        double const p = points.point(k, low, high);
        return positive ? std::abs(p) : p;
      });
      fill(t, [&](int) { return 2 * points.unit() - 1; });
      ct = std::apply(
          [](auto const&... q) {
            return std::apply([&](auto const&... k) { return rc::interpret(F{})(q..., k...); }, F::constants());
          },
          x);
      std::tuple<value_type&> cotangent(ct);
      fill(cotangent, [&](int) { return 2 * points.unit() - 1; });
      shift(step, std::make_index_sequence<count>{});
    }
    template <std::size_t... I>
    void shift(double step, std::index_sequence<I...>) {
      auto const one_operand = [&](auto& to, auto const& along) {
        for (rc::index_t i = 0; i < to.size(); ++i)
          to.data()[i] = static_cast<T>(to.data()[i] + step * along.data()[i]);
      };
      (one_operand(std::get<I>(x), std::get<I>(t)), ...);
    }
    results interpreted() const { return flat_results(rc::interpret(everything<F>{})(x, t, ct, F::constants())); }
    results compiled() const { return flat_results(rc::fn(everything<F>{})(x, t, ct, F::constants())); }
  };

  static void run(std::string const& name, double low, double high, bool positive) {
    INFO("operation ", name);
    problem<double, false> const at(0, low, high, positive);
    results const r = at.interpreted();
    CHECK(!r.value.empty());
    CHECK(distance(r.value, r.value) == 0);  // no NaN
    CHECK(distance(at.compiled(), r) < 1e-12);

    // central differences at h and 2 h, extrapolated
    double const h = 1e-3;
    auto const moved = [&](double step) { return problem<double, false>(step, low, high, positive).interpreted(); };
    results const a = moved(h), b = moved(-h), c = moved(2 * h), d = moved(-2 * h);
    auto const difference = [&](vector results::*part) {
      vector v;
      for (std::size_t k = 0; k < (a.*part).size(); ++k)
        v.push_back((8 * ((a.*part)[k] - (b.*part)[k]) - ((c.*part)[k] - (d.*part)[k])) / (12 * h));
      return v;
    };
    CHECK(distance(r.tangent, difference(&results::value)) < 1e-7);
    CHECK(distance(r.forward_over_reverse, difference(&results::cotangents)) < 1e-6);
    CHECK(distance(r.forward_over_reverse, r.reverse_over_reverse) < 1e-12);
    double const left = dot(flat(at.ct), r.tangent), right = dot(r.cotangents, flat(at.t));
    CHECK(std::abs(left - right) <= 1e-12 * (1 + std::abs(left)));

#if !defined(RICCI_TEST_BRIEF)
    problem<float, true> const single(0, low, high, positive);
    CHECK(distance(single.compiled(), r) < 2e-5);
    CHECK(distance(single.interpreted(), r) < 2e-5);
#endif
  }
};

// an elementwise operation as a case: operands of two orders, so that one is broadcast
template <class Op>
struct elementwise_case {
  static constexpr int arity = Op::arity;
  using inputs =
      std::conditional_t<arity == 1, std::tuple<rc::extents<3, 5>>,
                         std::conditional_t<arity == 2, std::tuple<rc::extents<3, 5>, rc::extents<5>>,
                                            std::tuple<rc::extents<3, 5>, rc::extents<3, 1>, rc::extents<5>>>>;
  static std::tuple<> constants() { return {}; }
  constexpr auto operator()(auto... x) const {
    if constexpr (Op::first_numeric == 1)
      return [](auto condition, auto... choices) { return Op{}(condition != 0, choices...); }(x...);
    else
      return Op{}(x...);
  }
};
template <class Op>
void check_elementwise(Op) {
  bool positive = false;  // where some negative operands have no result
  if constexpr (Op::arity == 2) positive = std::isnan(double(Op::kernel(-1.3, 0.7)));
  checker<elementwise_case<Op>>::run(Op::name, Op::domain.low, Op::domain.high, positive);
}

}  // namespace derivatives
