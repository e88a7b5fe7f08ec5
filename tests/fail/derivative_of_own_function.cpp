// an_operation_is_derived_that_has_no_partials_or_pull_for_its_number_of_operands
// stops a constant evaluation
// Partials are given the result, too. A function that is constant between its jumps says `none`.
#include <ricci/ricci.hpp>
namespace rc = ricci;
struct cube_t : rc::elementwise<cube_t, 1> {
  static constexpr auto name = "cube";
  RICCI_FN kernel(auto x) { return x * x * x; }
#ifdef FIXED
  static constexpr auto partials(auto, auto x) { return 3. * (x * x); }
#else
  static constexpr auto partials(auto x) { return 3. * (x * x); }
#endif
};
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  return static_cast<int>(rc::grad([](auto a) { return rc::sum(cube_t{}(a)); })(x)(0));
}
