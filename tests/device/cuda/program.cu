// The device context by nvcc: every kind of step, and a function with its gradient. Where there is no GPU it says so
// and ends with 77; else it compares with the host.
#include <ricci/device.hpp>
// these are only compiled
#include <ricci/attention.hpp>
#include <ricci/conv.hpp>
#include <ricci/data.hpp>
#include <ricci/fft.hpp>
#include <ricci/io.hpp>
#include <ricci/linalg.hpp>
#include <ricci/nn.hpp>
#include <ricci/random.hpp>
#include <ricci/special.hpp>

#include <cmath>
#include <complex>
#include <cstdio>

namespace rc = ricci;

// nvcc leaves std::complex's own operators out of kernels; run.cmake looks for these ones' instructions
__global__ void complex_arithmetic(std::complex<double> const* x, std::complex<double>* y) {
  auto z = x[0] + x[1];
  z *= x[2];
  y[0] = 1. - z / x[3] * 2.;
}

namespace {

int failures = 0;
template <class X, class Y>
void check(char const* what, X const& there, Y const& here) {
  auto const a = rc::copy(there, rc::cpu{});
  auto const b = rc::eval(here);
  double worst = a.size() == b.size() ? 0 : 1;
  for (rc::index_t k = 0; k < a.size() && worst < 1; ++k)
    worst = std::fmax(worst, std::abs(double(a.data()[k]) - double(b.data()[k])));
  if (worst > 1e-4) std::printf("%s: off by %g\n", what, worst), ++failures;
}

template <class C>
auto matrix(rc::index_t rows, rc::index_t columns, C context) {
  return rc::eval(rc::reshape(rc::linspace<float>(-1.f, 1.f, rows * columns, context), rc::shape(rows, columns)));
}

int run() {
  rc::device const there{};
  auto const a = matrix(37, 64, rc::cpu{}), b = matrix(64, 20, rc::cpu{});
  auto const da = rc::copy(a, there), db = rc::copy(b, there);
  check("chain", rc::eval(2.f * da + rc::exp(-da * da) - da / 3.f), 2.f * a + rc::exp(-a * a) - a / 3.f);
  check("broadcast", rc::eval(da * da(0) + da(rc::all, rc::range(0, 1))), a * a(0) + a(rc::all, rc::range(0, 1)));
  check("sums", rc::eval(rc::sum(da * da, rc::axis<0>)), rc::sum(a * a, rc::axis<0>));
  check("sums of rows", rc::eval(rc::sum(da * da, rc::axis<1>)), rc::sum(a * a, rc::axis<1>));
  check("softmax", rc::eval(rc::softmax(da, rc::axis<1>)), rc::softmax(a, rc::axis<1>));
  check("largest", rc::eval(rc::argmax(da, rc::axis<1>)), rc::argmax(a, rc::axis<1>));
  check("product", rc::eval(rc::matmul(da, db)), rc::matmul(a, b));
  check("transposed", rc::eval(rc::matmul(db.T(), da.T())), rc::matmul(b.T(), a.T()));
  auto const rows = rc::asarray<int>({3, 0, -1});
  check("rows", rc::eval(rc::take(da, rc::copy(rows, there), rc::axis<0>)), rc::take(a, rows, rc::axis<0>));
  auto const f = [](auto x, auto w) { return rc::mean(rc::square(rc::tanh(rc::matmul(x, w)))); };
  check("gradient", rc::grad<1>(f)(da, db), rc::grad<1>(f)(a, b));
  auto const update = [](auto w, auto v, auto dw, auto dv) {
    return std::tuple(w - 0.1f * dw / (rc::sqrt(rc::square(dw)) + 0.1f), v - 0.1f * dv / (rc::square(dv) + 0.1f));
  };
  auto const [w, v] = rc::fn(update)(da, db, da, db);  // in one launch
  auto const [hw, hv] = rc::fn(update)(a, b, a, b);
  check("update", w, hw);
  check("update of another", v, hv);
  if (failures == 0) std::printf("as on the host\n");
  return failures;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (rc::device_error const& e) {
    std::printf("device_error: %s\n", e.what());
    return 77;
  }
}
