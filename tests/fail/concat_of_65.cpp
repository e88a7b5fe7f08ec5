// concat and stack join at most 64 tensors
// stops a constant evaluation (the call of an operation is one): the way to it comes first
#include <ricci/ricci.hpp>
namespace rc = ricci;
#define EIGHT x, x, x, x, x, x, x, x
int main() {
  rc::tensor<float, 2> x;
#ifdef FIXED
  rc::tensor<float, 128> y = rc::concat(EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT);
#else
  rc::tensor<float, 130> y = rc::concat(x, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT, EIGHT);
#endif
}
