// Convolutions and pooling as layers: what they compute, their first values, a net of them that learns to tell bars
// that lie from bars that stand.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include <ricci/nn/convolution.hpp>
#include <ricci/nn/cross_entropy.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/step.hpp>

#include "../near.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

using window = rc::window_size;
constexpr rc::conv_options same{.pad = 1}, half{.stride = 2, .pad = 1, .groups = 2};

template <class Kind = rc::values>
struct net {
  nn::layer<nn::conv<1, 4, window{3, 3}, same>, Kind> first;
  nn::layer<nn::max_pool<rc::pool_options{.window = {2, 2}}>, Kind> pool;
  nn::layer<nn::conv<4, 4, window{3, 3}, rc::conv_options{.pad = 1}, false>, Kind> second;
  nn::layer<nn::adaptive_avg_pool<1, 1>, Kind> mean;
  nn::layer<nn::linear<4, 2>, Kind> out;
  constexpr auto operator()(auto const& x) const {
    auto const h = mean(rc::relu(second(pool(rc::relu(first(x))))));
    return out(rc::reshape(h, rc::shape(x.shape(0), 4)));
  }
};
struct no_state {};
constexpr auto loss = [](auto const& model, auto const& state, auto const&, auto const& x, auto const& labels) {
  return std::pair(nn::cross_entropy(model(x), labels), state);
};

}  // namespace

TEST_CASE("layers are convolutions with a bias") {
  using layer = nn::conv<4, 6, window{3, 2}, half>;
  auto p = nn::init<layer::params<>>(nn::key(1));
  static_assert(std::is_same_v<decltype(p.w), rc::tensor<float, 3, 2, 2, 6>>);
  for (int k = 0; k < 6; ++k) p.b(k) = float(k);
  rc::ndarray<float, 4> x(2, 5, 6, 4);
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = float(k % 7) - 3;
  check_near(rc::eval(p(x)), rc::eval(rc::conv<half>(x, p.w) + p.b));

  using back = nn::conv_transpose<6, 4, window{3, 2}, half>;
  auto const q = nn::init<back::params<>>(nn::key(2));
  static_assert(std::is_same_v<decltype(q.w), rc::tensor<float, 3, 2, 2, 6>>);
  rc::ndarray<float, 4> const y = p(x);
  check_near(rc::eval(q(y)), rc::eval(rc::conv_transpose<half>(y, q.w)));
  static_assert(back::inputs() == 3 * 2 * 1);

  auto const sequence = nn::init<nn::conv<2, 3, 5>::params<>>(nn::key(3));
  static_assert(std::is_same_v<decltype(sequence.w), rc::tensor<float, 5, 2, 3>>);
  auto const volume = nn::init<nn::conv<2, 3, window{1, 2, 3}>::params<>>(nn::key(3));
  static_assert(std::is_same_v<decltype(volume.w), rc::tensor<float, 1, 2, 3, 2, 3>>);
}
TEST_CASE("first values have He's variance") {
  auto const p = nn::init<nn::conv<16, 64, window{3, 3}>::params<>>(nn::key(7));
  double const variance = double(rc::mean(rc::square(p.w))), expected = 2. / (16 * 9);
  CHECK(variance == doctest::Approx(expected).epsilon(.05));
  CHECK(double(rc::mean(p.w)) == doctest::Approx(0).scale(1).epsilon(.005));
  CHECK(double(rc::sum(rc::abs(p.b))) == 0);
}
TEST_CASE("a net of them learns") {
  rc::index_t const n = 64;
  rc::ndarray<float, 4> x(n, 8, 8, 1);
  rc::ndarray<int, 1> labels(n);
  x = 0.f;
  for (int k = 0; k < n; ++k) {
    labels(k) = k % 2;
    for (int j = 0; j < 8; ++j) (k % 2 ? x(k, (k / 2) % 8, j, 0) : x(k, j, (k / 2) % 8, 0)) = 1.f + .1f * float(k % 3);
  }
  auto const optimiser = nn::adam{} | nn::constant{1e-2f};
  auto const step = nn::step_of<loss>(optimiser);
  auto run = nn::start(nn::init<net<>>(nn::key(5)), no_state{}, optimiser, nn::key(6));
  float first = 0, last = 0;
  for (int k = 0; k < 150; ++k) {
    last = float(step(run, x, labels));
    if (k == 0) first = last;
  }
  CHECK(first > .4f);
  CHECK(last < .05f);
}
