// Every elementwise operation's kernel, on SIMD packs and on single numbers, against the same formula in long double:
// within the error that the operation promises, which is 4 units in the last place or less, over its whole domain and
// beyond, for float and double. This file is built for several instruction sets (CMakeLists.txt beside it).
#include "accuracy.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "list.hpp"

namespace {

// the true result in long double has an error of its own
constexpr double slack = 1.0 / 512;

// The kernels of an operation as loops over arrays: of packs, of numbers, and of long double.
template <class T>
struct kernels {
  std::string name;
  double promised;
  accuracy::operands<T> at;
  void (*by_pack)(T const* const* x, std::size_t n, T* y);
  void (*by_number)(T const* const* x, std::size_t n, T* y);
  void (*truth)(T const* const* x, std::size_t n, long double* y);
};
template <class Op, class T, class R, class Y>
void by_numbers(T const* const* x, std::size_t n, Y* y) {
  for (std::size_t k = 0; k < n; ++k) y[k] = accuracy::by_scalar<Op, R>(x[0][k], x[1][k], x[2][k]);
}
#if RICCI_HAS_XSIMD
template <class Op, class T>
void by_packs(T const* const* x, std::size_t n, T* y) {
  for (std::size_t k = 0; k < n; k += ricci::simd::pack<T>::size)
    accuracy::by_pack<Op>(x[0] + k, x[1] + k, x[2] + k, y + k);
}
#endif

template <class T>
void check(kernels<T> const& op) {
  INFO("operation ", op.name);
  CHECK(op.promised <= 4);
  std::size_t const n = op.at.x[0].size();
  T const* const x[3] = {op.at.x[0].data(), op.at.x[1].data(), op.at.x[2].data()};
  std::vector<long double> truth(n);
  op.truth(x, n, truth.data());
  auto const worst_of = [&](char const* how, auto const& kernel) {
    std::vector<T> y(n);
    kernel(x, n, y.data());
    double worst = 0;
    std::size_t where = 0;
    for (std::size_t k = 0; k < n; ++k)
      if (double const error = accuracy::ulps(y[k], truth[k]); error > worst) worst = error, where = k;
    INFO("kernel on ", how, ", at ", x[0][where], " and ", x[1][where], " and ", x[2][where]);
    CHECK(worst <= op.promised + slack);
  };
  if (op.by_pack) worst_of("pack", op.by_pack);
  worst_of("number", op.by_number);
}
template <class T, class Op>
void check_kernels(Op) {
  kernels<T> op{std::string(Op::name) + " of " + ricci::name_of(ricci::dtype_of<T>),
                Op::ulp,
                accuracy::operands<T>(Op::domain, Op::arity, 40000),
                nullptr,
                by_numbers<Op, T, T, T>,
                by_numbers<Op, T, long double, long double>};
#if RICCI_HAS_XSIMD
  op.by_pack = by_packs<Op, T>;
#endif
  check(op);
}
template <class T>
void check_all() {
  operations::for_each_elementwise([](auto op) { check_kernels<T>(op); });
  operations::for_each_further([](auto op) { check_kernels<T>(op); });
}

}  // namespace

TEST_CASE("the kernel of every elementwise operation keeps its error, in float") { check_all<float>(); }
TEST_CASE("the kernel of every elementwise operation keeps its error, in double") { check_all<double>(); }

// Powers whose exponents are as large as the range allows, of numbers around 1, where the digits of the logarithm count
// the most, and of others.
TEST_CASE_TEMPLATE("powers near the ends of the range keep their error", T, float, double) {
  kernels<T> op{"pow",
                ricci::pow_t::ulp,
                accuracy::operands<T>(ricci::pow_t::domain, 1, 16),
                nullptr,
                by_numbers<ricci::pow_t, T, T, T>,
                by_numbers<ricci::pow_t, T, long double, long double>};
#if RICCI_HAS_XSIMD
  op.by_pack = by_packs<ricci::pow_t, T>;
#endif
  double const most = std::numeric_limits<T>::max_exponent;
  for (int k = 1; k < 20000; ++k)
    for (double const size : {0.9, 0.01, 1e-4}) {
      T const x = static_cast<T>(1 + (k % 2 ? size : -size / 2) * k / 20000);
      double const exponent = (most - 0.01 * (k % 800)) / std::log2(static_cast<double>(x));
      if (std::isfinite(exponent)) op.at.add(x, static_cast<T>(k % 4 < 2 ? exponent : -exponent), T(0));
    }
  while (op.at.x[0].size() % 16 != 0) op.at.add(T(1), T(1), T(1));
  check(op);
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
        double const beyond = end == 0                           ? -std::numeric_limits<double>::min() * factor
                              : end > 0 && end == Op::domain.low ? end / factor
                                                                 : end * factor;
        if (std::isfinite(beyond)) CHECK_MESSAGE((!std::isfinite(at(beyond)) || at(beyond) == at(end)), beyond);
      }
    CHECK((Op::domain.low == 0 || std::isfinite(at(Op::domain.low * (Op::domain.low > 0 ? 1 + 1e-15 : 1 - 1e-15)))));
    CHECK(std::isfinite(at(Op::domain.high * (1 - 1e-15))));
  };
  operations::for_each(operations::unary_functions{}, check);
  operations::for_each(operations::further_functions{}, check);
}
