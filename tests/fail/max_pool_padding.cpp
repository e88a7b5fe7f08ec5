// max_pool: windows, strides and dilations are 1 or more, padding half of a window's reach at most
// A window that may lie beside the image has no greatest element.
#include <ricci/conv.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 3> x(4, 4, 1);
#ifdef FIXED
  auto y = rc::eval(rc::max_pool<rc::pool_options{.window = {3, 3}, .pad = 1}>(x));
#else
  auto y = rc::eval(rc::max_pool<rc::pool_options{.window = {3, 3}, .pad = 2}>(x));
#endif
}
