// odeint where there is nothing to integrate, or nothing that can be: states of no elements, one time, no times, times
// that are no numbers.
#include <doctest/doctest.h>

#include <cmath>
#include <initializer_list>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

constexpr auto decay = [](auto rates, auto first, auto times) {
  return rc::odeint([=](auto y, auto) { return rc::eval(-rates * y); }, first, times);
};
constexpr auto total = [](auto rates, auto first, auto times) { return rc::sum(decay(rates, first, times)); };

rc::ndarray<double, 1> vector(std::initializer_list<double> of) {
  rc::ndarray<double, 1> x(rc::index_t(of.size()));
  rc::index_t k = 0;
  for (double const number : of) x(k++) = number;
  return x;
}

}  // namespace

TEST_CASE("odeint: a state of no elements is one at every time") {
  auto const none = vector({}), times = vector({0, 1, 2});
  CHECK(shape_of(rc::fn(decay)(none, none, times)) == numbers{3, 0});
  CHECK(shape_of(rc::interpret(decay)(none, none, times)) == numbers{3, 0});
  CHECK(numbers(rc::grad<2>(total)(none, none, times)) == numbers{0, 0, 0});
  CHECK(shape_of(rc::fn(decay)(rc::tensor<double, 0>{}, rc::tensor<double, 0>{}, times)) == numbers{3, 0});
}

TEST_CASE("odeint: one time has the first state; none is an error that names times and state") {
  auto const rates = vector({1, 2}), first = vector({3, 4});
  CHECK(numbers(rc::fn(decay)(rates, first, vector({5}))) == numbers{3, 4});
  auto const message = "shape_error: odeint: (0,) (2,)";
  CHECK(raised([&] { rc::fn(decay)(rates, first, vector({})); }) == message);
  CHECK(raised([&] { rc::interpret(decay)(rates, first, vector({})); }) == message);
}

TEST_CASE("odeint: a time that is no number is an error that says what there is") {
  auto const rates = vector({1, 2}), first = vector({3, 4});
  auto const message = "value_error: odeint: 1 of the times is not finite";
  CHECK(raised([&] { rc::fn(decay)(rates, first, vector({0, NAN})); }) == message);
  CHECK(raised([&] { rc::interpret(decay)(rates, first, vector({0, NAN})); }) == message);
}
