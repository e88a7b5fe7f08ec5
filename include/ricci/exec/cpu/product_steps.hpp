// Steps of a plan that are one product each, without the general machinery: of small matrices of known extents, or a
// batch of them, in registers; of any others by a call.
#pragma once

#include <ricci/exec/cpu/small_complex_product.hpp>
#include <ricci/exec/cpu/step.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// how far operand Slot of step I moves along a loop, in elements
template <class P, int I>
constexpr index_t stride_of(int slot, int loop) {
  return P::plan.strides[P::plan.operands[P::plan.steps[I].first_operand + slot].first_stride + loop];
}

// Whether the products of step I, behind any number of batch loops, are small.
template <class P, int I>
constexpr bool has_small_products() {
#if RICCI_HAS_XSIMD
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr plan::kernel_t k = P::plan.kernels[s.kernel];
  if constexpr (k.kind != plan::step_kind::contract || !is_inexact(k.type))
    return false;
  else {
    for (int l = s.loops - 3; l < s.loops; ++l)
      if (auto const e = P::plan.extents[s.first_extent + l]; e < 1 || e > most_unrolled) return false;
    for (int slot = 0; slot < k.slots; ++slot)
      for (int l = s.loops - 3; l < s.loops; ++l)
        if (ir::is_symbolic(stride_of<P, I>(slot, l))) return false;
    return true;
  }
#else
  return false;
#endif
}
template <class P, int I>
constexpr bool is_small_product() {
  return P::plan.steps[I].loops == 3 && has_small_products<P, I>();
}

// Whether step I is one product, of floating or complex numbers and stored as it is, of extents that may show at run
// time.
template <class P, int I>
constexpr bool is_plain_product() {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr plan::kernel_t k = P::plan.kernels[s.kernel];
  if constexpr (k.kind != plan::step_kind::contract || s.loops != 3 || !is_inexact(k.type))
    return false;
  else if constexpr (constexpr int to = kernel::stores_product<typename kernel::lowered<P, s.kernel>::type>; to < 0)
    return false;
  else
    return stride_of<P, I>(to, 1) == 1;
}
template <class P, int I>
RICCI_INLINE void run_plain_product(char* const* p, index_t const* dims, int threads) {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr plan::kernel_t k = P::plan.kernels[s.kernel];
  constexpr int to = kernel::stores_product<typename kernel::lowered<P, s.kernel>::type>;
  using T = type_of<k.type>;
  auto const stride = [&](index_t known) RICCI_INLINE_LAMBDA { return resolve(known, dims); };
  multiply<T, product_loops<P>(I)>(
      {{reinterpret_cast<T const*>(p[0]), stride(stride_of<P, I>(0, 0)), stride(stride_of<P, I>(0, 2))},
       {reinterpret_cast<T const*>(p[1]), stride(stride_of<P, I>(1, 2)), stride(stride_of<P, I>(1, 1))},
       resolve(P::plan.extents[s.first_extent], dims),
       resolve(P::plan.extents[s.first_extent + 1], dims),
       resolve(P::plan.extents[s.first_extent + 2], dims),
       nullptr,
       nullptr,
       threads,
       reinterpret_cast<T*>(p[to]),
       stride(stride_of<P, I>(to, 0))});
}

#if RICCI_HAS_XSIMD

// The epilogue, row by row, of a product at c.
template <class P, int I, class Code>
RICCI_INLINE void finish_rows(char* const* p, scalar_value const* scalars, char* c, index_t c_row) {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr int m = s.loops - 3;
  constexpr index_t rows = P::plan.extents[s.first_extent + m], columns = P::plan.extents[s.first_extent + m + 1];
  [&]<int... S>(std::integer_sequence<int, S...>) RICCI_INLINE_LAMBDA {
    constexpr index_t size[] = {size_of(P::plan.operands[s.first_operand + S].type)...};
    constexpr index_t down[] = {size[S] * stride_of<P, I>(S, m)...};
    index_t const along[] = {size[S] * stride_of<P, I>(S, m + 1)..., 0};
    for (index_t r = 0; r < rows; ++r) {
      char* const at[] = {p[S] + r * down[S]..., c + r * c_row};
      row<Code, Code::strided != 0>::function(at, scalars, columns, along, 1, nullptr);
    }
  }
  (std::make_integer_sequence<int, Code::slots - 1>{});
}

