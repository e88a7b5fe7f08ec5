// linspace
// Evenly spaced numbers are seldom integers.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  auto x = rc::linspace<double>(0., 1., 5);
#else
  auto x = rc::linspace<int>(0, 1, 5);
#endif
}
