// Batch normalisation of images, as PyTorch has it: values, gradients, running statistics. The layer is in floats.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include <ricci/nn/mode.hpp>
#include <ricci/nn/norms.hpp>

#include "near_table.hpp"
#include "torch_norms.hpp"

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
