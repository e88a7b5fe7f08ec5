// The least time of a step of a training, in milliseconds: forward, backward, the optimiser and the update.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdio>

#include <ricci/nn.hpp>

namespace rc = ricci;
namespace nn = ricci::nn;

template <auto Loss, class Net, class O, class... Batch>
void time_steps(char const* name, O const& optimiser, Batch const&... batch) {
  auto const key = rc::random::key(0);
  static auto run = nn::start(nn::init<Net>(key), std::tuple<>{}, optimiser, key);  // a few MB
  auto const step = nn::step_of<Loss>(optimiser);
  double least = 1e300, spent = 0;
  for (int k = 0; k < 20 || (spent < 2e3 && k < 2000); ++k) {
    auto const start = std::chrono::steady_clock::now();
    float const cost = step(run, batch...);
    double const taken = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
    if (!(cost < 10.f)) std::printf("the loss of %s is %g\n", name, double(cost));
    least = std::min(least, taken), spent += taken;
  }
  std::printf("%s %.3f\n", name, least);
}
constexpr auto classified = [](auto const& model, auto state, auto const& mode, auto const& x, auto const& labels) {
  return std::pair(nn::cross_entropy(model(x, mode), labels), state);
};
inline auto const adam = nn::adam{} | nn::constant{1e-3f};

void dense();
void convolutional();
void transformer();
void recurrent();
