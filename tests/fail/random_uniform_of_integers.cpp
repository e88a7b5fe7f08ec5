// random numbers are float or double
#include <ricci/random.hpp>
namespace rc = ricci;
int main() {
  rc::random::key key(1);
#ifdef FIXED
  using T = float;
#else
  using T = int;
#endif
  auto x = rc::random::uniform<T>(key, rc::shape(3));
}
