// Broadcasting that only shows when a statement runs. Plans take extents that may be 1 for equal ones, so that the
// common case is the simplest loop; where they are not, statements of one elementwise row still run by the same kernel:
// row by row, with what is broadcast along a row copied to one.
#pragma once

#include <ricci/core/buffer.hpp>
#include <ricci/exec/cpu/map.hpp>
#include <ricci/exec/cpu/step.hpp>
#include <ricci/exec/destination.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// A program that is one row.
struct one_row_program : program_tables {
  row_function function;
  plan::operand_t const* operands;
  index_t const* strides;
  int slots;
  plan::scalar_t const* scalars;
  int scalar_count;
};

struct row_operand {
  char* p;
  int size;
  index_t stride[max_rank];  // in bytes, along the axes of the result
  int copy;                  // its rows are copied, and this is the number of their memory; -1: they are read in place
};
inline constexpr index_t longest_copied_row = 1024;

RICCI_COLD inline void run_broadcast_rows(program_tables const& program, index_t const* dims,
                                          operand_ref const* operands, operand_ref const& out, core::execution how) {
  auto const& row = static_cast<one_row_program const&>(program);
  index_t const* const result_extents = out.extents;
  int const result_rank = row.dims.shapes[row.exact_shapes[0]].rank, threads = how.threads();
  row_operand x[max_slots];
  scalar_value scalars[max_slots];
  for (int k = 0; k < row.scalar_count; ++k) scalars[k] = scalar_from(row.scalars[k], dims);
  for (int s = 0; s < row.slots; ++s) {
    auto const& o = row.operands[s];
    x[s] = {o.where == plan::home::argument ? operands[o.index].p : out.p, size_of(o.type), {}, -1};
    index_t run = x[s].size;
    if (o.where == plan::home::argument) {
      operand_ref const& a = operands[o.index];
      int const own = row.dims.shapes[row.arguments[o.index].shape].rank, off = result_rank - own;
      for (int k = own - 1; k >= 0; --k) {
        x[s].stride[k + off] = a.extents[k] == 1 ? 0 : a.strides ? a.strides[k] * x[s].size : run;
        run *= a.extents[k];
      }
    } else {
      for (int k = result_rank - 1; k >= 0; --k) x[s].stride[k] = run, run *= result_extents[k];
    }
  }
  // axes of one element need no loop
  index_t extents[max_rank];
  int rank = 0;
  for (int k = 0; k < result_rank; ++k) {
    if (result_extents[k] == 1) continue;
    for (int s = 0; s < row.slots; ++s) x[s].stride[rank] = x[s].stride[k];
    extents[rank++] = result_extents[k];
  }
  // Axes [first, rank) are one loop: every operand is dense along all of them or constant along all.
  int first = rank > 0 ? rank - 1 : 0;
  int copied_operands = 0;
  bool repeats = true;  // what is copied is one element all along a row
  auto const runs_on = [&](int axis) {
    for (int s = 0; s < row.slots; ++s)
      if (x[s].stride[axis] != x[s].stride[axis + 1] * extents[axis + 1]) return false;
    return true;
  };
  while (first > 0 && runs_on(first - 1)) --first;
  index_t length = 1, outer = 1;
  for (int k = 0; k < rank; ++k) (k < first ? outer : length) *= extents[k];
  int const inner = rank > 0 ? rank - 1 : 0;
  for (int s = 0; s < row.slots; ++s) {
    bool const moves = row.strides[row.operands[s].first_stride] != 0;
    if (moves && rank > 0 && x[s].stride[inner] != x[s].size) {
      x[s].copy = copied_operands++;
      repeats = repeats && x[s].stride[inner] == 0;
    }
  }
  index_t const piece = copied_operands > 0 && length > longest_copied_row ? longest_copied_row : length,
                pieces = piece > 0 ? (length + piece - 1) / piece : 0;
  index_t const all = outer * pieces;
  bool const alone = is_alone(threads, outer * length);
  index_t const most = alone ? 1 : 4 * threads, chunks = all < most ? all : most;
  // for all chunks, before anything is written: an allocation in one of them would fail behind others
  index_t const copied_bytes = copied_operands * longest_copied_row * largest_element;
  core::shared_buffer const memory(chunks * copied_bytes);
  index_t const part_length = copied_operands > 0 && repeats && piece > longest_repeated ? longest_repeated : piece;
  index_t along[max_slots];
  for (int s = 0; s < row.slots; ++s) along[s] = x[s].copy < 0 && rank > 0 ? part_length * x[s].stride[inner] : 0;
  auto const part = [&](index_t chunk, index_t from, index_t to) {
    char* const rows = memory.data() + chunk * copied_bytes;
    char const* copied_from[max_slots] = {};
    for (index_t i = from; i < to; ++i) {
      index_t const begin = i % pieces * piece, n = length - begin < piece ? length - begin : piece;
      char* p[max_slots];
      for (int s = 0; s < row.slots; ++s) {
        p[s] = x[s].p;
        index_t rest = i / pieces;
        for (int k = first - 1; k >= 0; --k) {
          p[s] += rest % extents[k] * x[s].stride[k];
          rest /= extents[k];
        }
        p[s] += rank > 0 ? begin * x[s].stride[inner] : 0;
        if (x[s].copy < 0) continue;
        char* const copy = rows + x[s].copy * longest_copied_row * largest_element;
        if (p[s] != copied_from[s] || x[s].stride[inner] != 0)
          copy_row(copy, p[s], x[s].stride[inner], x[s].size, n < part_length ? n : part_length);
        copied_from[s] = n == piece ? p[s] : nullptr;
        p[s] = copy;
      }
      index_t const whole = n / part_length, left = n - whole * part_length;
      if (whole > 0) row.function(p, scalars, part_length, nullptr, whole, along);
      if (left == 0) continue;
      for (int s = 0; s < row.slots; ++s) p[s] += whole * along[s];
      row.function(p, scalars, left, nullptr, 1, nullptr);
    }
  };
  parallel_for(threads, chunks, [&](index_t k) { part(k, all * k / chunks, all * (k + 1) / chunks); });
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
