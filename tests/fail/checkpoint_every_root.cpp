// checkpoint_every<>: how many elements xs has shows at run time; say a length, as checkpoint_every<32>
#include <ricci/ricci.hpp>
namespace rc = ricci;
int main() {
  auto const sums = [](auto x, auto xs) {
#ifdef FIXED
    auto const every = rc::checkpoint_every<32>;
#else
    auto const every = rc::checkpoint_every<>;
#endif
    return std::get<0>(rc::scan([](auto s, auto v) { return std::tuple(s + v, s); }, x, xs, every));
  };
  rc::grad(sums)(0., rc::ndarray<double, 1>{1, 2, 3});
}
