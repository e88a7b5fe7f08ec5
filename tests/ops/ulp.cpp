// Every elementwise operation's kernel, on SIMD packs and on single numbers, against the same formula in long double:
// within the error that the operation promises, which is 4 units in the last place or less, over its whole domain and
// beyond, for float and double. This file is built for several instruction sets (CMakeLists.txt beside it).
#include "accuracy.hpp"

#include <doctest/doctest.h>

#include <string>

#include "list.hpp"

namespace {

// the true result in long double has an error of its own
constexpr double slack = 1.0 / 512;

template <class Op, class T>
void check_kernels(Op) {
  std::string const name = std::string(Op::name) + " of " + ricci::name_of(ricci::dtype_of<T>);
  INFO("operation ", name);
  CHECK(Op::ulp <= 4);
  accuracy::operands<Op, T> const at(40000);
  auto const& [a, b, c] = at.x;
  double worst = 0;
  std::size_t where = 0;
  std::string how;
  auto const note = [&](T y, long double truth, std::size_t k, char const* kernel) {
    double const error = accuracy::ulps(y, truth);
    if (error > worst) worst = error, where = k, how = kernel;
  };
  for (std::size_t k = 0; k < a.size(); k += 16) {
#if RICCI_HAS_XSIMD
    T y[16];
    for (std::size_t i = 0; i < 16; i += ricci::simd::pack<T>::size)
      accuracy::by_pack<Op>(&a[k + i], &b[k + i], &c[k + i], &y[i]);
#endif
    for (std::size_t i = 0; i < 16; ++i) {
      long double const truth = accuracy::by_scalar<Op, long double>(a[k + i], b[k + i], c[k + i]);
#if RICCI_HAS_XSIMD
      note(y[i], truth, k + i, "pack");
#endif
      note(accuracy::by_scalar<Op>(a[k + i], b[k + i], c[k + i]), truth, k + i, "number");
    }
  }
  INFO("kernel on ", how, ", at ", a[where], " and ", b[where], " and ", c[where]);
  CHECK(worst <= Op::ulp + slack);
}

}  // namespace

TEST_CASE("the kernel of every elementwise operation keeps its error, in float") {
  operations::for_each_elementwise([](auto op) { check_kernels<decltype(op), float>(op); });
}
TEST_CASE("the kernel of every elementwise operation keeps its error, in double") {
  operations::for_each_elementwise([](auto op) { check_kernels<decltype(op), double>(op); });
}

// Beyond its domain an operation of one operand is not finite, or stays what it is at the end.
TEST_CASE("domains span every finite result") {
  auto const check = [](auto op) {
    using Op = decltype(op);
    std::string const name = Op::name;
    INFO("operation ", name);
    auto const at = [](double x) { return static_cast<double>(accuracy::by_scalar<Op, long double>(x, 0, 0)); };
    for (double end : {Op::domain.low, Op::domain.high})
      for (double factor : {1 + 1e-15, 1.1, 2., 1e3, 1e100}) {
        double const beyond = end == 0 ? -std::numeric_limits<double>::min() * factor : end * factor;
        if (std::isfinite(beyond)) CHECK_MESSAGE((!std::isfinite(at(beyond)) || at(beyond) == at(end)), beyond);
      }
    CHECK((Op::domain.low == 0 || std::isfinite(at(Op::domain.low * (1 - 1e-15)))));
    CHECK(std::isfinite(at(Op::domain.high * (1 - 1e-15))));
  };
  operations::for_each(operations::unary_functions{}, check);
}
