// Recurrent layers: states and gradients as PyTorch has them, masks, both directions.
#include <doctest/doctest.h>

#include <cmath>
#include <set>
#include <vector>

#include <ricci/ricci.hpp>

#include <ricci/nn/lstm_forms.hpp>
#include <ricci/nn/recurrent.hpp>
#include <ricci/nn/tree_lstm.hpp>
#include <ricci/nn/zoneout.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"
#include "near_table.hpp"
#include "torch_lstm_forms.hpp"

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
TEST_CASE("carries of padded sequences, of none, and from one on") {
  rc::tensor<bool, 2, 5> const mask{{true, true, true, false, false}, {true, true, true, true, true}};
  auto const check = [&](auto const& layer) {
    auto const [states, last] = layer.carried(x, mask);
    CHECK(numbers(rc::eval(states)).near(numbers(rc::eval(layer(x, mask))), 1e-15));
    rc::ndarray<double, 3> const whole = x, shorter = whole(rc::all, rc::range(0, 3));
    auto const behind_3 = layer.carried(shorter).second, behind_5 = layer.carried(whole).second;
    CHECK(numbers(rc::eval(last.first(0))).near(numbers(rc::eval(behind_3.first(0))), 1e-15));
    CHECK(numbers(rc::eval(last.second(0))).near(numbers(rc::eval(behind_3.second(0))), 1e-15));
    CHECK(numbers(rc::eval(last.second(1))).near(numbers(rc::eval(behind_5.second(1))), 1e-15));
    rc::ndarray<bool, 2> const of_all = mask, rest = of_all(rc::all, rc::range(3, 5));
    rc::ndarray<double, 3> const end = whole(rc::all, rc::range(3, 5));
    auto const from_3 = layer.carried(end, rest, behind_3).second;
    CHECK(numbers(from_3.first).near(numbers(last.first), 1e-15));
    CHECK(numbers(from_3.second).near(numbers(last.second), 1e-15));
    rc::ndarray<double, 3> const nothing(2, 0, 3);
    auto const [none, zeros] = layer.carried(nothing);
    CHECK((none.shape(0) == 2 && none.shape(1) == 0 && none.shape(2) == 4));
    CHECK(numbers(zeros.second) == numbers(rc::eval(rc::zeros<double>(rc::shape(2, 4)))));
  };
  check(half_of<nn::lstm<3, 4, double>::params<>>(table::lstm_weight_ih, table::lstm_weight_hh));
  check(half_of<nn::gru<3, 4, double>::params<>>(table::gru_weight_ih, table::gru_weight_hh));
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

namespace {
template <class P, std::size_t N>
void check_form(P const& p, double const (&expected)[N], double const (&memory)[8], double const (&gradient)[24]) {
  auto const v = of_table<rc::tensor<double, 2, 4, 3>>(forms::x);
  CHECK(near_table(rc::eval(p(v)), expected, 1e-12));
  auto const squares = [](auto const& a, auto const& q) { return rc::sum(rc::square(q(a))); };
  CHECK(near_table(rc::grad(squares)(v, p), gradient, 1e-11));
  CHECK(rc::check_grads(squares, v, p));
  auto const [states, carry] = p.carried(v);
  CHECK(near_table(rc::eval(states), expected, 1e-12));
  CHECK(near_table(rc::eval(carry.second), memory, 1e-12));
}
template <class P>
P first_of(auto const& w, auto const& u, auto const& b) {
  P p{};
  p.w = of_table<decltype(p.w)>(w), p.u = of_table<decltype(p.u)>(u), p.b = of_table<decltype(p.b)>(b);
  return p;
}
}  // namespace

TEST_CASE("coupled gates, peepholes and norms") {
  auto const coupled =
      first_of<nn::coupled_lstm<3, 4, double>::params<>>(forms::coupled_w, forms::coupled_u, forms::coupled_b);
  check_form(coupled, forms::coupled_states, forms::coupled_memory, forms::coupled_gradient);
  auto peephole =
      first_of<nn::peephole_lstm<3, 4, double>::params<>>(forms::peephole_w, forms::peephole_u, forms::peephole_b);
  using vector = rc::tensor<double, 4>;
  peephole.see_i = of_table<vector>(forms::peephole_see_i), peephole.see_f = of_table<vector>(forms::peephole_see_f);
  peephole.see_o = of_table<vector>(forms::peephole_see_o);
  check_form(peephole, forms::peephole_states, forms::peephole_memory, forms::peephole_gradient);
  auto normed =
      first_of<nn::layer_norm_lstm<3, 4, double>::params<>>(forms::normed_w, forms::normed_u, forms::normed_b);
  normed.scale_w = of_table<rc::tensor<double, 16>>(forms::normed_scale_w);
  normed.scale_u = of_table<rc::tensor<double, 16>>(forms::normed_scale_u);
  normed.scale_s = of_table<vector>(forms::normed_scale_s), normed.shift_s = of_table<vector>(forms::normed_shift_s);
  check_form(normed, forms::normed_states, forms::normed_memory, forms::normed_gradient);
  auto const made = nn::init<nn::layer_norm_lstm<3, 4>::params<>>(nn::key(1));
  CHECK(bool(rc::all(made.scale_w == 1.f)));
  CHECK(bool(rc::all(made.shift_s == 0.f)));
  CHECK(double(rc::max(rc::abs(made.u))) > .1);
}

TEST_CASE("zoneout goes place by place as the layer does") {
  nn::zoneout<nn::lstm<3, 4, double>>::params<> layer{};
  layer.cell = half_of<nn::lstm<3, 4, double>::params<>>(table::lstm_weight_ih, table::lstm_weight_hh);
  nn::training<> const learns{nn::key(7)};
  nn::inference<> const rests{};
  rc::tensor<double, 2, 5, 4> const plain = layer.cell(x), none = layer(x, {}, learns), same = layer(x, {}, rests);
  CHECK(numbers(none) == numbers(plain));
  CHECK(numbers(same) == numbers(plain));

  rc::tensor<double, 2, 5, 4> const drawn = layer(x, {.state = .5f}, learns);
  rc::tensor<double, 2, 5, 4> const mean = layer(x, {.state = .25f, .memory = .5f}, rests);
  rc::tensor<double, 2, 4> h{}, s{}, mean_h{}, mean_s{};
  int kept = 0;
  std::vector<int> patterns;
  for (int t = 0; t < 5; ++t) {
    rc::ndarray<double, 3> const at = x(rc::all, rc::range(t, t + 1));
    auto const next = layer.cell.carried(at, std::pair(h, s)).second;
    int pattern = 0;
    for (int n = 0; n < 2; ++n)
      for (int k = 0; k < 4; ++k) {
        bool const stays = drawn(n, t, k) == h(n, k);
        CHECK((stays || std::abs(drawn(n, t, k) - next.first(n, k)) < 1e-15));
        kept += stays, pattern = 2 * pattern + stays;
      }
    patterns.push_back(pattern);
    h = drawn(rc::all, t), s = next.second;
    auto const mean_next = layer.cell.carried(at, std::pair(mean_h, mean_s)).second;
    mean_h = .25 * mean_h + .75 * mean_next.first, mean_s = .5 * mean_s + .5 * mean_next.second;
    CHECK(numbers(rc::eval(mean(rc::all, t))).near(numbers(mean_h), 1e-15));
  }
  CHECK(kept > 10);
  CHECK(kept < 30);
  CHECK(std::set<int>(patterns.begin(), patterns.end()).size() > 3);  // each place has its own

  rc::tensor<bool, 2, 5> const mask{{true, true, true, false, false}, {true, true, true, true, true}};
  rc::tensor<double, 2, 5, 4> const masked = layer(x, mask, {.state = .5f}, learns);
  CHECK(numbers(rc::eval(masked(0, 4))) == numbers(rc::eval(masked(0, 2))));
  CHECK(numbers(rc::eval(masked(1))) == numbers(rc::eval(drawn(1))));
  auto const cost = [](auto const& v, auto const& p, auto const& mode) {
    return .5 * rc::sum(rc::square(p(v, {.state = .3f, .memory = .2f}, mode)));
  };
  CHECK(rc::check_grads([&](auto const& v, auto const& p) { return cost(v, p, nn::inference<>{}); }, x, layer));
  auto const learning = [cost](auto const& v, auto const& p, auto const& mode) { return cost(v, p, mode); };
  auto const by_cell = rc::grad<1>(learning)(x, layer, learns);
  auto shifted = layer;
  auto const at = [&](double by) {
    shifted.cell.u(1, 2) = layer.cell.u(1, 2) + by;
    return double(rc::fn(learning)(x, shifted, learns));
  };
  CHECK(by_cell.cell.u(1, 2) == doctest::Approx((at(1e-5) - at(-1e-5)) / 2e-5).epsilon(1e-7));
}
TEST_CASE("states along trees") {
  using layer = nn::tree_lstm<3, 4, double>;
  layer::params<> p{};
  p.w = of_table<rc::tensor<double, 3, 20>>(forms::tree_w), p.b = of_table<rc::tensor<double, 20>>(forms::tree_b);
  p.left = of_table<rc::tensor<double, 4, 20>>(forms::tree_left);
  p.right = of_table<rc::tensor<double, 4, 20>>(forms::tree_right);
  rc::tensor<int, 2, 4> left, right;
  for (int k = 0; k < 8; ++k) left.data()[k] = forms::tree_of_left[k], right.data()[k] = forms::tree_of_right[k];
  auto const v = of_table<rc::tensor<double, 2, 4, 3>>(forms::x);
  CHECK(near_table(rc::eval(p(v, left, right)), forms::tree_states, 1e-12));
  auto const squares = [](auto const& a, auto const& q, auto const& l, auto const& r) {
    return rc::sum(rc::square(q(a, l, r)));
  };
  CHECK(near_table(rc::grad(squares)(v, p, left, right), forms::tree_gradient, 1e-12));
  CHECK(rc::check_grads(squares, v, p, left, right));
  CHECK(near_table(rc::eval(p(rc::ndarray<double, 3>(v), rc::ndarray<int, 2>(left), rc::ndarray<int, 2>(right))),
                   forms::tree_states, 1e-12));
  auto const says = [&](int node, int number) {
    rc::ndarray<std::int8_t, 2> wrong = rc::astype<std::int8_t>(left);
    wrong(1, node) = std::int8_t(number);
    return raised([&] { (void)rc::eval(p(v, wrong, right)); }).find("index_error: tree_lstm, the number of a part") ==
           0;
  };
  CHECK(says(0, -1));
  CHECK(says(1, 2));  // itself
  CHECK(says(1, 4));
  CHECK(says(3, 5));
  CHECK(!says(3, 3));
}
