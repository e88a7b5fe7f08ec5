// the members of a record that is loaded are tensors that own their elements, or numbers
#include <ricci/io.hpp>
namespace rc = ricci;
struct record {
  rc::tensor<float, 2> w;
#ifndef FIXED
  decltype(std::declval<rc::ndarray<float, 2>&>()(0)) row = rc::ndarray<float, 2>(1, 1)(0);
#endif
};
void load(record& r) { rc::io::load("x.npz", r); }
int main() {}
