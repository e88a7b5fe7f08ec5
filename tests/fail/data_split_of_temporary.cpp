// use of deleted function|call to deleted function
// The parts of a source refer to it, so that it has to outlive them, also in a record.
#include <tuple>
#include <vector>

#include <ricci/data.hpp>
namespace rc = ricci;
struct example {
  rc::tensor<float, 2> x;
};
int main() {
  std::tuple const all(std::vector<example>(10), rc::ndarray<int, 1>(10));
#ifdef FIXED
  auto const [training, held_out] = rc::data::split(all, .2f, rc::random::key(1));
#else
  auto const [training, held_out] =
      rc::data::split(std::tuple(std::vector<example>(10), rc::ndarray<int, 1>(10)), .2f, rc::random::key(1));
#endif
  (void)training, (void)held_out;
}
