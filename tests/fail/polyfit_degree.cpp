// polyfit takes places, values, and the degree, which is named in its type
// and nothing else
#include <iostream>
#include <ricci/linalg.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4> x{0, 1, 2, 3};
#ifdef FIXED
  std::cout << rc::linalg::polyfit(x, x, rc::known<2>);
#else
  std::cout << rc::linalg::polyfit(x, x, 2);
#endif
}
