// of integers do not exist|with respect to integers does not exist
// Integers have no neighbours to differ from.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<int, 3> a{1, 2, 3};
#ifdef FIXED
  auto g = rc::grad([](auto x) { return rc::sum(x * x); })(rc::tensor<double, 3>(rc::astype<double>(a)));
#else
  auto g = rc::grad([](auto x) { return rc::sum(x * x); })(a);
#endif
}
