// the_constants_of_a_traced_function_have_more_elements_than_fit_make_them_arguments
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double> x;
#ifdef FIXED
  auto f = [](auto v, auto steps) { return rc::sum(v * steps); };
  x = rc::fn(f)(x, rc::arange<double>(20000));
#else
  auto f = [](auto v) { return rc::sum(v * rc::linspace<double>(0, 1, 20000, rc::like(v))); };
  x = rc::fn(f)(x);
#endif
}
