// that a traced function is given is an expression without elements of its own: give it as rc::eval\(e\)
// and nothing else, behind the way to it
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2> x{1, 2};
  rc::tensor<double, 3, 2> steps{{1, 2}, {3, 4}, {5, 6}};
  auto const step = [](auto c, auto s) { return std::pair(std::pair(c.first + s, c.second), c.second); };
#ifdef FIXED
  auto [last, all] = rc::scan(step, std::pair(x, rc::eval(rc::sum(x))), steps);
#else
  auto [last, all] = rc::scan(step, std::pair(x, rc::sum(x)), steps);
#endif
}
