// a_value_of_a_loop_branch_or_vmap_is_used_outside_of_its_body
// stops a constant evaluation
// What is made of one element of a batch is none of the function around it.
#include <iostream>

#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const f = [](auto x) {
    auto m = rc::sum(x);
    auto const squares = rc::vmap([&](auto e) {
#ifndef FIXED
      m = m + e;
#endif
      return e * e * m;
    })(x);
    return m * rc::sum(squares);
  };
  std::cout << rc::fn(f)(rc::tensor<double, 2>{1, 2});
}
