// Where a kernel's operands lie and how far its loops run: what a step of a plan becomes when it is about to be
// computed. No kernel's type is in it, so that the loops around the rows are compiled once for all kernels.
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/transform/plan/plan.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

inline constexpr int max_loops = max_rank + 1;
using plan::max_registers, plan::max_slots;
// what the widest register takes: as many of the largest numbers as there are of the smallest in SIMD
inline constexpr int register_bytes = RICCI_VECTOR_LANES || RICCI_HAS_XSIMD ? 128 : 64;

// A run-time constant of a step, or one number on its way through a reduction.
union scalar_value {
  double number;
  std::int64_t integer;
};
template <dtype T>
RICCI_INLINE RICCI_HD type_of<T> scalar_as(scalar_value s) {
  if constexpr (is_floating(T))
    return static_cast<type_of<T>>(s.number);
  else
    return static_cast<type_of<T>>(s.integer);
}
template <dtype T>
RICCI_INLINE RICCI_HD scalar_value scalar_of(type_of<T> x) {
  scalar_value s;
  if constexpr (is_floating(T))
    s.number = static_cast<double>(x);
  else
    s.integer = static_cast<std::int64_t>(x);
  return s;
}

// Computes n elements of a row; `strides` in bytes, read only for operands that are gathered. So it does for as many
// rows, at least one, from each to the next of which the operands move `down` bytes: of short ones a call each would be
// most.
using row_function = void (*)(char* const* p, scalar_value const* scalars, index_t n, index_t const* strides,
                              index_t rows, index_t const* down);
// Reduces elements [begin, end) of a row to one number for every reducing sink: into `results`, or, where that is null,
// to where the sinks are, and then for as many rows as above.
using block_function = void (*)(char* const* p, scalar_value const* scalars, index_t begin, index_t end,
                                index_t const* strides, scalar_value* results, index_t rows, index_t const* down);

// What a reduction does with two numbers, and with rows of them.
struct reduction_info {
  scalar_value (*identity)();
  void (*combine)(scalar_value& a, scalar_value b);
  void (*combine_rows)(char* to, index_t to_stride, char const* from, index_t from_stride, index_t n);
  void (*fill_row)(char* to, index_t stride, index_t n);
  void (*write)(char* to, scalar_value x);
};
struct sink_info {
  int slot, size;
  bool over_row;                    // reduced along the innermost loop
  reduction_info const* reduction;  // null where it stores
};
// An operand that the innermost loop walks through with a stride of its own.
struct strided_info {
  int slot, size;
  bool written;
};
struct geometry;
struct kernel_info {
  void (*run)(kernel_info const&, geometry&);  // the loops of its kind
  int slots, scalars;  // operands (without the product, where it is an epilogue) and run-time constants
  row_function row;
  block_function block;
  int sink_count, strided_count;
  sink_info const* sinks;
  strided_info const* strided;
  int product_to = -1;                       // the slot to which a product is stored as it is, where that is all
  void (*check)(geometry const&) = nullptr;  // raises an error where `run` cannot be, before anything is written
};

struct geometry {
  int loops, kept, slots, threads;
  index_t extent[max_loops];
  char* p[max_slots];
  index_t* stride[max_loops];  // of each loop and slot, in bytes
  scalar_value scalars[max_slots];
  plan::scalar_t const* table;  // the numbers of the step as they stand in the plan
};

RICCI_INLINE index_t product_of(geometry const& g, int from, int to) {
  index_t n = 1;
  for (int d = from; d < to; ++d) n *= g.extent[d];
  return n;
}

// The operands at one combination of outer loops, and the way from one to the next without a division. A step of it is
// followed by a row, beside which a call costs little; so its functions are compiled once, not wherever loops are.
struct odometer {
  index_t count[max_loops];
  char* p[max_slots];

  explicit odometer(geometry const& g) { point(g, g.p); }
  RICCI_NOINLINE void point(geometry const& g, char* const* at) {
    for (int k = 0; k < g.slots; ++k) p[k] = at[k];
    for (int d = 0; d < g.loops; ++d) count[d] = 0;
  }
  // from the start forward to the n-th combination of loops [first, last), which may be empty where n is 0
  RICCI_NOINLINE void seek(geometry const& g, int first, int last, index_t n) {
    for (int d = last - 1; d >= first && n > 0; --d) {
      count[d] = n % g.extent[d];
      n /= g.extent[d];
      for (int k = 0; k < g.slots; ++k) p[k] += count[d] * g.stride[d][k];
    }
  }
  RICCI_NOINLINE void next(geometry const& g, int first, int last) {
    for (int d = last - 1; d >= first; --d) {
      for (int k = 0; k < g.slots; ++k) p[k] += g.stride[d][k];
      if (++count[d] < g.extent[d]) return;
      for (int k = 0; k < g.slots; ++k) p[k] -= g.extent[d] * g.stride[d][k];
      count[d] = 0;
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
