#include "blas.hpp"

#include <dlfcn.h>

namespace bench {
namespace {

// of CBLAS
constexpr int row_major = 101, plain = 111, transposed = 112;

template <class Int, class T>
using product_t = void(int, int, int, Int, Int, Int, T, T const*, Int, T const*, Int, T, T*, Int);
template <class Int, class T>
using products_t = void(int, int, int, Int, Int, Int, T, T const*, Int, Int, T const*, Int, Int, T, T*, Int, Int, Int);

struct library {
  std::string name;
  void* handle;

  template <class F>
  F* find(std::string const& symbol) const {
    return reinterpret_cast<F*>(dlsym(handle, symbol.c_str()));
  }
};
std::vector<library>& libraries() {
  static std::vector<library> all;
  return all;
}

template <class T>
contestant of(std::string const& name, T* c, long size, std::function<void()> run) {
  return {name, run, [run, c, size] { return run(), numbers(c, c + size); }};
}

// SciPy's OpenBLAS has names of its own; integers of 64 bits are not asked for
template <class T>
std::vector<contestant> products(product_shape s, T const* a, T const* b, T* c, long count) {
  std::vector<contestant> found;
  std::string const letter = sizeof(T) == 4 ? "s" : "d";
  int const ta = s.a_is_transposed ? transposed : plain, tb = s.b_is_transposed ? transposed : plain;
  int const m = int(s.m), n = int(s.n), k = int(s.k), lda = s.a_is_transposed ? m : k, ldb = s.b_is_transposed ? k : n;
  for (auto const& l : libraries())
    for (std::string const prefix : {"cblas_", "scipy_cblas_"}) {
      if (count == 1) {
        if (auto* f = l.find<product_t<int, T>>(prefix + letter + "gemm")) {
          found.push_back(
              of(l.name, c, s.m * s.n, [=] { f(row_major, ta, tb, m, n, k, T(1), a, lda, b, ldb, T(0), c, n); }));
          break;
        }
      } else if (auto* f = l.find<products_t<int, T>>(prefix + letter + "gemm_batch_strided")) {
        found.push_back(of(l.name, c, count * s.m * s.n, [=] {
          f(row_major, ta, tb, m, n, k, T(1), a, lda, m * k, b, ldb, k * n, T(0), c, n, m * n, int(count));
        }));
        break;
      }
    }
  return found;
}

}  // namespace

void add_blas(char const* name, char const* path) {
  for (auto const& l : libraries())
    if (l.name == name) return;
  if (void* const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL)) libraries().push_back({name, handle});
}
std::vector<contestant> blas(product_shape s, float const* a, float const* b, float* c, long count) {
  return products(s, a, b, c, count);
}
std::vector<contestant> blas(product_shape s, double const* a, double const* b, double* c, long count) {
  return products(s, a, b, c, count);
}

}  // namespace bench
