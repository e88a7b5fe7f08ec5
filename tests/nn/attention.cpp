// Attention: values and gradients as PyTorch has them, masks, and rows that attend to nothing.
#include <doctest/doctest.h>

#include <limits>

#include <ricci/ricci.hpp>

#include <ricci/nn/attention.hpp>
#include <ricci/nn/init.hpp>
#include <ricci/random.hpp>

#include "../numbers.hpp"
#include "near_table.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

using layer_t = nn::multi_head_attention<8, 2, double>::params<>;
layer_t made() {
  layer_t p{};
  auto const in = of_table<rc::tensor<double, 8, 24>>(table::attention_in);
  auto const bias = of_table<rc::tensor<double, 24>>(table::attention_in_bias);
  p.query = in(rc::all, rc::range<0, 8>()), p.key = in(rc::all, rc::range<8, 16>());
  p.value = in(rc::all, rc::range<16, 24>());
  p.query_bias = bias(rc::range<0, 8>()), p.key_bias = bias(rc::range<8, 16>());
  p.value_bias = bias(rc::range<16, 24>());
  p.out = of_table<rc::tensor<double, 8, 8>>(table::attention_out);
  p.out_bias = of_table<rc::tensor<double, 8>>(table::attention_out_bias);
  return p;
}
auto const layer = made();
auto const x = of_table<rc::tensor<double, 2, 3, 8>>(table::places);
auto const memory = of_table<rc::tensor<double, 2, 4, 8>>(table::memory);

}  // namespace

