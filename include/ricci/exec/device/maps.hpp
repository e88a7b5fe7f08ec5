// Maps and copies on the device: one element, or one pack of 128 bits, for each index.
#pragma once

#include <ricci/exec/device/element.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

class pending_group;
struct accessed_bytes;
// Where a step runs, and which of its operands are numbers of the call. A map may be left to a group (map_group.hpp),
// which has to know what it accesses.
struct device_call {
  int device;
  std::uint64_t is_number;
  core::any_element const* numbers;  // by slot
  pending_group* group = nullptr;
  int kernel_in_group = 0;
  accessed_bytes const* ranges = nullptr;
  int range_count = 0;
};
bool is_left_to_group(device_geometry const& g, device_call const& c, core::shared_buffer const& memory);

template <int Slots, int Scalars, int Loops = max_loops>
device_step<Slots, Scalars, Loops> passed(device_geometry const& g, device_call const& c) {
  device_step<Slots, Scalars, Loops> s{};
  s.loops = g.loops;
  for (int l = 0; l < g.loops; ++l) {
    s.extent[l] = g.extent[l];
    for (int k = 0; k < g.slots; ++k) s.stride[l][k] = g.stride[l][k];
  }
  for (int k = 0; k < g.slots; ++k) {
    s.p[k] = g.p[k];
    if (c.is_number >> k & 1) s.numbers[k] = c.numbers[k];
  }
  for (int k = 0; k < Scalars; ++k) s.scalars[k] = g.scalars[k];
  s.is_number = c.is_number;
  return s;
}

// ---- copies ----

struct copy_element {
  device_step<2, 0> s;
  int size;
  RICCI_HD void operator()(index_t i) const {
    auto const at = s.at(i, 0, s.loops);
    for (int k = 0; k < size; ++k) at.to[1][k] = at.to[0][k];
  }
};
// Elements of `size` bytes that lie in `from` as they do in `to`.
inline void copy_on_device(operand_ref const& to, char const* from, int rank, int size, int device) {
  device_geometry g;
  g.loops = rank, g.slots = 2;
  index_t run = size;
  for (int k = rank - 1; k >= 0; --k) {
    g.extent[k] = to.extents[k];
    g.stride[k][0] = g.stride[k][1] = to.strides ? to.strides[k] * size : run;
    run *= to.extents[k];
  }
  g.p[0] = const_cast<char*>(from), g.p[1] = to.p;
  device_backend::for_each_index(device, product_of(g, 0, rank),
                                 copy_element{passed<2, 0>(g, {device, 0, nullptr}), size});
}

// ---- maps ----

// First `packs` indices, of each of which as many elements side by side as one access of 128 bits holds, then the other
// elements.
template <class Code, int Loops = max_loops>
struct map_elements {
  using element = element_of_kernel<Code>;
  device_step<element::slots, Code::scalars, Loops> s;
  index_t packs, in_row;  // of all rows, and of one
  RICCI_HD void operator()(index_t i) const {
    if (element::width == 1 || i >= packs)
      element::store(s.at(packs * element::width + (i - packs), 0, s.loops).to, s.scalars);
    else
      store_pack(i);
  }

 private:
  RICCI_HD void store_pack(index_t i) const {
    int const inner = s.loops - 1;
    index_t const row = inner > 0 ? i / in_row : 0, k = i - row * in_row;
    auto at = s.at(row, 0, inner);
    for (int slot = 0; slot < element::slots; ++slot) at.to[slot] += k * element::width * s.stride[inner][slot];
    element::store_pack(at.to, s.stride[inner], s.scalars);
  }
};
// Whether every row has a pack of elements, and begins where one may be loaded.
template <class Code>
bool has_aligned_packs(device_geometry const& g) {
  using element = element_of_kernel<Code>;
  if (element::width == 1 || g.loops == 0 || g.extent[g.loops - 1] < element::width) return false;
  for (int slot = 0; slot < element::slots; ++slot) {
    index_t const alignment = element::pack_bytes(slot);
    if (alignment == 0) continue;
    if (reinterpret_cast<std::uintptr_t>(g.p[slot]) % static_cast<std::uintptr_t>(alignment) != 0) return false;
    for (int l = 0; l + 1 < g.loops; ++l)
      if (g.extent[l] > 1 && g.stride[l][slot] % alignment != 0) return false;
  }
  return true;
}
// The same where rows are made of whole ones, too (the end of a single row is done by itself).
template <class Code>
bool in_packs(device_geometry const& g) {
  return has_aligned_packs<Code>(g) && (g.loops == 1 || g.extent[g.loops - 1] % element_of_kernel<Code>::width == 0);
}
// Of the loops [first, last): those that go on where the one inside ends are one with it, and those of one iteration
// are none, so a row is as long as it may be. Returns where they end then.
inline int merge_loops(device_geometry& g, int first, int last) {
  for (int l = last - 2; l >= first; --l) {
    bool follows = true;
    for (int k = 0; k < g.slots; ++k) follows = follows && g.stride[l][k] == g.stride[l + 1][k] * g.extent[l + 1];
    if (!follows && g.extent[l] != 1) continue;
    if (g.extent[l] != 1) g.extent[l + 1] *= g.extent[l];
    for (int from = l + 1; from < g.loops; ++from) {
      g.extent[from - 1] = g.extent[from];
      for (int k = 0; k < g.slots; ++k) g.stride[from - 1][k] = g.stride[from][k];
    }
    --g.loops, --last;
  }
  return last;
}
// `f(kernel, n)`: a kernel of map_elements and how many indices it has.
template <class Code, int Loops, class F>
void with_map(device_geometry const& g, device_call const& c, F const& f) {
  using element = element_of_kernel<Code>;
  index_t const n = product_of(g, 0, g.loops);
  map_elements<Code, Loops> map{passed<element::slots, Code::scalars, Loops>(g, c), 0, 1};
  if (in_packs<Code>(g)) map.in_row = g.extent[g.loops - 1] / element::width, map.packs = n / element::width;
  f(map, map.packs + (n - map.packs * element::width));
}
// `memory`: that only this step has
template <class Code>
void device_map(device_geometry& g, device_call const& c, core::shared_buffer const& memory = {}) {
  merge_loops(g, 0, g.loops);
  if (is_left_to_group(g, c, memory)) return;
  with_map<Code, max_loops>(g, c,
                            [&](auto const& map, index_t n) { device_backend::for_each_index(c.device, n, map); });
}

// The loops of a reduction in another order: those that are kept, then those that are reduced.
inline void kept_first(device_geometry& g, bool inner_kept) {
  if (!inner_kept) return;
  device_geometry const old = g;
  int const last = g.loops - 1, outer = g.kept - 1;
  auto const take = [&](int to, int from) {
    g.extent[to] = old.extent[from];
    for (int k = 0; k < g.slots; ++k) g.stride[to][k] = old.stride[from][k];
  };
  take(outer, last);
  for (int l = outer; l < last; ++l) take(l + 1, l);
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
