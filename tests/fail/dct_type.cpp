// a cosine or sine transform takes a tensor.*the type, as rc::fft::type<3>
// and nothing else
#include <ricci/fft.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4> x{0, 1, 2, 3};
#ifdef FIXED
  rc::tensor<double, 4> y = rc::fft::dct(x, rc::fft::type<3>);
#else
  rc::tensor<double, 4> y = rc::fft::dct(x, 3);
#endif
}
