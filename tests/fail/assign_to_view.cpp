// 2, ?3.*4|3>.*4>|extents<3.*4
// and nothing else
// What is assigned to a view is broadcast to it, if it can be.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  a(rc::all, rc::all) = rc::ones<float>(rc::extents<3>{});
#else
  a(rc::all, rc::all) = rc::ones<float>(rc::extents<4>{});
#endif
}
