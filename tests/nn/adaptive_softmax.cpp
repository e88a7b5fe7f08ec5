// Adaptive softmax beside PyTorch's, with the names of its state dict: probabilities, loss, derivatives.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <ricci/ricci.hpp>

#include <ricci/nn/adaptive_softmax.hpp>
#include <ricci/nn/torch.hpp>

#include "../raised.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

using head_t = nn::adaptive_softmax<6, nn::cutoffs{3, 7, 12}, 2, true>;
using wide_t = nn::adaptive_softmax<128, nn::cutoffs{2000, 10000, 50000}>;
static_assert(head_t::clusters == 2 && head_t::count == 12);
static_assert(wide_t::features(1) == 32 && wide_t::features(2) == 8 && wide_t::features(9) == 1);

struct results {
  rc::tensor<float, 9, 6> x;
  rc::tensor<std::int64_t, 9> labels;
  rc::tensor<float> loss;
  rc::tensor<float, 9, 12> log_p;
  rc::tensor<float, 9, 6> x_gradient;
  rc::tensor<float, 6, 5> head_gradient;
  rc::tensor<float, 6, 3> down_gradient_0;
  rc::tensor<float, 3, 4> up_gradient_0;
  rc::tensor<float, 6, 1> down_gradient_1;
  rc::tensor<float, 1, 5> up_gradient_1;
};
std::string beside(char const* name) { return (std::filesystem::path(__FILE__).parent_path() / name).string(); }
constexpr auto loss = [](auto const& p, auto const& x, auto const& labels) { return p.loss(x, labels); };
bool near(auto const& a, auto const& b) { return bool(rc::allclose(a, b, 1e-4, 1e-6)); }

}  // namespace

TEST_CASE("adaptive softmax is PyTorch's") {
  head_t::params<> p{};
  nn::load_torch(beside("torch_adaptive.safetensors"), p);
  auto const expected = rc::io::load<results>(beside("torch_adaptive_results.safetensors"));
  CHECK(near(rc::eval(p(expected.x)), expected.log_p));
  auto const [value, g] = rc::value_and_grad<0, 1>(loss)(p, expected.x, expected.labels);
  CHECK(double(value) == doctest::Approx(double(expected.loss)).epsilon(1e-5));
  auto const& [of_p, of_x] = g;
  CHECK(near(of_x, expected.x_gradient));
  CHECK(near(of_p.head.w, expected.head_gradient));
  auto const& [down0, up0] = std::get<0>(of_p.tail).layers;
  auto const& [down1, up1] = std::get<1>(of_p.tail).layers;
  CHECK(near(down0.w, expected.down_gradient_0));
  CHECK(near(up0.w, expected.up_gradient_0));
  CHECK(near(down1.w, expected.down_gradient_1));
  CHECK(near(up1.w, expected.up_gradient_1));
}

TEST_CASE("adaptive softmax of any number of rows, and labels outside") {
  auto const p = nn::init<head_t::params<>>(nn::key(3));
  rc::ndarray<float, 2> const x = rc::random::normal<float>(nn::key(1), rc::shape(4, 6));
  rc::ndarray<int, 1> labels{2, 3, 7, 11};
  rc::ndarray<float, 2> const logs = p(x);
  double expected = 0;
  for (int k = 0; k < 4; ++k) {
    CHECK(double(rc::sum(rc::exp(logs(k)))) == doctest::Approx(1).epsilon(1e-5));
    expected -= double(logs(k, labels(k))) / 4;
  }
  CHECK(double(p.loss(x, labels)) == doctest::Approx(expected).epsilon(1e-5));
  for (int const outside : {12, -6}) {
    labels(1) = outside;
    CHECK(raised([&] { (void)float(p.loss(x, labels)); }) ==
          "index_error: adaptive_softmax: index " + std::to_string(outside) + " is out of range for an axis of 5");
  }
}
TEST_CASE("adaptive softmax of labels of few bits") {
  auto const p = nn::init<nn::adaptive_softmax<6, nn::cutoffs{2, 300}, 1>::params<>>(nn::key(3));
  rc::ndarray<float, 2> const x = rc::random::normal<float>(nn::key(1), rc::shape(4, 6));
  rc::ndarray<int, 1> const labels{0, 43, 44, 255};
  rc::ndarray<std::uint8_t, 1> const bytes = rc::astype<std::uint8_t>(labels);
  CHECK(float(p.loss(x, bytes)) == float(p.loss(x, labels)));
}
