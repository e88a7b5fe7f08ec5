// same order
// A row is not silently repeated: broadcast_to says so.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 3> row{1, 2, 3};
#ifdef FIXED
  rc::tensor<float, 2, 3> b = rc::broadcast_to(row, rc::extents<2, 3>{});
#else
  rc::tensor<float, 2, 3> b = row;
#endif
}
