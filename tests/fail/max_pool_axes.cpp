// max_pool.*4
// Windows of two axes are of images with channels.
#include <ricci/conv.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 4, 4> x{};
#ifdef FIXED
  auto y = rc::eval(rc::max_pool<2>(x));
#else
  auto y = rc::eval(rc::max_pool<2, 2>(x));
#endif
}
