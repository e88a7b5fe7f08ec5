// fft.*4
// There is no transform of no elements.
#include <ricci/fft.hpp>
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 4> a{1, 2, 3, 4};
#ifdef FIXED
  auto c = rc::eval(rc::fft::fft(a, rc::known<2>));
#else
  auto c = rc::eval(rc::fft::fft(a, rc::known<0>));
#endif
}
