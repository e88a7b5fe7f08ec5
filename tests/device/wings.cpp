// The headers beside the umbrella, on the device: each function as on the host, where plain loops run it.
#include <ricci/attention.hpp>
#include <ricci/conv.hpp>
#include <ricci/fft.hpp>
#include <ricci/linalg.hpp>
#include <ricci/random.hpp>
#include <ricci/special.hpp>

#include "there.hpp"

namespace rc = ricci;

namespace {

template <rc::index_t... N>
auto waves(double start, double step = .7) {
  constexpr rc::index_t n = (N * ... * 1);
  rc::tensor<double, N...> x = rc::sin(start + step * rc::reshape(rc::arange<double>(n), rc::extents<N...>{}));
  return x;
}

}  // namespace

TEST_CASE("convolutions and pooling there") {
  auto const x = waves<2, 5, 6, 2>(.1);
  auto const w = waves<3, 3, 2, 3>(.4);
  check_there(
      [](auto const& a, auto const& b) {
        return rc::eval(rc::conv<rc::conv_options{.stride = 2, .pad = {1, 0}}>(a, b));
      },
      x, w);
  check_there(rc::grad([](auto a, auto b) { return rc::sum(rc::square(rc::conv<rc::conv_options{.pad = 1}>(a, b))); }),
              x, w);
  check_there([](auto const& a) { return rc::eval(rc::max_pool<rc::pool_options{.window = 2}>(a)); }, x);
}

TEST_CASE("attention there") {
  auto const q = waves<2, 5, 4>(.1);
  auto const k = waves<2, 6, 4>(.2);
  auto const v = waves<2, 6, 3>(.3);
  check_there([](auto const& a, auto const& b, auto const& c) { return rc::eval(rc::attention(a, b, c)); }, q, k, v);
  check_there(rc::grad([](auto a, auto b, auto c) { return rc::sum(rc::square(rc::attention(a, b, c))); }), q, k, v);
}

TEST_CASE("special functions there") {
  auto const x = rc::eval(waves<40>(.1) * 3. + 3.2);
  auto const p = rc::eval(waves<40>(.1) * .49 + .5);
  namespace sp = rc::special;
  check_there([](auto const& a) { return rc::eval(sp::gammaln(a) + sp::digamma(a) + sp::i0(a)); }, x);
  check_there([](auto const& a) { return rc::eval(sp::j0(a) + sp::j1(a) + sp::y0(a) + sp::y1(a)); }, x);
  check_there([](auto const& a, auto const& b) { return rc::eval(sp::gammainc(a, a * b) + sp::betainc(a, 2., b)); }, x,
              p);
  check_there([](auto const& a) { return rc::eval(sp::ndtri(a) + sp::erfinv(a) + sp::lambertw(a)); }, p);
}

TEST_CASE("Fourier transforms there") {
  auto const x = waves<3, 12>(.1);
  check_there([](auto const& a) { return rc::eval(rc::fft::irfft(rc::fft::rfft(a) * 2.)); }, x);
  check_there([](auto const& a) { return rc::eval(rc::abs(rc::fft::fft(rc::complex(a, a)))); }, x);
  // of stages of every kind, in lanes, and by a convolution
  for (rc::index_t const n : {1, 2, 9, 16, 60, 62, 74, 96}) {
    INFO("length ", n);
    rc::ndarray<double, 2> const y = rc::sin(.1 + .7 * rc::reshape(rc::arange<double>(2 * n), rc::shape(2, n)));
    check_there([n](auto const& a) { return rc::eval(rc::fft::irfft(rc::fft::rfft(a) * 2., n)); }, y);
    check_there([](auto const& a) { return rc::eval(rc::real(rc::fft::fft(rc::complex(a, 2. * a)))); }, y);
  }
}

TEST_CASE("bits of integers there") {
  rc::tensor<std::int64_t, 6> const x{0, 1, -8, 255, 1 << 20, -1};
  check_there([](auto const& a) { return rc::eval(rc::bitwise_count(a)); }, x);
}

TEST_CASE("linear algebra there") {
  auto const a = rc::eval(waves<2, 4, 4>(.1) + 3. * rc::eye<double>(4));
  auto const b = waves<2, 4, 3>(.2);
  check_there([](auto const& m, auto const& y) { return rc::eval(rc::linalg::solve(m, y)); }, a, b);
  check_there([](auto const& m) { return rc::eval(rc::linalg::det(m)); }, a);
  check_there([](auto const& m) { return rc::eval(rc::linalg::cholesky(rc::einsum<"bij, bkj -> bik">(m, m))); }, a);
  check_there([](auto const& m) { return rc::eval(rc::linalg::eigvalsh(m)); }, a);
  check_there([](auto const& m) { return rc::eval(rc::linalg::inv(m)); }, a);
  // of complex numbers, whose arithmetic in kernels is the library's own
  check_there([](auto const& m) { return rc::eval(rc::abs(rc::linalg::cholesky(rc::complex(m, 0. * m)))); },
              rc::eval(rc::einsum<"bij, bkj -> bik">(a, a)));
}
