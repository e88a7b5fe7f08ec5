// First values: variances and bounds by their formulas, and matrices that keep lengths.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include <ricci/nn/init.hpp>
#include <ricci/nn/initialisers.hpp>
#include <ricci/nn/linear.hpp>

#include "../raised.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

constexpr rc::extents<3, 3, 32, 64> window{};
// mean 0, and that variance and largest magnitude; of 18432 numbers, so that 4 deviations of the measures are less
template <class T>
bool is_of(T const& x, double variance, double most) {
  double const mean = double(rc::mean(x)), square = double(rc::mean(rc::square(x)));
  double const largest = double(rc::max(rc::abs(x)));
  return std::abs(mean) < 4 * std::sqrt(variance / double(x.size())) && std::abs(square / variance - 1) < .04 &&
         largest <= most * 1.00001 && largest > most * .995;
}

}  // namespace

TEST_CASE("variances by inputs and outputs") {
  nn::key const k{1};
  double const in = 9 * 32, both = 9 * 96 / 2., cut = 2 / .87962566103423978;
  CHECK(is_of(nn::glorot_uniform<float>(k, window), 1 / both, std::sqrt(3 / both)));
  CHECK(is_of(nn::glorot_normal<float>(k, window), 1 / both, cut * std::sqrt(1 / both)));
  CHECK(is_of(nn::he_uniform<double>(k, window), 2 / in, std::sqrt(6 / in)));
  CHECK(is_of(nn::he_normal<float>(k, window), 2 / in, cut * std::sqrt(2 / in)));
  CHECK(is_of(nn::lecun_uniform<float>(k, window), 1 / in, std::sqrt(3 / in)));
  CHECK(is_of(nn::lecun_normal<double>(k, window), 1 / in, cut * std::sqrt(1 / in)));
  CHECK(is_of(nn::truncated_normal<float>(k, window, .5f), .25 * .87962566103423978 * .87962566103423978, 1));
  CHECK(!bool(rc::all(nn::he_normal<float>(k, window) == nn::he_normal<float>(nn::key{2}, window))));
}
TEST_CASE("orthogonal matrices, tall, wide and square") {
  auto const tall = nn::orthogonal<double>(nn::key{1}, rc::extents<7, 4>{});
  auto const wide = nn::orthogonal<double>(nn::key{2}, rc::extents<3, 5>{});
  auto const square = nn::orthogonal<float>(nn::key{3}, rc::extents<6, 6>{});
  CHECK(double(rc::max(rc::abs(rc::matmul(rc::moveaxis(tall, rc::axis<0>, rc::axis<1>), tall) - rc::eye<double>(4)))) <
        1e-14);
  CHECK(double(rc::max(rc::abs(rc::matmul(wide, rc::moveaxis(wide, rc::axis<0>, rc::axis<1>)) - rc::eye<double>(3)))) <
        1e-14);
  CHECK(double(rc::max(
            rc::abs(rc::matmul(square, rc::moveaxis(square, rc::axis<0>, rc::axis<1>)) - rc::eye<float>(6)))) < 1e-6);
  // no direction is preferred: signs of the first element over many keys
  int positive = 0;
  for (int n = 0; n < 400; ++n) positive += nn::orthogonal<double>(nn::key(n), rc::extents<3, 3>{})(0, 0) > 0;
  CHECK((positive > 150 && positive < 250));
}

TEST_CASE("sparse weights: so many inputs of each output, evenly drawn") {
  auto const w = nn::sparse<float>(nn::key{1}, rc::extents<40, 300>{}, 15, .5f);
  rc::tensor<int, 300> const count = rc::sum(rc::astype<int>(w != 0.f), rc::axis<0>);
  CHECK(bool(rc::all(count == 15)));
  double const square = double(rc::sum(rc::square(w))) / (15 * 300);
  CHECK(std::abs(square - .25) < 4 * .25 * std::sqrt(2. / 4500));
  // each input as often as the others: 112.5 times on average, with deviation 8.4
  rc::tensor<int, 40> const of_input = rc::sum(rc::astype<int>(w != 0.f), rc::axis<1>);
  CHECK((int(rc::min(of_input)) > 75 && int(rc::max(of_input)) < 150));
  CHECK(raised([] { (void)nn::sparse<float>(nn::key{1}, rc::extents<4, 3>{}, 5, 1.f); }) ==
        "value_error: nn::sparse: 5 of 4 inputs for each output");
}
TEST_CASE("layer after layer with variance 1") {
  struct {
    nn::layer<nn::linear<20, 30>> in;
    nn::layer<nn::linear<30, 10>> out;
  } m{};
  m.in.w = 7.f * nn::orthogonal<float>(nn::key{1}, rc::extents<20, 30>{});
  m.out.w = nn::orthogonal<float>(nn::key{2}, rc::extents<30, 10>{});
  rc::ndarray<float, 2> const x = 3.f * rc::random::normal<float>(nn::key{3}, rc::shape(200, 20)) + 1.f;
  auto const h = nn::unit_variance(m.in, x);
  CHECK(std::abs(float(rc::var(h)) - 1) < .01f);
  auto const y = nn::unit_variance(m.out, rc::eval(rc::relu(h)));
  CHECK(std::abs(float(rc::var(m.out(rc::eval(rc::relu(m.in(x)))))) - 1) < .01f);
  CHECK(bool(rc::allclose(y, m.out(rc::eval(rc::relu(m.in(x)))), 1e-4, 1e-5)));
  nn::layer<nn::linear<20, 4>> nothing{};
  CHECK(raised([&] { (void)nn::unit_variance(nothing, x); }) ==
        "value_error: nn::unit_variance: what the layer gives has no variance above 0");
}
TEST_CASE("a tensor without a rule of its own is Glorot's uniform, as one statement of its shape gives it") {
  rc::random::key const k(5);
  rc::tensor<float, 5, 7> w;
  nn::init_into(w, k);
  rc::tensor<float, 5, 7> const expected =
      rc::random::uniform<float>(k, rc::extents<5, 7>{}, -1.f, 1.f) * static_cast<float>(std::sqrt(6. / 12.));
  CHECK(bool(rc::all(w == expected)));
}
