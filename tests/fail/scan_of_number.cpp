// scan: each tensor in xs has an axis to go along
// What is the same in all iterations is captured; among xs it would be taken for elements.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4> x{1, 2, 3, 4};
#ifdef FIXED
  auto const step = x;
#else
  auto const step = .5;
#endif
  auto add = [](auto sum, auto t) {
    auto [a, b] = t;
    return std::pair(sum + a * b, sum);
  };
  rc::scan(add, 0., std::tuple(x, step));
}
