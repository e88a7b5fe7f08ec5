// a parameter of random numbers is broadcast to their shape, which has to have its axes: others would share a number
#include <ricci/random.hpp>
namespace rc = ricci;
int main() {
  rc::random::key key(1);
  rc::tensor<double, 3> const p{.1, .5, .9};
#ifdef FIXED
  auto x = rc::eval(rc::random::bernoulli(key, p, rc::extents<3>{}));
#else
  auto x = rc::eval(rc::random::bernoulli(key, p, rc::extents<>{}));
#endif
}
