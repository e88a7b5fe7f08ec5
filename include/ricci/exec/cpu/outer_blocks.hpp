// Steps that follow one another and share their outermost loop, as the sums, maps and divisions of a softmax of rows
// do: block by block of that loop, all of them for the first rows, then for the next ones, so that what they hand on
// stays in cache. Values that no other step reads have no memory of their own then, but some for one block.
#pragma once

#include <ricci/exec/byte_range.hpp>
#include <ricci/exec/cpu/outer_schedule.hpp>
#include <ricci/exec/cpu/step.hpp>
#include <ricci/exec/scratch.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// What a block reads and writes: so many bytes, or one iteration. Loops over less than `least` are in cache as they
// are.
inline constexpr index_t bytes_of_outer_block = 64 * 1024, most_bytes_of_iteration = 512 * 1024,
                         least_bytes_in_outer_blocks = 384 * 1024;
inline constexpr int most_operands_in_outer_blocks = 128;

// An operand of a step: what it touches in one iteration of the outermost loop, [begin, end), and how far it moves to
// the next. Where it lies in memory for a block, `buffer` says which one.
struct outer_row {
  char *begin, *end;
  index_t step;
  bool written;
  int buffer;  // -1: none

  // what it touches in n iterations
  byte_range<char*> range(index_t n) const {
    index_t const last = (n - 1) * step;
    return step < 0 ? byte_range<char*>{begin + last, end} : byte_range<char*>{begin, end + last};
  }
};
// Whether iteration i of one touches nothing that another iteration of the other does.
inline bool keep_to_their_iterations(outer_row const& a, outer_row const& b, index_t n) {
  if (!a.range(n).meets(b.range(n))) return true;
  char* const begin = a.begin < b.begin ? a.begin : b.begin;
  char* const end = a.end > b.end ? a.end : b.end;
  return a.step == b.step && end - begin <= (a.step < 0 ? -a.step : a.step);
}

// A step of the group as it is prepared for all of the loop. Most are rows, or numbers each made of one: then a block
// is one call of their kernel, without the loops that others need.
enum class outer_way { stretch, rows, reduced_rows, loops };
struct outer_step {
  kernel_info const* kernel;
  geometry all;
  index_t inner;  // iterations of its own outermost loop for one of the group's
  outer_way way;

  RICCI_NOINLINE void find_way() {
    int const n = all.loops;
    way = outer_way::loops;
    if (kernel->run == &run_map<false>)
      way = n == 1 ? outer_way::stretch : n == 2 && runs_of_rows ? outer_way::rows : way;
    else if (kernel->run == &run_reduce_rows && runs_of_rows && n == 2 && all.kept == 1 &&
             all.extent[1] <= block_length)
      way = outer_way::reduced_rows;
  }
  // How many elements operand `slot` has along loop l in one iteration of the group's.
  index_t extent_of(int l, int slot) const {
    if (l == 0) return inner;
    if (!kernel->core || l < all.kept) return all.extent[l];
    int const axis = l - all.kept;
    return axis < kernel->core->rank[slot] ? all.extent[all.kept + kernel->core->letter[slot][axis]] : 1;
  }
  // The bytes that it needs to run `count` iterations on one thread.
  index_t memory(index_t count) const {
    if (!kernel->memory) return 0;
    geometry g = loops_of(nullptr, count, nullptr);
    return kernel->memory(g);
  }
  // p: where its operands are; count: iterations of the group's loop; memory: what it needs
  void run(char* const* p, index_t count, char* memory) const {
    switch (way) {
      case outer_way::stretch:
        return kernel->row(p, all.scalars, count * inner, nullptr, 1, nullptr);
      case outer_way::rows:
        return kernel->row(p, all.scalars, all.extent[1], nullptr, count, all.stride[0]);
      case outer_way::reduced_rows:
        return kernel->block(p, all.scalars, 0, all.extent[1], all.stride[1], nullptr, count, all.stride[0]);
      case outer_way::loops: {
        geometry g = loops_of(p, count, memory);
        return kernel->run(*kernel, g);
      }
    }
  }

