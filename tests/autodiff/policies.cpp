// What the policies of checkpoints keep, counted and by name, and that they change no derivative.
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
constexpr auto layer = [](auto h, auto w) {
  auto const a = rc::checkpoint_name<"hidden">(rc::sin(rc::matmul(h, w)) * .5);
  return rc::tanh(rc::matmul(a, w)) * rc::cos(a);
};
template <class Policy>
constexpr auto net = [](auto h, auto w) {
  for (int k = 0; k < 2; ++k) h = rc::checkpoint(layer, Policy{})(h, w);
  return rc::sum(h);
};
constexpr auto plain = [](auto h, auto w) { return rc::sum(layer(layer(h, w), w)); };
using nothing = policies::nothing_saveable_t;
using dots = policies::dots_saveable_t;
using named = policies::save_only_these_names_t<"hidden">;
constexpr auto own = [](rc::saveable const& v) { return v.rank == 2 && v.operation == std::string_view("sin"); };

rc::tensor<double, 4, 8> const h = .3;
rc::tensor<double, 8, 8> const w = .1;

template <class F>
int count_of(F const& f, char const* what) {
  std::ostringstream s;
  s << rc::saved(f, h, w);
  int n = 0;
  auto const text = s.str();
  for (auto at = text.find(what); at != text.npos; at = text.find(what, at + 1)) ++n;
  return n;
}
template <class F>
rc::index_t bytes_of(F const& f) {
  return rc::saved(f, h, w).bytes;
}

}  // namespace

TEST_CASE("what each policy keeps") {
  rc::index_t const arguments = 512, one = 256;  // w; h, and each of the values
  CHECK(bytes_of(net<nothing>) == arguments + 2 * one);
  CHECK(bytes_of(net<dots>) == arguments + 6 * one);
  CHECK(count_of(net<dots>, "  result of matmul: float64 (4, 8)") == 4);
  CHECK(bytes_of(net<named>) == arguments + 4 * one);
  CHECK(count_of(net<named>, ", \"hidden\": float64 (4, 8)") == 2);
  CHECK(bytes_of(net<policies::save_any_names_but_these_t<"hidden">>) == bytes_of(net<nothing>));
  CHECK(bytes_of(net<policies::save_from_both_policies_t<dots, named>>) == arguments + 8 * one);
  CHECK(bytes_of(net<policies::everything_saveable_t>) == bytes_of(plain));
  CHECK(count_of(net<std::remove_const_t<decltype(own)>>, "  result of sin: float64 (4, 8)") == 2);
  CHECK(rc::vjp(net<dots>)(h, w).second.bytes() == bytes_of(net<dots>));
}
TEST_CASE("no derivative is another one") {
  auto const expected = rc::grad<0, 1>(plain)(h, w);
  check_near(rc::grad<0, 1>(net<dots>)(h, w), expected);
  check_near(rc::grad<0, 1>(net<named>)(h, w), expected);
  check_near(rc::vjp(net<named>)(h, w).second(1.), expected);
  check_near(rc::interpret(rc::grad<0, 1>(net<named>))(h, w), expected);
  rc::ndarray<double, 2> const dh = h, dw = w;
  check_near(rc::grad<0, 1>(net<dots>)(dh, dw), expected);
  check_near(rc::jvp(net<dots>)(h, w)(h, w), rc::jvp(plain)(h, w)(h, w));
}
