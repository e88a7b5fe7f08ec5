// Messages without heap, names as template arguments, and errors as exceptions or through a handler.
#include <doctest/doctest.h>

#include <climits>
#include <string>

#include "../raised.hpp"

namespace rc = ricci;
using rc::core::text;

namespace {

constexpr bool equal(char const* a, char const* b) {
  for (; *a && *a == *b; ++a, ++b) {
  }
  return *a == *b;
}
static_assert(equal((text() << "index " << -3 << ' ' << rc::index_t(40)).c_str(), "index -3 40"));
static_assert([] {
  rc::index_t const e[] = {2, 3};
  return equal((text() << "add: ").shape(e, 2).c_str(), "add: (2, 3)") && equal(text().shape(e, 1).c_str(), "(2,)") &&
         equal(text().shape(e, 0).c_str(), "()");
}());

static_assert(rc::label("x") == rc::label("x") && !(rc::label("x") == rc::label("y")));
static_assert(rc::label("a_name_of_thirty_two_characters_")[31] == '_');

}  // namespace

TEST_CASE("the ends of the integers are written out") {
  CHECK(std::string((text() << rc::index_t(LLONG_MIN)).c_str()) == "-9223372036854775808");
  CHECK(std::string((text() << rc::index_t(LLONG_MAX)).c_str()) == "9223372036854775807");
  CHECK(std::string((text() << 0).c_str()) == "0");
}

TEST_CASE("a text that does not fit is cut, and ends") {
  text t;
  for (int k = 0; k < 100; ++k) t << "12345678";
  CHECK(std::string(t.c_str()).size() == std::size_t(text::capacity - 1));
}

TEST_CASE("each kind of error is raised as what it is") {
  CHECK(raised([] { rc::core::raise<rc::shape_error>(text() << "s"); }) == "shape_error: s");
  CHECK(raised([] { rc::core::raise<rc::index_error>(text() << "i"); }) == "index_error: i");
  CHECK(raised([] { rc::core::raise<rc::value_error>(text() << "v"); }) == "value_error: v");
  CHECK(raised([] { rc::core::raise<rc::io_error>(text() << "o"); }) == "io_error: o");
  CHECK(raised([] { rc::core::raise<rc::context_error>(text() << "c"); }) == "context_error: c");
  CHECK(raised([] {}) == "");
}

#if RICCI_EXCEPTIONS
TEST_CASE("all errors are ricci::error and std::exception") {
  CHECK_THROWS_AS(rc::core::raise<rc::index_error>(text() << "i"), rc::error);
  CHECK_THROWS_AS(rc::core::raise<rc::value_error>(text() << "v"), std::exception);
}
#endif

TEST_CASE("installing a handler gives back the one before") {
  rc::error_handler const mine = [](char const*, char const*) {};
  auto const before = rc::set_error_handler(mine);
  CHECK((rc::set_error_handler(before) == mine));
}
