// a std::vector is no tensor: rc::asarray.x. is one
// and nothing else
#include <ricci/ricci.hpp>
#include <vector>
namespace rc = ricci;
int main() {
  std::vector<double> v{1, 2, 3};
  rc::ndarray<double, 1> x(3);
#ifdef FIXED
  rc::ndarray<double, 1> y = x + rc::asarray(v);
#else
  auto y = x + v;
#endif
}
