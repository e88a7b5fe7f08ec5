// one_extent_for_each_axis|marked deleted
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::ndarray<double, 2> x(3, 4);
#else
  rc::ndarray<double, 2> x(3, 4, 5);
#endif
}
