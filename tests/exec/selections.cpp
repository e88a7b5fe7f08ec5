// Selections among integers by conditions on floats: lanes of both types at once. All bits stay as they are, those too
// that would be a signalling NaN of the floats.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <cstdint>

namespace rc = ricci;
using rc::index_t;

namespace {

template <class T, class I>
void check_selections(I pattern) {
  for (index_t n = 0; n <= 70; ++n) {
    rc::ndarray<T, 1> const x = rc::astype<T>(rc::arange<std::int32_t>(n) * 37 % 100);
    rc::ndarray<I, 1> const k = rc::astype<I>(rc::arange<std::int32_t>(n)), a = k + pattern, b = k - pattern;
    auto const among = rc::eval(rc::where(x > T(50), a, b)), or_number = rc::eval(rc::where(x > T(50), a, I(-7))),
               with_sum = rc::eval(rc::where(x > T(50), a + b, b));
    bool same = true;
    for (index_t i = 0; i < n; ++i) {
      bool const is_first = x(i) > T(50);
      same = same && among(i) == (is_first ? a(i) : b(i)) && or_number(i) == (is_first ? a(i) : I(-7)) &&
             with_sum(i) == (is_first ? a(i) + b(i) : b(i));
    }
    CAPTURE(n);
    CHECK(same);
  }
}

}  // namespace

TEST_CASE("integers are selected by conditions on floats") {
  check_selections<float, std::int32_t>(0x7f800001);
  check_selections<double, std::int64_t>(0x7ff0000000000001);
}
TEST_CASE("integers of another width than the floats are selected by conditions on them") {
  check_selections<float, std::int64_t>(0x7ff0000000000001);
  check_selections<double, std::int32_t>(0x3f800001);
}
