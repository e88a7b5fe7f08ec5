// One elementwise statement, of dynamic extents or (-DSTATIC) of static ones; with -DPEER, in Eigen.
#ifdef PEER
#include <Eigen/Core>
#ifdef STATIC
using array = Eigen::Array<float, 16, 1>;
#else
using array = Eigen::ArrayXf;
#endif
void statement(array& y, array const& x, array const& z) { y = (-x * x).exp() * z.tanh() + 2.f * x; }
#else
#include <ricci/ricci.hpp>
namespace rc = ricci;
#ifdef STATIC
using array = rc::tensor<float, 16>;
#else
using array = rc::ndarray<float, 1>;
#endif
void statement(array& y, array const& x, array const& z) { y = rc::exp(-x * x) * rc::tanh(z) + 2.f * x; }
#endif

int main() {
#if defined(STATIC) && !defined(PEER)
  array x{}, y{}, z{};
#else
  array x(16), y(16), z(16);
#endif
  for (int k = 0; k < 16; ++k) x(k) = 0.1f * float(k), z(k) = 1.f - x(k);
  statement(y, x, z);
  return !(y(3) > 0.f);
}
