// A step of a plan that is one product of small matrices of known extents: it runs without the general machinery, in
// registers.
#pragma once

#include <ricci/exec/cpu/small_product.hpp>
#include <ricci/exec/cpu/step.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// how far operand Slot of step I moves along a loop, in elements
template <class P, int I>
constexpr index_t stride_of(int slot, int loop) {
  return P::plan.strides[P::plan.operands[P::plan.steps[I].first_operand + slot].first_stride + loop];
}

template <class P, int I>
constexpr bool is_small_product() {
#if RICCI_HAS_XSIMD
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr plan::kernel_t k = P::plan.kernels[s.kernel];
  if constexpr (k.kind != plan::step_kind::contract || s.loops != 3 || !is_floating(k.type))
    return false;
  else {
    for (int l = 0; l < 3; ++l)
      if (auto const e = P::plan.extents[s.first_extent + l]; e < 1 || e > most_unrolled) return false;
    for (int slot = 0; slot < k.slots; ++slot)
      for (int l = 0; l < 3; ++l)
        if (ir::is_symbolic(stride_of<P, I>(slot, l))) return false;
    return true;
  }
#else
  return false;
#endif
}

#if RICCI_HAS_XSIMD

// The epilogue, row by row, of a product at c.
template <class P, int I, class Code>
RICCI_INLINE void finish_rows(char* const* p, scalar_value const* scalars, char* c, index_t c_row) {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr index_t rows = P::plan.extents[s.first_extent], columns = P::plan.extents[s.first_extent + 1];
  [&]<int... S>(std::integer_sequence<int, S...>) RICCI_INLINE_LAMBDA {
    constexpr index_t size[] = {size_of(P::plan.operands[s.first_operand + S].type)...};
    constexpr index_t down[] = {size[S] * stride_of<P, I>(S, 0)...};
    index_t const along[] = {size[S] * stride_of<P, I>(S, 1)..., 0};
    for (index_t r = 0; r < rows; ++r) {
      char* const at[] = {p[S] + r * down[S]..., c + r * c_row};
      row<Code, Code::strided != 0>::function(at, scalars, columns, along);
    }
  }
  (std::make_integer_sequence<int, Code::slots - 1>{});
}

// Runs step I, whose operands start at p.
template <class P, int I>
RICCI_INLINE void run_small_product(char* const* p, scalar_value const* scalars) {
  constexpr plan::step_t s = P::plan.steps[I];
  constexpr plan::kernel_t kernel = P::plan.kernels[s.kernel];
  using T = type_of<kernel.type>;
  using code = typename kernel::lowered<P, s.kernel>::type;
  constexpr int m = int(P::plan.extents[s.first_extent]), n = int(P::plan.extents[s.first_extent + 1]),
                depth = int(P::plan.extents[s.first_extent + 2]);
  constexpr index_t row = stride_of<P, I>(0, 0), column = stride_of<P, I>(0, 2);
  auto const* a = reinterpret_cast<T const*>(p[0]);
  auto const* b = reinterpret_cast<T const*>(p[1]);
  // a row times a matrix of dense columns, which is how a matrix times a column is planned
  constexpr bool sums = m == 1 && n > 1 && column == 1 && stride_of<P, I>(1, 2) == 1 && stride_of<P, I>(1, 1) != 1;
  // B in rows
  constexpr bool in_rows = stride_of<P, I>(1, 1) == 1 || n == 1;
  constexpr index_t b_row = in_rows ? stride_of<P, I>(1, 2) : n;
  alignas(64) T copy[in_rows || sums ? 1 : depth * n];
  if constexpr (!in_rows && !sums) {
    for (int j = 0; j < n; ++j)
      for (int k = 0; k < depth; ++k) copy[k * n + j] = b[k * stride_of<P, I>(1, 2) + j * stride_of<P, I>(1, 1)];
    b = copy;
  }
  constexpr int to = kernel::stores_product<code>;
  constexpr index_t c_row = to >= 0 && m > 1 ? stride_of<P, I>(to >= 0 ? to : 0, 0) : n;
  constexpr bool dense = b_row == n && c_row == n;
  auto const multiply = [&](T* c) RICCI_INLINE_LAMBDA {
    if constexpr (sums)
      multiply_small_column<n, depth, stride_of<P, I>(1, 1)>(b, a, c);
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

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
