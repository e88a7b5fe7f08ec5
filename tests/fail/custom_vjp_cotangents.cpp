// custom_vjp: bwd returns a tuple of one cotangent for each argument
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 3> x{1, 2, 3};
  auto product = rc::custom_vjp([](auto a, auto b) { return rc::sum(a * b); },
                                [](auto a, auto b) {
                                  return std::tuple{rc::sum(a * b), std::tuple{a, b}};
                                },
                                [](auto kept, auto ct) {
                                  auto [a, b] = kept;
#ifdef FIXED
                                  return std::tuple{ct * b, ct * a};
#else
                                  return std::tuple{ct * b + ct * a};
#endif
                                });
  rc::grad(product)(x, x);
}
