// nn::cross_entropy: scores .*, classes., labels
// and nothing else
#include <ricci/ricci.hpp>

#include <ricci/nn/cross_entropy.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<float, 5, 3> scores;
#ifdef FIXED
  rc::tensor<int, 5> labels;
#else
  rc::tensor<int, 5, 3> labels;
#endif
  (void)rc::eval(rc::nn::cross_entropy(scores, labels));
}
