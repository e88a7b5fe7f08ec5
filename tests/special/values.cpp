// Special functions against mpmath's values, within the error that each promises, and at the places where SciPy says
// what they are.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include <ricci/special.hpp>

#include "../ops/accuracy.hpp"
#include "tables.hpp"

namespace rc = ricci;
namespace sp = rc::special;

namespace {

constexpr double inf = std::numeric_limits<double>::infinity(), undefined = std::numeric_limits<double>::quiet_NaN();

// The worst error over a table. Of float those rows count that float has the operands of.
template <class T, class Op>
void check(Op, std::span<tables::row const> rows) {
  double worst = 0, at = 0, beside = 0;
  int asked = 0;
  for (auto const& row : rows) {
    T const a = static_cast<T>(row.a), b = static_cast<T>(row.b);
    if (static_cast<double>(a) != row.a || static_cast<double>(b) != row.b) continue;
    ++asked;
    double error = 0;
    if constexpr (Op::arity == 1)
      error = accuracy::ulps(Op::kernel(a), row.truth);
    else
      error = accuracy::ulps(Op::kernel(a, b), row.truth);
    if (error > worst) worst = error, at = row.a, beside = row.b;
  }
  INFO(std::string(Op::name), " at ", at, " and ", beside, ": ", worst, " of ", double(Op::ulp));
  CHECK(worst <= Op::ulp);
  if (std::is_same_v<T, double>) CHECK(asked > 15);
}

// The same of three operands.
void check(auto op, std::span<tables::row_of_three const> rows) {
  double worst = 0;
  for (auto const& row : rows) {
    double const error = accuracy::ulps(decltype(op)::kernel(row.a, row.b, row.c), row.truth);
    CAPTURE(row.a);
    CAPTURE(row.b);
    CAPTURE(row.c);
    CHECK(error <= decltype(op)::ulp);
    worst = error > worst ? error : worst;
  }
  INFO(std::string(decltype(op)::name), ": ", worst);
  CHECK(rows.size() > 60);
  CHECK(worst > 0);
}

}  // namespace

