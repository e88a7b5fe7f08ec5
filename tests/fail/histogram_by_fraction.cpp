// histogram takes a tensor, then a number of bins, an integer
// and nothing else
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<double, 1> x(9);
#ifdef FIXED
  auto const [counts, edges] = rc::histogram(x, 4);
#else
  auto const [counts, edges] = rc::histogram(x, 4.5);
#endif
  (void)counts, (void)edges;
}
