// lacks_this_name<.*chanel.*batch.*channel
// Two tensors of which each has a name that the other does not have.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a, b;
#ifdef FIXED
  auto c = rc::eval(rc::named<"batch, channel">(a) + rc::named<"batch, channel">(b));
#else
  auto c = rc::eval(rc::named<"batch, channel">(a) + rc::named<"batch, chanel">(b));
#endif
}
