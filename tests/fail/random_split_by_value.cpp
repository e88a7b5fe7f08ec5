// random::split is called as split<N>\(key\)
// and nothing else
#include <ricci/random.hpp>
namespace rc = ricci;
int main() {
  rc::random::key const key(7);
#ifdef FIXED
  auto keys = rc::random::split<3>(key);
#else
  auto keys = rc::random::split(key, 3);
#endif
  (void)keys;
}
