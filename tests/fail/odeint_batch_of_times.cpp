// a_differential_equation_is_derived_that_has_batches_of_times_or_options
// stops a constant evaluation
// Of a batch of which each element has times of its own, vmap takes the derivative, which no derivative goes through.
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto f = [](auto ts) { return rc::odeint([](auto y, auto) { return -y; }, rc::ones_like(ts(0)), ts)(-1); };
  rc::tensor<double, 2, 2> ts{{0, 1}, {0, 2}};
#ifdef FIXED
  rc::vmap(rc::grad(f))(ts);
#else
  rc::grad([=](auto all) { return rc::sum(rc::vmap(f)(all)); })(ts);
#endif
}
