// nn::on_rows: nn::every adds up the gradients of several batches
// What is added up belongs to the rows of one batch, and the next one names others.
#include <ricci/nn.hpp>
namespace rc = ricci;
namespace nn = ricci::nn;
template <class Kind = rc::values>
struct net {
  nn::layer<nn::embedding<rc::dyn, 2>, Kind> words;
};
constexpr auto loss = [](auto const& m, auto state, auto const&, auto const& tokens) {
  return std::pair(rc::sum(m.words(tokens)), state);
};
int main() {
  auto const o = nn::sgd{} | nn::constant{.1f};
#ifdef FIXED
  auto const step = nn::on_rows<"words.w">(nn::step_of<loss>(o));
#else
  auto const step = nn::on_rows<"words.w">(nn::step_of<loss>(nn::skip_nonfinite(nn::every(2, o))));
#endif
  (void)step;
}
