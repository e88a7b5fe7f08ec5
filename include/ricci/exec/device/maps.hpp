// Maps and copies on the device: one unit of elements, as a pack of 128 bits holds, for each index.
#pragma once

#include <ricci/exec/device/element.hpp>
#include <ricci/exec/device/map_units.hpp>
#include <ricci/shape/operand_ref.hpp>

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
    s.by_extent[l] = reciprocal_of(g.extent[l]);
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

template <class Code, int Loops = max_loops>
struct map_elements {
  using element = element_of_kernel<Code>;
  static constexpr int width = element::unit;
  device_step<element::slots, Code::scalars, Loops> s;
  map_units units;

  RICCI_HD void operator()(index_t i) const {
    int const inner = s.loops - 1;
    auto const length = inner < 0 ? 1u : static_cast<std::uint32_t>(s.extent[inner]), n = static_cast<std::uint32_t>(i);
    typename device_step<element::slots, Code::scalars, Loops>::pointers at{};
    for (int slot = 0; slot < element::slots; ++slot)
      // (a number moves along no loop)
      at.to[slot] = element::pack_bytes(slot) == 0 && (s.is_number >> slot & 1) != 0
                        ? const_cast<char*>(s.numbers[slot].bytes)
                        : s.p[slot];
    std::uint32_t unit = n;
    if (inner > 0) {
      map_place const place = units.tiled
                                  ? place_in_tiles(units, n, static_cast<std::uint32_t>(s.extent[inner - 1]), width)
                                  : place_in_rows(units, n);
      if (place.row == map_place::none) return;
      unit = place.unit;
      at = s.moved(at, place.row, 0, inner);
    }
    std::uint32_t const first = first_of_unit(units, unit, width);
    if (first >= length) return;
    index_t steps[element::room];
    for (int slot = 0; slot < element::slots; ++slot) {
      // known where elements lie side by side
      index_t const known = element::pack_bytes(slot) / element::width, stride = known > 0   ? known
                                                                                 : inner < 0 ? 0
                                                                                             : s.stride[inner][slot];
      at.to[slot] += static_cast<index_t>(first) * stride;
      steps[slot] = stride << units.shift;
    }
    std::uint32_t const count = ((length - first - 1) >> units.shift) + 1;
    bool const whole = count >= static_cast<std::uint32_t>(width);
    typename element::some_lanes const set{units.packed && whole, whole ? width : static_cast<int>(count)};
    element::store_unit(at.to, steps, set, s.scalars);
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
// Where an operand's elements lie side by side along another loop than the innermost one, and far apart along that:
// the loop is put next to it, and the two are gone through by tiles. Returns whether there is one.
inline bool make_tiles(device_geometry& g) {
  int const inner = g.loops - 1;
  constexpr index_t sector = 32;  // bytes
  if (inner < 1 || g.extent[inner] < 8) return false;
  auto const size = [](index_t stride) { return stride < 0 ? -stride : stride; };
  int found = -1;
  for (int l = 0; l < inner; ++l) {
    if (g.extent[l] < 8 || (found >= 0 && g.extent[l] <= g.extent[found])) continue;
    for (int slot = 0; slot < g.slots; ++slot) {
      index_t const across = size(g.stride[l][slot]);
      if (across != 0 && across * 2 <= sector && size(g.stride[inner][slot]) >= sector) found = l;
    }
  }
  if (found < 0) return false;
  std::swap(g.extent[found], g.extent[inner - 1]);
  for (int slot = 0; slot < g.slots; ++slot) std::swap(g.stride[found][slot], g.stride[inner - 1][slot]);
  return true;
}
// `f(kernel, n)`: a kernel of map_elements and how many indices it has.
template <class Code, int Loops, class F>
void with_map(device_geometry const& given, device_call const& c, F const& f) {
  using element = element_of_kernel<Code>;
  device_geometry g = given;
  bool const tiled = make_tiles(g);
  index_t const rows = product_of(g, 0, g.loops - 1), length = g.loops > 0 ? g.extent[g.loops - 1] : 1,
                tiled_rows = tiled ? g.extent[g.loops - 2] : 0;
  map_elements<Code, Loops> const map{passed<element::slots, Code::scalars, Loops>(g, c),
                                      units_of_map(element::unit, has_aligned_packs<Code>(g), length, tiled_rows)};
  f(map, indices_of_map(map.units, rows, tiled_rows));
}
// Takes from the longest loop its second half, where packs begin if they do in the first.
inline device_geometry second_half(device_geometry& g) {
  int l = 0;
  for (int other = 1; other < g.loops; ++other)
    if (g.extent[other] > g.extent[l]) l = other;
  index_t const half = g.extent[l] < 128 ? g.extent[l] / 2 : g.extent[l] / 128 * 64;
  device_geometry rest(g);
  rest.extent[l] -= half;
  for (int slot = 0; slot < g.slots; ++slot) rest.p[slot] += half * g.stride[l][slot];
  g.extent[l] = half;
  return rest;
}
// `memory`: that only this step has
template <class Code>
void device_map(device_geometry& g, device_call const& c, core::shared_buffer const& memory = {}) {
  merge_loops(g, 0, g.loops);
  if (product_of(g, 0, g.loops) > most_elements_of_map) {
    device_call alone = c;
    alone.group = nullptr;
    device_geometry rest = second_half(g);
    device_map<Code>(g, alone);
    return device_map<Code>(rest, alone);
  }
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
