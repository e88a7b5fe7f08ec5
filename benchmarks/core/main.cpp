// Prints the table of speeds. An argument chooses rows whose name contains it; BENCH_SECONDS in the environment is the
// time that is spent on each contestant of a row. The exit status says nothing about the goals: a shared machine can
// miss any of them.
#include <cstdlib>

#include "timing.hpp"

int main(int argc, char** argv) {
  if (argc > 1) bench::only = argv[1];
  if (char const* s = std::getenv("BENCH_SECONDS")) bench::budget = std::atof(s);
  double const peak = bench::fma_peak();
  std::printf(
      "one core: FMA peak %.0f GFLOP/s; triad %.0f, %.0f, %.0f GB/s at 4e3, 1e5, 1.6e7 floats; reading %.0f GB/s at "
      "1024^2\n",
      peak * 1e-9, bench::triad_bandwidth(4000) * 1e-9, bench::triad_bandwidth(100000) * 1e-9,
      bench::triad_bandwidth(16000000) * 1e-9, bench::read_bandwidth(1 << 20) * 1e-9);
  std::printf(
      "ratios: time of the peer, or of the hand-written loop or limit, divided by ricci's; they vary by 0.02\n");
  bench::chains();
  bench::reductions();
  bench::products();
  bench::small();
  bench::threads();
  std::printf("\n%d of %d rows short of their goal\n", bench::short_of_goal, bench::rows);
}
