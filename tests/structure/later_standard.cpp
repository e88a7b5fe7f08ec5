// What later standards than C++20 read otherwise: a parameter that is returned by its name is an rvalue there.
#include <ricci/ricci.hpp>

namespace rc = ricci;

void use(rc::ndarray<float, 2>& x, rc::tensor<int, 3>& i) {
  (x(0, rc::all) += 1.f) -= x(1, rc::all);
  x.T() *= 2.f;
  x(i) /= 2.f;
  x(x > 2.f) = 2.f;
  rc::ndarray<float, 1> const y = rc::sum(x, rc::axis<0>);
  auto [value, g] = rc::value_and_grad([](auto x, auto y) {
    x(0) += y;
    return rc::sum(rc::sort(x) * rc::exp(x));
  })(x, y);
  x = value * g;
}
