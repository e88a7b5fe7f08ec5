// The last elements of a row, fewer than a batch: they are brought into memory of a whole batch, the row function is
// called for that, and what it wrote is taken back. One function for all kernels.
#pragma once

#include <ricci/exec/geometry.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// An operand that moves along a row; `gathered`: by its own stride.
struct moving_operand {
  int slot, size;
  bool written, gathered;
};
struct tail_kernel {
  row_function function;
  moving_operand const* moving;
  int moving_count, slots;
  index_t width;
};

// Lanes from the n-th on become the first one again: none of them computes with what is not there.
inline void fill_lanes(char* lanes, int size, index_t n, index_t width) {
  for (; n < width; ++n) __builtin_memcpy(lanes + n * size, lanes, static_cast<std::size_t>(size));
}

// Elements [from, from + n) of the operands.
RICCI_NOINLINE inline void run_tail(tail_kernel const& kernel, char* const* operands, scalar_value const* scalars,
                                    index_t from, index_t n, index_t const* strides) {
  alignas(64) char lanes[max_slots][register_bytes];
  char* p[max_slots];
  index_t side_by_side[max_slots];
  for (int k = 0; k < kernel.slots; ++k) p[k] = operands[k];
  auto const for_each_lane = [&](moving_operand const& m, auto const& move) {
    index_t const stride = m.gathered ? strides[m.slot] : m.size;
    char* const memory = operands[m.slot] + from * stride;
    if (stride == m.size) return move(lanes[m.slot], memory, static_cast<std::size_t>(n * stride));
    for (index_t i = 0; i < n; ++i)
      move(lanes[m.slot] + i * m.size, memory + i * stride, static_cast<std::size_t>(m.size));
  };
  for (int k = 0; k < kernel.moving_count; ++k) {
    moving_operand const& m = kernel.moving[k];
    for_each_lane(m, [](char* lane, char const* memory, std::size_t size) { __builtin_memcpy(lane, memory, size); });
    fill_lanes(lanes[m.slot], m.size, n, kernel.width);
    p[m.slot] = lanes[m.slot];
    side_by_side[m.slot] = m.size;
  }
  kernel.function(p, scalars, kernel.width, side_by_side);
  for (int k = 0; k < kernel.moving_count; ++k)
    if (kernel.moving[k].written)
      for_each_lane(kernel.moving[k],
                    [](char* lane, char* memory, std::size_t size) { __builtin_memcpy(memory, lane, size); });
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
