// a compiled function of a variable would not be recorded: hand it x.value\(\), a tensor
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tape tape;
  auto w = tape.variable(rc::tensor<double, 3>{1, 2, 3});
  auto f = [](auto x) { return rc::sum(x); };
#ifdef FIXED
  rc::fn(f)(w.value());
#else
  rc::fn(f)(w);
#endif
}
