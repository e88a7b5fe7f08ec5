// Sinusoidal and rotary positions by the formulas of the papers, and heads that are causal and rotary as in PyTorch.
#include <doctest/doctest.h>

#include <array>
#include <cmath>

#include <ricci/ricci.hpp>

#include <ricci/nn/attention.hpp>
#include <ricci/nn/init.hpp>
#include <ricci/random/normal.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"
#include "near_table.hpp"
#include "positions_table.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;
namespace of = positions_table;

namespace {
auto const x = of_table<rc::tensor<double, 2, 5, 6>>(of::x);
}

TEST_CASE("sines and turns") {
  CHECK(near_table(rc::eval(nn::sinusoidal(x)), of::sinusoidal, 1e-14));
  CHECK(near_table(rc::eval(nn::rotary(x)), of::rotary, 1e-14));
  CHECK(near_table(rc::eval(nn::rotary(x, 7.)), of::rotary_from_7, 1e-14));
  rc::ndarray<double, 3> const dynamic = x;
  CHECK(near_table(rc::eval(nn::sinusoidal(dynamic)), of::sinusoidal, 1e-14));
  CHECK(near_table(rc::eval(nn::rotary(dynamic, 7)), of::rotary_from_7, 1e-14));
  // a single place at its number, as a decoder with a cache has it
  rc::tensor<double, 2, 1, 6> const last = x(rc::all, rc::range<4, 5>());
  rc::tensor<double, 2, 1, 6> const turned = nn::rotary(last, 4),
                                    all = rc::eval(nn::rotary(x))(rc::all, rc::range<4, 5>());
  CHECK(numbers(turned).near(numbers(all), 1e-14));
  auto const loss = [](auto const& v, auto const& w) { return rc::eval(rc::sum(nn::rotary(v) * w)); };
  CHECK(rc::check_grads(loss, x, rc::eval(rc::cos(3. * x))));
  rc::tensor<float, 2, 5, 6> const narrow = rc::astype<float>(x);
  CHECK(near_table(rc::eval(nn::rotary(narrow)), of::rotary, 1e-6));
  CHECK(numbers(rc::eval(rc::vmap([](auto const& v) { return nn::rotary(v); })(x)))
            .near(numbers(rc::eval(nn::rotary(x))), 1e-15));
  // half precision holds few places, and no angles of them
  rc::ndarray<float, 2> const many = rc::ones<float>(rc::shape(1100, 4));
  rc::ndarray<rc::bfloat16, 2> const few_bits = rc::astype<rc::bfloat16>(many);
  auto const farthest = [](auto const& a, auto const& b) {
    return rc::eval(rc::max(rc::abs(rc::astype<float>(a) - b))).item();
  };
  CHECK(farthest(rc::eval(nn::rotary(few_bits)), rc::eval(nn::rotary(many))) < .01f);
  CHECK(farthest(rc::eval(nn::sinusoidal(few_bits)), rc::eval(nn::sinusoidal(many))) < .01f);
  static_assert(std::is_same_v<decltype(rc::eval(nn::rotary(few_bits)))::value_type, rc::bfloat16>);
  rc::ndarray<double, 2> const odd = rc::ones<double>(rc::shape(4, 3));
  CHECK(raised([&] { rc::ndarray<double, 2> const y = nn::rotary(odd); }).starts_with("shape_error: "));
  CHECK(raised([&] { rc::ndarray<double, 2> const y = nn::sinusoidal(odd); }).starts_with("shape_error: "));
}
TEST_CASE("causal and rotary heads, as in PyTorch") {
  using causal_t = nn::multi_head_attention<8, 2, double, nn::head_options{.causal = true, .rotary = true}>::params<>;
  using matrix = rc::tensor<double, 8, 8>;
  causal_t layer{};
  layer.query = of_table<matrix>(of::query), layer.key = of_table<matrix>(of::key);
  layer.value = of_table<matrix>(of::value), layer.out = of_table<matrix>(of::out);
  auto const y = of_table<rc::tensor<double, 2, 5, 8>>(of::y);
  rc::tensor<double, 2, 5, 8> const w = rc::sin(rc::reshape(rc::arange<double>(1., 81.), rc::shape(2, 5, 8)));
  CHECK(near_table(rc::eval(layer(y)), of::attended, 1e-12));
  auto const loss = [](auto const& v, auto const& p, auto const& s) { return rc::eval(rc::sum(p(v) * s)); };
  CHECK(near_table(rc::eval(rc::grad(loss)(y, layer, w)), of::by_y, 1e-12));
  CHECK(rc::check_grads(loss, y, layer, w));
  rc::tensor<bool, 5> const seen{true, true, true, false, false};  // a mask hides places besides
  auto const hidden = rc::eval(layer(y, y, seen));
  CHECK(numbers(rc::eval(hidden(rc::all, rc::range(0, 3))))
            .near(numbers(rc::eval(layer(y)(rc::all, rc::range(0, 3)))), 1e-14));
  CHECK_FALSE(numbers(rc::eval(hidden(rc::all, 4))).near(numbers(rc::eval(layer(y)(rc::all, 4))), 1e-3));
}

TEST_CASE("a bias by distance") {
  rc::ndarray<double, 3> const places(2, 5, 4);
  rc::ndarray<double, 3> const bias = nn::alibi<4>(places);
  CHECK(bias.shape() == std::array<rc::index_t, 3>{4, 5, 5});
  bool same = true;
  for (int h = 0; h < 4; ++h)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 5; ++j)
        same = same && std::abs(bias(h, i, j) + std::abs(i - j) * std::pow(2., -2. * (h + 1))) < 1e-15;
  CHECK(same);
  using layer = nn::multi_head_attention<8, 4, double, nn::head_options{.causal = true}>::params<>;
  auto const p = nn::init<layer>(nn::key(1));
  rc::tensor<double, 2, 5, 8> const y = rc::random::normal<double>(nn::key(2), rc::extents<2, 5, 8>{});
  auto const far = [](auto const& q, auto const& v) { return q(v, v, nn::alibi<4>(v)); };
  rc::tensor<double, 2, 5, 8> const z = rc::fn(far)(p, y);
  CHECK(bool(rc::all(rc::abs(z - p(y, y, nn::alibi<4>(y))) < 1e-12)));
  CHECK(!bool(rc::all(rc::abs(z - p(y)) < 1e-3)));
}
