// std::format of tensors, with a standard library that has it.
#include <doctest/doctest.h>

#include <version>
#if defined(__cpp_lib_format)
#include <ricci/format.hpp>

namespace rc = ricci;

TEST_CASE("a specification is for each element") {
  rc::tensor<double, 2, 2> const x{{1, 2.5}, {-3, .25}};
  CHECK(std::format("{}", x) == "[[1 2.5]\n [-3 0.25]]");
  CHECK(std::format("{:.3f} {}", x(0), 7) == "[1.000 2.500] 7");
  CHECK(std::format("{:6.2f}", rc::eval(x.T())(0)) == "[  1.00  -3.00]");
  CHECK(std::format("{:.1e}", 2. * x(1)) == "[-6.0e+00 5.0e-01]");
  CHECK(std::format("{:.{}f}", rc::sum(x), 2) == "0.75");
  CHECK(std::format("{:#x}", rc::tensor<std::uint8_t, 3>{1, 16, 255}) == "[0x1 0x10 0xff]");
  CHECK(std::format("{} {:d}", rc::tensor<bool, 2>{true, false}, rc::tensor<bool, 2>{true, false}) ==
        "[true false] [1 0]");
  CHECK(std::format("{:.1f}", rc::tensor<rc::float16, 1>{1.5f}) == "[1.5]");
  CHECK(std::format("{:.1f}", rc::tensor<std::complex<double>, 2>{{1, 2}, {0, -1}}) == "[1.0+2.0j 0.0-1.0j]");
  CHECK(std::format("{}", rc::arange<int>(1001)) == "[0 1 2 ... 998 999 1000]");
  CHECK(std::format("{}", rc::ndarray<double, 2>(0, 3)) == "[]");
}
#endif
