// the mode is nn::training<>.key. or nn::inference
// Whether a model learns is an argument, which cannot be forgotten.
#include <ricci/ricci.hpp>

#include <ricci/nn/dropout.hpp>
namespace rc = ricci;
namespace nn = ricci::nn;
int main() {
  rc::tensor<float, 3> const x{1, 2, 3};
#ifdef FIXED
  (void)rc::eval(nn::dropout(x, .5f, nn::training<>{nn::key(1)}));
#else
  (void)rc::eval(nn::dropout(x, .5f));
#endif
}
