// Batch normalisation of images, normalised weights and local responses, as PyTorch has them: values, gradients, what
// is kept. Layers are in floats.
#include <doctest/doctest.h>

#include <cmath>
#include <type_traits>

#include <ricci/ricci.hpp>

#include <ricci/nn/as.hpp>
#include <ricci/nn/local_response.hpp>
#include <ricci/nn/mode.hpp>
#include <ricci/nn/norms.hpp>
#include <ricci/nn/weight_norms.hpp>

#include "../raised.hpp"
#include "near_table.hpp"
#include "torch_norms.hpp"
#include "torch_weight_norms.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;
namespace of = norms_table;

namespace {

using layer_t = nn::batch_norm<3>;
auto const images = of_table<rc::tensor<double, 4, 5, 2, 3>>(of::images);
layer_t::params<> const layer{{1.5f, -.5f, 2.f}, {.25f, 1.f, -1.f}};
rc::ndarray<double, 4> const weights = rc::sin(rc::reshape(rc::arange<double>(1., 121.), rc::shape(4, 5, 2, 3)));
constexpr auto normalised = [](auto const& x, auto const& p, auto s, auto const& mode) {
  auto const y = rc::eval(p(x, s, mode));
  return std::pair(y, s);
};
constexpr auto loss = [](auto const& x, auto const& p, auto s, auto const& mode, auto const& w) {
  return rc::eval(rc::sum(w * p(x, s, mode)));
};
nn::training<> const learning{nn::key(1)};

}  // namespace

TEST_CASE("images, as in PyTorch") {
  auto const before = layer_t::state<>::init(nn::key(1));
  auto const [y, after] = rc::fn(normalised)(images, layer, before, learning);
  CHECK(near_table(y, of::normalised, 1e-6));
  CHECK(near_table(after.mean, of::mean, 1e-6));
  CHECK(near_table(after.variance, of::variance, 1e-6));
  auto const [by_x, by_p] = rc::grad<0, 1>(loss)(images, layer, before, learning, weights);
  CHECK(near_table(by_x, of::by_images, 2e-6));
  CHECK(near_table(by_p.scale, of::by_scale, 2e-6));
  CHECK(near_table(by_p.shift, of::by_shift, 2e-6));
  auto const inferred = rc::fn(normalised)(images, layer, after, nn::inference<>{}).first;
  CHECK(near_table(inferred, of::inference, 1e-6));
}
TEST_CASE("dynamic extents, rows of a table, and outside of a trace") {
  auto const before = layer_t::state<>::init(nn::key(1));
  rc::ndarray<double, 4> const dynamic = images;
  auto const [y, after] = rc::fn(normalised)(dynamic, layer, before, learning);
  CHECK(near_table(rc::eval(y), of::normalised, 1e-6));
  rc::ndarray<double, 2> const rows = rc::reshape(images, rc::shape(40, 3));
  auto const flat = rc::fn(normalised)(rows, layer, before, learning);
  CHECK(near_table(rc::eval(flat.first), of::normalised, 1e-6));
  CHECK(near_table(flat.second.variance, of::variance, 1e-6));
  auto s = before;
  rc::ndarray<double, 4> const at_once = layer(dynamic, s, learning);
  CHECK(near_table(at_once, of::normalised, 1e-6));
  CHECK(near_table(s.variance, of::variance, 1e-6));
  rc::tensor<double, 1, 3> const one{{1, 2, 3}};  // a single row: its variance is 0, and no number is a NaN
  auto const single = rc::fn(normalised)(one, layer, before, learning);
  CHECK(bool(rc::all(rc::isfinite(single.first))));
  CHECK(double(single.second.variance(0)) == doctest::Approx(.9));
}

