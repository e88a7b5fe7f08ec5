// What the rows of this folder are made of. A row names a function of ricci beside what does the same: NumPy, as an
// expression that the script run.py evaluates in this process, a plain loop, and what eigen.cpp and xtensor.cpp have
// under the row's name. All results are compared element by element with ricci's.
#pragma once

#include <complex>
#include <memory>
#include <span>

#include "../core/contestants.hpp"

namespace bench {

template <class F>
contestant loop(F f) {
  return contestant_of("loop", f);
}
// of NumPy, where it is here: an expression over the arrays of run.py
std::vector<contestant> numpy(char const* expression);

// other libraries' contestants, by the names of rows
void add_peer(std::string const& row, contestant c);

// Times ricci and its peers for n elements, and prints a row.
void contest(std::string const& name, double n, contestant ricci, std::vector<contestant> peers);
template <class... C>
std::vector<contestant> peers(std::vector<contestant> all, C... more) {
  (all.push_back(std::move(more)), ...);
  return all;
}

// ---- operands: 1e6 elements each, or matrices of 1000 x 1000 ----

inline constexpr long size = 1000000, side = 1000;
// The elements of ricci's operands (ricci.hpp), which all contestants read: who reads memory of their own, while the
// others share some, finds it cold.
struct operands {
  std::span<float const> a, b, p, u;      // normal, normal; .5 to 10; -1 to 1
  std::span<double const> d, e;           // normal; .5 to 10
  std::span<std::int32_t const> i, j, s;  // -1000 to 1000; 1 to 30; 0 to 255
  std::span<std::int64_t const> at;       // 0 to size
  std::span<unsigned char const> c, k;    // bool: a > 0, b > 0
  std::span<float const> grid;            // 1000 from -3 to 3
};
operands const& data();

void elementwise();
void functions();
void reductions();
void movement();
void indexing();
void searching();
void products();
void add_eigen();
void add_xtensor();

}  // namespace bench