 private:
  geometry loops_of(char* const* p, index_t count, char* memory) const {
    geometry g;  // of which most is not used
    g.loops = all.loops, g.kept = all.kept, g.slots = all.slots, g.threads = 1, g.memory = memory;
    for (int l = 0; l <= g.loops && l < max_loops; ++l) g.extent[l] = all.extent[l], g.stride[l] = all.stride[l];
    for (int c = 0; c < kernel->scalars; ++c) g.scalars[c] = all.scalars[c];
    for (int k = 0; p && k < g.slots; ++k) g.p[k] = p[k];
    g.extent[0] = count * inner;
    return g;
  }
};

// Where a step writes a result element by element over a buffer that nobody reads later, that buffer may lie where the
// result does: its memory is fetched while something is computed, and not written twice. Not where anybody else has to
// do with that memory, nor where rows are short and end in a part of a register: what is read right behind such a part
// waits until it is written.
inline constexpr index_t bytes_of_register = 64, shortest_row_in_results = 1024;
RICCI_NOINLINE inline void place_in_results(outer_step* steps, int count, outer_row* rows, int operands, index_t n) {
  for (int k = 0, first = 0; k < count; first += steps[k++].all.slots) {
    geometry const& g = steps[k].all;
    if (steps[k].kernel->run != &run_map<false>) continue;
    for (int w = 0; w < g.slots; ++w) {
      outer_row const to = rows[first + w];
      if (index_t const row = g.extent[g.loops - 1] * g.stride[g.loops - 1][w];
          steps[k].way != outer_way::stretch && row % bytes_of_register != 0 && row < shortest_row_in_results)
        continue;
      int from = g.slots - 1;
      auto const is_same = [&](int x) {
        bool same = rows[first + x].buffer >= 0 && !rows[first + x].written &&
                    rows[first + x].end - rows[first + x].begin == to.end - to.begin;
        for (int l = 0; l < g.loops; ++l) same = same && g.stride[l][x] == g.stride[l][w];
        return same;
      };
      while (from >= 0 && !is_same(from)) --from;
      if (!to.written || to.buffer >= 0 || from < 0) continue;
      outer_row const old = rows[first + from];
      bool is_free = true;
      for (int other = 0; other < operands; ++other) {
        outer_row const& o = rows[other];
        if (o.buffer == old.buffer)  // read later, or seen otherwise than it is here
          is_free =
              is_free && other < first + g.slots && o.begin == old.begin && o.end == old.end && o.step == old.step;
        else if (o.buffer < 0 && other != first + w)
          is_free = is_free && !o.range(n).meets(to.range(n));
      }
      if (!is_free) continue;
      for (int step = 0, at = 0; step < count; ++step)
        for (int slot = 0; slot < steps[step].all.slots; ++slot, ++at)
          if (rows[at].buffer == old.buffer) {
            char*& p = steps[step].all.p[slot];  // which is no beginning where it goes backwards
            p = to.begin + (p - old.begin);
            rows[at] = {to.begin, to.end, to.step, rows[at].written, -1};
          }
    }
  }
}

// Where the rows of each operand in a buffer begin in the memory for a block of iterations, and how many bytes that
// has; -1 where buffers do not lie as this needs it.
RICCI_NOINLINE inline index_t place_buffers(outer_row const* rows, int operands, index_t block, index_t* places) {
  index_t bytes = 0;
  for (int k = 0; k < operands; ++k) {
    if (rows[k].buffer < 0) continue;
    int other = 0;
    while (rows[other].buffer != rows[k].buffer) ++other;
    if (rows[k].step <= 0 || rows[k].step != rows[other].step) return -1;
    if (other < k) {
      places[k] = places[other] + (rows[k].begin - rows[other].begin);
      continue;
    }
    char *begin = rows[k].begin, *end = rows[k].end;  // of all that is in the buffer, of which this may be a part
    for (int part = k + 1; part < operands; ++part)
      if (rows[part].buffer == rows[k].buffer) {
        begin = rows[part].begin < begin ? rows[part].begin : begin;
        end = rows[part].end > end ? rows[part].end : end;
      }
    if (end - begin > rows[k].step) return -1;
    places[k] = bytes + (rows[k].begin - begin);
    bytes += core::whole_lines(rows[k].step * block);
  }
  return bytes;
}

