// an argument of a traced function is a tensor, a number, or an aggregate.*of a std::vector rc::asarray makes a tensor
// and nothing else
#include <ricci/ricci.hpp>
#include <vector>
namespace rc = ricci;
int main() {
  std::vector<double> v{1, 2, 3};
#ifdef FIXED
  rc::grad([](auto x) { return rc::sum(x * x); })(rc::asarray(v));
#else
  rc::grad([](auto x) { return rc::sum(x * x); })(v);
#endif
}