// Runs a product of step I, whose operands start at p.
template <class P, int I>
RICCI_INLINE void run_small_product(char* const* p, scalar_value const* scalars) {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr plan::kernel_t kernel = P::plan.kernels[s.kernel];
  using T = type_of<kernel.type>;
  using code = typename kernel::lowered<P, s.kernel>::type;
  constexpr int m_loop = s.loops - 3, n_loop = m_loop + 1, k_loop = m_loop + 2;
  constexpr int m = int(P::plan.extents[s.first_extent + m_loop]), n = int(P::plan.extents[s.first_extent + n_loop]),
                depth = int(P::plan.extents[s.first_extent + k_loop]);
  constexpr index_t row = stride_of<P, I>(0, m_loop), column = stride_of<P, I>(0, k_loop);
  auto const* a = reinterpret_cast<T const*>(p[0]);
  auto const* b = reinterpret_cast<T const*>(p[1]);
  // a row times a matrix of dense columns, which is how a matrix times a column is planned
  constexpr bool sums =
      m == 1 && n > 1 && column == 1 && stride_of<P, I>(1, k_loop) == 1 && stride_of<P, I>(1, n_loop) != 1;
  // B in rows
  constexpr bool in_rows = stride_of<P, I>(1, n_loop) == 1 || n == 1;
  constexpr index_t b_row = in_rows ? stride_of<P, I>(1, k_loop) : n;
  alignas(64) T copy[in_rows || sums ? 1 : depth * n];
  if constexpr (!in_rows && !sums) {
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < depth; ++k)
        copy[k * n + j] = b[k * stride_of<P, I>(1, k_loop) + j * stride_of<P, I>(1, n_loop)];
    b = copy;
  }
  constexpr int to = kernel::stores_product<code>;
  constexpr index_t c_row = to >= 0 && m > 1 ? stride_of<P, I>(to >= 0 ? to : 0, m_loop) : n;
  constexpr bool dense = b_row == n && c_row == n;
  auto const multiply = [&](T* c) RICCI_INLINE_LAMBDA {
    if constexpr (is_complex_number<T> && sums)
      multiply_small_complex_column<n, depth, stride_of<P, I>(1, n_loop)>(b, a, c);
    else if constexpr (is_complex_number<T>)
      multiply_small_complex<m, n, depth>(a, row, column, b, b_row, c, c_row);
    else if constexpr (sums)
      multiply_small_column<n, depth, stride_of<P, I>(1, n_loop)>(b, a, c);
    else
      multiply_small<m, n, depth, dense, dense && (row == depth || m == 1) && column == 1>(a, row, column, b, b_row, c,
                                                                                           c_row);
  };
  if constexpr (to >= 0) {
    multiply(reinterpret_cast<T*>(p[to]));
  } else {
    alignas(64) T c[m * n];
    multiply(c);
    finish_rows<P, I, code>(p, scalars, reinterpret_cast<char*>(c), index_t(sizeof(T)) * n);
  }
}

// All products of a batch.
template <class P, int I>
void run_small_products(kernel_info const&, geometry& g) {
  constexpr int depth = P::plan.steps[I].loops - 3, slots = P::plan.kernels[P::plan.steps[I].kernel].slots;
  index_t const inner = g.extent[depth - 1], count = product_of(g, 0, depth);
  auto const part = [&](index_t from, index_t to) {
    odometer at(g);
    at.seek(g, 0, depth - 1, inner > 0 ? from / inner : 0);
    for (index_t k = inner > 0 ? from % inner : 0; from < to; k = 0, at.next(g, 0, depth - 1)) {
      index_t const n = inner - k < to - from ? inner - k : to - from;
      char* p[slots];
      index_t step[slots];
      for (int s = 0; s < slots; ++s) step[s] = g.stride[depth - 1][s], p[s] = at.p[s] + k * step[s];
      for (index_t i = 0; i < n; ++i) {
        run_small_product<P, I>(p, g.scalars);
        for (int s = 0; s < slots; ++s) p[s] += step[s];
      }
      from += n;
    }
  };
  constexpr index_t products = parallel_threshold / 64;
  if (is_alone(g.threads) || count < products) return part(0, count);
  parallel_parts(g.threads, count, part);
}
template <class P, int I>
inline constexpr kernel_info small_products = [] {
  kernel_info k = decltype(step_of<P, P::plan.steps[I].kernel>())::kernel;
  k.run = &run_small_products<P, I>;
  return k;
}();

#else

template <class P, int I>
inline constexpr kernel_info small_products{};  // none is small here

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
