// Logic gates, learned from their tables: and, or, nand by one neuron, which cannot learn xor; a hidden layer of eight
// can (M. Minsky, S. Papert, Perceptrons, 1969).
//
//   gates [--device device:0]
#include <cstdio>
#include <cstring>

#include <ricci/nn.hpp>
#if defined(GATES_DEVICE)
#include <ricci/device.hpp>
#endif

namespace rc = ricci;
namespace nn = ricci::nn;

template <class Kind = rc::values>
struct neuron {
  nn::layer<nn::linear<2, 1>, Kind> out;
  constexpr auto operator()(auto const& x) const { return out(x); }
};
template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<2, 8>, Kind> in;
  nn::layer<nn::linear<8, 1>, Kind> out;
  constexpr auto operator()(auto const& x) const { return out(rc::tanh(in(x))); }
};

constexpr auto error = [](auto const& model, auto state, auto const&, auto const& x, auto const& y) {
  return std::pair(nn::bce_with_logits(model(x), y), state);
};

// How many rows of the table it has right after 500 steps.
template <class Model>
int learned(rc::tensor<float, 4, 1> const& outputs, auto const& context) {
  auto const inputs = rc::copy(rc::tensor<float, 4, 2>{{0, 0}, {0, 1}, {1, 0}, {1, 1}}, context);
  auto const table = rc::copy(outputs, context);
  auto const key = rc::random::key(0);
  auto const optimiser = nn::adam{} | nn::constant{.05f};
  auto run = nn::start(rc::copy(nn::init<Model>(key), context), std::tuple<>{}, optimiser, key);
  auto const step = nn::step_of<error>(optimiser);
  for (int k = 0; k < 500; ++k) step(run, inputs, table);
  auto const said = rc::eval(run.params(inputs));
  return int(rc::sum(rc::astype<int>((said > 0.f) == (table > .5f))));
}

int learn(auto const& context) {
  struct gate {
    char const* name;
    rc::tensor<float, 4, 1> table;
  };
  gate const gates[] = {{"and", {{0}, {0}, {0}, {1}}},
                        {"or", {{0}, {1}, {1}, {1}}},
                        {"nand", {{1}, {1}, {1}, {0}}},
                        {"xor", {{0}, {1}, {1}, {0}}}};
  for (auto const& [name, table] : gates)
    std::printf("%s: one neuron has %d of 4, a net %d of 4\n", name, learned<neuron<>>(table, context),
                learned<net<>>(table, context));
  return 0;
}

int main(int argc, char** argv) {
  char const* const context = argc == 3 && std::strcmp(argv[1], "--device") == 0 ? argv[2] : "cpu";
  auto const in = [](auto c) { return learn(c); };
#if defined(GATES_DEVICE)
  return rc::with_context<rc::cpu, rc::device>(context, in);
#else
  return rc::with_context<rc::cpu>(context, in);
#endif
}
