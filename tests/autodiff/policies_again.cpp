// Policies of checkpoints under other transforms: derivatives of the second order compute again, too; in batches, in
// other checkpoints, in loops what a policy keeps is kept.
#include <doctest/doctest.h>

#include <tuple>

#include "../checkpoints.hpp"

namespace rc = ricci;
using namespace checkpoints;
namespace policies = rc::policies;

namespace {

constexpr auto layer = [](auto x, auto w) {
  auto const a = rc::checkpoint_name<"hidden">(rc::sin(rc::matmul(x, w)) * w(0));
  return rc::tanh(rc::matmul(a, w)) * a;
};
template <class Policy>
constexpr auto loss = [](auto x, auto w) { return rc::sum(rc::checkpoint(layer, Policy{})(x, w)); };
constexpr auto plain = [](auto x, auto w) { return rc::sum(layer(x, w)); };
// of the second order, in reverse
template <class Policy>
constexpr auto slope = [](auto x, auto w) { return rc::sum(rc::square(rc::grad<1>(loss<Policy>)(x, w))); };
constexpr auto plain_slope = [](auto x, auto w) { return rc::sum(rc::square(rc::grad<1>(plain)(x, w))); };
template <class Policy>
constexpr auto scanned = [](auto x, auto w) {
  auto [last, ys] = rc::scan(
      [w](auto s, auto) {
        auto const y = rc::checkpoint(layer, Policy{})(s, w);
        return std::tuple(y, std::tuple{});
      },
      x, rc::arange<int>(rc::extents<5>{}));
  return rc::sum(last);
};
using nothing = policies::nothing_saveable_t;
using dots = policies::dots_saveable_t;
using named = policies::save_only_these_names_t<"hidden">;

rc::tensor<double, 3> const x{.3, -.2, .5};
rc::tensor<double, 3, 3> const w{{.3, -.2, .1}, {.5, .1, .4}, {-.3, .2, .6}};
rc::tensor<double, 64> const v = .3;
rc::tensor<double, 64, 64> const m = .01;

}  // namespace

TEST_CASE("the second order: the same, of what the first one keeps") {
  check_near(rc::grad<0, 1>(slope<nothing>)(x, w), rc::grad<0, 1>(plain_slope)(x, w));
  check_near(rc::grad<0, 1>(slope<named>)(x, w), rc::grad<0, 1>(plain_slope)(x, w));
  // arguments, and the gradient that is squared
  auto const kept = rc::saved(slope<nothing>, v, m), all = rc::saved(plain_slope, v, m);
  CHECK(kept.bytes <= 2 * 64 * 64 * 8 + 64 * 8);
  CHECK(kept.size() < all.size());
  CHECK(rc::saved(slope<named>, v, m).bytes <= kept.bytes + 64 * 8);
}
TEST_CASE("batches, and a checkpoint in another") {
  rc::tensor<double, 2, 3> const rows{{.3, -.4, .2}, {.1, .8, -.6}};
  constexpr auto axes = rc::in_axes<0, rc::unbatched>;
  auto const batch = [](auto f) {
    return [f](auto a, auto b) { return rc::sum(rc::vmap(f, rc::in_axes<0, rc::unbatched>)(a, b)); };
  };
  check_near(rc::vmap(rc::grad<0, 1>(loss<named>), axes)(rows, w), rc::vmap(rc::grad<0, 1>(plain), axes)(rows, w));
  check_near(rc::grad<0, 1>(batch(loss<dots>))(rows, w), rc::grad<0, 1>(batch(plain))(rows, w));
  CHECK(rc::saved(batch(loss<dots>), rows, w).size() == rc::saved(loss<dots>, x, w).size());
  auto const outer = [](auto a, auto b) { return rc::checkpoint(loss<dots>)(a, b); };
  check_near(rc::grad<0, 1>(outer)(x, w), rc::grad<0, 1>(plain)(x, w));
  CHECK(rc::saved(outer, x, w).size() == 2);
}
TEST_CASE("in the body of a loop what is kept is stacked") {
  check_near(rc::grad<0, 1>(scanned<named>)(x, w), rc::grad<0, 1>(scanned<nothing>)(x, w), 1e-12);
  check_near(rc::grad<0, 1>(scanned<dots>)(x, w), rc::grad<0, 1>(scanned<nothing>)(x, w), 1e-12);
  auto const bytes = [](auto const& f) { return rc::saved(f, v, m).bytes; };
  rc::index_t const stack = 5 * 64 * 8;
  CHECK(bytes(scanned<named>) == bytes(scanned<nothing>) + stack);
  CHECK(bytes(scanned<dots>) == bytes(scanned<nothing>) + 2 * stack);
}
