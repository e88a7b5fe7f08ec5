// subtract.*2, ?3.*4|add.*2, ?3.*4|assign.*2, ?3.*4
// Compound assignment broadcasts like the operator does.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 2, 3> a{{1, 2, 3}, {4, 5, 6}};
#ifdef FIXED
  a -= rc::ones<float>(rc::extents<3>{});
#else
  a -= rc::ones<float>(rc::extents<4>{});
#endif
}
