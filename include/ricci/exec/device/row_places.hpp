// Where operands that a block keeps in its own memory lie there, how many threads share a row, and what is copied
// before and behind: from extents and addresses, when a plan runs.
#pragma once

#include <ricci/exec/device/element.hpp>
#include <ricci/exec/device/reduce_grid.hpp>
#include <ricci/exec/device/row_locals.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

struct row_copy {
  char* p;
  index_t stride[group_loops];  // along the kept loops, in bytes
  int place, bytes, unit;       // unit: of bytes, to which all of it is aligned
};
struct row_copies {
  int in = 0, all = 0;  // those into the block come first
  int row_bytes = 0;    // of all that a row has there
  row_copy copy[most_row_locals];
};
struct row_layout {
  int team = 1, threads = 1;
  row_copies copies;
};

// An operand of that kind as the plan's run finds it.
struct found_local {
  char* p = nullptr;
  index_t stride[group_loops]{};
  index_t bytes = -1, size = 0;
  bool moves = false;   // along the row
  bool usable = false;  // its elements lie side by side, in all steps alike, and rows are not one and the same

  void note(device_geometry const& g, int slot, index_t element, bool is_number) {
    index_t const extent = g.loops > g.kept ? g.extent[g.kept] : 1,
                  step = g.loops > g.kept && extent != 1 ? g.stride[g.kept][slot] : 0, n = step != 0 ? extent : 1;
    bool fits = !is_number && (step == element || step == 0), varies = false;
    bool const is_new = bytes < 0;
    for (int l = 0; l < g.kept; ++l) {
      varies = varies || g.stride[l][slot] != 0 || g.extent[l] == 1;
      fits = fits && (is_new || stride[l] == g.stride[l][slot]);
      stride[l] = g.stride[l][slot];
    }
    fits = fits && varies && (is_new || (p == g.p[slot] && bytes == n * element));
    usable = is_new ? fits : usable && fits;
    p = g.p[slot], bytes = n * element, size = element, moves = step != 0;
  }
  int unit(int kept, index_t const* extent) const {
    auto all = static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(p)) | static_cast<std::uint64_t>(bytes);
    for (int l = 0; l < kept; ++l)
      if (extent[l] > 1) all |= static_cast<std::uint64_t>(stride[l]);
    int n = 16;
    while (all % static_cast<std::uint64_t>(n) != 0) n /= 2;
    return n;
  }
};

// Places for locals of which `used` are: those that are not accessed at the same time may share one. Returns the bytes
// of a row.
inline index_t place_locals(int* place, row_locals const& locals, found_local const* found, bool const* used) {
  struct held {
    index_t bytes, size;
    int place, first, last;
  };
  held all[most_row_locals];
  int n = 0;
  index_t top = 0;
  for (int k = 0; k < locals.count; ++k) place[k] = -1;
  // in the order in which they are first accessed
  for (int first = -1; first < most_row_steps; ++first)
    for (int k = 0; k < locals.count; ++k) {
      row_local const& l = locals.local[k];
      if (!used[k] || l.first != first) continue;
      index_t const bytes = (found[k].bytes + 15) / 16 * 16;
      int at = 0;
      // a step that reads one and writes the other does so element by element
      while (at < n &&
             !(all[at].bytes == bytes && (all[at].last < first || (all[at].last == first && all[at].first < first &&
                                                                   all[at].size == found[k].size && found[k].moves))))
        ++at;
      if (at == n) {
        all[n++] = {bytes, 0, int(top), 0, 0};
        top += bytes;
      }
      all[at].first = first, all[at].last = l.last, all[at].size = found[k].moves ? found[k].size : -1;
      place[k] = all[at].place;
    }
  return top;
}
inline constexpr int most_threads_of_rows = 512;
struct rows_found {
  int kept;
  index_t extent[group_loops];  // of the kept loops
  index_t longest;              // row
};
inline void lay_out_rows(row_layout& layout, int* place, row_locals const& locals, found_local const* found,
                         rows_found const& r, int share, int most_bytes) {
  constexpr int most_threads = most_threads_of_rows;
  index_t rows = 1;
  for (int l = 0; l < r.kept; ++l) rows *= r.extent[l];
  index_t const units = (r.longest + 3) / 4;
  int const whole = power_of_two(units, most_threads);
  int team = power_of_two((units + 7) / 8, most_threads);
  if (team < 4) team = whole < 4 ? whole : 4;
  while (team < whole && rows < enough_threads / team) team *= 2;
  bool used[most_row_locals];
  for (int k = 0; k < locals.count; ++k)
    used[k] = found[k].usable && (locals.local[k].written || found[k].moves) && found[k].bytes <= most_bytes;
  int threads = team > 128 ? team : 128;
  index_t bytes = 0;
  auto const put = [&] {
    bytes = place_locals(place, locals, found, used);
    // 8 threads read 128 bytes at once, of different banks where those of several rows lie so
    index_t const of_team = 16 * team;
    if (team < 8) bytes = quotient_up(bytes, of_team) / 2 * (2 * of_team) + of_team;
  };
  // one is left in memory of the device: the largest of those that are read once, or else of those that are read, or
  // else of all
  auto const leave_one = [&](bool read_once) {
    int worst = -1;
    auto const rank = [&](int k) { return locals.local[k].written ? 0 : locals.local[k].reads > 1 ? 1 : 2; };
    for (int k = 0; k < locals.count; ++k)
      if (used[k] && (!read_once || rank(k) == 2) &&
          (worst < 0 || rank(k) > rank(worst) || (rank(k) == rank(worst) && found[k].bytes > found[worst].bytes)))
        worst = k;
    if (worst < 0) return false;
    used[worst] = false;
    put();
    return true;
  };
  auto const bytes_of_block = [&] { return threads / 32 * share + threads / team * bytes; };
  put();
  while (bytes_of_block() > most_bytes) {
    if (threads > team && threads > 32)
      threads /= 2;
    else if (!leave_one(false))
      break;
  }
  // so many blocks at a time that some load while others compute
  while (bytes_of_block() > most_bytes / 6 && leave_one(true)) {
  }
  layout.team = team, layout.threads = threads;
  row_copies& c = layout.copies;
  c.row_bytes = int(bytes);
  for (bool in : {true, false}) {
    for (int k = 0; k < locals.count; ++k) {
      if (!used[k] || !(in ? locals.local[k].copied_in : locals.local[k].copied_out)) continue;
      row_copy& to = c.copy[c.all++];
      to.p = found[k].p, to.place = place[k], to.bytes = int(found[k].bytes), to.unit = found[k].unit(r.kept, r.extent);
      for (int l = 0; l < r.kept; ++l) to.stride[l] = found[k].stride[l];
    }
    if (in) c.in = c.all;
  }
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
