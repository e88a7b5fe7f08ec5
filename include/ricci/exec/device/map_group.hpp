// Maps over extents of their own that do not depend on each other, as one launch: what an update of a record is made
// of. The kernel is passed a table of its steps, in which each block finds its own.
#pragma once

#include <ricci/exec/device/maps.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

inline constexpr int group_loops = 4;               // of a step in such a table
inline constexpr int most_grouped = 32;             // steps
inline constexpr int most_group_bytes = 24 * 1024;  // of a table: CUDA passes 32,764 bytes to a kernel
inline constexpr index_t group_unit = 256;          // indices of one block, which are of one step

template <int Room, class... Code>
struct map_group {
  static constexpr int step_bytes = [] {
    int most = 0;
    ((most = int(sizeof(map_elements<Code, group_loops>)) > most ? int(sizeof(map_elements<Code, group_loops>)) : most),
     ...);
    return most;
  }();
  int count;
  int code[Room];
  index_t indices[Room], end[Room];  // of a step; where it ends among those of all, in whole blocks
  alignas(16) char steps[Room][step_bytes];

  RICCI_HD void operator()(index_t i) const {
    int k = 0;
    while (i >= end[k]) ++k;
    if (k > 0) i -= end[k - 1];
    if (i >= indices[k]) return;
    int kernel = 0;
    ((kernel++ == code[k] ? run<Code>(k, i) : void()), ...);
  }
  // the step of kernel K; false where the table is full, or has no room for its loops
  template <int K, class C>
  bool add(device_geometry const& g, device_call const& c) {
    if (count == Room || g.loops > group_loops) return false;
    with_map<C, group_loops>(g, c, [&](auto const& map, index_t n) {
      code[count] = K;
      indices[count] = n;
      end[count] = (count > 0 ? end[count - 1] : 0) + (n + group_unit - 1) / group_unit * group_unit;
      __builtin_memcpy(steps[count], &map, sizeof map);
      ++count;
    });
    return true;
  }

 private:
  template <class C>
  RICCI_HD void run(int k, index_t i) const {
    (*reinterpret_cast<map_elements<C, group_loops> const*>(steps[k]))(i);
  }
};

// The same without the types of its kernels.
struct map_group_type {
  int bytes, room;
  bool (*add)(void* group, int kernel, device_geometry const& g, device_call const& c);
  void (*launch)(void* group, int device);
};
template <int Room, class... Code>
struct map_group_as {
  using group = map_group<Room, Code...>;
  template <int... K>
  static bool add_one(std::integer_sequence<int, K...>, void* to, int kernel, device_geometry const& g,
                      device_call const& c) {
    bool added = false;
    ((kernel == K ? void(added = static_cast<group*>(to)->template add<K, Code>(g, c)) : void()), ...);
    return added;
  }
  static bool add(void* to, int kernel, device_geometry const& g, device_call const& c) {
    return add_one(std::make_integer_sequence<int, int(sizeof...(Code))>{}, to, kernel, g, c);
  }
  static void launch(void* from, int device) {
    group& g = *static_cast<group*>(from);
    if (g.count > 0) device_backend::for_each_index(device, g.end[g.count - 1], g);
    g.count = 0;
  }
  static constexpr map_group_type type{int(sizeof(group)), Room, &add, &launch};
};

// ---- groups that wait for more of their steps ----

// Bytes that an operand of a step may be at.
struct accessed_bytes {
  char const *first, *last;
  bool written;
  bool is_apart_from(accessed_bytes const& other) const {
    return (!written && !other.written) || last <= other.first || other.last <= first;
  }
};
inline accessed_bytes accessed_by(geometry const& g, int slot, index_t size, bool written) {
  accessed_bytes r{g.p[slot], g.p[slot] + size, written};
  for (int l = 0; l < g.loops; ++l) {
    if (g.stride[l][slot] == 0) continue;  // a sum of nothing is written, too
    if (g.extent[l] == 0) return {r.first, r.first, written};
    index_t const length = (g.extent[l] - 1) * g.stride[l][slot];
    (length < 0 ? r.first : r.last) += length;
  }
  return r;
}

// The steps of a group that have been met and are not launched yet.
class pending_group {
 public:
  void begin(map_group_type const& type, char* table, accessed_bytes* ranges) {
    type_ = &type, table_ = table, range_ = ranges;
  }
  bool is_apart_from(accessed_bytes const* r, int n) const {
    for (int k = 0; k < ranges_; ++k)
      for (int j = 0; j < n; ++j)
        if (!range_[k].is_apart_from(r[j])) return false;
    return true;
  }
  bool is_full() const { return steps_ == type_->room; }
  // `memory`: of the step alone
  bool add(device_geometry const& g, device_call const& c, core::shared_buffer const& memory) {
    if (!type_->add(table_, c.kernel_in_group, g, c)) return false;
    for (int k = 0; k < c.range_count; ++k) range_[ranges_++] = c.ranges[k];
    memory_[steps_++] = memory;
    return true;
  }
  void launch(int device) {
    if (steps_ == 0) return;
    type_->launch(table_, device);
    while (steps_ > 0) memory_[--steps_] = core::shared_buffer();
    ranges_ = 0;
  }

 private:
  map_group_type const* type_ = nullptr;
  char* table_ = nullptr;
  accessed_bytes* range_ = nullptr;
  int steps_ = 0, ranges_ = 0;
  core::shared_buffer memory_[most_grouped];
};
// Adds a step to the group that it belongs to, if any; false where it is to be launched by itself.
inline bool is_left_to_group(device_geometry const& g, device_call const& c, core::shared_buffer const& memory) {
  return c.group != nullptr && c.group->add(g, c, memory);
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
