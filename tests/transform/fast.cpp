// The rules that reassociate, which are used on request alone.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "rewritten.hpp"

namespace {

using namespace rewriting;
using enum rc::level;

static_assert(becomes(
    fast, [](auto o) { return (o.x * 3.) * 5.; }, [](auto o) { return o.x * 15.; }));
static_assert(becomes(
    fast, [](auto o) { return 5. * (o.x * 3.); }, [](auto o) { return o.x * 15.; }));
static_assert(becomes(
    fast, [](auto o) { return o.x / 5.; }, [](auto o) { return o.x * (1 / 5.); }));
static_assert(becomes(
    fast, [](auto o) { return o.x / 5. * 5.; }, [](auto o) { return o.x; }));
static_assert(becomes(
    fast, [](auto o) { return rc::sum_t::over(o.x * 3., 0b01); },
    [](auto o) { return rc::sum_t::over(o.x, 0b01) * 3.; }));
static_assert(stays(fast, [](auto o) { return rc::sum_t::over(o.x * o.y, 0b01); }));
static_assert(stays(fast, [](auto o) { return o.x / 0.; }));
// factors that the type does not hold
static_assert(stays(
    fast, [](auto o) { return o.x / 3e38; }, rc::dtype::float32));
static_assert(stays(
    fast, [](auto o) { return (o.x * 3e20) * 5e20; }, rc::dtype::float32));
static_assert(stays(
    fast, [](auto o) { return (o.x * 3e-20) * 5e-20; }, rc::dtype::float32));
static_assert(stays(fast, [](auto o) { return (o.x * 3e200) * 5e200; }));
// integers beyond a double's digits
static_assert(becomes(
    fast,
    [](auto o) {
      return rc::sum_t::over(
          o.x * ir::integer_literal<ir::statement>(*o.x.g, (rc::index_t(1) << 60) + 1, o.x.type(), 0), 0b01);
    },
    [](auto o) {
      return rc::sum_t::over(o.x, 0b01) *
             ir::integer_literal<ir::statement>(*o.x.g, (rc::index_t(1) << 60) + 1, o.x.type(), 0);
    },
    rc::dtype::int64));
// and all the others, first
static_assert(becomes(
    fast, [](auto o) { return rc::log(rc::exp(-(-o.x))) + 0.; }, [](auto o) { return o.x; }));
static_assert(stays(stable, [](auto o) { return (o.x * 3.) * 5.; }));
static_assert(stays(stable, [](auto o) { return o.x / 5.; }));
static_assert(stays(stable, [](auto o) { return rc::sum_t::over(o.x * 3., 0b01); }));

}  // namespace

TEST_CASE("the values agree but for rounding") {
  rc::tensor<double, 3> const x{1, 2, 4};
  auto const e = rc::sum(rc::wrt<"x">(x) / rc::wrt<"x">(x) + rc::wrt<"x">(x));
  CHECK(double(rc::simplified<fast>(e)) == doctest::Approx(10));
  CHECK(double(rc::simplified<off>(e)) == 10);
}