// The steps of a group, the operands of all of them one after another, and what is to be known before they run.
struct outer_group {
  int count, operands, strides;  // strides: of all operands along all loops
  index_t n;                     // iterations of the outermost loop
  index_t elements_of_largest_step, bytes_of_iteration;
  outer_step* steps;
  outer_row* rows;
  index_t *places, *unused_strides;

  index_t bytes() const {
    return count * index_t(sizeof(outer_step)) + operands * index_t(sizeof(outer_row)) +
           (strides + operands) * index_t(sizeof(index_t));
  }
  void lay_out(char* memory) {
    steps = reinterpret_cast<outer_step*>(memory);
    rows = reinterpret_cast<outer_row*>(steps + count);
    places = reinterpret_cast<index_t*>(rows + operands);
    unused_strides = places + operands;
  }
};
inline outer_group measured_group(kernel_info const* const* kernels, plan_view const& v, bindings const& b, int from,
                                  int to, index_t n) {
  outer_group group{to - from, 0, 0, n, 0, 0, nullptr, nullptr, nullptr, nullptr};
  for (int k = from; k < to; ++k) {
    plan::step_t const& s = v.steps[k];
    int const slots = kernels[s.kernel]->slots;
    group.operands += slots, group.strides += (s.loops + 1) * slots;
    index_t elements = 1;
    for (int l = 0; l < s.loops; ++l) elements *= resolve(v.extents[s.first_extent + l], b.dims);
    if (elements > group.elements_of_largest_step) group.elements_of_largest_step = elements;
  }
  return group;
}
// Adds row `at` of the group, which is operand `slot` of a step that is prepared, behind the rows before it. False
// where blocks would not see the elements that the whole loop sees.
inline bool add_row(outer_group& group, outer_step const& step, int slot, int at, outer_row const& first_element) {
  outer_row& r = group.rows[at] = first_element;
  for (int l = 0; l < step.all.loops; ++l) {
    index_t const count_along = step.extent_of(l, slot), far = (count_along - 1) * step.all.stride[l][slot];
    (far < 0 ? r.begin : r.end) += far;
    if (step.all.extent[l] == 0 || count_along == 0) return false;
  }
  bool seen = false;
  for (int other = 0; other < at; ++other) {
    outer_row const& q = group.rows[other];
    seen = seen || (q.begin == r.begin && q.buffer == r.buffer);
    // buffers of this group will have memory of their own
    if (q.buffer == r.buffer && (r.written || q.written) && !keep_to_their_iterations(r, q, group.n)) return false;
  }
  if (r.written && !keep_to_their_iterations(r, r, group.n)) return false;
  if (!seen) group.bytes_of_iteration += r.step < 0 ? -r.step : r.step;
  return true;
}
// Prepares steps [from, from + count). `local` says of each operand whether nobody else reads its buffer. False where
// they may not run in blocks.
inline bool prepare_group(outer_group& group, kernel_info const* const* kernels, plan_view const& v, bindings const& b,
                          bool const* local, int from) {
  for (int k = 0, at = 0; k < group.count; ++k) {
    plan::step_t const& s = v.steps[from + k];
    outer_step& step = group.steps[k];
    geometry& g = step.all;
    step.kernel = kernels[s.kernel];
    int const slots = step.kernel->slots;
    for (int l = 0; l <= s.loops && l < max_loops; ++l, group.unused_strides += slots)
      g.stride[l] = group.unused_strides;
    prepare(g, s, v, b, slots, step.kernel->scalars);
    if (step.kernel->check && !s.checked_early) step.kernel->check(g);
    if (g.extent[0] % group.n != 0) return false;
    step.inner = g.extent[0] / group.n;
    step.find_way();
    for (int slot = 0; slot < slots; ++slot, ++at) {
      plan::operand_t const& o = v.operands[s.first_operand + slot];
      outer_row const first_element{g.p[slot], g.p[slot] + size_of(o.type), step.inner * g.stride[0][slot], o.written,
                                    local[s.first_operand + slot] ? o.index : -1};
      if (!add_row(group, step, slot, at, first_element)) return false;
    }
  }
  return true;
}
// Runs `count` iterations from the i-th on. memory: of one thread, buffers first
inline void run_outer_block(outer_group const& group, index_t i, index_t count, char* memory, index_t local_bytes) {
  char* p[max_slots];
  for (int k = 0, at = 0; k < group.count; ++k) {
    outer_step const& s = group.steps[k];
    for (int slot = 0; slot < s.all.slots; ++slot, ++at) {
      outer_row const& r = group.rows[at];
      p[slot] = r.buffer < 0 ? s.all.p[slot] + i * r.step : memory + group.places[at] + (s.all.p[slot] - r.begin);
    }
    s.run(p, count, memory + local_bytes);
  }
}

