// What is left of a plan when it runs: its steps and their operands as constant tables of exactly the needed size.
#pragma once
#include <ricci/core/abi.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

template <class T, int N>
struct table {
  T at[N > 0 ? N : 1];
};

namespace tables {

template <int N, class T>
constexpr table<T, N> exact(T const* from) {
  table<T, N> t{};
  for (int k = 0; k < N; ++k) t.at[k] = from[k];
  return t;
}

}  // namespace tables

// An argument: its shape, as an index, and the size of its elements.
struct argument_entry {
  int shape, size;
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
