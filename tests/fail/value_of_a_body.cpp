// a_value_of_a_loop_or_branch_is_used_outside_of_its_body
// stops a constant evaluation
// What is to leave a loop's body is a carry, or is stacked; a name of the function around it that is assigned there
// would stand for something in one iteration.
#include <iostream>

#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const f = [](auto x) {
#ifdef FIXED
    auto const [r, m] = rc::fori_loop(
        0, 3, [](auto, auto all) { return std::pair(all.first * 2., all.second + all.first); }, std::pair(x, 0. * x));
#else
    auto m = 0. * x;
    auto const r = rc::fori_loop(
        0, 3,
        [&](auto, auto s) {
          m = m + s;
          return s * 2.;
        },
        x);
#endif
    return m + r;
  };
  std::cout << rc::fn(f)(rc::tensor<double, 2>{1, 2});
}
