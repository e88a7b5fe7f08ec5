// What fusion decides: groups of values that one kernel computes, and which values are stored.
//
// A *group* will be one kernel. It has a domain (the shape it runs over), roots (values that it stores, or reduces over
// its domain) and perhaps an anchor: a matrix product whose epilogue it is. Its position is that of its last root; all
// that reads its roots has to come later, which is what makes the order of groups by position a valid schedule.
#pragma once

#include <ricci/ops/loop.hpp>
#include <ricci/transform/plan/plan.hpp>

namespace ricci::plan {

// The position of what is done at an instruction; several things have an order.
inline constexpr std::int64_t positions_each = 256;
constexpr std::int64_t position_of(int v, int part = 0) { return v * positions_each + part; }

// How a group reads a value.
enum class relation : std::uint8_t {
  same,                          // element for element of its domain
  moved,                         // each element at most once, elsewhere
  repeated,                      // elements several times, as where they are broadcast
  stored,                        // from memory only, by any strides; `stored` + n: the last n axes in row-major order
  dense = stored + max_rank + 1  // from memory, where all of it lies in row-major order
};
// Relations are in order: what is read through another relation is read by the later one of both.
constexpr relation through(relation a, relation b) { return a < b ? b : a; }
constexpr bool reads_each_once(relation r) { return r == relation::same || r == relation::moved; }
constexpr bool reads_memory(relation r) { return r >= relation::stored; }
constexpr relation stored_with_dense_axes(int n) {
  return relation(int(relation::stored) + (n < max_rank ? n : max_rank));
}
constexpr int dense_axes(relation r) { return reads_memory(r) ? int(r) - int(relation::stored) : 0; }

struct use_t {
  int group;
  relation how;
  int next;
};
struct root_t {
  int value;   // what is computed
  int target;  // the value whose memory is written; with `output` >= 0 that of the output instead
  int output;
  int part;  // of a target that is put together from parts
  bool reduces;
  int next;
};
struct group_t {
  int parent;  // itself, or the group that it was merged into
  std::int64_t position;
  step_kind kind;
  int scope;   // the region in which it runs
  int domain;  // a shape of the graph
  int mask;    // reduced axes
  int anchor;
  int weight;  // instructions and their operands: what bounds registers and operands of the kernel
  int first_root;
};

inline constexpr int max_uses = 2 * ir::capacity;

struct fusion {
  int group_count = 1, use_count = 1, root_count = 1;
  group_t groups[ir::capacity / 4];
  use_t uses[max_uses];
  root_t roots[ir::capacity / 2];
  bool needed[ir::capacity];
  bool stored[ir::capacity];
  int first_use[ir::capacity];
  int depth[ir::capacity];      // of recomputation, so that it stays bounded
  int loop_of[ir::max_scopes];  // of each region
  int output_of[ir::capacity];  // 1 + the output in whose memory the value lies

  constexpr int add_group(step_kind what, int scope, int domain, std::int64_t position, int mask = 0) {
    require_room(group_count < ir::capacity / 4);
    groups[group_count] = {group_count, position, what, scope, domain, mask, 0, 0, 0};
    return group_count++;
  }
  constexpr void add_root(int group, root_t r) {
    require_room(root_count < ir::capacity / 2);
    r.next = groups[group].first_root;
    roots[root_count] = r;
    groups[group].first_root = root_count++;
  }
  constexpr int find(int group) const {
    while (groups[group].parent != group) group = groups[group].parent;
    return group;
  }
};

// Whether a reshape only drops or makes axes of extent 1.
template <class G>
constexpr bool relabels_axes(G const& g, int v) {
  auto const &s = g.shape(g.in(v, 0)), &t = g.shape(v);
  int i = 0, k = 0;
  while (true) {
    while (i < s.rank && s.extent[i] == 1) ++i;
    while (k < t.rank && t.extent[k] == 1) ++k;
    if (i == s.rank || k == t.rank) return i == s.rank && k == t.rank;
    if (ir::find(g, s.extent[i++]) != ir::find(g, t.extent[k++])) return false;
  }
}

// Whether the number of a loop's iterations is an extent, and no value in memory.
template <class G>
constexpr bool counts_by_extent(G const& g, int loop) {
  int const region = g.in(g.in(loop, 0), 0);
  return g.ins[region].count == 0 && g.attr(region, 1) != ir::open_ended && g.attr(region, 2) == 0;
}

}  // namespace ricci::plan
