// What the rows of this folder are made of: ricci, its peers, and a limit of the machine, all timed by turns in one
// process. Peers are loops and Eigen here, products of MKL and OpenBLAS where these are found (blas.hpp), and what
// run.py evaluates in the same process: NumPy, PyTorch, JAX and onnxruntime, each where it is.
#pragma once

#include <ricci/core/types.hpp>

#include "../core/contestants.hpp"
#include "../core/peers.hpp"

namespace bench {

// what a row is measured by: floating-point operations, bytes that are read and written, or nothing but its peers
struct work {
  enum kind { operations, operations_of_doubles, bytes, none } of = none;
  double amount = 0;
};
struct goals {
  double peer = 1, limit = 0;  // the best peer's time over ricci's; ricci's rate over the limit's. 0: nothing is asked
};

// Prints a row, if it is wanted. Elements of results may differ by 1e-4 of the greatest of them.
void contest(std::string const& name, work, goals, contestant ricci, std::vector<contestant> peers);
void title(char const* text);

// What Python calls x in expressions: elements of C++, in row-major order.
void bind(char const* name, float const* data, std::vector<long> shape);
void bind(char const* name, ricci::index_t const* data, std::vector<long> shape);
template <class X>
void bind(char const* name, X const& x) {
  std::vector<long> shape;
  for (int d = 0; d < X::rank; ++d) shape.push_back(long(x.shape(d)));
  bind(name, x.data(), shape);
}
// An expression of a library ("numpy", "torch", "jax") over bound names, or a model of "onnxruntime". Empty where there
// is no such library.
std::vector<contestant> python(char const* library, char const* names, char const* expression);

inline std::vector<contestant> together(std::vector<contestant> all) { return all; }
template <class... C>
std::vector<contestant> together(std::vector<contestant> all, std::vector<contestant> next, C... more) {
  all.insert(all.end(), next.begin(), next.end());
  return together(std::move(all), std::move(more)...);
}

// normal to the eye, and the same in each run
template <class X>
X with_noise(X x, unsigned seed) {
  using T = std::remove_reference_t<decltype(x.data()[0])>;
  for (ricci::index_t k = 0; k < x.size(); ++k)
    x.data()[k] = T((seed = seed * 1664525u + 1013904223u) >> 8) / T(1 << 23) - 1;
  return x;
}

struct printed_row {
  std::string name;
  double ratio;  // the best peer's time over ricci's
  std::string peer;
  double goal;
};
inline std::vector<printed_row> printed;
bool draw_picture(char const* file);

void streams();
void reductions_of_rows();
void movement();
void large_products();
void batches();
void contractions();
void layers();

}  // namespace bench
