// Attention: values and gradients as PyTorch has them, masks, and rows that attend to nothing.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

#include <ricci/nn/attention.hpp>

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
