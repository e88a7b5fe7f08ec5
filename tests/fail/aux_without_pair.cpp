// has_aux: the function returns a std::pair
// A function of one result has nothing auxiliary.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
#ifdef FIXED
  auto f = [](auto x) { return std::pair(rc::sum(x), rc::exp(x)); };
#else
  auto f = [](auto x) { return rc::sum(x); };
#endif
  rc::grad(f, rc::has_aux)(rc::tensor<double, 3>{1, 2, 3});
}
