// a sparse jacobian is computed in the host's memory: copy the arguments to ricci::cpu\{\}
#include <ricci/device.hpp>
namespace rc = ricci;
int main() {
  auto const x = rc::copy(rc::tensor<double, 3>{1, 2, 3}, rc::device{0});
  auto f = [](auto a) { return a * a; };
#ifdef FIXED
  rc::sparse_jacobian(f)(rc::copy(x, rc::cpu{}));
#else
  rc::sparse_jacobian(f)(x);
#endif
}
