// shows elements of a const tensor .which is read only.
// A lazy view of a const tensor is an expression like any other.
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef FIXED
using matrix = rc::ndarray<float, 2>;
#else
using matrix = rc::ndarray<float, 2> const;
#endif
void transpose(matrix& a, rc::ndarray<float, 2> const& b) { a.T() = b; }
int main() {
  rc::ndarray<float, 2> a(3, 3);
  transpose(a, a);
}
