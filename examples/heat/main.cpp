// Heat spreads in a plate with insulated edges: u_t = laplace(u), by explicit steps on a square grid. `heat [cells]
// [steps]`.
//
// A step is one statement over views of the grid; that it reads what it writes is no concern of the program.
#include <cstdio>
#include <cstdlib>

#include <ricci/ricci.hpp>

namespace rc = ricci;

using plate = rc::ndarray<double, 2>;

// Cells 1 to n of both axes are the plate; those around it mirror its edge, so that no heat passes there.
void insulate(plate& u) {
  u(0, rc::all) = u(1, rc::all);
  u(-1, rc::all) = u(-2, rc::all);
  u(rc::all, 0) = u(rc::all, 1);
  u(rc::all, -1) = u(rc::all, -2);
}

// The share of the step's length in the square of the cell's; above 1/4 the scheme is unstable.
void advance(plate& u, double share) {
  auto const inner = rc::range(1, -1);
  auto const before = rc::range(0, -2), after = rc::range(2, u.shape(0));
  insulate(u);
  u(inner, inner) +=
      share * (u(before, inner) + u(after, inner) + u(inner, before) + u(inner, after) - 4. * u(inner, inner));
}

// One character for each of 24 x 12 blocks of cells.
void draw(plate const& u, rc::index_t n) {
  double const hottest = double(rc::max(u));
  for (rc::index_t row = 0; row < 12; ++row) {
    std::printf("  |");
    for (rc::index_t column = 0; column < 24; ++column) {
      auto const rows = rc::range(1 + row * n / 12, 1 + (row + 1) * n / 12);
      auto const columns = rc::range(1 + column * n / 24, 1 + (column + 1) * n / 24);
      std::putchar(" .:-=+*#%@"[int(9.999 * double(rc::mean(u(rows, columns))) / hottest)]);
    }
    std::printf("|\n");
  }
}

int main(int argc, char** argv) {
  rc::index_t const n = argc > 1 ? std::atoi(argv[1]) : 96;
  int const steps = argc > 2 ? std::atoi(argv[2]) : 2000;
  if (n < 24 || n > 10000 || steps < 0) return std::fprintf(stderr, "heat: 24 to 10000 cells, 0 or more steps\n"), 1;
  plate u(n + 2, n + 2);
  u(rc::range(n / 6, n / 3), rc::range(n / 6, n / 2)) = 1.;
  u(rc::range(n / 2, 5 * n / 6), rc::range(2 * n / 3, 3 * n / 4)) = 2.;
  auto const inner = rc::range(1, -1);
  double const start = double(rc::sum(u(inner, inner)));
  for (int step = 0; step <= steps; ++step) {
    if (step % (steps > 2 ? steps / 2 : 1) == 0) {
      std::printf("after %d steps: hottest %.4f, heat %.9f of what it was\n", step, double(rc::max(u(inner, inner))),
                  double(rc::sum(u(inner, inner))) / start);
      draw(u, n);
    }
    advance(u, 0.2);
  }
  return 0;
}
