// A net that another program wrote as constants, in one that has no heap for tensors.
#define RICCI_NO_HEAP

#include <doctest/doctest.h>

#include "frozen_net.hpp"
#include "small_net.hpp"

namespace {

using namespace small_net;
// what frozen_net.hpp says, by hand: one row after the other
float expected(int row, int column) {
  auto const& p = small<net<>>;
  auto const& bn = small_state<net_state<>>.bn;
  float h[4], sum[4];
  for (int j = 0; j < 4; ++j) {
    float s = p.in.b(j);
    for (int k = 0; k < 3; ++k) s += input(row, k) * p.in.w(k, j);
    h[j] = (s - bn.mean(j)) / __builtin_sqrtf(bn.variance(j) + 1e-5f) * p.bn.scale(j) + p.bn.shift(j);
  }
  for (auto const& l : p.hidden) {
    for (int j = 0; j < 4; ++j) {
      sum[j] = l.b(j);
      for (int k = 0; k < 4; ++k) sum[j] += h[k] * l.w(k, j);
    }
    for (int j = 0; j < 4; ++j) h[j] += sum[j] > 0 ? sum[j] : 0;
  }
  return h[column] * float(p.temperature.item());
}

}  // namespace

TEST_CASE("constants are used as parameters are") {
  static_assert(small<net<>>.hidden[1].w(3, 2) == 0.24148805f);
  auto const y = rc::eval(rc::fn(scores)(small<net<>>, small_state<net_state<>>, input));
  for (int row : {0, 1})
    for (int column = 0; column < 4; ++column)
      CHECK(y(row, column) == doctest::Approx(expected(row, column)).epsilon(1e-5));
}
