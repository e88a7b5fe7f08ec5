// Steps that follow one another and are rows over the same elements, in blocks that stay in cache: all of them for the
// first elements, then for the next ones. A long function is many such steps, and each of their rows would go through
// memory once for every step that reads it. What no other step reads has no row at all, but memory for one block, where
// the next block lies as well: so it never leaves the cache.
#pragma once

#include <ricci/core/owned_array.hpp>
#include <ricci/exec/byte_range.hpp>
#include <ricci/exec/cpu/outer_blocks.hpp>
#include <ricci/exec/scratch.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// steps are of at least that many elements; a group has at most so many operands
inline constexpr index_t shortest_row_in_blocks = 2048;
inline constexpr int least_steps_in_blocks = 3, most_operands_in_blocks = 1024;

// An operand of one of the steps: where it starts, how many bytes it moves by an element, and its size; and its place
// in the memory for a block, if it has one. What has both is brought there before its step.
struct moving_row {
  char* p;
  index_t step;
  int size;
  bool written;
  int place = -1;

  byte_range<char*> range(index_t n) const { return range_of_row(p, n, step, size); }
};

// Whether blocks of rows of n elements may be written before earlier steps have read the next ones: what is written
// lies nowhere where something else does, unless that is the same place element for element.
inline bool may_run_in_blocks(core::owned_array<moving_row>& rows, int count, index_t n) {
  for (int gap = count / 2; gap > 0; gap /= 2)  // Shell's sort, by address
    for (int k = gap; k < count; ++k) {
      moving_row const x = rows[k];
      int at = k;
      for (; at >= gap && x.range(n).begin < rows[at - gap].range(n).begin; at -= gap) rows[at] = rows[at - gap];
      rows[at] = x;
    }
  char* end = nullptr;
  moving_row first{};
  bool mixed = false, written = false;
  for (int k = 0; k < count; ++k) {
    moving_row const& x = rows[k];
    byte_range<char*> const own = x.range(n);
    if (end == nullptr || own.begin >= end) {
      first = x, end = own.end, mixed = false, written = x.written;
      continue;
    }
    mixed = mixed || x.p != first.p || x.step != first.step || x.size != first.size;
    written = written || x.written;
    if (own.end > end) end = own.end;
    if (mixed && written) return false;
  }
  return true;
}

// n elements of at most 8 bytes, `step` bytes apart, side by side
inline void gather_row_of_size(char* to, char const* from, index_t step, int size, index_t n) {
  auto const as = [&]<class T>(T*) {
    gather_row(reinterpret_cast<T*>(to), reinterpret_cast<T const*>(from), step / size, n);
  };
  if (size == 8)
    as(static_cast<std::uint64_t*>(nullptr));
  else if (size == 4)
    as(static_cast<std::uint32_t*>(nullptr));
  else if (size == 2)
    as(static_cast<std::uint16_t*>(nullptr));
  else
    as(static_cast<std::uint8_t*>(nullptr));
}

// Which operands of a plan's steps lie in memory for one block, of which there are so many.
struct block_places {
  short const* at;  // 1 + the place of each operand; 0: a row of its own
  int places;
};
inline constexpr int bytes_in_block = 8;  // of an element there
inline constexpr index_t bytes_of_row = block_of_rows * bytes_in_block;

