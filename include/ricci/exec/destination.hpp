// Where the result of a statement goes, and whether it may be written there while the operands are read. No type is
// needed for it, so it is compiled once, however many statements a program has.
#pragma once

#include <ricci/core/buffer.hpp>
#include <ricci/exec/alias.hpp>
#include <ricci/exec/dims.hpp>
#include <ricci/exec/tables.hpp>
#include <ricci/transform/plan/alias.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// What there is to know of a statement.
struct statement_tables {
  dim_tables dims;
  argument_entry const* arguments;
  plan::hazard const* hazards;  // of each argument
  plan::argument_memory const* in;
  int argument_count, output_shape, exact_shape;
  bool written_unchecked;  // the result is, before all errors have been raised that there may be
};

// Where a result goes: to a new tensor, to the elements of one that exists, or to those of a view.
enum class target_kind : std::uint8_t { fresh, existing, part };
struct target_tables {
  target_kind kind;
  bool shared;
  int rank, size;
  operand_ref (*ref)(void*);
  void (*adopt)(void*, core::shared_buffer&&, index_t const* extents, core::execution how);
};

// Whether an argument has the extents of the result: none of its axes is broadcast.
RICCI_COLD inline bool is_not_broadcast(operand_ref const& x, int x_rank, operand_ref const& result, int rank) {
  bool same = x_rank == rank;
  for (int k = 0; k < rank && same; ++k) same = x.extents[k] == result.extents[k];
  return same;
}
// Whether it lies as the result does.
RICCI_COLD inline bool is_alike(operand_ref const& x, int x_rank, operand_ref const& result, int rank) {
  bool same = is_not_broadcast(x, x_rank, result, rank);
  index_t run = 1;
  for (int k = rank - 1; k >= 0 && same; --k) {
    same = x.extents[k] == 1 || (x.strides ? x.strides[k] : run) == (result.strides ? result.strides[k] : run);
    run *= x.extents[k];
  }
  return same;
}
// Whether `result` may be written while the arguments are read. Whole tensors are the same one, or apart. Fits: the
// plan's hazards are those of the arguments as they are; else some are broadcast.
RICCI_COLD inline bool may_write(statement_tables const& s, operand_ref const* arguments, operand_ref const& result,
                                 int rank, int size, bool whole, bool fits = true) {
  for (int a = 0; a < s.argument_count; ++a) {
    auto const danger = s.hazards[a];
    auto const& x = s.arguments[a];
    if (danger == plan::hazard::never || x.size == 0 || s.in[a] == plan::argument_memory::expression) continue;
    int const x_rank = s.dims.shapes[x.shape].rank;
    bool const same = arguments[a].p == result.p;
    if (danger == plan::hazard::unless_same && same && (fits || is_not_broadcast(arguments[a], x_rank, result, rank)))
      continue;
    if (danger == plan::hazard::unless_alike && same && is_alike(arguments[a], x_rank, result, rank)) continue;
    if (whole && s.in[a] == plan::argument_memory::whole_tensor
            ? same
            : overlap(arguments[a], x_rank, x.size, result, rank, size))
      return false;
  }
  return true;
}

// Writes to a view what was computed in a copy of the memory that it spans.
RICCI_COLD inline void copy_back(operand_ref const& to, char const* copy_of_first, char const* first, int rank,
                                 int size) {
  index_t at[max_rank] = {}, n = 1;
  for (int k = 0; k < rank; ++k) n *= to.extents[k];
  char* p = to.p;
  index_t strides[max_rank], run = 1;
  for (int k = rank - 1; k >= 0; --k) {
    strides[k] = (to.strides ? to.strides[k] : run) * size;
    run *= to.extents[k];
  }
  // elements side by side are copied together
  int const last = rank > 0 && strides[rank - 1] == size ? rank - 1 : rank;
  index_t const together = last < rank ? to.extents[last] : 1;
  if (together > 0) n /= together;
  for (; n > 0; --n) {
    __builtin_memcpy(p, copy_of_first + (p - first), static_cast<std::size_t>(together * size));
    for (int k = last - 1; k >= 0; --k) {
      p += strides[k];
      if (++at[k] < to.extents[k]) break;
      p -= at[k] * strides[k];
      at[k] = 0;
    }
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
