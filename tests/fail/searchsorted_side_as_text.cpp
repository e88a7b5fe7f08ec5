// searchsorted takes the sorted numbers, then what is searched for
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(5), y(5);
  rc::ndarray<double, 2> m(3, 4);
#ifdef FIXED
  rc::ndarray<std::int64_t, 1> z = rc::searchsorted(x, y, rc::side::right);
#else
  rc::ndarray<std::int64_t, 1> z = rc::searchsorted(x, y, "right");
#endif
  (void)x, (void)y, (void)m;
}