// Runs steps [from, to), which are rows of n elements; or nothing, where they may not run in blocks. Where `results`
// are all that a plan has and somebody reads them, they lie in memory for one block, too.
RICCI_NOINLINE inline bool run_row_blocks(kernel_info const* const* kernels, plan_view const& v, bindings const& b,
                                          block_places const& in_block, int results, int from, int to, index_t n) {
  int operands = 0, scalars = 0;
  for (int k = from; k < to; ++k)
    operands += kernels[v.steps[k].kernel]->slots, scalars += kernels[v.steps[k].kernel]->scalars;
  core::owned_array<moving_row> rows(operands), sorted(operands);
  core::owned_array<scalar_value> numbers(scalars + 1);
  int at = 0, number = 0, moving = 0, places = in_block.places + results;
  for (int k = from; k < to; ++k) {
    plan::step_t const& s = v.steps[k];
    kernel_info const& kernel = *kernels[s.kernel];
    for (int slot = 0; slot < kernel.slots; ++slot, ++at) {
      plan::operand_t const& o = v.operands[s.first_operand + slot];
      int const size = size_of(o.type);
      rows[at] = {pointer_to(o, b), resolve(v.strides[o.first_stride], b.dims) * size, size, o.written};
      bool const is_read = results > 0 && o.where == plan::home::output;
      if (int const place = is_read ? in_block.places + o.index : in_block.at[s.first_operand + slot] - 1; place >= 0)
        rows[at] = {nullptr, 0, size, false, place};
      else
        sorted[moving++] = rows[at];
    }
    for (int i = 0; i < kernel.strided_count; ++i) rows[at - kernel.slots + kernel.strided[i].slot].place = places++;
    for (int c = 0; c < kernel.scalars; ++c) numbers[number++] = scalar_from(v.scalars[s.first_scalar + c], b.dims);
  }
  if (!may_run_in_blocks(sorted, moving, n)) return false;
  auto const part = [&](index_t first, index_t last) {
    scratch<0> block(places * bytes_of_row);
    core::owned_array<char*> read(results);
    for (int k = 0; k < results; ++k) read[k] = block.data() + (in_block.places + k) * bytes_of_row;
    char* p[max_slots];
    for (index_t begin = first; begin < last; begin += block_of_rows) {
      index_t const count = last - begin < block_of_rows ? last - begin : block_of_rows;
      int operand = 0, scalar = 0;
      for (int k = from; k < to; ++k) {
        kernel_info const& kernel = *kernels[v.steps[k].kernel];
        for (int slot = 0; slot < kernel.slots; ++slot, ++operand) {
          moving_row const& row = rows[operand];
          p[slot] = row.place < 0 ? row.p + begin * row.step : block.data() + row.place * bytes_of_row;
          if (row.place >= 0 && row.p) gather_row_of_size(p[slot], row.p + begin * row.step, row.step, row.size, count);
        }
        kernel.row(p, &numbers[scalar], count, nullptr, 1, nullptr);
        scalar += kernel.scalars;
      }
      if (results > 0) b.reader->read(*b.reader, &read[0], begin, begin + count);
    }
  };
  if (is_alone(b.threads, n))
    part(0, n);
  else
    parallel_parts(b.threads, n, part, block_of_rows);
  if (results > 0) b.reader->has_read = true;
  return true;
}

// Whether a step may be in such a group: it stores rows whose elements lie side by side, as those that it reads do
// where they are no arguments.
template <class P>
constexpr bool is_step_of_rows(plan::step_t const& s) {
  auto const& p = P::plan;
  auto const& k = p.kernels[s.kernel];
  if (k.kind != plan::step_kind::map || s.loops != 1 || s.first_check != 0 || s.partner >= 0) return false;
  for (int i = 0; i < k.sinks; ++i)
    if (p.sinks[k.first_sink + i].moves == plan::access::strided) return false;
  for (int i = 0; i < k.registers; ++i) {
    auto const& r = p.registers[k.first_register + i];
    if (r.kind != plan::register_kind::load || r.moves != plan::access::strided) continue;
    if (p.operands[s.first_operand + r.slot].where != plan::home::argument || size_of(r.type) > bytes_in_block)
      return false;
  }
  return true;
}
// For each step the end of the group that it begins; itself where it begins none.
template <class P>
inline constexpr auto block_groups = [] {
  table<int, P::plan.step_count> ends{};
  auto const fits = [&](int k, int first) {
    auto const& s = P::plan.steps[k];
    return is_step_of_rows<P>(s) &&
           P::plan.extents[s.first_extent] == P::plan.extents[P::plan.steps[first].first_extent];
  };
  for (int k = 0; k < P::plan.step_count;) {
    int end = k, operands = 0;
    while (end < P::plan.step_count && fits(end, k)) {
      operands += P::plan.kernels[P::plan.steps[end].kernel].slots;
      if (operands > most_operands_in_blocks) break;
      ++end;
    }
    ends.at[k] = end - k >= least_steps_in_blocks ? end : k;
    int const next = end > k ? end : k + 1;
    for (int i = k + 1; i < next; ++i) ends.at[i] = i;
    k = next;
  }
  return ends;
}();

