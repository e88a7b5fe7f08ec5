// rfft.*2.*3
// The axes of an order-2 tensor are 0 and 1, and -1 and -2.
#include <ricci/fft.hpp>
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  auto c = rc::eval(rc::fft::rfft(a, rc::axis<-2>));
#else
  auto c = rc::eval(rc::fft::rfft(a, rc::axis<2>));
#endif
}
