// Contractions on the device whose factors are repeated along some loops of the batch.
#include "there.hpp"

namespace rc = ricci;

TEST_CASE("contractions whose letters alternate on the device") {
  rc::ndarray<double, 4> const a = rc::sin(rc::reshape(rc::arange<double>(0, 360), rc::shape(3, 5, 4, 6)));
  rc::ndarray<double, 4> const b = rc::cos(rc::reshape(rc::arange<double>(0, 120), rc::shape(2, 4, 3, 5)));
  check_there([](auto const& x, auto const& y) { return rc::eval(rc::einsum<"fgbc, deag -> abcdef">(x, y)); }, a, b);
  rc::ndarray<double, 2> const m = rc::cos(rc::reshape(rc::arange<double>(0, 42), rc::shape(6, 7)));
  check_there([](auto const& x, auto const& y) { return rc::eval(rc::einsum<"adce, eb -> abcd">(x, y)); }, a, m);
  rc::ndarray<std::int32_t, 4> const i = rc::astype<std::int32_t>(9. * a), k = rc::astype<std::int32_t>(9. * b);
  check_there([](auto const& x, auto const& y) { return rc::eval(rc::einsum<"fgbc, deag -> abcdef">(x, y)); }, i, k);
}
