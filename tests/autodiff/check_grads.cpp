// The checker finds right what is right, and of what is wrong says where and by how much.
#include <doctest/doctest.h>

#include <string>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

// an operation of a program's own with a wrong derivative: 3 x instead of 2 x
struct wrong_square_t : rc::elementwise<wrong_square_t, 1> {
  static constexpr auto name = "wrong_square";
  RICCI_FN kernel(auto x) { return x * x; }
  static constexpr auto partials(auto, auto x) { return 3. * x; }
};
inline constexpr wrong_square_t wrong_square{};
// x^3: its derivative is right, and that one's is not
struct half_wrong_t : rc::elementwise<half_wrong_t, 1> {
  static constexpr auto name = "half_wrong";
  RICCI_FN kernel(auto x) { return x * x * x; }
  static constexpr auto partials(auto, auto x) { return 3. * wrong_square(x); }
};
inline constexpr half_wrong_t half_wrong{};
template <class Kind = rc::values>
struct parameters {
  rc::field<Kind, double, 3, 2> w;
  rc::field<Kind, double, 2> b;
};
bool has(rc::gradient_check const& c, char const* part) {
  return std::string(c.text()).find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("what is right, to the third order") {
  rc::tensor<double, 2> const x{-1, 0.5}, y{0.1, 0.2};
  auto const report = rc::check_grads([](auto a, auto b) { return rc::sum(a * rc::exp(b)); }, x, y, {.order = 3});
  CHECK(bool(report));
  CHECK(std::string(report.text()) == "derivatives up to order 3 agree with finite differences");
  rc::tensor<double, 3, 3> const m{{2, 0.5, -1}, {0.25, 3, 0.1}, {-0.5, 1, 4}};
  rc::ndarray<double, 2> const n = m;
  auto const layers = [](auto a, auto b) {
    return std::tuple{rc::tanh(rc::matmul(a, b)) / (1. + rc::exp(b)), rc::logsumexp(a, rc::axis<0>)};
  };
  CHECK_MESSAGE(rc::check_grads(layers, m, m, {.order = 2}), "layers");
  CHECK_MESSAGE(rc::check_grads(layers, n, n.T(), {.order = 2}), "layers of dynamic extents and views");
  auto const moved = [](auto a) {
    return rc::cumulative_sum(rc::sort(a(rc::all, 1)) * a(0)) + rc::prod(a, rc::axis<0>);
  };
  CHECK(rc::check_grads(moved, m, {.order = 2}));
  // numbers of other sizes, and near the end of a domain
  CHECK(rc::check_grads([](auto a) { return rc::log(a); }, rc::tensor<double, 3>{1e-6, 0.01, 500}));
  CHECK(rc::check_grads([](auto a) { return rc::sin(1000. * a); }, rc::tensor<double, 2>{1, 2}));
  CHECK(rc::check_grads([](auto a) { return 1e6 + rc::sum(a * a); }, rc::tensor<double, 2>{1e-3, 2e-3}));
  CHECK(rc::check_grads([](auto a) { return a * a * a; }, 2., {.order = 3}));
}
TEST_CASE("other types: float, half precision, complex, integers left out") {
  auto const f = [](auto a) { return rc::sum(rc::tanh(a) * rc::exp(a)); };
  CHECK(rc::check_grads(f, rc::tensor<float, 3>{0.5f, -1, 2}, {.order = 2}));
  CHECK(rc::check_grads(f, rc::tensor<rc::float16, 2>{rc::float16(0.5f), rc::float16(1.f)}));
  using complex = std::complex<double>;
  rc::tensor<complex, 2> const z{complex(1, 2), complex(-0.5, 0.25)};
  CHECK(rc::check_grads([](auto a) { return rc::exp(a) * a; }, z, {.order = 2}));
  CHECK(rc::check_grads([](auto a) { return rc::sum(rc::real(a * rc::conj(a)) + rc::imag(a)); }, z, {.order = 2}));
  auto const chosen = [](auto a, auto rows) { return std::pair{a(rows) * a(rows), rc::argmax(a)}; };
  CHECK(rc::check_grads(chosen, rc::tensor<double, 4>{1, 2, 3, 4}, rc::tensor<int, 3>{2, 0, 2}, {.order = 2}));
}
TEST_CASE("functions of functions, with state, with loops and branches") {
  rc::tensor<double, 3> const x{0.5, -1, 2};
  double const scale = 1.5;
  rc::ndarray<double, 1> const captured{1, 2, 3};
  auto const with_state = [&](auto a) { return rc::sum(scale * captured * rc::sin(a)); };
  CHECK(rc::check_grads(with_state, x, {.order = 2}));
  CHECK(rc::check_grads(rc::interpret(with_state), x));
  CHECK(rc::check_grads(rc::grad([](auto a) { return rc::sum(a * a * a); }), x, {.order = 2}));
  CHECK(rc::check_grads(rc::vmap([](auto a) { return rc::exp(a) * a; }), x));
  auto const loop = [](auto a) {
    auto const step = [](auto h, auto e) { return std::pair{rc::tanh(h + e), h * e}; };
    auto [last, all] = rc::scan(step, a(0), a);
    return last + rc::sum(all) +
           rc::cond(
               last > 0., [](auto u) { return u * u; }, [](auto u) { return -u; }, last);
  };
  CHECK(rc::check_grads(loop, x, {.order = 2}));
}
TEST_CASE("what is wrong is named: argument, element, amount") {
  auto const f = [](auto x) { return rc::sum(wrong_square(x)); };
  auto const bad = rc::check_grads(f, rc::tensor<double, 2>{1, 2});
  CHECK(!bad);
  CHECK(std::string(bad.text()) ==
        "forward mode, order 1: argument 0, element (1,): 6, by finite differences 4; they differ by 2");
  CHECK((bad.order == 1 && !bad.is_reverse && bad.argument == 0 && bad.element.extent[0] == 1));
  CHECK((bad.by_mode == doctest::Approx(6) && bad.by_differences == doctest::Approx(4)));
  auto const reverse = rc::check_grads(f, rc::tensor<double, 2>{1, 2}, {.forward = false});
  CHECK(has(reverse, "reverse mode, order 1: argument 0, element (1,): 6, by finite differences 4"));
  // of several arguments and results, one element
  auto const part = [](auto a, auto b, auto n) {
    return std::tuple{a * b, rc::stack(b, a, wrong_square(b(n)) + rc::zeros_like(b))};
  };
  rc::tensor<double, 3> const x{1, 2, 3};
  auto const second = rc::check_grads(part, x, x, 1, {.forward = false});
  CHECK(has(second, "argument 1, element (1,), result 1, element (2, "));
  CHECK(has(second, ": 6, by finite differences 4; they differ by 2"));
  parameters<> p;
  p.w = 0.5, p.b = {1, 2};
  auto const model = [](auto const& q, auto const& v) { return rc::matmul(v, q.w) + wrong_square(q.b); };
  auto const of_record = rc::check_grads(model, p, x);
  CHECK(has(of_record, "argument 0, leaf 1, element (1,), result 0, element (1,): 6, by finite differences 4"));
  CHECK((of_record.argument == 0 && of_record.leaf == 1));
  CHECK(has(rc::check_grads([](auto a) { return wrong_square(a); }, 2.), "argument 0: 6, by finite differences 4"));
}
TEST_CASE("one wrong element of many is found") {
  auto const f = [](auto a) { return rc::sum(a * a) + wrong_square(a(1234)) - a(1234); };
  rc::ndarray<double, 1> const x = rc::linspace<double>(1, 2, 3000);
  auto const bad = rc::check_grads(f, x, {.directions = 1});
  CHECK(!bad);
  CHECK(bad.element.extent[0] == 1234);
}
TEST_CASE("a first derivative that is right, and a second that is not") {
  CHECK(rc::check_grads(half_wrong, rc::tensor<double, 2>{1, 2}));
  auto const bad = rc::check_grads(half_wrong, rc::tensor<double, 2>{1, 2}, {.order = 2});
  CHECK(bad.order == 2);
  CHECK(has(bad, "order 2: argument 0, element ("));
}
TEST_CASE("options") {
  auto const f = [](auto x) { return rc::sum(wrong_square(x)); };
  rc::tensor<double, 2> const x{1, 2};
  CHECK(rc::check_grads(f, x, {.rtol = 1}));
  CHECK(raised([&] { rc::check_grads(f, x, {.forward = false, .reverse = false}); }) ==
        "value_error: check_grads: nothing is compared without a direction and without forward or reverse mode");
  CHECK(raised([&] { rc::check_grads(f, x, {.directions = 0}); }).find("nothing is compared") != std::string::npos);
  rc::check_options const all{.order = 2, .seed = 5, .directions = 1};
  CHECK(rc::check_grads([](auto a, auto b) { return rc::exp(a * b); }, x, x, all));
  CHECK(raised([&] { rc::check_grads(f, x, {.order = 8}); }) == "value_error: check_grads: order 8 is not from 1 to 7");
}
