// an index consists of integers.*rc::asarray
// and nothing else
#include <vector>

#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 2> x(2, 3);
  std::vector<int> const rows{1, 0};
#ifdef FIXED
  auto y = rc::eval(x(rc::asarray(rows)));
#else
  auto y = rc::eval(x(rows));
#endif
}
