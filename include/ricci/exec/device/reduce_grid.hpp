// How a reduction on a GPU is spread over threads: how many share a result, what lies side by side, and in how many
// parts results are made that are too few to keep a GPU busy. It depends on extents alone, so results are the same
// every time.
#pragma once

#include <ricci/exec/device/division.hpp>

namespace ricci::exec {

// Where part `part` of `parts` of `length` elements begins: no intermediate value is larger than `length`.
RICCI_HD constexpr index_t part_begin(index_t length, index_t part, index_t parts) {
  index_t const more = length % parts;  // parts of one element more, which come first
  return length / parts * part + (part < more ? part : more);
}
static_assert(part_begin(10, 0, 3) == 0 && part_begin(10, 1, 3) == 4 && part_begin(10, 2, 3) == 7 &&
              part_begin(10, 3, 3) == 10);
static_assert(part_begin(5'000'000'000, 4'999'999'999, 5'000'000'000) == 4'999'999'999);
static_assert(part_begin((index_t(1) << 40) + 3, index_t(1) << 32, index_t(1) << 32) == (index_t(1) << 40) + 3);

// The same without a division, for kernels.
struct parts_of_length {
  index_t each, more;
  constexpr parts_of_length(index_t length = 0, index_t parts = 1) : each(length / parts), more(length % parts) {}
  RICCI_HD constexpr index_t begin(index_t part) const { return part * each + (part < more ? part : more); }
};
static_assert(parts_of_length(10, 3).begin(2) == 7 && parts_of_length(10, 3).begin(3) == 10);

// A block of `threads` has threads / team teams; each reduces one part of one segment of outer * inner elements. The
// threads of a team lie side by side, or, where segments do (columns), those of neighbouring teams.
struct reduction_grid {
  int threads, team, row;  // row: threads of a team side by side along the inner loop; all are powers of two
  bool columns;
  index_t segments, outer, inner;
  index_t outer_parts, inner_parts;   // into which the two loops are split
  int team_shift = 0, row_shift = 0;  // of 1, to these powers of two
  reciprocal by_segments{}, by_inner_parts{};
  parts_of_length outer_split{}, inner_split{};

  // once all else is known
  constexpr void prepare() {
    team_shift = shift_of(team), row_shift = shift_of(row);
    by_segments = reciprocal_of(segments), by_inner_parts = reciprocal_of(inner_parts);
    outer_split = {outer, outer_parts}, inner_split = {inner, inner_parts};
  }

  constexpr index_t parts() const { return outer_parts * inner_parts; }
  constexpr int teams() const { return threads / team; }
  constexpr index_t blocks() const { return quotient_up(segments * parts(), teams()); }
};
// the least power of two that is n or more, at most `most`
constexpr int power_of_two(index_t n, int most) {
  int p = 1;
  while (p < n && p < most) p *= 2;
  return p;
}
// `sector`: threads side by side that read 32 bytes of a row; `each`: units that a thread of a short row has.
constexpr reduction_grid grid_of_reduction(int threads, bool columns, index_t segments, index_t outer, index_t inner,
                                           bool split = true, int sector = 8, int each = 8) {
  constexpr index_t longest = 1024;  // elements that one thread adds up one after another
  constexpr index_t shortest = 16;   // less for a thread is not worth another part
  auto const larger = [](index_t a, index_t b) { return a > b ? a : b; };
  auto const smaller = [](index_t a, index_t b) { return a < b ? a : b; };
  index_t const length = outer * inner;
  int const whole = power_of_two(length, threads), warp = threads < 32 ? threads : 32;
  int team = power_of_two(quotient_up(length, 32), threads);
  // Of columns 32 threads side by side read a line of memory; those of a row need not be as many, and the fewer they
  // are, the less there is to do but to read.
  int const least = columns ? power_of_two(length, warp)
                            : int(larger(power_of_two(quotient_up(length, each), warp), power_of_two(length, sector)));
  if (team < least) team = least;
  while (team < whole && segments < enough_threads / team) team *= 2;
  // results of parts are few: a sector side by side leaves more threads to add up those of one segment
  if (columns) team = int(smaller(team, threads / power_of_two(segments, split ? warp : 8)));
  reduction_grid g{threads, team, power_of_two(inner, team), columns, segments, outer, inner, 1, 1};
  g.prepare();
  if (!split || segments == 0 || length == 0) return g;
  index_t const most = columns ? 6 * enough_threads : enough_threads;  // those of columns read less at a time
  index_t const busy = smaller(most / larger(1, smaller(segments * team, most)), length / (team * shortest));
  index_t const parts = larger(1, larger(busy, quotient_up(length, team * longest)));
  g.outer_parts = smaller(parts, outer);
  g.inner_parts = smaller(quotient_up(parts, g.outer_parts), inner);
  g.prepare();
  return g;
}

}  // namespace ricci::exec
