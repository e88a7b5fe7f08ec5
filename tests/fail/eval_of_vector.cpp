// rc::eval takes an expression or a tensor
// and nothing else
#include <vector>

#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  std::vector<double> v{1, 2, 3};
#ifdef FIXED
  auto y = rc::asarray(v);
#else
  auto y = rc::eval(v);
#endif
}
