// a traced function adds to rows and subtracts from them, where an index may repeat
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const f = [](auto x, auto rows) {
#ifdef FIXED
    x(rows).add(2.);
#else
    x(rows).multiply(2.);
#endif
    return rc::sum(x);
  };
  rc::fn(f)(rc::tensor<double, 3>{1, 2, 3}, rc::tensor<int, 2>{0, 0});
}
