// takes its arguments by .auto.: it is called with symbols, not with tensors
// The same for records, by another transform.
#include <ricci/ricci.hpp>
namespace rc = ricci;
template <class Kind = rc::values>
struct params {
  rc::field<Kind, double, 3> w;
};
int main() {
  params<> p{{1, 2, 3}};
#ifdef FIXED
  auto h = rc::hessian([](auto q) { return rc::sum(q.w * q.w); })(p);
#else
  auto h = rc::hessian([](params<> const& q) { return rc::sum(q.w * q.w); })(p);
#endif
}
