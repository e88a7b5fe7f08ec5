// use of deleted function|call to deleted function
// The parts of a source refer to it, so that it has to outlive them.
#include <vector>

#include <ricci/data.hpp>
namespace rc = ricci;
struct example {
  rc::tensor<float, 2> x;
};
int main() {
  std::vector<example> const all(10);
#ifdef FIXED
  auto const [training, held_out] = rc::data::split(all, .2f, rc::random::key(1));
#else
  auto const [training, held_out] = rc::data::split(std::vector<example>(10), .2f, rc::random::key(1));
#endif
  (void)training, (void)held_out;
}
