// Calls of this wing with arguments that are missing, or in the order or of the kind of other libraries: compile errors
// that say what is taken.
#pragma once

#include <ricci/core/wrong_argument.hpp>
#include <ricci/nn/cross_entropy.hpp>
#include <ricci/nn/dropout.hpp>
#include <ricci/nn/fit.hpp>
#include <ricci/nn/init.hpp>
#include <ricci/nn/step.hpp>

namespace ricci::nn {

RICCI_WRONG_CALL_BY_VALUES(cross_entropy,
                           "nn::cross_entropy takes scores, then labels, which are integers, then a weight for each "
                           "class or none; smoothing and labels that are left out are in the type, "
                           "nn::cross_entropy<nn::labels{.smoothing = .1f}>(scores, labels)")
RICCI_WRONG_CALL(dropout, "nn::dropout is called as nn::dropout(x, rate, mode), where the mode is what a loss is given")
template <int = 0, class Given = void>
constexpr wrong::result fit(wrong::argument = {}, wrong::argument = {}, wrong::argument = {}, wrong::argument = {},
                            wrong::argument = {}, wrong::argument = {}) {
  static_assert(always_false<Given>,
                "nn::fit names the loss in angle brackets: nn::fit<loss>(run, optimiser, examples, {.epochs = 10}, "
                "measure, observers...)");
  return {};
}
template <int = 0, class Given = void>
constexpr wrong::result step_of(wrong::argument = {}, wrong::argument = {}, wrong::argument = {}) {
  static_assert(always_false<Given>, "nn::step_of names the loss in angle brackets: nn::step_of<loss>(optimiser)");
  return {};
}
RICCI_WRONG_CALL(start,
                 "nn::start is called as nn::start(parameters, state, optimiser, key), where the state is "
                 "std::tuple<>{} if there is none, and the key is an rc::random::key")
template <class Model = void, class... A>
requires(sizeof...(A) != 1) constexpr wrong::result init(A const&...) {
  static_assert(always_false<Model>,
                "nn::init names the model in angle brackets, and takes a key: nn::init<net<>>(rc::random::key(seed))");
  return {};
}

}  // namespace ricci::nn
