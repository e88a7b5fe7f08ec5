// numbers_of_the_gamma_distribution_have_first_derivatives_alone
// stops a constant evaluation
#include <ricci/random.hpp>
namespace rc = ricci;
int main() {
  auto f = [](auto a, auto key) { return rc::sum(rc::random::gamma<double>(key, a, rc::extents<3>{})); };
#ifdef FIXED
  auto g = rc::grad(f)(2., rc::random::key(1));
#else
  auto g = rc::grad(rc::grad(f))(2., rc::random::key(1));
#endif
}
