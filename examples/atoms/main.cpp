// A drop of atoms that attract and repel each other (Lennard-Jones): `atoms [side] [steps]` lets side x side of them
// move.
//
// Only the energy is written down. The forces are its negative gradient, which the compiler derives, and because they
// are exact the total energy stays what it was.
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <ricci/ricci.hpp>

namespace rc = ricci;

using vectors = rc::tensor<double, rc::dim<"atoms">, 2>;

constexpr auto potential = [](auto const& x) {
  auto between = x(rc::all, rc::newaxis) - x(rc::newaxis, rc::all);  // a vector for each pair of atoms
  auto square = rc::sum(between * between, rc::axis<2>);
  auto distinct = square > 0.;  // an atom has no force on itself; where keeps 1/0 out of the gradient, too
  auto attraction = 1. / rc::pow(rc::where(distinct, square, 1.), 3.);
  return 2. * rc::sum(rc::where(distinct, attraction * attraction - attraction, 0.));  // 4, and each pair counts twice
};

int main(int argc, char** argv) {
  int const side = argc > 1 ? std::atoi(argv[1]) : 7, steps = argc > 2 ? std::atoi(argv[2]) : 2000;
  if (side < 2 || side > 100 || steps < 1)
    return std::fprintf(stderr, "atoms: a side of 2 to 100, 1 or more steps\n"), 1;
  vectors x(side * side, 2), v(side * side, 2);
  for (int k = 0; k < side * side; ++k) {
    x(k, 0) = 1.12 * (k % side), x(k, 1) = 1.12 * (k / side);
    v(k, 0) = 0.3 * std::sin(12.9898 * k), v(k, 1) = 0.3 * std::sin(78.233 * k);
  }
  v -= rc::mean(v, rc::axis<0>, rc::keepdims);  // the drop as a whole stays where it is

  constexpr double dt = 0.004;
  auto const derived = rc::value_and_grad(potential);
  auto [energy, slope] = derived(x);
  double const start = double(energy) + 0.5 * double(rc::sum(v * v));
  double drift = 0;
  std::printf("   time   potential     kinetic       total\n");
  for (int step = 0; step <= steps; ++step) {
    double const kinetic = 0.5 * double(rc::sum(v * v)), total = double(energy) + kinetic;
    drift = std::fmax(drift, std::fabs(total - start));
    if (step % ((steps + 9) / 10) == 0)
      std::printf("%7.3f %11.5f %11.5f %11.5f\n", step * dt, double(energy), kinetic, total);
    v -= 0.5 * dt * slope;  // Stoermer's and Verlet's scheme
    x += dt * v;
    derived.into(energy, slope)(x);
    v -= 0.5 * dt * slope;
  }
  auto const momentum = rc::eval(rc::sum(v, rc::axis<0>));
  std::printf("the total energy moved by at most %.1e, the momentum is %.0e\n", drift,
              std::hypot(momentum(0), momentum(1)));
  return 0;
}
