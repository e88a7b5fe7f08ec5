// A contraction step: batches of matrix products, each with a kernel's row as its epilogue.
#pragma once

#include <ricci/exec/cpu/gemm.hpp>
#include <ricci/exec/cpu/map.hpp>
#include <ricci/exec/cpu/short_products.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// Operands 0 and 1 are the factors, the kernel's last one is the product itself, the others belong to the epilogue.
// Loops: batch.., m, n, k. The types of the factors, where they are not T, stand above the loops (plan/plan.hpp).
template <class T, int Loops>
struct contraction {
  kernel_info const& kernel;
  geometry const& g;
  char* const* p;

  static void finish(void const* context, rows_of_c<T> c, index_t row, index_t column, index_t rows, index_t columns) {
    auto const& e = *static_cast<contraction const*>(context);
    index_t const *m = e.g.stride[e.g.loops - 3], *n = e.g.stride[e.g.loops - 2];
    int const product = e.g.slots;
    char* at[max_slots];
    index_t along[max_slots], down[max_slots];
    // (a factor may be one of its operands, too: x y + x(all, 0))
    for (int s = 0; s < product; ++s) at[s] = e.p[s] + row * m[s] + column * n[s], along[s] = n[s], down[s] = m[s];
    at[product] = reinterpret_cast<char*>(c.p);
    along[product] = sizeof(T), down[product] = c.row * index_t(sizeof(T));
    e.kernel.row(at, e.g.scalars, columns, along, rows, down);
  }
  void run(int threads) const {
    constexpr index_t size = sizeof(T);
    constexpr int factors = variant_of(Loops);
    using A = type_of<plan::type_of_factor(factors, 0, dtype_of<T>)>;
    using B = type_of<plan::type_of_factor(factors, 1, dtype_of<T>)>;
    constexpr index_t size_a = sizeof(A), size_b = sizeof(B);
    int const m = g.loops - 3, n = m + 1, k = m + 2, to = kernel.product_to;
    bool const direct = to >= 0 && g.stride[n][to] == size;
    matrix_ref<A> const a{reinterpret_cast<A const*>(p[0]), g.stride[m][0] / size_a, g.stride[k][0] / size_a};
    matrix_ref<B> const b{reinterpret_cast<B const*>(p[1]), g.stride[k][1] / size_b, g.stride[n][1] / size_b};
    product_t<T> product{{},
                         {},
                         g.extent[m],
                         g.extent[n],
                         g.extent[k],
                         &finish,
                         this,
                         threads,
                         direct ? reinterpret_cast<T*>(p[to]) : nullptr,
                         direct ? g.stride[m][to] / size : 0};
    if constexpr (factors != 0) {
      multiply_integers(product, a, b);
    } else {
      product.a = a, product.b = b;
      multiply<T, Loops>(product);
    }
  }
};

// Batches [from, to).
template <class T, int Loops>
RICCI_NOINLINE void run_batches(kernel_info const& kernel, geometry const& g, index_t from, index_t to, int threads) {
  int const depth = g.loops - 3;
  if constexpr ((Loops & ~all_product_loops) == 0 && (Loops & loops_of_short_batches) != 0 &&
                (std::is_same_v<T, float> || std::is_same_v<T, double>))
    if (depth > 0 && run_short_products<T>(g, kernel.product_to, from, to)) return;
  odometer at(g);
  at.seek(g, 0, depth, from);
  for (; from < to; ++from) contraction<T, Loops>{kernel, g, at.p}.run(threads), at.next(g, 0, depth);
}

template <class T, int Loops>
void run_contract(kernel_info const& kernel, geometry& g) {
  index_t const count = product_of(g, 0, g.loops - 3);
  if (is_alone(g.threads) || count < 2 * g.threads) return run_batches<T, Loops>(kernel, g, 0, count, g.threads);
  parallel_parts(g.threads, count, [&](index_t from, index_t to) { run_batches<T, Loops>(kernel, g, from, to, 1); });
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
