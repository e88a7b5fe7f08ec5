// random::categorical is called as categorical\(key, logits, shape\)
// What a wrong call gives is an argument of other calls, where g++ 12 crashed instead of saying anything.
#include <ricci/random.hpp>
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto [k1, k2] = rc::random::split(rc::random::key(3));
  rc::tensor<double, 4> w{1, 2, 3, 4};
#ifdef FIXED
  auto c = rc::eval(rc::random::categorical(k1, rc::log(w), rc::shape(100)));
#else
  auto c = rc::eval(rc::random::categorical<int>(k1, rc::log(w), rc::shape(100)));
#endif
  auto f = rc::bincount(c) / 100.;
}
