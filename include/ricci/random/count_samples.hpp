// Counts at random as plain functions: Poisson and binomial, each from a word of its own. Few are found by walking
// along the distribution function, many by transformed rejection (W. Hoermann, The transformed rejection method for
// generating Poisson random variables, 1993: PTRS; The generation of binomial random variates, 1993: BTRS).
#pragma once

#include <ricci/random/gamma_sample.hpp>
#include <ricci/special/incomplete_gamma.hpp>

namespace ricci::random {
inline namespace RICCI_ABI {

inline constexpr double few_counts = 10, most_counts = 9007199254740992.;  // 2^53

// log(mean^k exp(-mean) / k!), in which of large numbers nothing cancels (C. Loader, Fast and accurate computation of
// binomial probabilities, 2000).
RICCI_HD constexpr double log_of_poisson(double k, double mean) {
  if (k < 10) return k * std::log(mean) - mean - std::log(std::tgamma(k + 1));
  return k * special::log_of_ratio_less(k, mean) - special::stirling_rest(k) - 0.5 * std::log(6.2831853071795865 * k);
}
RICCI_HD constexpr double poisson_of_few(double mean, double u) {
  double p = std::exp(-mean), k = 0;
  for (; u > p && k < 200; p *= mean / k) u -= p, ++k;
  return k;
}
RICCI_HD constexpr double poisson_of_many(double mean, word_stream words) {
  double const b = 0.931 + 2.53 * std::sqrt(mean), a = -0.059 + 0.02483 * b,
               inverse_alpha = 1.1239 + 1.1328 / (b - 3.4), inner = 0.9277 - 3.6224 / (b - 2);
  for (;;) {
    double const u = words.unit() - 0.5, v = words.unit(), side = 0.5 - std::abs(u),
                 k = std::floor((2 * a / side + b) * u + mean + 0.43);
    if (side >= 0.07 && v <= inner) return k;
    if (k < 0 || (side < 0.013 && v > side)) continue;
    if (std::log(v * inverse_alpha / (a / (side * side) + b)) <= log_of_poisson(k, mean)) return k;
  }
}
// How many events of a rate `mean` happen; -1 where that is negative, NaN or above 2^53.
RICCI_HD constexpr std::int64_t poisson_count(double mean, std::uint64_t seed) {
  if (!(mean >= 0 && mean <= most_counts)) return -1;
  word_stream words(seed);
  return static_cast<std::int64_t>(mean < few_counts ? poisson_of_few(mean, words.unit())
                                                     : poisson_of_many(mean, words));
}

RICCI_HD constexpr double binomial_of_few(double n, double p, double u) {
  double const odds = p / (1 - p);
  double k = 0, here = std::exp(n * std::log1p(-p));
  for (; u > here && k < n && k < 200; here *= (n - k + 1) / k * odds) u -= here, ++k;
  return k;
}
RICCI_HD constexpr double binomial_of_many(double n, double p, word_stream words) {
  double const deviation = std::sqrt(n * p * (1 - p)), b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * p,
               center = n * p + 0.5, inner = 0.92 - 4.2 / b, alpha = (2.83 + 5.1 / b) * deviation,
               mode = std::floor((n + 1) * p);
  // up to a constant: a binomial count is two of Poisson of which the sum is known
  auto const log_of_count = [=](double k) { return log_of_poisson(k, n * p) + log_of_poisson(n - k, n * (1 - p)); };
  double const at_mode = log_of_count(mode);
  for (;;) {
    double const u = words.unit() - 0.5, v = words.unit(), side = 0.5 - std::abs(u),
                 k = std::floor((2 * a / side + b) * u + center);
    if (side >= 0.07 && v <= inner) return k;
    if (k < 0 || k > n) continue;
    if (std::log(v * alpha / (a / (side * side) + b)) <= log_of_count(k) - at_mode) return k;
  }
}
RICCI_HD constexpr bool is_count(double n) { return n >= 0 && n <= most_counts && std::floor(n) == n; }
// How many of n trials succeed with probability p each; -1 where n is no count to 2^53 or p no probability.
RICCI_HD constexpr std::int64_t binomial_count(double n, double p, std::uint64_t seed) {
  if (!(is_count(n) && p >= 0 && p <= 1)) return -1;
  double const rarer = p > 0.5 ? 1 - p : p;
  word_stream words(seed);
  double const k = rarer == 0               ? 0
                   : n * rarer < few_counts ? binomial_of_few(n, rarer, words.unit())
                                            : binomial_of_many(n, rarer, words);
  return static_cast<std::int64_t>(p > 0.5 ? n - k : k);
}

}  // namespace RICCI_ABI
}  // namespace ricci::random
