// Carries that are updated in place, kept in rows of their stack, or copied since they cannot be, and what is stacked
// in its row: whatever order a body reads and writes them in, compiled loops give what the interpreter gives, which has
// no plan and no memory to share. Bodies are chosen so that a carry in the wrong memory is seen: swapped, read after it
// was updated, at other elements, reduced, multiplied by a matrix, written in part, carried through inner loops and
// branches; 0 to 5 iterations.
#include <doctest/doctest.h>

#include <tuple>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

template <class T>
T filled(T x, double by) {
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = by * double((k * 7 + 3) % 11 - 5);
  return x;
}
using row = rc::tensor<double, 6>;
row const a0 = filled(row{}, .1), b0 = filled(row{}, -.15) + .5;
rc::tensor<double, 6, 6> const w0 = filled(rc::tensor<double, 6, 6>{}, .08);
rc::tensor<double, 5, 6> const rows = filled(rc::tensor<double, 5, 6>{}, .2);

// Carries one for another, the old value after the new one, old and new ones stacked.
constexpr auto exchanged = [](auto a, auto b, auto, auto xs) {
  auto const swap = [](auto c, auto x) {
    auto [p, q] = c;
    return std::pair(std::tuple(q, p), p * x);
  };
  auto const [swapped, from_swap] = rc::scan(swap, std::tuple(a, b), xs);
  auto const three = [](auto c, auto x) {
    auto [p, q, r] = c;
    auto const s = q + r * x;
    return std::pair(std::tuple(s, r * p, p - q + s), std::tuple(p, s, q * p));
  };
  auto const [turned, from_three] = rc::scan(three, std::tuple(a, b, a * b), xs);
  auto const chain = [](auto c, auto x) {
    auto [p, q] = c;
    auto const next = p * .5 + x;
    auto const other = rc::tanh(q + p) + next;
    return std::pair(std::tuple(next, other), next + 1.);
  };
  auto const [chained, from_chain] = rc::scan(chain, std::tuple(a, b), xs);
  return std::tuple(std::get<0>(swapped), std::get<1>(swapped), from_swap, std::get<0>(turned), std::get<1>(turned),
                    std::get<2>(turned), std::get<0>(from_three), std::get<1>(from_three), std::get<2>(from_three),
                    std::get<0>(chained), std::get<1>(chained), from_chain);
};

// Carries read at other elements than they are written at, as a whole, and written in part.
constexpr auto moved = [](auto a, auto b, auto w, auto xs) {
  auto const views = [](auto c, auto x) {
    auto [p, q] = c;
    auto const turned = rc::concat(p(rc::range(1, 6)), p(rc::range(0, 1)));
    return std::pair(std::tuple(turned, rc::flip(p, rc::axis<0>) * .5 + q), q * x);
  };
  auto const [seen, from_views] = rc::scan(views, std::tuple(a, b), xs);
  auto const products = [w](auto c, auto x) {
    auto [h, s] = c;
    auto const next = rc::matmul(w, h) + x;
    return std::pair(std::tuple(next, s * .5 + h / (1. + rc::sum(h * h))), rc::max(s));
  };
  auto const [multiplied, from_products] = rc::scan(products, std::tuple(a, b), xs);
  auto const parts = [](auto c, auto x) {
    auto [p, q] = c;
    p(rc::range(1, 3)) = p(rc::range(2, 4)) * x(0);
    q(rc::range(0, 2)) += x(rc::range(3, 5));
    return std::pair(std::tuple(p, q), rc::sum(q));
  };
  auto const [written, from_parts] = rc::scan(parts, std::tuple(a, b), xs);
  return std::tuple(std::get<0>(seen), std::get<1>(seen), from_views, std::get<0>(multiplied), std::get<1>(multiplied),
                    from_products, std::get<0>(written), std::get<1>(written), from_parts);
};

// Inner loops and branches, whose carries begin as those around them and end as what is next; numbers; no iterations.
constexpr auto nested = [](auto a, auto b, auto w, auto xs) {
  auto const step = [b, w](auto i, auto c) {
    auto const inner = [b, c, i](auto k, auto q) { return q * .5 + rc::flip(c, rc::axis<0>) * b - .1 * (i + k); };
    auto const r = rc::fori_loop(0, 3, inner, c);
    return rc::cond(
        rc::sum(r) > 0., [](auto u) { return u * .5; }, [w](auto u) { return rc::matmul(w, u); }, r);
  };
  auto const sums = [](auto, auto c) {
    auto [n, all, p] = c;
    return std::tuple(n + rc::sum(p), all * .5 + n, p * .9 + n);
  };
  auto const s = rc::fori_loop(0, 4, sums, std::tuple(rc::sum(a), rc::mean(b), a));
  auto const none = rc::fori_loop(0, 0, step, b);
  auto const [last, stacked] = rc::scan([](auto c, auto x) { return std::pair(x - c, c); }, none, xs);
  return std::tuple(rc::fori_loop(0, 4, step, a), std::get<0>(s), std::get<1>(s), std::get<2>(s), none, last, stacked);
};
constexpr auto until = [](auto a, auto b) {
  auto const [n, p, q] = rc::while_loop([](auto const& c) { return std::get<0>(c) < 4.; },
                                        [](auto c) {
                                          auto [k, u, v] = c;
                                          return std::tuple(k + 1., v, u * k + v);
                                        },
                                        std::tuple(rc::sum(a) * 0., a, b));
  return std::tuple(n, p, q);
};

void compare(int result, numbers const& x, numbers const& y) {
  CHECK_MESSAGE(x.near(y, 1e-12), "result ", result, ": ", x, " and ", y);
}
template <int... K, class X, class Y>
void compare(std::integer_sequence<int, K...>, X const& x, Y const& y) {
  (compare(K, numbers(std::get<K>(x)), numbers(std::get<K>(y))), ...);
}
template <int N, class F, class... A>
void compare(F const& f, A const&... a) {
  compare(std::make_integer_sequence<int, N>{}, rc::fn(f)(a...), rc::interpret(f)(a...));
}
// the sum of squares of all results, by its gradient
template <class F>
constexpr auto loss_of =
    [](auto... x) { return std::apply([](auto const&... y) { return (rc::sum(y * y) + ...); }, F{}(x...)); };
template <class F, class... A>
void compare_gradients(F const&, A const&... a) {
  auto const g = rc::grad<0, 1, 2, 3>(loss_of<F>);
  compare(std::make_integer_sequence<int, 4>{}, g(a...), rc::interpret(g)(a...));
}

}  // namespace

TEST_CASE("carries one for another") {
  compare<12>(exchanged, a0, b0, w0, rows);
  compare_gradients(exchanged, a0, b0, w0, rows);
}
TEST_CASE("carries at other elements") {
  compare<9>(moved, a0, b0, w0, rows);
  compare_gradients(moved, a0, b0, w0, rows);
}
TEST_CASE("inner loops, branches, no iterations") {
  compare<7>(nested, a0, b0, w0, rows);
  compare_gradients(nested, a0, b0, w0, rows);
  compare<3>(until, a0, b0);
}
