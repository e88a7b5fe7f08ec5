// a tensor has at most 12 axes
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::tensor<float, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1> x;
#else
  rc::tensor<float, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1> x;
#endif
  x = 1.f;
}