TEST_CASE("as in PyTorch") {
  rc::tensor<bool, 3, 3> const causal{{true, false, false}, {true, true, false}, {true, true, true}};
  auto const self = [](auto const& v, auto const& p, auto const& m) { return .5 * rc::sum(rc::square(p(v, v, m))); };
  CHECK(near_table(rc::eval(layer(x, x, causal)), table::self_attention, 1e-12));
  CHECK(near_table(rc::grad(self)(x, layer, causal), table::self_attention_gradient, 1e-12));
  auto const cross = [](auto const& v, auto const& p, auto const& m) { return .5 * rc::sum(rc::square(p(v, m))); };
  CHECK(near_table(rc::eval(layer(x, memory)), table::cross_attention, 1e-12));
  CHECK(near_table(rc::grad(cross)(x, layer, memory), table::cross_attention_gradient, 1e-12));
  CHECK(rc::check_grads(cross, x, layer, memory));
  rc::ndarray<double, 3> const dynamic = x;
  CHECK(near_table(rc::eval(layer(dynamic, dynamic, causal)), table::self_attention, 1e-12));
}
TEST_CASE("a row that attends to nothing is 0, and so is its derivative") {
  rc::tensor<double, 2, 3> const q{{1, 2, 3}, {3, 2, 1}}, k{{1, 0, 1}, {0, 1, 0}};
  rc::tensor<double, 2, 2> const v{{1, 2}, {3, 4}};
  rc::tensor<bool, 2, 2> const mask{{false, false}, {false, true}};
  rc::tensor<double, 2, 2> const y = nn::attend(q, k, v, mask);
  CHECK(numbers(y) == numbers(rc::tensor<double, 2, 2>{{0, 0}, {3, 4}}));
  auto const loss = [](auto const& a, auto const& b, auto const& c, auto const& m) {
    return rc::sum(nn::attend(a, b, c, m));
  };
  auto const [by_q, by_k, by_v] = rc::grad<0, 1, 2>(loss)(q, k, v, mask);
  CHECK(numbers(by_q) == numbers(rc::tensor<double, 2, 3>{{0, 0, 0}, {0, 0, 0}}));
  CHECK(numbers(by_k) == numbers(rc::tensor<double, 2, 3>{{0, 0, 0}, {0, 0, 0}}));
  CHECK(numbers(by_v) == numbers(rc::tensor<double, 2, 2>{{0, 0}, {1, 1}}));
}
TEST_CASE("heads that share keys and values are heads of equal keys and values") {
  constexpr nn::head_options all_own{.causal = true, .rotary = true};
  constexpr nn::head_options in_pairs{.causal = true, .rotary = true, .sharing = 2};
  using own_t = nn::multi_head_attention<16, 4, double, all_own>;
  using shared_t = nn::multi_head_attention<16, 4, double, in_pairs>;
  auto const shared = nn::init<shared_t::params<>>(nn::key(3));
  static_assert(std::is_same_v<decltype(shared_t::params<>::key), rc::tensor<double, 16, 8>>);
  own_t::params<> own{};
  own.query = shared.query, own.query_bias = shared.query_bias, own.out = shared.out, own.out_bias = shared.out_bias;
  for (int h = 0; h < 4; ++h)
    for (int k = 0; k < 4; ++k) {
      int const from = 4 * (h / 2) + k, to = 4 * h + k;
      own.key(rc::all, to) = shared.key(rc::all, from), own.value(rc::all, to) = shared.value(rc::all, from);
      own.key_bias(to) = shared.key_bias(from), own.value_bias(to) = shared.value_bias(from);
    }
  rc::tensor<double, 2, 5, 16> const a = rc::random::normal<double>(rc::random::key(1), rc::extents<2, 5, 16>{});
  rc::ndarray<bool, 3> const mask = rc::random::uniform<double>(rc::random::key(2), rc::shape(4, 5, 5)) < .8;
  auto const expected = numbers(rc::eval(own(a)));
  CHECK(numbers(rc::eval(shared(a))).near(expected, 1e-14));
  CHECK(numbers(rc::eval(shared(a, a, mask))).near(numbers(rc::eval(own(a, a, mask))), 1e-14));
  auto const loss = [](auto const& v, auto const& p) { return .5 * rc::sum(rc::square(p(v))); };
  CHECK(rc::check_grads(loss, a, shared));
  auto const g = rc::grad<1>(loss)(a, shared);
  auto const of_own = rc::grad<1>(loss)(a, own);
  rc::tensor<double, 16, 2, 2, 4> const apart = rc::reshape(of_own.key, rc::extents<16, 2, 2, 4>{});
  CHECK(numbers(g.key).near(numbers(rc::eval(rc::reshape(rc::sum(apart, rc::axis<2>), rc::extents<16, 8>{}))), 1e-12));

  shared_t::cache<5, 2>::state<> kept{};
  static_assert(std::is_same_v<decltype(kept.keys), rc::tensor<double, 2, 2, 5, 4>>);
  rc::ndarray<double, 3> const begin = a(rc::all, rc::range(0, 3)), end = a(rc::all, rc::range(3, 5));
  rc::ndarray<double, 3> const first = shared.decoded(begin, kept, 0), second = shared.decoded(end, kept, 3);
  CHECK(numbers(rc::eval(rc::concat(first, second, rc::axis<1>))).near(expected, 1e-14));

  using all_shared_t = nn::multi_head_attention<8, 4, double, nn::head_options{.sharing = 4}>::params<>;
  auto const one = nn::init<all_shared_t>(nn::key(5));
  auto const cross = [](auto const& v, auto const& m, auto const& p) { return .5 * rc::sum(rc::square(p(v, m))); };
  CHECK(rc::check_grads(cross, x, memory, one));
}
TEST_CASE("padding that is no number, where weights are dropped") {
  using layer = nn::multi_head_attention<4, 2>;
  auto const l = nn::init<layer::params<>>(nn::key(3));
  rc::ndarray<float, 3> const q = rc::ones<float>(rc::shape(1, 3, 4));
  rc::ndarray<float, 3> memory = q;
  memory(0, 2, rc::all) = std::numeric_limits<float>::quiet_NaN();
  rc::tensor<bool, 3> const of_places{true, true, false};
  rc::ndarray<bool, 4> const of_pairs = rc::broadcast_to(of_places, rc::shape(1, 1, 3, 3));
  nn::training<> const mode{nn::key(1)};
  auto const expected = rc::eval(l(q, memory, of_pairs));
  CHECK(numbers(rc::eval(l.dropped(q, memory, of_places, 0.f, mode))).near(numbers(expected), 1e-6));
  CHECK(numbers(rc::eval(l.dropped(q, memory, of_pairs, 0.f, mode))).near(numbers(expected), 1e-6));
}
