// cond: both functions return the same type
// and nothing else, behind the way to it
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2> a{1, 2};
  rc::ndarray<double, 1> b(2);
  auto const f = [](auto a, auto b) {
#ifdef FIXED
    auto c = b;
#else
    auto c = a;
#endif
    return rc::cond(
        rc::sum(a) > 0., [](auto, auto x) { return rc::sin(x); }, [](auto x, auto) { return rc::cos(x); }, c, b);
  };
  auto y = rc::interpret(f)(a, b);
}
