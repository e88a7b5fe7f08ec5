// floats have no bits to operate on
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> x{1, 2, 3};
#ifdef FIXED
  rc::eval(rc::astype<int>(x) & 1);
#else
  rc::eval(x & 1);
#endif
}