TEST_CASE("weights by their lengths, and by their greatest singular value") {
  namespace table = weights_table;
  auto const x = of_table<rc::tensor<float, 4, 3>>(table::x);
  using by_length = nn::weight_norm<3, 5>;
  by_length::params<> p{};
  p.v = of_table<rc::tensor<float, 3, 5>>(table::v), p.scale = of_table<rc::tensor<float, 5>>(table::scale);
  p.b = of_table<rc::tensor<float, 5>>(table::b);
  CHECK(near_table(rc::eval(p(x)), table::weighted, 2e-6));
  auto const squares = [](auto const& q, auto const& v) { return rc::sum(rc::square(q(v))); };
  auto const by_p = rc::grad(squares)(p, x);
  CHECK(near_table(by_p.v, table::by_v, 2e-5));
  CHECK(near_table(by_p.scale, table::by_scale, 2e-5));
  auto const first = nn::init<by_length::params<>>(nn::key(4));
  CHECK(double(rc::max(rc::abs(rc::matmul(x, first.v) - first(x)))) < 1e-5);

  using by_value = nn::spectral_norm<3, 5>;
  by_value::params<> const q{of_table<rc::tensor<float, 3, 5>>(table::w), of_table<rc::tensor<float, 5>>(table::c)};
  by_value::state<> const before{of_table<rc::tensor<float, 3>>(table::left),
                                 of_table<rc::tensor<float, 5>>(table::right)};
  auto const called = [](auto const& a, auto const& v, auto s, auto const& mode) {
    auto const y = rc::eval(a(v, s, mode));
    return std::pair(y, s);
  };
  auto const [y, after] = rc::fn(called)(q, x, before, learning);
  CHECK(near_table(y, table::spectral, 2e-6));
  CHECK(near_table(after.left, table::next_left, 2e-6));
  CHECK(near_table(after.right, table::next_right, 2e-6));
  auto const cost = [=](auto const& a, auto const& v, auto const& s, auto const& mode) {
    return rc::sum(rc::square(called(a, v, s, mode).first));
  };
  CHECK(near_table(rc::grad(cost)(q, x, before, learning).w, table::by_w, 2e-5));
  CHECK(near_table(rc::fn(called)(q, x, after, nn::inference<>{}).first, table::spectral_inference, 2e-6));
  // from the first state on, by some steps
  auto s = by_value::state<>::init(nn::key(1));
  for (int k = 0; k < 60; ++k) s = rc::fn(called)(q, x, s, learning).second;
  CHECK(near_table(rc::fn(called)(q, x, s, nn::inference<>{}).first, table::spectral_inference, 1e-4));
}
TEST_CASE("local responses") {
  namespace table = weights_table;
  auto const x = of_table<rc::tensor<double, 2, 3, 7>>(table::channels);
  CHECK(near_table(rc::eval(nn::local_response<5>(x, .3, .6, 2)), table::response, 1e-12));
  auto const squares = [](auto const& v) { return rc::sum(rc::square(nn::local_response<5>(v, .3, .6, 2))); };
  CHECK(near_table(rc::grad(squares)(x), table::by_channels, 1e-12));
  CHECK(rc::check_grads(squares, x));
  CHECK(near_table(rc::eval(nn::local_response<5>(rc::ndarray<double, 3>(x), .3, .6, 2)), table::response, 1e-12));
}
TEST_CASE("half precision is computed in float, and rounded at the end") {
  using half = rc::float16;
  rc::tensor<half, 2, 4> const h{{half(300), half(-300), half(300), half(-300)},
                                 {half(500), half(0), half(1), half(3)}};
  rc::tensor<float, 2, 4> const x = rc::astype<float>(h);
  auto const same = [](auto const& a, auto const& b) {
    return bool(rc::all(rc::abs(rc::astype<float>(a) - b) < 2e-3f));
  };
  auto const by_layer = nn::init<nn::layer_norm<4>::params<>>(nn::key(1));
  auto const by_rms = nn::init<nn::rms_norm<4>::params<>>(nn::key(1));
  auto const by_group = nn::init<nn::group_norm<2, 4>::params<>>(nn::key(1));
  CHECK(same(by_layer(h), by_layer(x)));
  CHECK(same(by_rms(h), by_rms(x)));
  CHECK(same(by_group(h), by_group(x)));
  // also where the parameters are of half precision, and then so is the result
  auto const small = [](auto const& l, auto const& v) { return rc::eval(nn::as<half>(l)(v)); };
  auto const rounded = rc::fn(small)(by_layer, h);
  static_assert(std::is_same_v<std::remove_cvref_t<decltype(rounded)>::value_type, half>);
  CHECK(same(rounded, by_layer(x)));
  CHECK(same(rc::fn(small)(by_rms, h), by_rms(x)));
  CHECK(same(rc::fn(small)(by_group, h), by_group(x)));
  using batch_t = nn::batch_norm<4>;
  auto const by_batch = nn::init<batch_t::params<>>(nn::key(1));
  auto s = batch_t::state<>::init(nn::key(1)), t = s;
  CHECK(same(by_batch(h, s, learning), by_batch(x, t, learning)));
  CHECK(bool(rc::all(rc::abs(s.variance - t.variance) < 1e-3f * t.variance)));
  CHECK(same(by_batch(h, s, nn::inference<>{}), by_batch(x, t, nn::inference<>{})));
}
TEST_CASE("an axis that is not as long as a norm's is not stretched; no examples") {
  rc::ndarray<float, 2> const x = rc::ones<float>(rc::shape(2, 1));
  auto const by_layer = nn::init<nn::layer_norm<4>::params<>>(nn::key(1));
  CHECK(raised([&] { (void)rc::eval(by_layer(x)); }) == "shape_error: layer_norm: (4,) (2, 1)");
  auto const by_rms = nn::init<nn::rms_norm<4>::params<>>(nn::key(1));
  CHECK(raised([&] { (void)rc::eval(by_rms(x)); }) == "shape_error: rms_norm: (4,) (2, 1)");
  auto const by_group = nn::init<nn::group_norm<2, 4>::params<>>(nn::key(1));
  rc::ndarray<float, 3> const channel = rc::ones<float>(rc::shape(1, 4, 1)), none = rc::ones<float>(rc::shape(0, 3, 4));
  CHECK(raised([&] { (void)rc::eval(by_group(channel)); }).find("shape_error") == 0);
  CHECK(rc::eval(by_group(none)).shape(1) == 3);
  auto const by_batch = nn::init<nn::batch_norm<4>::params<>>(nn::key(1));
  auto s = nn::batch_norm<4>::state<>::init(nn::key(1));
  CHECK(raised([&] { (void)rc::eval(by_batch(x, s, nn::inference<>{})); }) == "shape_error: batch_norm: (4,) (2, 1)");
  rc::ndarray<float, 2> const no_examples(0, 4);
  CHECK(rc::eval(by_batch(no_examples, s, nn::training<>{nn::key(2)})).shape(0) == 0);
  CHECK(bool(rc::all(s.mean == 0.f)));
  CHECK(bool(rc::all(s.variance == 1.f)));
}
TEST_CASE("the greatest singular value before a step, and of weights whose columns sum to 0") {
  using layer = nn::spectral_norm<2, 2>;
  layer::params<> p{};
  p.w = {{1, -1}, {-1, 1}};  // 2
  auto s = layer::state<>::init(nn::key(3));
  rc::tensor<float, 1, 2> const x{{1, 0}};
  rc::tensor<float, 1, 2> const before = p(x, s, nn::inference<>{});
  CHECK((std::isfinite(before(0, 0)) && before(0, 0) >= .5f));  // |left w| is at most 2
  for (int k = 0; k < 3; ++k) (void)p(x, s, learning);
  rc::tensor<float, 1, 2> const after = p(x, s, nn::inference<>{});
  CHECK(after(0, 0) == doctest::Approx(.5));
}
