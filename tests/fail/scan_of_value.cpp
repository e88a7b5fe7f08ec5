// scan: what it stacks has an extent, so that the number of iterations is an integer
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const f = [](auto x, [[maybe_unused]] auto n) {
#ifdef FIXED
    auto const count = 3;
#else
    auto const count = n;
#endif
    auto const ys = rc::scan([](auto s, auto) { return std::pair(s * 2., s); }, x, count);
    return std::get<1>(ys);
  };
  rc::fn(f)(rc::tensor<double, 2>{1, 2}, 3);
}
