// extents_are_given_one_by_one_and_rc_zeros_takes_a_shape|marked deleted
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::ndarray<double, 2> x(3, 4), y = rc::zeros<double>(rc::shape(3, 4));
#else
  rc::ndarray<double, 2> x(rc::shape(3, 4));
#endif
}
