// Prints how much gradients cost: bench_autodiff [row] [--svg file]. A word chooses rows whose name contains it; the
// picture has the rows that were printed. BENCH_SECONDS in the environment is the time that is spent on each contestant
// of a row.
#include <cstdlib>
#include <cstring>

#include "problems.hpp"

int main(int argc, char** argv) {
  char const* picture = nullptr;
  for (int k = 1; k < argc; ++k)
    if (std::strcmp(argv[k], "--svg") == 0 && k + 1 < argc)
      picture = argv[++k];
    else
      bench::only = argv[k];
  if (char const* s = std::getenv("BENCH_SECONDS")) bench::budget = std::atof(s);
  bench::gradient_title();
  bench::vectors();
  bench::products();
  bench::mixtures();
  bench::recurrent();
  bench::bundles();
  bench::hands();
  bench::loops();
  bench::nested();
  std::printf("\n%d of %d rows short of their goal\n", bench::short_of_goal, bench::rows);
  if (picture && !bench::draw_picture(picture)) {
    std::fprintf(stderr, "cannot write %s\n", picture);
    return 1;
  }
}
