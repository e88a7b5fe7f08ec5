// Sums, counts and largest elements of vectors of plain numbers, of lengths that leave any rest in the chains of their
// loops. Also at -O3, where g++ 12 has left elements out.
#include <ricci/ricci.hpp>

#include <doctest/doctest.h>

#include <cstdint>

namespace rc = ricci;

TEST_CASE("sums of plain numbers of any length") {
  auto const check = [](auto zero) {
    using T = decltype(zero);
    for (rc::index_t n : {1, 7, 16, 31, 64, 100, 128, 1000, 4096, 10000}) {
      rc::ndarray<T, 1> x(n);
      std::int64_t sum = 0, above = 0;
      T largest = 0;
      for (rc::index_t k = 0; k < n; ++k) {
        x(k) = static_cast<T>(k * 7 % 120);
        sum += x(k), above += x(k) > 10, largest = x(k) > largest ? x(k) : largest;
      }
      bool const right = std::int64_t(rc::sum(x)) == sum && rc::eval(rc::sum(x > 10)).item() == above &&
                         rc::eval(rc::max(x)).item() == largest && rc::eval(rc::any(x > 118)).item() == (largest > 118);
      CHECK_MESSAGE(right, n);
    }
  };
  check(std::uint8_t{});
  check(std::int32_t{});
  check(std::uint32_t{});
  check(std::int64_t{});
}
