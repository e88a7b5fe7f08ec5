// A loop that is not done within its bound.
#include <doctest/doctest.h>

#include <string>
#include <tuple>

#include "../bounded_loops.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using namespace bounded_loops;

TEST_CASE("a loop that is not done within its bound is an error, before anything is written") {
  std::string const of_while = "value_error: while_loop: is not done after 9 iterations, its rc::at_most";
  std::string const of_fori = "value_error: fori_loop: is not done after 6 iterations, its rc::at_most";
  CHECK(raised([&] { rc::fn(root)(1e6); }) == of_while);
  CHECK(raised([&] { rc::interpret(root)(1e6); }) == of_while);
  CHECK(raised([&] { rc::grad(root)(1e6); }) == of_while);
  CHECK(raised([&] { rc::jvp(root)(1e6)(1.); }) == of_while);
  CHECK(raised([&] { rc::interpret(rc::grad(root))(1e6); }) == of_while);
  CHECK(raised([&] { rc::vmap(root)(rc::tensor<double, 2>{2, 1e6}); }) == of_while);
  CHECK(raised([&] { rc::vmap(rc::grad(root))(rc::tensor<double, 2>{1e6, 2}); }) == of_while);
  CHECK(raised([&] { rc::fn(bounded)(x, w, .7, 7); }) == of_fori);
  CHECK(raised([&] { rc::interpret(bounded)(x, w, .7, 7); }) == of_fori);
  CHECK(raised([&] { rc::grad<1>(bounded)(x, w, .7, 7); }) == of_fori);
  CHECK(raised([&] { rc::fn(bounded)(x, w, .7, 6); }).empty());
  CHECK(raised([] {
          rc::fori_loop(
              0, 3, [](auto, auto t) { return t + 1; }, 0, rc::at_most<2>);
        }).starts_with("value"));
  auto const two = [](auto a) { return std::tuple(a + 1., root(a)); };
  double before = 5, target = 5;
  rc::tensor<double> first{before}, second{target};
  CHECK(raised([&] { rc::fn(two).into(first, second)(1e6); }) == of_while);
  CHECK(first.item() == 5);
  CHECK(second.item() == 5);
}
