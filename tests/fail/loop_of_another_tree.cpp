// a loop's body returns a tree of the structure of what it is given
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const step = [](auto s) {
    auto const [x, k] = s;
#ifdef FIXED
    return std::tuple(.5 * x, k + 1);
#else
    return .5 * x;
#endif
  };
  rc::while_loop([](auto s) { return std::get<0>(s) > 1.; }, step, std::tuple(9., 0));
}
