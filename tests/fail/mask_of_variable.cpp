// what a mask names of a variable has no shape before it runs: rc::where chooses element by element
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tape tape;
  auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3});
#ifdef FIXED
  rc::variable y = rc::where(w > 1., w, 0.);
#else
  rc::variable y = w(w > 1.) * 2.;
#endif
}
