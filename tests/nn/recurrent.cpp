// Recurrent layers: states and gradients as PyTorch has them, masks, both directions.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include <ricci/nn/recurrent.hpp>

#include "../numbers.hpp"
#include "near_table.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

auto const x = of_table<rc::tensor<double, 2, 5, 3>>(table::sequence);
constexpr auto loss = [](auto const& v, auto const& layer) { return .5 * rc::sum(rc::square(layer(v))); };

template <class P, std::size_t N, std::size_t M>
P half_of(double const (&w)[N], double const (&u)[M]) {
  P p{};
  p.w = of_table<decltype(p.w)>(w), p.u = of_table<decltype(p.u)>(u);
  return p;
}
template <class P, std::size_t N, std::size_t M>
void same(P const& layer, double const (&value)[N], double const (&gradient)[M]) {
  CHECK(near_table(rc::eval(layer(x)), value, 1e-12));
  CHECK(near_table(rc::grad(loss)(x, layer), gradient, 1e-12));
  CHECK(rc::check_grads(loss, x, layer));
}

}  // namespace

TEST_CASE("as in PyTorch") {
  auto plain = half_of<nn::rnn<3, 4, double>::params<>>(table::rnn_weight_ih, table::rnn_weight_hh);
  plain.b = of_table<rc::tensor<double, 4>>(table::rnn_bias_ih) + of_table<rc::tensor<double, 4>>(table::rnn_bias_hh);
  same(plain, table::rnn, table::rnn_gradient);
  auto lstm = half_of<nn::lstm<3, 4, double>::params<>>(table::lstm_weight_ih, table::lstm_weight_hh);
  lstm.b =
      of_table<rc::tensor<double, 16>>(table::lstm_bias_ih) + of_table<rc::tensor<double, 16>>(table::lstm_bias_hh);
  same(lstm, table::lstm, table::lstm_gradient);
  auto gru = half_of<nn::gru<3, 4, double>::params<>>(table::gru_weight_ih, table::gru_weight_hh);
  auto const hidden = of_table<rc::tensor<double, 12>>(table::gru_bias_hh);
  gru.b = of_table<rc::tensor<double, 12>>(table::gru_bias_ih);
  for (int k = 0; k < 8; ++k) gru.b(k) += hidden(k);
  for (int k = 0; k < 4; ++k) gru.c(k) = hidden(8 + k);
  same(gru, table::gru, table::gru_gradient);
}
TEST_CASE("a mask, dynamic extents and the other direction") {
  auto layer = half_of<nn::lstm<3, 4, double>::params<>>(table::lstm_weight_ih, table::lstm_weight_hh);
  rc::tensor<bool, 2, 5> const mask{{true, true, true, false, false}, {true, true, true, true, true}};
  rc::tensor<double, 2, 5, 4> const all = layer(x), masked = layer(x, mask);
  CHECK(numbers(rc::eval(masked(0, rc::range(0, 3)))) == numbers(rc::eval(all(0, rc::range(0, 3)))));
  CHECK(numbers(rc::eval(masked(0, 4))) == numbers(rc::eval(all(0, 2))));
  CHECK(numbers(rc::eval(masked(1))) == numbers(rc::eval(all(1))));
  rc::ndarray<double, 3> const dynamic = x;
  rc::ndarray<bool, 2> const dynamic_mask = mask;
  CHECK(numbers(rc::eval(layer(dynamic, dynamic_mask))).near(numbers(masked), 1e-15));
  rc::tensor<double, 2, 5, 3> const turned = rc::flip(x, rc::axis<1>);
  rc::tensor<double, 2, 5, 4> const back = layer.backwards(x), forth = layer(turned);
  CHECK(numbers(back) == numbers(rc::eval(rc::flip(forth, rc::axis<1>))));
}
TEST_CASE("a sequence in two parts, by the carry") {
  auto const in_parts = [](auto const& layer) {
    rc::ndarray<double, 3> const whole = x;
    rc::ndarray<double, 3> const begin = whole(rc::all, rc::range(0, 2)), end = whole(rc::all, rc::range(2, 5));
    auto const [first, carry] = layer.carried(begin);
    auto const [second, last] = layer.carried(end, carry);
    rc::tensor<double, 2, 5, 4> const all = layer(x);
    CHECK(numbers(rc::eval(rc::concat(first, second, rc::axis<1>))).near(numbers(all), 1e-15));
    CHECK(numbers(last.first).near(numbers(rc::eval(all(rc::all, 4))), 1e-15));
    auto const by_carry = [](auto const& h, auto const& s, auto const& v, auto const& p) {
      auto const [states, behind] = p.carried(v, std::pair(h, s));
      return rc::sum(rc::square(states)) + rc::sum(rc::square(behind.second));
    };
    CHECK(rc::check_grads(by_carry, rc::eval(carry.first), rc::eval(carry.second), x, layer));
  };
  in_parts(half_of<nn::rnn<3, 4, double>::params<>>(table::rnn_weight_ih, table::rnn_weight_hh));
  in_parts(half_of<nn::lstm<3, 4, double>::params<>>(table::lstm_weight_ih, table::lstm_weight_hh));
  in_parts(half_of<nn::gru<3, 4, double>::params<>>(table::gru_weight_ih, table::gru_weight_hh));
}
