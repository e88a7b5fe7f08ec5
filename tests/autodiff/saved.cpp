// What a pullback keeps, listed without computing anything, against what the pullback itself says.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr auto layer = [](auto x, auto w) { return rc::sum(rc::square(rc::tanh(rc::matmul(x, w)))); };
template <class Kind = rc::values>
struct parameters {
  rc::field<Kind, double, 16, 4> w;
  rc::field<Kind, double, 4> b;
};
template <class X>
std::string text_of(X const& x) {
  std::ostringstream s;
  s << x;
  return s.str();
}
template <class F, class... A>
rc::saved_values checked(F const& f, A const&... a) {
  auto all = rc::saved(f, a...);
  CHECK(all.bytes == rc::vjp(f)(a...).second.bytes());
  rc::index_t sum = 0;
  for (auto const& v : all) sum += (v.bytes + 63) / 64 * 64;
  CHECK(all.bytes == sum);
  return all;
}

}  // namespace

TEST_CASE("arguments, results of operations, and as many bytes as the pullback has") {
  rc::tensor<double, 8, 16> const x = 0.5;
  rc::tensor<double, 16, 4> const w = 0.25;
  auto const all = checked(layer, x, w);
  REQUIRE(all.size() >= 3);
  bool has_x = false, has_w = false, has_result = false;
  for (auto const& v : all) {
    has_x = has_x || (v.argument == 0 && v.is_argument && v.bytes == 8 * 16 * 8 && v.shape.extent[1] == 16);
    has_w = has_w || (v.argument == 1 && v.bytes == 16 * 4 * 8);
    has_result = has_result || (v.argument < 0 && v.shape.extent[0] == 8 && v.shape.extent[1] == 4);
    CHECK(v.type == rc::dtype::float64);
    CHECK(v.leaf == -1);
  }
  CHECK((has_x && has_w && has_result));
  auto const text = text_of(all);
  CHECK(text.find("  argument 0: float64 (8, 16), 1024 bytes\n") != std::string::npos);
  CHECK(text.find("  argument 1: float64 (16, 4), 512 bytes\n") != std::string::npos);
  CHECK(text.find("  result of ") != std::string::npos);
  // the same of extents that are known when it runs
  rc::ndarray<double, 2> const nx = x, nw = w;
  CHECK(text_of(checked(layer, nx, nw)) == text);
}
TEST_CASE("nothing, numbers, parts, records, functions of functions") {
  rc::ndarray<double, 1> const x = rc::arange<double>(0, 100);
  auto const nothing = checked([](auto a) { return rc::sum(a); }, x);
  CHECK(nothing.size() == 0);
  CHECK(text_of(nothing) == "0 values, 0 bytes\n");
  auto const part = checked([](auto a) { return rc::square(a(3)); }, x);
  REQUIRE(part.size() == 1);
  CHECK(part[0].bytes == 8);
  CHECK(part[0].argument == 0);
  CHECK(text_of(part).find(" of argument 0: float64 ") != std::string::npos);
  auto const scaled = checked([](auto a, auto s) { return a * s; }, x, 2.f);
  REQUIRE(scaled.size() == 2);
  parameters<> p;
  rc::tensor<double, 3, 16> const rows = 1.;
  auto const model = [](auto const& q, auto const& v) { return rc::exp(rc::matmul(v, q.w) * q.b); };
  auto const of_record = text_of(checked(model, p, rows));
  CHECK(of_record.find("  argument 0, leaf 1: float64 (4,), 32 bytes\n") != std::string::npos);
  CHECK(of_record.find("  argument 1: float64 (3, 16), 384 bytes\n") != std::string::npos);
  checked(rc::grad([](auto a) { return rc::sum(rc::exp(a) * a); }), x);
}
TEST_CASE("extents that are broadcast, and such that do not go together") {
  rc::ndarray<double, 2> const a(3, 4), row(1, 4), wrong(3, 5);
  auto const product = [](auto u, auto v) { return rc::exp(u * v); };
  CHECK(checked(product, a, row).bytes < checked(product, a, a).bytes + 1);
  CHECK(raised([&] { rc::saved(product, a, wrong); }) == raised([&] { rc::vjp(product)(a, wrong); }));
  CHECK(raised([&] { rc::saved(product, a, wrong); }) != "");
}
