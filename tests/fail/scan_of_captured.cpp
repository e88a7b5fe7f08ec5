// call the function around.*rc::fn
// A loop is compiled with what is around it, and values that are captured there are not known while compiling.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 4, 3> const xs{};
  rc::tensor<double, 3> const start{1, 2, 3};
  auto const sums = [](auto const& first, auto const& by, auto const& all) {
    auto const step = [=](auto const& carry, auto const& x) {
      auto const next = rc::eval(carry + by * x);
      return std::pair(next, next);
    };
    return std::get<0>(rc::scan(step, first, all));
  };
#ifdef FIXED
  rc::tensor<double, 3> const y = rc::fn(sums)(start, start, xs);
#else
  auto const y = sums(start, start, xs);
#endif
}
