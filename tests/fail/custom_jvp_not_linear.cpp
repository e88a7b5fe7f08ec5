// the_rule_of_a_custom_jvp_is_not_linear_in_its_tangents
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto square = rc::custom_jvp([](auto x) { return x * x; },
                               [](auto x, auto t) {
#ifdef FIXED
                                 return std::tuple{x * x, 2. * x * t};
#else
                                 return std::tuple{x * x, t * t};
#endif
                               });
  rc::grad(square)(3.);
}
