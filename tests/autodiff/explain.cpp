// count and explain: exact numbers, and words that say what the plan is.
#include <doctest/doctest.h>

#include <sstream>
#include <string>

#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

struct expected {
  rc::index_t operations, read, written;
};
bool operator==(rc::cost const& c, expected const& e) {
  return c.operations == e.operations && c.read == e.read && c.written == e.written && c.bytes == e.read + e.written;
}
constexpr rc::index_t f4 = 4, f8 = 8;

bool has(std::string const& text, char const* words) { return text.find(words) != std::string::npos; }
int occurrences(std::string const& text, char const* words) {
  int n = 0;
  for (auto at = text.find(words); at != std::string::npos; at = text.find(words, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("elementwise functions and reductions, counted") {
  rc::ndarray<double, 2> rows(4, 3);
  auto const cubes = [](auto x) { return rc::sum(x * x * x); };
  CHECK(rc::count(cubes, rows) == expected{12 * 3, 12 * f8, f8});
  CHECK(rc::count(rc::vmap(cubes), rows) == expected{12 * 3, 12 * f8, 4 * f8});
  CHECK(rc::count(cubes, rc::tensor<float, 5>{}) == expected{5 * 3, 5 * f4, f4});
  // one that is used twice is computed once
  auto const twice = [](auto x) { return rc::exp(x) * rc::exp(x); };
  CHECK(rc::count(twice, rc::tensor<float, 8>{}) == expected{8 * 2, 8 * f4, 8 * f4});
  // what nobody needs is not computed; a value and its gradient share what they can
  CHECK(rc::count([](auto x) { return rc::exp(x), x + 1.f; }, rc::tensor<float, 8>{}) == expected{8, 8 * f4, 8 * f4});
  auto const f = [](auto x) { return rc::sum(rc::exp(x)); };
  CHECK(rc::count(rc::value_and_grad(f), rc::tensor<float, 8>{}) == expected{8 * 2, 8 * f4, 8 * f4 + f4});
  CHECK(rc::count(rc::prepared(rc::value_and_grad(f)), rc::tensor<float, 8>{}) == expected{8 * 2, 8 * f4, 8 * f4 + f4});
  CHECK(rc::count(f, rc::tensor<float, 0>{}) == expected{0, 0, f4});
  // one exp, a product, and two sums
  CHECK(rc::count(rc::jvp(f), rc::tensor<float, 8>{}, rc::tensor<float, 8>{}) == expected{4 * 8, 2 * 8 * f4, 2 * f4});
}

TEST_CASE("operands that are broadcast are read once") {
  auto const add = [](auto a, auto b) { return a + b; };
  CHECK(rc::count(add, rc::tensor<float, 5, 3>{}, rc::tensor<float, 3>{}) == expected{15, 15 * f4 + 3 * f4, 15 * f4});
  // also where that shows only at run time
  CHECK(rc::count(add, rc::ndarray<float, 2>(5, 3), rc::ndarray<float, 2>(5, 3)) == expected{15, 30 * f4, 15 * f4});
  CHECK(rc::count(add, rc::ndarray<float, 2>(5, 3), rc::ndarray<float, 2>(1, 3)) == expected{15, 18 * f4, 15 * f4});
}

TEST_CASE("products, rows by index, buffers") {
  rc::tensor<float, 5, 3> const a;
  rc::tensor<float, 3, 7> const b;
  CHECK(rc::count(rc::matmul, a, b) == expected{2 * 5 * 3 * 7, (15 + 21) * f4, 35 * f4});
  CHECK(rc::count([](auto x, auto y) { return rc::tanh(rc::matmul(x, y) + 1.f); }, a, b) ==
        expected{2 * 105 + 2 * 35, 36 * f4, 35 * f4});
  auto const rows = [](auto x, auto i) { return rc::take(x, i, rc::axis<0>); };
  CHECK(rc::count(rows, a, rc::tensor<std::int64_t, 2>{}) == expected{0, 6 * f4 + 2 * f8, 6 * f4});
  auto const softmax = rc::count([](auto x) { return rc::softmax(x); }, rc::tensor<float, 4, 8>{});
  CHECK(softmax.steps > 1);
  CHECK(softmax.workspace > 0);
  CHECK(softmax.kernels <= softmax.steps);
}

TEST_CASE("an explanation names what was recorded, what became of it, and what runs") {
  auto const f = [](auto x, auto y) { return rc::sum(rc::tanh(x * 1. + y), rc::axis<1>); };
  auto const e = rc::explain(f, rc::ndarray<double, 2>(4, 3), rc::tensor<double, 3>{});
  std::string const text = e.text;
  auto const simplified = text.find("simplified:"), plan = text.find("plan:");
  REQUIRE(simplified != std::string::npos);
  REQUIRE(plan != std::string::npos);
  std::string const before = text.substr(0, simplified), after = text.substr(simplified, plan - simplified),
                    steps = text.substr(plan);
  CHECK(has(before, "multiply("));
  CHECK(!has(after, "multiply("));  // x * 1 is x
  CHECK(has(after, "argument 0                            float64 (4, 3)"));
  CHECK(has(after, "sum over (1)"));
  CHECK(has(steps, "plan: 1 step, 1 kernel, 0 bytes of workspace"));
  CHECK(has(steps, "reduction along rows of 4 x 3"));
  CHECK((has(steps, "= add(argument 0, argument 1)") || has(steps, "= add(argument 1, argument 0)")));
  CHECK(has(steps, "result 0 = sum(r"));
#if RICCI_HAS_XSIMD
  CHECK(has(steps, xsimd::default_arch::name()));
#else
  CHECK(has(steps, "plain numbers"));
#endif
  CHECK(e.total == expected{36, 15 * f8, 4 * f8});
  std::ostringstream stream;
  stream << e;
  CHECK(stream.str() == text);
}

TEST_CASE("buffers, with sizes and lifetimes") {
  auto const net = [](auto w, auto v, auto x) { return rc::matmul(rc::tanh(rc::matmul(x, w)), v); };
  std::string const text =
      rc::explain(net, rc::tensor<float, 32, 24>{}, rc::tensor<float, 24, 20>{}, rc::tensor<float, 40, 32>{}).text;
  CHECK(has(text, "blocked matrix product of 40 x 24 x 32"));
  CHECK(has(text, "tanh(product)"));
  CHECK(has(text, "buffer 0: 3840 bytes at 0, from step 0 to 1, value %"));
  std::string const small = rc::explain(rc::matmul, rc::tensor<float, 4, 4>{}, rc::tensor<float, 4, 4>{}).text;
#if RICCI_HAS_XSIMD
  CHECK(has(small, "matrix product in registers of 4 x 4 x 4"));
#endif
}

TEST_CASE("a drawing names every instruction and step") {
  auto const f = [](auto x) { return rc::logsumexp(x) * x(0); };
  auto const e = rc::explain(rc::grad([=](auto x) { return rc::sum(f(x)); }), rc::tensor<float, 6>{});
  std::string const& dot = e.graphviz();
  CHECK(dot.starts_with("digraph ricci {"));
  CHECK(dot.ends_with("}\n"));
  CHECK(occurrences(dot, "{") == occurrences(dot, "}"));
  int const instructions = occurrences(e.text, "  %");
  CHECK(occurrences(dot, "    recorded_") > 0);
  CHECK(occurrences(dot, "shape=box") + occurrences(dot, "shape=ellipse") ==
        instructions + occurrences(e.text, "  step "));
  CHECK(occurrences(dot, "\"buffer ") > 0);
}
