// no_axis_has_this_name<.*chanel.*batch.*channel
// A name that no axis has.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a;
#ifdef FIXED
  auto c = rc::eval(rc::sum(rc::named<"batch, channel">(a), rc::axis<"channel">));
#else
  auto c = rc::eval(rc::sum(rc::named<"batch, channel">(a), rc::axis<"chanel">));
#endif
}
