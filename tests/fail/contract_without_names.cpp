// no_axis_of_both_has_one_name<.*row.*column
// Two tensors of which no axes go together.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::ndarray<float, 1> a(2), b(2);
#ifdef FIXED
  auto c = rc::eval(rc::contract(rc::named<"row">(a), rc::named<"row">(b)));
#else
  auto c = rc::eval(rc::contract(rc::named<"row">(a), rc::named<"column">(b)));
#endif
}
