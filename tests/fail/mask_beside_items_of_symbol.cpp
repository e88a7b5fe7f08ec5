// a traced function knows masks that stand alone
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const f = [](auto x) {
#ifdef FIXED
    x(x > 2.) = 0.;
#else
    x(rc::all, x(0) > 2.) = 0.;
#endif
    return rc::sum(x);
  };
  rc::fn(f)(rc::tensor<double, 2, 3>{{1, 2, 3}, {4, 5, 6}});
}
