// What options cost, and how that moves with the market (the "Greeks"), by a million random futures: derivatives go
// through the paths to the five numbers, `rc::grad` of the mean.
#include <cmath>
#include <cstdio>

#include <ricci/random.hpp>

namespace rc = ricci;

template <class Kind = rc::values>
struct market {
  rc::field<Kind, double> spot = 100., strike = 105., volatility = 0.2, rate = 0.03, years = 1.;
};

// the right to buy at the strike in the end
constexpr auto european = [](auto m, auto key) {
  auto z = rc::random::normal<double>(key, rc::shape(1000000));
  auto drift = (m.rate - 0.5 * m.volatility * m.volatility) * m.years;
  auto last = m.spot * rc::exp(drift + m.volatility * rc::sqrt(m.years) * z);
  return rc::exp(-m.rate * m.years) * rc::mean(rc::relu(last - m.strike));
};
// to be paid the mean over twelve months less the strike
constexpr auto asian = [](auto m, auto key) {
  auto z = rc::random::normal<double>(key, rc::shape(100000, 12));
  auto month = m.years / 12.;
  auto moves = (m.rate - 0.5 * m.volatility * m.volatility) * month + m.volatility * rc::sqrt(month) * z;
  auto path = m.spot * rc::exp(rc::cumulative_sum(moves, rc::axis<1>));
  return rc::exp(-m.rate * m.years) * rc::mean(rc::relu(rc::mean(path, rc::axis<1>) - m.strike));
};

double normal_cdf(double x) { return 0.5 * std::erfc(-x / std::sqrt(2.)); }

int main() {
  market<> const m;
  auto const [k1, k2] = rc::random::split(rc::random::key(1));
  auto const report = [](char const* name, auto const& value, auto const& by) {
    std::printf("%-15s %7.3f   delta %.3f   vega %.2f   rho %.2f   theta %.2f\n", name, double(value), double(by.spot),
                double(by.volatility), double(by.rate), -double(by.years));
  };
  auto const [e, by_e] = rc::value_and_grad(european)(m, k1);
  report("european", e, by_e);
  auto const [a, by_a] = rc::value_and_grad(asian)(m, k2);
  report("asian", a, by_a);

  // Black and Scholes have a formula for the first one
  double const s = 0.2, r = 0.03, k = 105 * std::exp(-r), d = std::log(100 / k) / s + s / 2;
  std::printf("by the formula  %7.3f   delta %.3f   vega %.2f\n", 100 * normal_cdf(d) - k * normal_cdf(d - s),
              normal_cdf(d), 100 * std::exp(-d * d / 2) / std::sqrt(2 * 3.14159265358979));
}
