// a random key, as a uint64 is one, is made of an integer
#include <ricci/random.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  rc::random::key const key(42);
#else
  rc::random::key const key(1.5);
#endif
  (void)key;
}