// The group [from, to), whose outermost loop has n iterations. False where it may not run so, or need not.
RICCI_NOINLINE inline bool run_outer_blocks(kernel_info const* const* kernels, plan_view const& v, bindings const& b,
                                            bool const* local, int from, int to, index_t n) {
  outer_group group = measured_group(kernels, v, b, from, to, n);
  if (n < 2 || group.operands > most_operands_in_outer_blocks ||
      group.elements_of_largest_step < least_elements_in_outer_blocks)
    return false;
  // an error would come behind results that earlier steps have written: without memory they run one after another
  scratch<0> own_memory(group.bytes(), std::nothrow);
  if (!own_memory.is_there()) return false;
  group.lay_out(own_memory.data());
  if (!prepare_group(group, kernels, v, b, local, from)) return false;
  index_t const bytes = group.bytes_of_iteration;
  if (bytes == 0 || bytes > most_bytes_of_iteration || bytes * n < least_bytes_in_outer_blocks) return false;
  index_t const block = bytes < bytes_of_outer_block ? bytes_of_outer_block / bytes : 1;  // iterations
  place_in_results(group.steps, group.count, group.rows, group.operands, n);
  index_t const local_bytes = place_buffers(group.rows, group.operands, block, group.places);
  if (local_bytes < 0) return false;
  index_t own_bytes = local_bytes;  // and what calls work with
  for (int k = 0; k < group.count; ++k)
    if (index_t const needed = local_bytes + group.steps[k].memory(block); needed > own_bytes) own_bytes = needed;
  bool const alone = is_alone(b.threads);
  index_t const blocks = (n + block - 1) / block, most = alone ? 1 : 4 * b.threads,
                chunks = blocks < most ? blocks : most;
  scratch<0> memory(own_bytes * chunks, std::nothrow);
  if (!memory.is_there()) return false;
  parallel_for(b.threads, chunks, [&](index_t chunk) {
    index_t const last = blocks * (chunk + 1) / chunks * block, end = last < n ? last : n;
    for (index_t i = blocks * chunk / chunks * block; i < end; i += block)
      run_outer_block(group, i, end - i < block ? end - i : block, memory.data() + chunk * own_bytes, local_bytes);
  });
  return true;
}

// Runs the group that step k begins, if there is one and it may run so: where that ends, else k.
template <class P>
RICCI_INLINE int run_outer_group(kernel_info const* const* kernels, plan_view const& v, bindings const& b, int k) {
  int const end = outer_groups<P>.ends.at[k];
  if (end == k || b.reader) return k;
  index_t const n = resolve(outer_groups<P>.n.at[k], b.dims);
  return run_outer_blocks(kernels, v, b, outer_groups<P>.local.at, k, end, n) ? end : k;
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
