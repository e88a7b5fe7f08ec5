// Parameters in half precision in a loss, in float outside; and parameters that are set to stay cost no derivatives.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <type_traits>

#include <ricci/ricci.hpp>

#include <ricci/nn/as.hpp>
#include <ricci/nn/groups.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/step.hpp>

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

template <class Kind = rc::values>
struct net {
  std::array<nn::layer<nn::linear<2, 3>, Kind>, 1> in;
  nn::layer<nn::linear<3, 1>, Kind> out;
  constexpr auto operator()(auto const& x) const { return out(rc::tanh(in[0](x))); }
};
template <class T>
struct error_in {
  constexpr auto operator()(auto const& m, auto const& x, auto const& y) const {
    auto const small = nn::as<T>(m);
    auto const z = small(nn::as<T>(x));
    static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(small.out.b)>::value_type, T>);
    static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(z)>::value_type, T>);
    return rc::mean(rc::square(nn::as<float>(z) - y));
  }
};
template <class Kind = rc::values>
struct two {
  nn::layer<nn::linear<2, 3>, Kind> in;
  nn::layer<nn::linear<3, 1>, Kind> out;
};
constexpr auto loss = [](auto const& m, auto state, auto const&, auto const& x) {
  return std::pair(rc::mean(rc::square(m.out(rc::tanh(m.in(x))))), state);
};
template <class O>
auto operations(O const& o) {
  auto const run = nn::start(nn::init<two<>>(nn::key{1}), std::tuple<>{}, o, nn::key{1});
  using links = decltype(nn::links_of(o));
  rc::tensor<float, 4, 2> const x{};
  return rc::count(nn::traced_step<std::remove_const_t<decltype(loss)>, links>{}, nn::links_of(o), run.params,
                   run.state, run.optimiser, run.key, run.step, 4.f, x);
}

}  // namespace

TEST_CASE("a model in half precision, with derivatives of its parameters in float") {
  auto m = nn::init<net<>>(nn::key{3});
  rc::tensor<float, 4, 2> const x = rc::random::uniform<float>(nn::key{4}, rc::extents<4, 2>{});
  rc::tensor<float, 4, 1> const y = rc::random::uniform<float>(nn::key{5}, rc::extents<4, 1>{});
  auto const whole = rc::grad(error_in<float>{})(m, x, y);
  auto const brain = rc::grad(error_in<rc::bfloat16>{})(m, x, y);
  auto const half = rc::grad(error_in<rc::float16>{})(m, x, y);
  static_assert(std::is_same_v<decltype(brain.in[0].w)::value_type, float>);
  float const size = float(rc::max(rc::abs(whole.in[0].w)));
  CHECK(size > .01f);
  CHECK(float(rc::max(rc::abs(whole.in[0].w - brain.in[0].w))) < .03f * size);
  CHECK(float(rc::max(rc::abs(whole.in[0].w - brain.in[0].w))) > 0);
  CHECK(float(rc::max(rc::abs(whole.in[0].w - half.in[0].w))) < .004f * size);
}

TEST_CASE("what stays has no derivatives, and costs none") {
  auto const rate = nn::sgd{} | nn::constant{.1f};
  auto const all = operations(rate),
             some = operations(nn::groups(nn::on<"in.*">(nn::set_to_zero{}), nn::on<"*">(rate)));
  CHECK(some.operations < all.operations - 2 * 4 * 2 * 3);  // of the product that is the derivative by in.w
}
