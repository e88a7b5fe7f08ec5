// What works without a heap: statements whose operands are in the way of the result, views, functions into existing
// tensors, prepared ones, and products whose operands do not fit into the memory for packing.
#include <cstdio>

#include <ricci/fft.hpp>
#include <ricci/ricci.hpp>

namespace rc = ricci;

static int failures = 0;
static void check(bool right, char const* what) {
  if (!right) std::printf("wrong: %s\n", what), ++failures;
}

int main() {
  rc::tensor<float, 3, 3> a{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  a = a.T();
  check(a(0, 1) == 4 && a(2, 0) == 3, "a = a.T()");
  a = rc::matmul(a, a);
  check(a(0, 0) == 30 && a(1, 2) == 126, "a = matmul(a, a)");

  rc::tensor<float, 4> v{1, 2, 3, 4}, u = v;
  v(rc::range<1, 4>()) = v(rc::range<0, 3>());
  check(v(0) == 1 && v(1) == 1 && v(3) == 3, "a view of known extents from one that overlaps it");
  int volatile three = 3;
  int const n = three;
  u(rc::range(1, n + 1)) = u(rc::range(0, n)) + 1.f;
  check(u(0) == 1 && u(1) == 2 && u(3) == 4, "a view of extents that are values");

  auto turn = [](auto p, auto q) { return rc::matmul(q, p); };
  rc::tensor<float, 3> x{1, 2, 3};
  rc::tensor<float, 3, 3> w{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  rc::fn(turn).into(x)(x, w);
  check(x(0) == 2 && x(1) == 3 && x(2) == 1, "a function into its argument");
  auto loss = [](auto p, auto q) { return rc::sum(rc::matmul(q, p)); };
  rc::grad<1>(loss).into(w)(x, w);
  check(w(0, 0) == 2 && w(1, 1) == 3 && w(2, 2) == 1, "a gradient into its argument");
  auto step = rc::prepared(rc::grad(loss));
  check(step(x, w)(2) == 3, "a prepared function");

  rc::tensor<float, 16, 300> rows = rc::ones<float>(rc::extents<16, 300>{});
  rc::tensor<float, 300, 53> columns = rc::ones<float>(rc::extents<300, 53>{});
  rc::tensor<float, 16, 53> product = rc::matmul(rows, columns);
  check(product(0, 0) == 300 && product(15, 52) == 300 && rc::sum(product).item() == 300 * 16 * 53,
        "a product that is not packed");

  rc::tensor<float, 8> signal{1, 2, 3, 4, 5, 6, 7, 9};
  rc::tensor<std::complex<float>, 5> spectrum = rc::fft::rfft(signal);
  rc::tensor<float, 8> back = rc::fft::irfft(spectrum);
  check(spectrum(0).real() == 37 && spectrum(4).real() == -5 && back(2) > 2.999f && back(2) < 3.001f, "a spectrum");
  return failures;
}
