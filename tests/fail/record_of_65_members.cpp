// a record as an argument has at most 64 members
#include <ricci/ricci.hpp>
namespace rc = ricci;
#define EIGHT(x) rc::tensor<float> x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7;
struct record {
  EIGHT(a)
  EIGHT(b)
  EIGHT(c)
  EIGHT(d)
  EIGHT(e)
  EIGHT(f)
  EIGHT(g)
  EIGHT(h)
#ifndef FIXED
  rc::tensor<float> i0;
#endif
};
int main() {
  record r{};
  rc::tree_map([](auto& x) { x = 1.f; }, r);
}
