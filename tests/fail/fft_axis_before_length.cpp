// a Fourier transform takes a tensor, and behind it, in this order
// and nothing else
#include <ricci/fft.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5), y(5);
  rc::ndarray<double, 2> m(3, 4);
#ifdef FIXED
  rc::ndarray<std::complex<double>, 2> z = rc::fft::fft(m, 8, rc::axis<0>);
#else
  rc::ndarray<std::complex<double>, 2> z = rc::fft::fft(m, rc::axis<0>, 8);
#endif
  (void)x, (void)y, (void)m;
}
