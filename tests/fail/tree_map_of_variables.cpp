// tree_map makes trees of tensors: of a variable w, w.value\(\) or w.grad\(\) is one; tape.variable\(record\) makes a
// record of Variables that became tensors would lose their gradients in silence.
#include <ricci/ricci.hpp>
namespace rc = ricci;
template <class Kind = rc::values>
struct params {
  rc::field<Kind, double, 3> w;
  rc::field<Kind, double> b;
};
int main() {
  rc::tape tape;
  params<> p;
#ifdef FIXED
  auto q = tape.variable(p);
#else
  auto q = rc::tree_map([&](auto const& w) { return tape.variable(w); }, p);
#endif
  (void)q;
}
