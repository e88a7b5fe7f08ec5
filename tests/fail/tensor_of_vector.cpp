// a_std_vector_becomes_a_tensor_by_rc_asarray|invokes a deleted function
// and nothing else
#include <ricci/ricci.hpp>
#include <vector>
namespace rc = ricci;
int main() {
  std::vector<double> v{1, 2, 3};
#ifdef FIXED
  rc::ndarray<double, 1> x = rc::asarray(v);
#else
  rc::ndarray<double, 1> x = v;
#endif
}
