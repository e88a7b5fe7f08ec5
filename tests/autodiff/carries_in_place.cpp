// Carries that are updated in place, kept in rows of their stack, or copied since they cannot be, and what is stacked
// in its row: whatever order a body reads and writes them in, compiled loops give what the interpreter gives, which has
// no plan and no memory to share. Bodies are chosen so that a carry in the wrong memory is seen: swapped, read after it
// was updated, at other elements, reduced, multiplied by a matrix, written in part. (Inner loops, branches and loops of
// no iterations: carries_nested.cpp.)
#include "carried.hpp"

namespace rc = ricci;

namespace {

using row = rc::tensor<double, 7>;
row const a0 = filled(row{}, .1), b0 = filled(row{}, -.15) + .5;
rc::tensor<double, 7, 7> const w0 = filled(rc::tensor<double, 7, 7>{}, .08);
rc::tensor<double, 5, 7> const rows = filled(rc::tensor<double, 5, 7>{}, .2);

// Carries one for another, the old value after the new one, old and new ones stacked.
constexpr auto turned = [](auto a, auto b, auto, auto xs) {
  auto const three = [](auto c, auto x) {
    auto [p, q, r] = c;
    auto const s = q + r * x;
    return std::pair(std::tuple(s, r * p, p - q + s), std::tuple(p, s, q * p));
  };
  auto const [last, all] = rc::scan(three, std::tuple(a, b, a * b), xs);
  return std::tuple(std::get<0>(last), std::get<1>(last), std::get<2>(last), std::get<0>(all), std::get<1>(all),
                    std::get<2>(all));
};
constexpr auto swapped = [](auto a, auto b, auto, auto xs) {
  auto const swap = [](auto c, auto x) {
    auto [p, q, same] = c;
    return std::pair(std::tuple(q, p, same), p * x + same);
  };
  auto const [last, all] = rc::scan(swap, std::tuple(a, b, a - b), xs);
  return std::tuple(std::get<0>(last), std::get<1>(last), std::get<2>(last), all);
};

// Carries read at other elements than they are written at, as a whole, and written in part.
constexpr auto moved = [](auto a, auto b, auto w, auto xs) {
  auto const views = [](auto c, auto x) {
    auto [p, q] = c;
    auto const rolled = rc::concat(p(rc::range(1, 7)), p(rc::range(0, 1)));
    return std::pair(std::tuple(rolled, rc::flip(p, rc::axis<0>) * .5 + q), q * x);
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

}  // namespace

TEST_CASE("carries one for another") {
  compare<6>(turned, a0, b0, w0, rows);
  compare<4>(swapped, a0, b0, w0, rows);
  compare_gradient(turned, a0, b0, w0, rows);
}
TEST_CASE("carries at other elements") { compare<9>(moved, a0, b0, w0, rows); }
