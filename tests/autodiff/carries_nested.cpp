// Carries of inner loops and branches, which begin as those around them and end as what is next, of loops that a
// condition ends, and of loops without iterations: they lie where carries_in_place.cpp says, and give what the
// interpreter gives.
#include "carried.hpp"

namespace rc = ricci;

namespace {

using row = rc::tensor<double, 6>;
row const a0 = filled(row{}, .1), b0 = filled(row{}, -.15) + .5;
rc::tensor<double, 6, 6> const w0 = filled(rc::tensor<double, 6, 6>{}, .08);
rc::tensor<double, 5, 6> const rows = filled(rc::tensor<double, 5, 6>{}, .2);

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

}  // namespace

TEST_CASE("inner loops, branches, no iterations") {
  compare<7>(nested, a0, b0, w0, rows);
  compare_gradient(nested, a0, b0, w0, rows);
}
TEST_CASE("until a condition holds") { compare<3>(until, a0, b0); }
