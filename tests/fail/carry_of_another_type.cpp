// scan: the next carry has a type that the carry does not hold
// What an iteration hands on has the carry's type: digits are not lost in silence.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4> x{1, 2, 3, 4};
#ifdef FIXED
  auto const start = 0.;
#else
  auto const start = 0;
#endif
  rc::scan([](auto sum, auto t) { return std::pair(sum + t, sum); }, start, x);
}
