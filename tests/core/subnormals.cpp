// What rc::flush_subnormals does to this thread, and that it leaves the rest of its floating-point state alone.
#include <doctest/doctest.h>

#include <cfenv>

#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

// a number below the smallest normal float, unless such are 0; and whether a variable with one is 0
float product(float a, float b) {
  float volatile const x = a, y = b;
  return x * y;
}
bool is_zero(float a) { return product(a, 1) == 0; }

}  // namespace

TEST_CASE("while the guard lives, and not before or behind it") {
  float const tiny = product(1e-20f, 1e-20f);
  CHECK(tiny > 0);
  {
    rc::flush_subnormals const guard;
    CHECK(is_zero(product(1e-20f, 1e-20f)) == (RICCI_HAS_MXCSR == 1));
    CHECK(is_zero(tiny) == (RICCI_HAS_MXCSR == 1));
    CHECK(product(1e-18f, 1e-18f) > 0);
    { rc::flush_subnormals const within; }
    CHECK(is_zero(tiny) == (RICCI_HAS_MXCSR == 1));  // it is still that of the outer one
  }
  CHECK(product(1e-20f, 1e-20f) == tiny);
  CHECK(!is_zero(tiny));
}

TEST_CASE("an exception that leaves its scope, and flags and rounding") {
#if RICCI_EXCEPTIONS
  try {
    rc::flush_subnormals const guard;
    throw 1;
  } catch (int) {
  }
  CHECK(product(1e-20f, 1e-20f) > 0);
#endif
  std::feclearexcept(FE_ALL_EXCEPT);
  {
    rc::flush_subnormals const guard;
    float volatile const three = 3;
    float volatile const third = 1 / three;
    (void)third;
    std::fesetround(FE_TOWARDZERO);
  }
  CHECK(std::fetestexcept(FE_INEXACT) != 0);
  CHECK(std::fegetround() == FE_TOWARDZERO);
  std::fesetround(FE_TONEAREST);
}

TEST_CASE("statements") {
  auto const a = rc::full<float>(rc::shape(37), 1e-20f), b = rc::full<float>(rc::shape(37), 1e-20f);
  {
    rc::flush_subnormals const guard;
    CHECK((rc::sum(rc::eval(a * b)).item() == 0) == (RICCI_HAS_MXCSR == 1));
  }
  CHECK(rc::sum(rc::eval(a * b)).item() > 0);
}
