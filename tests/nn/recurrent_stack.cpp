// Stacks of recurrent layers, also in both directions: states, carries and gradients as PyTorch has them, masks,
// dropout between the layers.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include <ricci/nn/bidirectional.hpp>
#include <ricci/nn/recurrent_stack.hpp>

#include "../numbers.hpp"
#include "near_table.hpp"
#include "torch_stacks.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;
namespace of = stacks_table;

namespace {

auto const x = of_table<rc::tensor<double, 2, 5, 3>>(of::x);
constexpr auto loss = [](auto const& v, auto const& layers) { return rc::eval(.5 * rc::sum(rc::square(layers(v)))); };
using lstms = nn::recurrent_stack<nn::lstm<3, 4, double>, 3>::params<>;
using grus = nn::recurrent_stack<nn::gru<3, 4, double>, 2>::params<>;

template <class P, std::size_t W, std::size_t U, std::size_t B>
void fill(P& p, double const (&w)[W], double const (&u)[U], double const (&b)[B], double const (&c)[B]) {
  p.w = of_table<decltype(p.w)>(w), p.u = of_table<decltype(p.u)>(u);
  p.b = of_table<decltype(p.b)>(b) + of_table<decltype(p.b)>(c);
  if constexpr (requires { p.c; })  // the bias inside of the reset gate stays apart
    for (int k = 0; k < 4; ++k) p.c(k) = c[8 + k], p.b(8 + k) = b[8 + k];
}
lstms three() {
  lstms p{};
  fill(p.bottom, of::lstm_w_ih_0, of::lstm_w_hh_0, of::lstm_b_ih_0, of::lstm_b_hh_0);
  fill(p.above[0], of::lstm_w_ih_1, of::lstm_w_hh_1, of::lstm_b_ih_1, of::lstm_b_hh_1);
  fill(p.above[1], of::lstm_w_ih_2, of::lstm_w_hh_2, of::lstm_b_ih_2, of::lstm_b_hh_2);
  return p;
}

}  // namespace

