// What the policies of checkpoints keep, counted and by name, in derivatives of the second order, in loops and in
// batches, too; and that they change no derivative.
#include <doctest/doctest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <tuple>

#include "../checkpoints.hpp"

namespace rc = ricci;
using namespace checkpoints;
namespace policies = rc::policies;

namespace {

// two products, a value with a name, and what is computed of them
constexpr auto layer = [](auto x, auto w) {
  auto const a = rc::checkpoint_name<"hidden">(rc::sin(rc::matmul(x, w)) * .5);
  return rc::tanh(rc::matmul(a, w)) * rc::cos(a);
};
constexpr auto plain = [](auto x, auto w) { return rc::sum(layer(x, w)); };
template <class Policy>
constexpr auto loss = [](auto x, auto w) { return rc::sum(rc::checkpoint(layer, Policy{})(x, w)); };
template <class F>
constexpr auto slope = [](auto x, auto w) { return rc::sum(rc::square(rc::grad<1>(F{})(x, w))); };
template <class Policy>
constexpr auto scanned = [](auto x, auto w) {
  auto const step = [w](auto s, auto) { return std::tuple(rc::checkpoint(layer, Policy{})(s, w), std::tuple{}); };
  return rc::sum(std::get<0>(rc::scan(step, x, rc::arange<int>(rc::extents<5>{}))));
};
using nothing = policies::nothing_saveable_t;
using dots = policies::dots_saveable_t;
using named = policies::save_only_these_names_t<"hidden">;
constexpr auto own = [](rc::saveable const& v) { return v.rank == 1 && v.operation == std::string_view("sin"); };
template <class F>
using type_of = std::remove_const_t<F>;

rc::tensor<double, 8> const v = .3;
rc::tensor<double, 8, 8> const m = .1;
rc::index_t const one = 64, arguments = 9 * one;

template <class F>
std::string kept(F const& f) {
  std::ostringstream s;
  s << rc::saved(f, v, m);
  return s.str();
}
template <class F>
rc::index_t bytes(F const& f) {
  return rc::saved(f, v, m).bytes;
}
bool has(std::string const& text, char const* part) { return text.find(part) != text.npos; }

}  // namespace

TEST_CASE("what each policy keeps") {
  CHECK(bytes(loss<nothing>) == arguments);
  CHECK(bytes(loss<dots>) == arguments + 2 * one);
  CHECK(has(kept(loss<dots>), "  result of matmul: float64 (1, 8), 64 bytes\n  result of matmul: float64 (1, 8)"));
  CHECK(bytes(loss<named>) == arguments + one);
  CHECK(has(kept(loss<named>), "  result of multiply, \"hidden\": float64 (8,), 64 bytes\n"));
  CHECK(bytes(loss<policies::save_from_both_policies_t<dots, named>>) == arguments + 3 * one);
  CHECK(has(kept(loss<type_of<decltype(own)>>), "  result of sin: float64 (8,), 64 bytes\n"));
  CHECK(kept(loss<policies::everything_saveable_t>) == kept(plain));
  CHECK(rc::vjp(loss<dots>)(v, m).second.bytes() == bytes(loss<dots>));
  // in the body of a loop for each iteration; by a checkpoint around it nothing
  CHECK(bytes(scanned<dots>) == bytes(scanned<nothing>) + 2 * 5 * one);
  CHECK(bytes(scanned<named>) == bytes(scanned<nothing>) + 5 * one);
  CHECK(bytes([](auto x, auto w) { return rc::checkpoint(loss<dots>)(x, w); }) == arguments);
}
TEST_CASE("no derivative is another one, and the second order keeps as little as the first") {
  rc::tensor<double, 3> const x{.3, -.2, .5};
  rc::tensor<double, 3, 3> const w{{.3, -.2, .1}, {.5, .1, .4}, {-.3, .2, .6}};
  using keeping = type_of<decltype(loss<named>)>;
  using usual = type_of<decltype(plain)>;
  auto const expected = rc::grad<0, 1>(slope<usual>)(x, w);
  check_near(rc::grad<0, 1>(slope<keeping>)(x, w), expected);
  check_near(rc::interpret(rc::grad<0, 1>(slope<keeping>))(x, w), expected);
  // the arguments, what has the name, and the gradient that is squared
  CHECK(bytes(slope<keeping>) <= arguments + one + 8 * one);
  CHECK(bytes(slope<usual>) > arguments + 12 * one);
  rc::tensor<double, 2, 3> const rows{{.3, -.4, .2}, {.1, .8, -.6}};
  constexpr auto axes = rc::in_axes<0, rc::unbatched>;
  auto const in_batch = rc::eval(rc::vmap(rc::grad<0>(scanned<dots>), axes)(rows, w));
  for (rc::index_t k = 0; k < 6; ++k) {
    auto const moved = [&](double by) {
      rc::tensor<double, 3> y = rows(k / 3);
      y(k % 3) += by;
      return double(rc::fn(scanned<nothing>)(y, w));
    };
    CHECK(in_batch(k / 3, k % 3) == doctest::Approx((moved(1e-5) - moved(-1e-5)) / 2e-5).epsilon(1e-7));
  }
}