TEST_CASE("values keep the error that is promised") {
  check<double>(sp::digamma, tables::digamma);
  check<double>(sp::gammaln, tables::gammaln);
  check<double>(sp::gamma, tables::gamma);
  check<double>(sp::betaln, tables::betaln);
  check<double>(sp::beta, tables::beta);
  check<double>(sp::erfc, tables::erfc);
  check<double>(sp::erfcx, tables::erfcx);
  check<double>(sp::ndtr, tables::ndtr);
  check<double>(sp::log_ndtr, tables::log_ndtr);
  check<double>(sp::ndtri, tables::ndtri);
  check<double>(sp::erfinv, tables::erfinv);
  check<double>(sp::erfcinv, tables::erfcinv);
  check<double>(sp::i0, tables::i0);
  check<double>(sp::i1, tables::i1);
  check<double>(sp::i0e, tables::i0e);
  check<double>(sp::i1e, tables::i1e);
  check<double>(sp::k0, tables::k0);
  check<double>(sp::k1, tables::k1);
  check<double>(sp::k0e, tables::k0e);
  check<double>(sp::k1e, tables::k1e);
  check<double>(sp::ellipk, tables::ellipk);
  check<double>(sp::ellipe, tables::ellipe);
  check<double>(sp::lambertw_t<0>{}, tables::lambertw0);
  check<double>(sp::lambertw_t<-1>{}, tables::lambertw1);
  check<double>(sp::riemann_zeta_t{}, tables::zeta1);
  check<double>(sp::hurwitz_zeta_t{}, tables::zeta);
  check<double>(sp::gammainc, tables::gammainc);
  check<double>(sp::gammaincc, tables::gammaincc);
  check<double>(sp::gammaincinv, tables::gammaincinv);
  check<double>(sp::gammainccinv, tables::gammainccinv);
  check(sp::betainc, tables::betainc);
  check(sp::betaincc, tables::betaincc);
  check(sp::betaincinv, tables::betaincinv);
  check(sp::betainccinv, tables::betainccinv);
  check<float>(sp::digamma, std::array{tables::row{1.5, 0, 0.03648997397857652055902L}});
  check<float>(sp::gammainc, std::array{tables::row{2, 1.5, 0.4421745996289252690898L}});
}
TEST_CASE("poles, infinities and operands without a value") {
  auto const same = [](double a, double b) { return (std::isnan(a) && std::isnan(b)) || a == b; };
  auto const of = [](auto op, auto... x) { return decltype(op)::kernel(x...); };
  CHECK(same(of(sp::digamma, 0.), -inf));
  CHECK(same(of(sp::digamma, -0.), inf));
  CHECK(same(of(sp::digamma, -3.), undefined));
  CHECK(same(of(sp::digamma, inf), inf));
  CHECK(of(sp::digamma, -1.5) == doctest::Approx(0.7031566406452432));
  CHECK(same(of(sp::gammaln, -2.), inf));
  CHECK(same(of(sp::gammaln, -inf), -inf));
  CHECK(same(of(sp::gamma, -2.), undefined));
  CHECK(same(of(sp::gammasgn, -1.5), 1));
  CHECK(same(of(sp::gammasgn, -0.5), -1));
  CHECK(of(sp::beta, -3., 2.) == doctest::Approx(1. / 6));
  struct of_both_signs {
    double a, b, expected;  // by mpmath
  };
  for (auto const& [a, b, expected] :
       {of_both_signs{-.5, 1e10, 12.778437588417373817}, of_both_signs{-2.5, 1e6, 34.482528303408636203},
        of_both_signs{-1e5 - .25, 1e5 + 20.5, 183.03300513315614225},
        of_both_signs{-1e8 - .5, 1e8 + 3.25, 32.905706553663602297},
        of_both_signs{-1e6 - .25, 1e6, -17.367660190127116729}, of_both_signs{-30.5, 25.25, -15.912481426203087895},
        of_both_signs{-1000.125, 25, -117.60983505223808645}, of_both_signs{-12.5, 13.75, 1.8866880578553054874},
        of_both_signs{-25.5, 21, -13.334415667512125883}}) {
    CAPTURE(a);
    CHECK(std::abs(of(sp::betaln, a, b) / expected - 1) < 1e-13);
    CHECK(std::abs(of(sp::betaln, b, a) / expected - 1) < 1e-13);
  }
  CHECK(same(of(sp::betaln, -1e6 - .25, 1e6 + .25), -inf));
  CHECK(same(of(sp::betaln, -3., 1e6), inf));
  CHECK(of(sp::beta, -0.5, 3.) == doctest::Approx(-16. / 3));
  CHECK(same(of(sp::hurwitz_zeta_t{}, 1., 2.), inf));
  CHECK(same(of(sp::hurwitz_zeta_t{}, 2., -3.), inf));
  CHECK(same(of(sp::hurwitz_zeta_t{}, 0.5, 3.), undefined));
  CHECK(same(of(sp::hurwitz_zeta_t{}, 2.5, -0.5), undefined));
  CHECK(of(sp::hurwitz_zeta_t{}, 3., -1.5) == doctest::Approx(0.11809899572189407));
  CHECK(same(of(sp::riemann_zeta_t{}, -2.), 0));
  CHECK(of(sp::riemann_zeta_t{}, -1.) == doctest::Approx(-1. / 12));
  CHECK(same(of(sp::ndtri, 0.), -inf));
  CHECK(same(of(sp::ndtri, 1.5), undefined));
  CHECK(same(of(sp::erfinv, -1.), -inf));
  CHECK(same(of(sp::erfcinv, 2.), -inf));
  CHECK(same(of(sp::erfcx, -30.), inf));
  CHECK(same(of(sp::log_ndtr, -inf), -inf));
  CHECK(same(of(sp::k0, 0.), inf));
  CHECK(same(of(sp::k1, -1.), undefined));
  CHECK(same(of(sp::y0, 0.), -inf));
  CHECK(same(of(sp::y1, -1.), undefined));
  CHECK(same(of(sp::i1, -800.), -inf));
  CHECK(same(of(sp::ellipk, 1.), inf));
  CHECK(same(of(sp::ellipe, 1.), 1));
  CHECK(same(of(sp::ellipk, 2.), undefined));
  CHECK(same(of(sp::lambertw_t<0>{}, -1.), undefined));
  CHECK(same(of(sp::lambertw_t<-1>{}, 0.), -inf));
  CHECK(same(of(sp::gammainc, 2., inf), 1));
  CHECK(same(of(sp::gammainc, -1., 1.), undefined));
  CHECK(same(of(sp::gammainc, 0., 1.), 1));
  CHECK(same(of(sp::gammaincc, 2., 0.), 1));
  CHECK(same(of(sp::gammaincinv, 2., 0.), 0));
  CHECK(same(of(sp::gammaincinv, 2., 1.), inf));
  CHECK(same(of(sp::gammaincinv, 2., 1.5), undefined));
  CHECK(same(of(sp::gammainccinv, 2., 0.), inf));
  CHECK(same(of(sp::gammaincinv, 1e-3, 1e-5), 0));
  CHECK(same(of(sp::betainc, 2., 3., 0.), 0));
  CHECK(same(of(sp::betainc, 2., 3., 1.), 1));
  CHECK(same(of(sp::betainc, 2., 3., 1.5), undefined));
  CHECK(same(of(sp::betainc, -2., 3., .5), undefined));
  CHECK(same(of(sp::betainc, 0., 3., .5), 1));
  CHECK(same(of(sp::betainc, 2., 0., .5), 0));
  CHECK(same(of(sp::betainc, 0., 0., .5), undefined));
  CHECK(same(of(sp::betainc, inf, 3., .5), 0));
  CHECK(same(of(sp::betaincc, 2., inf, .5), 0));
  CHECK(same(of(sp::betaincinv, 2., 3., 0.), 0));
  CHECK(same(of(sp::betaincinv, 2., 3., 1.), 1));
  CHECK(same(of(sp::betainccinv, 2., 3., 1.), 0));
  CHECK(same(of(sp::betaincinv, 2., 3., -.1), undefined));
}
TEST_CASE("tiny negative and very large operands") {
  auto const of = [](auto op, auto... x) { return decltype(op)::kernel(x...); };
  auto const is = [](double x, double y) { return std::abs(x - y) <= 1e-14 * std::abs(y); };
  CHECK(is(of(sp::digamma, -1e-100), 1e100));
  CHECK(is(of(sp::digamma, -1e-8), 99999999.42278432));
  CHECK(is(of(sp::hurwitz_zeta_t{}, 2., -1e-100), 1e200));
  CHECK(is(of(sp::hurwitz_zeta_t{}, 3., -1e-50), -1e150));
  CHECK(is(of(sp::hurwitz_zeta_t{}, 2., 1e300), 1e-300));
  CHECK(is(of(sp::hurwitz_zeta_t{}, 3., 1e140), 0.5e-280));
  CHECK(of(sp::gammainc, 3., 1e109) == 1);
  CHECK(of(sp::gammaincc, 9.5, 1e300) == 0);
  CHECK(is(of(sp::gammaincc, 1e-100, 0.3), 9.0567665167584675795e-101));
  CHECK(is(of(sp::gammaincc, 1e-17, 0.5), 5.5977359477616085473e-18));
  CHECK(is(of(sp::gammaincc, 1e-08, 0.25), 1.0442826350677118885e-8));
  CHECK(is(of(sp::gammaincc, 0.009, 0.75), 0.0030853351901714097589));
  CHECK(is(of(sp::gammaincc, 7.125, 740.0), 1.7386602261152222889e-307));
}
TEST_CASE("beside 0 and at poles") {
  auto const of = [](auto op, auto... x) { return decltype(op)::kernel(x...); };
  sp::riemann_zeta_t const zeta{};
  for (double const s : {-1e-300, -1e-20, -1e-17, -1e-16, -1e-12, -1e-8, -1e-4}) {
    CAPTURE(s);
    CHECK(std::abs(of(zeta, s) - (-0.5 - s * (0.91893853320467274 + s * 1.00317822795))) <
          2e-12 * std::abs(s) + 2 * std::abs(s * s * s) + 3e-16);
  }
  for (double const a : {0., -1., -2.})
    for (double const b : {0., -1., -3.}) {
      CHECK(of(sp::beta, a, b) == inf);
      CHECK(of(sp::betaln, a, b) == inf);
    }
  CHECK(of(sp::beta, -2., 2.) == 0.5);
  CHECK(of(sp::beta, 0., 2.) == inf);
  CHECK(of(sp::xlogy, 0., 0.) == 0);
  CHECK(of(sp::xlogy, 0., inf) == 0);
  CHECK(of(sp::xlogy, 0., -1.) == 0);
  CHECK(std::isnan(of(sp::xlogy, 0., undefined)));
  CHECK(std::isnan(of(sp::xlogy, undefined, 1.)));
  CHECK(of(sp::xlogy, 2., 0.) == -inf);
  CHECK(of(sp::xlog1py, 0., -1.) == 0);
  CHECK(of(sp::xlog1py, 2., 1e-20) == 2e-20);
  CHECK(of(sp::entr, 0.) == 0);
  CHECK(of(sp::entr, -1.) == -inf);
  CHECK(of(sp::entr, inf) == -inf);
  CHECK(std::isnan(of(sp::entr, undefined)));
  // in rows of lanes, and of float
  rc::tensor<float, 19> x = rc::linspace<float>(0, 2, 19), y = rc::flip(x);
  auto const products = rc::eval(sp::xlogy(x, y));
  auto const entropies = rc::eval(sp::entr(x));
  for (int k = 0; k < 19; ++k) {
    double const u = x(k), v = y(k);
    if (v > 0) CHECK(std::abs(products(k) - (u == 0 ? 0 : u * std::log(v))) <= 1e-6);
    CHECK(std::abs(entropies(k) - (u == 0 ? 0 : -u * std::log(u))) <= 1e-6);
  }
}
TEST_CASE("parameters so large that a sum would not end") {
  auto const of = [](auto op, auto... x) { return decltype(op)::kernel(x...); };
  auto const is = [](double x, double y) { return std::abs(x - y) <= 1e-12 * std::abs(y); };
  CHECK(is(of(sp::gammaincc, 1e6, 1.01e6), 1.0606997477586901443e-23));
  CHECK(is(of(sp::gammaincc, 2e6, 1998000.), 0.92138502049048971033));
  CHECK(is(of(sp::gammainc, 2e6, 1998000.), 0.078614979509510289667));
  CHECK(is(of(sp::gammaincc, 1e8, 100050000.), 2.8784296868527810513e-7));
  CHECK(is(of(sp::gammainc, 1e12, 1e12), 0.50000013298076013381));
  for (double const a : {1e17, 1e100, 1e300}) {
    CHECK(is(of(sp::gammainc, a, a), 0.5 + 0.13298076013381091 / std::sqrt(a)));
    CHECK(of(sp::gammainc, a, 0.99 * a) == 0);
    CHECK(of(sp::gammaincc, a, 1.01 * a) == 0);
    CHECK(of(sp::gammaincc, a, 1.) == 1);
    CHECK(is(of(sp::betainc, a, a, 0.5), 0.5));
    CHECK(of(sp::betainc, a, 2 * a, 0.3) == 0);
    CHECK(of(sp::betainc, a, 2 * a, 0.4) == 1);
    CHECK(is(of(sp::gammaincinv, a, 0.3), a - 0.52440051270804067 * std::sqrt(a)));
    CHECK(is(of(sp::betaincinv, a, 3 * a, 0.9), 0.25 + 1.2815515655446004 * std::sqrt(0.1875 / 4 / a)));
    CHECK(is(of(sp::betainc, 2., a, 3 / a), 0.80085172652854416));
    CHECK(of(sp::hurwitz_zeta_t{}, a, 3.) == 0);
    CHECK(of(sp::hurwitz_zeta_t{}, a, 0.5) == inf);
  }
}
#if defined(__GNUC__) && !defined(__clang__)
// where <cmath> is constexpr
static_assert(std::abs(rc::eval(sp::gammaln(rc::tensor<double, 2>{1, 3}))(1) - 0.69314718055994531) < 1e-14);
static_assert(sp::betainc_t::of(2, 3, 0.4) > 0.524 && sp::betaincinv_t::of(2, 3, 0.5248) < 0.4000001);
static_assert(sp::digamma_t::of(1) < -0.577 && sp::j0_t::of(0) == 1 && sp::gammainc_t::of(2, 1.5) > 0.44);
#endif
