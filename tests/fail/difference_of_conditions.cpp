// conditions have no difference
// As in NumPy: a sum of conditions is "or", a product "and", and what a difference would be nobody knows.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> a{1, 2, 3};
#ifdef FIXED
  rc::tensor<bool, 3> b = (a > 1.) != (a > 2.);
#else
  rc::tensor<bool, 3> b = (a > 1.) - (a > 2.);
#endif
}
