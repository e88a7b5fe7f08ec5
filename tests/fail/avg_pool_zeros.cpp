// avg_pool: with padding, `zeros` says whether zeros around images count
// Libraries differ in whether padding counts, so that it is to be said.
#include <ricci/conv.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 3> x(4, 4, 1);
#ifdef FIXED
  auto y = rc::eval(rc::avg_pool<rc::pool_options{.window = {3, 3}, .pad = 1, .zeros = rc::pool_zeros::counted}>(x));
#else
  auto y = rc::eval(rc::avg_pool<rc::pool_options{.window = {3, 3}, .pad = 1}>(x));
#endif
}
