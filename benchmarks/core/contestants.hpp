// Contestants whose number shows at run time: what they run, what comes out, and their times by turns.
#pragma once

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "timing.hpp"

namespace bench {

using numbers = std::vector<double>;

struct contestant {
  std::string name;
  std::function<void()> run;
  std::function<numbers()> result;
};

// a number, or anything with elements in row-major order
template <class X>
numbers numbers_of(X const& x) {
  numbers r;
  if constexpr (requires {
                  x.begin();
                  x.end();
                })
    for (auto const& e : x) r.push_back(double(e));
  else if constexpr (requires { double(x); })
    r.push_back(double(x));
  else  // of several results the first
    return numbers_of(std::get<0>(x));
  return r;
}

// f() writes its result somewhere, and returns a pointer to it
template <class F>
contestant contestant_of(std::string name, F f) {
  return {std::move(name), [f] { asm volatile("" : : "g"(f()) : "memory"); }, [f] { return numbers_of(*f()); }};
}

// the greatest difference, relative to the greatest element
inline double difference(numbers const& x, numbers const& y) {
  if (x.size() != y.size()) return std::numeric_limits<double>::infinity();
  double most = 0, scale = 0;
  for (std::size_t k = 0; k < x.size(); ++k) {
    if (std::isnan(x[k]) && std::isnan(y[k])) continue;
    if (x[k] == y[k]) continue;
    double const d = std::abs(x[k] - y[k]);
    most = std::isnan(d) ? std::numeric_limits<double>::infinity() : std::max(most, d);
  }
  for (double const e : x)
    if (std::isfinite(e)) scale = std::max(scale, std::abs(e));
  return most / std::max(scale, 1e-30);
}

// The least seconds per call of each; at most `most_calls` in a round.
inline std::vector<double> race_all(std::vector<contestant> const& all, long most_calls) {
  std::vector<double> best(all.size(), std::numeric_limits<double>::infinity());
  std::vector<long> calls;
  for (auto const& c : all) {
    c.run();
    long m = 1;
    while (m < most_calls && round(c.run, m) < 2e-4) m *= 2;
    calls.push_back(m);
  }
  double const start = seconds();
  for (int r = 0; r < 7 || seconds() - start < budget * double(all.size()); ++r)
    for (std::size_t k = 0; k < all.size(); ++k) {
      all[k].run();  // what the one before left in the caches is nobody's advantage
      best[k] = std::min(best[k], round(all[k].run, calls[k]) / double(calls[k]));
    }
  return best;
}

// of all but the first, of which there is one at least
inline std::size_t fastest_of_others(std::vector<double> const& best) {
  return std::size_t(std::min_element(best.begin() + 1, best.end()) - best.begin());
}

}  // namespace bench
