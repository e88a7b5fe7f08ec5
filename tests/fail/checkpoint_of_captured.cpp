// its rule or a checkpoint holds a value, which the rule would not see: pass it as an argument
// stops a constant evaluation
// A value of the traced function around it is one, too.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  rc::grad([](auto x, auto w) {
#ifdef FIXED
    return rc::sum(rc::checkpoint([](auto h, auto v) { return rc::exp(h * v); })(x, w));
#else
    return rc::sum(rc::checkpoint([=](auto h) { return rc::exp(h * w); })(x));
#endif
  })(x, x);
}
