// cond: both functions return the same type
// and nothing else, behind the way to it
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4> x{1, 2, 3, 4};
  rc::fn([](auto x) {
    return rc::cond(
        rc::sum(x) > 0., [](auto t) { return t; },
#ifdef FIXED
        [](auto t) { return -t; },
#else
        [](auto t) { return rc::sum(t); },
#endif
        x);
  })(x);
}
