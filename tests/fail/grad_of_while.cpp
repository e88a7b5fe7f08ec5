// reverse_mode_goes_through_loops_of_a_number_of_iterations_that_is_a_value_by_rc_at_most
// stops a constant evaluation
// Backwards a loop needs what its iterations found, and so room for so many of them.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const root = [](auto a) {
    auto const goes_on = [=](auto x) { return rc::abs(x * x - a) > 1e-12; };
    auto const step = [=](auto x) { return .5 * (x + a / x); };
#ifdef FIXED
    return rc::while_loop(goes_on, step, a, rc::at_most<50>);
#else
    return rc::while_loop(goes_on, step, a);
#endif
  };
  rc::grad(root)(2.);
}
