// random::uniform is called as uniform<T>\(key, shape\)
// and nothing else
// As NumPy's generators have it: the shape behind the bounds, and no key.
#include <ricci/random.hpp>
namespace rc = ricci;
int main() {
  rc::random::key const key(7);
#ifdef FIXED
  rc::ndarray<double, 2> x = rc::random::uniform<double>(key, rc::shape(2, 3), 0., 1.);
#else
  rc::ndarray<double, 2> x = rc::random::uniform<double>(key, 0., 1., rc::shape(2, 3));
#endif
}
