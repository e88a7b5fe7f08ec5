// What the loops around the rows know of a kernel: its row as a function, its reductions, and which operands have
// strides of their own.
#pragma once

#include <ricci/core/any_element.hpp>
#include <ricci/exec/geometry.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// what the widest register takes: as many of the largest numbers as there are of the smallest in SIMD
inline constexpr int register_bytes = (RICCI_VECTOR_LANES || RICCI_HAS_XSIMD ? 16 : 8) * largest_element;

// Computes n elements of each of `rows` rows (at least one), from each to the next of which the operands move `down`
// bytes: short rows share a call, which would cost more than they do. `strides` in bytes, read only for operands that
// are gathered.
using row_function = void (*)(char* const* p, scalar_value const* scalars, index_t n, index_t const* strides,
                              index_t rows, index_t const* down);
// Reduces elements [begin, end) of as many rows as above to numbers for every reducing sink: of all rows to one of them
// in `results`, or, where that is null, of each row to where the sinks are.
using block_function = void (*)(char* const* p, scalar_value const* scalars, index_t begin, index_t end,
                                index_t const* strides, core::any_element* results, index_t rows, index_t const* down);

// What a reduction does with two numbers, and with rows of them.
struct reduction_info {
  void (*identity)(core::any_element&);
  void (*combine)(core::any_element& a, core::any_element const& b);
  void (*combine_rows)(char* to, index_t to_stride, char const* from, index_t from_stride, index_t n);
  void (*fill_row)(char* to, index_t stride, index_t n);
  void (*write)(char* to, core::any_element const& x);
  bool (*settled)(
      core::any_element const& x);  // whether nothing changes it any more; null where there is no such number
};
struct sink_info {
  int slot, size;
  bool over_row;                    // reduced along the innermost loop
  reduction_info const* reduction;  // null where it stores
};
// Rows x columns elements from memory into a tile, or back (tiles.hpp).
using tile_function = void (*)(char* tile, char* memory, index_t row_stride, index_t column_stride, index_t rows,
                               index_t columns, bool back, index_t narrow);
// An operand that the innermost loop walks through with a stride of its own; how it comes into a tile and back, and
// into a narrow one where the kernel has so many.
struct strided_info {
  int slot, size;
  bool written;
  tile_function copy, copy_narrow;
};
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
  // how many bytes `run` needs as g.memory, by its extents: had before anything is written, too
  index_t (*memory)(geometry const&) = nullptr;
  core_signature const* core = nullptr;  // of a call, whose last loops are by letter
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
