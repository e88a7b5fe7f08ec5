// this is computed at once, so derivatives would take it for a constant
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tape tape;
  auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3});
#ifdef FIXED
  auto greatest = rc::top_k(w.value(), 2).first;
#else
  auto greatest = rc::top_k(w, 2).first;
#endif
  rc::variable loss = rc::sum(greatest) * rc::sum(w);
}
