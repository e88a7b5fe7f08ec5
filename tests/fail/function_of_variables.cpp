// a compiled function of a variable would not be recorded: hand it x.value\(\), a tensor
// Variables in a record, too, would be taken for tensors.
#include <ricci/ricci.hpp>
namespace rc = ricci;
template <class Kind = rc::values>
struct params {
  rc::field<Kind, double, 3> w;
  rc::field<Kind, double> b;
};
int main() {
  rc::tape tape;
  auto q = tape.variable(params<>{});
  auto f = [](auto p) { return rc::sum(p.w) + p.b; };
#ifdef FIXED
  rc::fn(f)(rc::tree_map([](auto const& w) { return w.value(); }, q));
#else
  rc::fn(f)(q);
#endif
}
