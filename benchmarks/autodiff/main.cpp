// Prints how much gradients cost. An argument chooses rows whose name contains it; BENCH_SECONDS in the environment is
// the time that is spent on each contestant of a row.
#include <cstdlib>

#include "problems.hpp"

int main(int argc, char** argv) {
  if (argc > 1) bench::only = argv[1];
  if (char const* s = std::getenv("BENCH_SECONDS")) bench::budget = std::atof(s);
  bench::gradient_title();
  bench::vectors();
  bench::products();
  bench::mixtures();
  bench::recurrent();
  std::printf("\n%d of %d rows short of their goal\n", bench::short_of_goal, bench::rows);
}