TEST_CASE("as in PyTorch") {
  auto const p = three();
  CHECK(near_table(rc::eval(p(x)), of::lstm, 1e-12));
  CHECK(near_table(rc::eval(rc::grad(loss)(x, p)), of::lstm_gradient, 1e-12));
  grus q{};
  fill(q.bottom, of::gru_w_ih_0, of::gru_w_hh_0, of::gru_b_ih_0, of::gru_b_hh_0);
  fill(q.above[0], of::gru_w_ih_1, of::gru_w_hh_1, of::gru_b_ih_1, of::gru_b_hh_1);
  CHECK(near_table(rc::eval(q(x)), of::gru, 1e-12));
  CHECK(near_table(rc::eval(rc::grad(loss)(x, q)), of::gru_gradient, 1e-12));
  CHECK(rc::check_grads(loss, x, q));
}
TEST_CASE("what each layer hands on") {
  auto const p = three();
  auto const [all, carries] = p.carried(x);
  CHECK(near_table(rc::eval(all), of::lstm, 1e-12));
  rc::tensor<double, 3, 2, 4> const states =
      rc::stack(std::get<0>(carries).first, std::get<1>(carries).first, std::get<2>(carries).first);
  rc::tensor<double, 3, 2, 4> const memories =
      rc::stack(std::get<0>(carries).second, std::get<1>(carries).second, std::get<2>(carries).second);
  CHECK(near_table(states, of::lstm_last_states, 1e-12));
  CHECK(near_table(memories, of::lstm_last_memories, 1e-12));
  rc::ndarray<double, 3> const first = x(rc::all, rc::range(0, 2)), second = x(rc::all, rc::range(2, 5));
  auto const begun = p.carried(first);
  auto const ended = p.carried(second, begun.second);
  CHECK(numbers(rc::eval(ended.first)).near(numbers(rc::eval(all(rc::all, rc::range(2, 5)))), 1e-14));
  rc::ndarray<bool, 2> mask = rc::ones<bool>(rc::shape(2, 3));
  mask(0, rc::range(1, 3)) = false;
  auto const masked = p.carried(second, mask, begun.second);
  auto const of_one = p.carried(rc::ndarray<double, 3>(second(rc::all, rc::range(0, 1))), begun.second);
  auto const memory = [](auto const& of, int k) { return numbers(rc::eval(std::get<2>(of).second(k))); };
  CHECK(memory(masked.second, 0).near(memory(of_one.second, 0), 1e-14));
  CHECK(memory(masked.second, 1).near(memory(ended.second, 1), 1e-14));
  rc::ndarray<bool, 2> const everywhere = rc::ones<bool>(rc::shape(2, 2));
  CHECK(memory(p.carried(first, everywhere).second, 0).near(memory(begun.second, 0), 1e-14));
}
TEST_CASE("masks and dropout") {
  auto const p = three();
  rc::tensor<bool, 2, 5> const mask{{true, true, true, false, false}, {true, true, true, true, true}};
  rc::tensor<double, 2, 5, 4> const plain = p(x), masked = p(x, mask);
  CHECK(numbers(rc::eval(masked(0, 4))) == numbers(rc::eval(plain(0, 2))));
  CHECK(numbers(rc::eval(masked(1))) == numbers(rc::eval(plain(1))));
  auto const dropped =
      rc::fn([](auto const& v, auto const& layers, auto const& mode) { return layers.dropped(v, .5f, mode); });
  CHECK(numbers(rc::eval(dropped(x, p, nn::inference<>{}))) == numbers(plain));
  rc::tensor<double, 2, 5, 4> const a = dropped(x, p, nn::training<>{nn::key(1)});
  CHECK(numbers(a) == numbers(rc::eval(dropped(x, p, nn::training<>{nn::key(1)}))));
  CHECK_FALSE(numbers(a).near(numbers(plain), 1e-3));
  // not behind the last layer: no state of it is 0
  CHECK(bool(rc::all(a != 0.)));
}
TEST_CASE("both directions, as in PyTorch") {
  nn::recurrent_stack<nn::bidirectional<nn::lstm<3, 4, double>>, 2>::params<> p{};
  fill(p.bottom.forwards, of::both_lstm_w_ih_0, of::both_lstm_w_hh_0, of::both_lstm_b_ih_0, of::both_lstm_b_hh_0);
  fill(p.bottom.back, of::both_lstm_w_ih_0_reverse, of::both_lstm_w_hh_0_reverse, of::both_lstm_b_ih_0_reverse,
       of::both_lstm_b_hh_0_reverse);
  fill(p.above[0].forwards, of::both_lstm_w_ih_1, of::both_lstm_w_hh_1, of::both_lstm_b_ih_1, of::both_lstm_b_hh_1);
  fill(p.above[0].back, of::both_lstm_w_ih_1_reverse, of::both_lstm_w_hh_1_reverse, of::both_lstm_b_ih_1_reverse,
       of::both_lstm_b_hh_1_reverse);
  CHECK(near_table(rc::eval(p(x)), of::both_lstm, 1e-12));
  CHECK(near_table(rc::eval(rc::grad(loss)(x, p)), of::both_lstm_gradient, 1e-12));
  nn::bidirectional<nn::gru<3, 4, double>>::params<> q{};
  fill(q.forwards, of::both_gru_w_ih_0, of::both_gru_w_hh_0, of::both_gru_b_ih_0, of::both_gru_b_hh_0);
  fill(q.back, of::both_gru_w_ih_0_reverse, of::both_gru_w_hh_0_reverse, of::both_gru_b_ih_0_reverse,
       of::both_gru_b_hh_0_reverse);
  CHECK(near_table(rc::eval(q(x)), of::both_gru, 1e-12));
  CHECK(near_table(rc::eval(rc::grad(loss)(x, q)), of::both_gru_gradient, 1e-12));

  // where a sequence is shorter its states are those of the short one alone, in both directions
  rc::tensor<bool, 2, 5> const mask{{true, true, true, false, false}, {true, true, true, true, true}};
  rc::tensor<double, 2, 5, 8> const masked = p(x, mask);
  rc::ndarray<double, 3> const short_one = x(rc::range(0, 1), rc::range(0, 3));
  CHECK(numbers(rc::eval(masked(0, rc::range(0, 3)))).near(numbers(rc::eval(p(short_one)(0))), 1e-14));
}