// Values that the steps of one group alone write and read, element for element, lie in the memory for a block. Those of
// which none is needed any more when another is written share a place.
template <class P>
struct operands_in_blocks {
  table<short, P::plan.operand_count> at;
  int places;
};
template <class P>
inline constexpr auto in_blocks = [] {
  auto const& p = P::plan;
  operands_in_blocks<P> found{};
  table<bool, P::plan.buffer_count> is_moved{};
  table<short, P::plan.buffer_count> place{};     // 1 + that of each buffer
  table<int, P::plan.buffer_count> used_until{};  // the last step that needs each place
  for (int first = 0; first < p.step_count; ++first)
    for (int s = first; s < block_groups<P>.at[first]; ++s)
      for (int k = 0; k < p.kernels[p.steps[s].kernel].slots; ++k) {
        auto const& o = p.operands[p.steps[s].first_operand + k];
        if (o.where == plan::home::workspace && (o.offset != 0 || p.strides[o.first_stride] != 1))
          is_moved.at[o.index] = true;
      }
  for (int first = 0; first < p.step_count; ++first) {
    int const end = block_groups<P>.at[first];
    for (int s = first; s < end; ++s) {
      int const operands = p.steps[s].first_operand;
      for (int k = operands; k < operands + p.kernels[p.steps[s].kernel].slots; ++k) {
        if (p.operands[k].where != plan::home::workspace) continue;
        int const buffer = p.operands[k].index;
        auto const& x = p.buffers[buffer];
        if (is_moved.at[buffer] || x.element_size > bytes_in_block || x.first_step < first || x.last_step >= end)
          continue;
        if (place.at[buffer] == 0) {
          int free = 0;
          while (free < found.places && used_until.at[free] >= s) ++free;
          if (free == found.places) ++found.places;
          used_until.at[free] = x.last_step;
          place.at[buffer] = static_cast<short>(free + 1);
        }
        found.at.at[k] = place.at[buffer];
      }
    }
  }
  return found;
}();

// Whether steps [from, to) write all results, as rows of theirs, and nobody else has to do with them.
template <class P>
constexpr bool have_all_results(int from, int to) {
  auto const& p = P::plan;
  table<bool, P::plan.output_count> is_written{};
  for (int s = 0; s < p.step_count; ++s)
    for (int k = 0; k < p.kernels[p.steps[s].kernel].slots; ++k) {
      auto const& o = p.operands[p.steps[s].first_operand + k];
      if (o.where != plan::home::output) continue;
      bool const is_row = s >= from && s < to && o.offset == 0 && p.strides[o.first_stride] == 1;
      if (!is_row || size_of(o.type) > bytes_in_block) return false;
      is_written.at[o.index] = is_written.at[o.index] || o.written;
    }
  for (int k = 0; k < p.output_count; ++k)
    if (!is_written.at[k]) return false;
  return p.output_count > 0;
}
// The end of the group that does; 0 where there is none.
template <class P>
inline constexpr int group_of_results = [] {
  for (int k = 0; k < P::plan.step_count; ++k)
    if (block_groups<P>.at[k] > k && have_all_results<P>(k, block_groups<P>.at[k])) return block_groups<P>.at[k];
  return 0;
}();

// All steps of a plan without loops, one after another or in such groups; `run` is a step alone.
template <class P, class Run>
RICCI_INLINE void run_in_groups(kernel_info const* const* kernels, bindings const& b, Run const& run) {
  constexpr plan_view v = view_of<P>();
  for (int k = 0; k < P::plan.step_count;) {
    if constexpr (outer_groups<P>.count > 0)
      if (int const end = run_outer_group<P>(kernels, v, b, k); end > k) {
        k = end;
        continue;
      }
    int const end = block_groups<P>.at[k];
    if (end > k) {
      index_t const n = resolve(v.extents[v.steps[k].first_extent], b.dims);
      int const results = b.reader && end == group_of_results<P> ? P::plan.output_count : 0;
      if (n >= shortest_row_in_blocks &&
          run_row_blocks(kernels, v, b, {in_blocks<P>.at.at, in_blocks<P>.places}, results, k, end, n)) {
        k = end;
        continue;
      }
    }
    int const next = end > k ? end : k + 1;
    for (; k < next; ++k) run(v.steps[k], b);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
