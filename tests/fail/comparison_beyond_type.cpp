// integers_are_compared_with_a_number_that_their_type_does_not_hold
// stops a constant evaluation
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<std::uint8_t, 3> x{1, 2, 3};
#ifdef FIXED
  rc::fn([](auto x) { return x < 200; })(x);
#else
  rc::fn([](auto x) { return x < 300; })(x);
#endif
}
