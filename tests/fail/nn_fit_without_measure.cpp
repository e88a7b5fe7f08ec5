// nn::fit takes a measure before its observers
// An observer in the place of the measure.
#include <ricci/nn.hpp>
namespace rc = ricci;
namespace nn = ricci::nn;
constexpr auto loss = [](auto const& w, auto state, auto const&, auto const& x) {
  return std::pair(rc::mean(rc::square(x - w)), state);
};
int main() {
  rc::ndarray<float, 1> const x = rc::ones<float>(rc::shape(8));
  auto const o = nn::sgd{} | nn::constant{.1f};
  auto run = nn::start(rc::tensor<float>(0.f), std::tuple<>{}, o, rc::random::key(1));
#ifdef FIXED
  nn::fit<loss>(
      run, o, x, {.epochs = 1, .batch = {.size = 4}}, [](auto const& r) { return float(r.params); }, nn::progress{});
#else
  nn::fit<loss>(run, o, x, {.epochs = 1, .batch = {.size = 4}}, nn::progress{});
#endif
}
