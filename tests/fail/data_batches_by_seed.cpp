// data::batches shuffles by a key, which is named
#include <ricci/data.hpp>
namespace rc = ricci;
int main() {
  std::tuple<rc::ndarray<float, 2>, rc::ndarray<int, 1>> const examples{rc::ndarray<float, 2>(9, 2),
                                                                        rc::ndarray<int, 1>(9)};
#ifdef FIXED
  for (auto const& [x, y] : rc::data::batches(examples, {.size = 3}, rc::random::key(7))) (void)x, (void)y;
#else
  for (auto const& [x, y] : rc::data::batches(examples, {.size = 3}, 7)) (void)x, (void)y;
#endif
}
