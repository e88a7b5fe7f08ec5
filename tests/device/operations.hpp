// Every operation on the device against the interpreter on the host: the function that makes value, jvp, vjp and second
// derivatives of it (tests/ops/derivatives.hpp), called with tensors of the device.
#pragma once

#include <ricci/device.hpp>

#include "../ops/derivatives.hpp"

namespace on_device {

namespace rc = ricci;
using derivatives::distance, derivatives::flat;

// the same values, copied back
template <class X>
auto here(X const& x) {
  if constexpr (rc::Tensor<X>)
    return rc::copy(x, rc::cpu{});
  else
    return std::apply([](auto const&... part) { return std::tuple(here(part)...); }, x);
}

template <class F>
void check(std::string const& name, double low = -2, double high = 2, bool positive = false) {
  INFO("operation ", name);
  typename derivatives::checker<F>::template problem<double, false> const p(0, low, high, positive);
  auto const constants = F::constants();
  auto const expected =
      derivatives::flat_results(rc::interpret(derivatives::everything<F>{})(p.x, p.t, p.ct, constants));
  rc::device const there{};
  auto const result = rc::fn(derivatives::everything<F>{})(rc::copy(p.x, there), rc::copy(p.t, there),
                                                           rc::copy(p.ct, there), rc::copy(constants, there));
  CHECK(distance(derivatives::flat_results(here(result)), expected) < 1e-12);
}

}  // namespace on_device
