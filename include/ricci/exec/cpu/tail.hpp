// The last elements of a row, fewer than a batch. Where a whole batch stands before them they are computed with the
// last of those once more, as long as nothing that is written is also read; else they are brought into memory of a
// whole batch, the row function is called for that, and what it wrote is taken back. One function for all kernels.
#pragma once

#include <ricci/exec/byte_range.hpp>
#include <ricci/exec/cpu/kernel_info.hpp>
#include <ricci/exec/cpu/pack.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// An operand that moves along a row; `gathered`: by its own stride.
struct moving_operand {
  int slot, size;
  bool read, written, gathered;
};
struct tail_kernel {
  row_function function;
  moving_operand const* moving;
  int moving_count, slots;
  index_t width;
  bool fills_lanes;  // those behind the last element, too, compute with an element that is there
};

// `bytes` of them, at most register_bytes, between memory and lanes; the lanes behind them become zero.
RICCI_INLINE void load_lanes(char* lanes, char const* memory, index_t bytes) {
#if RICCI_HAS_XSIMD && defined(__AVX512BW__)
  for (index_t at = 0; at < register_bytes; at += 64) {
    index_t const left = bytes - at;
    __mmask64 const mask = left >= 64 ? ~__mmask64(0) : left > 0 ? (__mmask64(1) << left) - 1 : 0;
    _mm512_storeu_si512(lanes + at, _mm512_maskz_loadu_epi8(mask, memory + (left > 0 ? at : 0)));
  }
#else
  __builtin_memset(lanes, 0, register_bytes);
  __builtin_memcpy(lanes, memory, static_cast<std::size_t>(bytes));
#endif
}
RICCI_INLINE void store_lanes(char* memory, char const* lanes, index_t bytes) {
#if RICCI_HAS_XSIMD && defined(__AVX512BW__)
  for (index_t at = 0; at < bytes; at += 64) {
    index_t const left = bytes - at;
    __mmask64 const mask = left >= 64 ? ~__mmask64(0) : (__mmask64(1) << left) - 1;
    _mm512_mask_storeu_epi8(memory + at, mask, _mm512_loadu_si512(lanes + at));
  }
#else
  __builtin_memcpy(memory, lanes, static_cast<std::size_t>(bytes));
#endif
}

// Lanes from the n-th on become the first one again: none of them computes with what is not there.
inline void fill_lanes(char* lanes, int size, index_t n, index_t width) {
  for (; n < width; ++n) __builtin_memcpy(lanes + n * size, lanes, static_cast<std::size_t>(size));
}

// Whether no operand that is written over `n` elements of a row is read there, or written by another one.
inline bool is_written_apart(tail_kernel const& kernel, char* const* operands, index_t n, index_t const* strides) {
  byte_range<char const*> range[max_slots];
  for (int k = 0; k < kernel.moving_count; ++k) {
    moving_operand const& m = kernel.moving[k];
    if (m.read && m.written) return false;
    range[k] = range_of_row<char const*>(operands[m.slot], n, m.gathered ? strides[m.slot] : m.size, m.size);
  }
  for (int k = 0; k < kernel.moving_count; ++k)
    for (int other = 0; kernel.moving[k].written && other < kernel.moving_count; ++other)
      if (other != k && range[k].meets(range[other])) return false;
  return true;
}

// Elements [from, from + n) of the operands.
RICCI_NOINLINE inline void run_tail(tail_kernel const& kernel, char* const* operands, scalar_value const* scalars,
                                    index_t from, index_t n, index_t const* strides) {
  alignas(64) char lanes[max_slots][register_bytes];
  char* p[max_slots];
  index_t side_by_side[max_slots];
  for (int k = 0; k < kernel.slots; ++k) p[k] = operands[k];
  if (from >= kernel.width && is_written_apart(kernel, operands, from + n, strides)) {
    for (int k = 0; k < kernel.moving_count; ++k) {
      moving_operand const& m = kernel.moving[k];
      p[m.slot] += (from + n - kernel.width) * (m.gathered ? strides[m.slot] : m.size);
    }
    return kernel.function(p, scalars, kernel.width, strides, 1, nullptr);
  }
  for (int k = 0; k < kernel.moving_count; ++k) {
    moving_operand const& m = kernel.moving[k];
    index_t const stride = m.gathered ? strides[m.slot] : m.size;
    char const* const memory = operands[m.slot] + from * stride;
    if (stride == m.size) {
      load_lanes(lanes[m.slot], memory, n * stride);
    } else {
      __builtin_memset(lanes[m.slot], 0, register_bytes);
      for (index_t i = 0; i < n; ++i)
        __builtin_memcpy(lanes[m.slot] + i * m.size, memory + i * stride, static_cast<std::size_t>(m.size));
    }
    if (kernel.fills_lanes) fill_lanes(lanes[m.slot], m.size, n, kernel.width);
    p[m.slot] = lanes[m.slot];
    side_by_side[m.slot] = m.size;
  }
  kernel.function(p, scalars, kernel.width, side_by_side, 1, nullptr);
  for (int k = 0; k < kernel.moving_count; ++k) {
    moving_operand const& m = kernel.moving[k];
    if (!m.written) continue;
    index_t const stride = m.gathered ? strides[m.slot] : m.size;
    char* const memory = operands[m.slot] + from * stride;
    if (stride == m.size)
      store_lanes(memory, lanes[m.slot], n * stride);
    else
      for (index_t i = 0; i < n; ++i)
        __builtin_memcpy(memory + i * stride, lanes[m.slot] + i * m.size, static_cast<std::size_t>(m.size));
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
