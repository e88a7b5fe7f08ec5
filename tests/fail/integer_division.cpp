// floor_divide
// Nobody agrees on what / is to do with integers, so it is asked for by name.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<int, 3> a{1, 2, 3};
#ifdef FIXED
  rc::tensor<int, 3> b = rc::floor_divide(a, 2);
#else
  rc::tensor<int, 3> b = a / 2;
#endif
}
