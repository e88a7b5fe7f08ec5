// The kinds of steps on the device: each from a geometry, as on the CPU, but one element, or one result, per index.
#pragma once

#include <ricci/core/scalar.hpp>
#include <ricci/exec/core_call.hpp>
#include <ricci/exec/device/element.hpp>
#include <ricci/exec/row_index.hpp>
#include <ricci/exec/step.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

// Where a step runs, and which of its operands are numbers of the call.
struct device_call {
  int device;
  std::uint64_t is_number;
  core::any_element const* numbers;  // by slot
};

template <int Slots, int Scalars>
device_step<Slots, Scalars> passed(device_geometry const& g, device_call const& c) {
  device_step<Slots, Scalars> s{};
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

template <class Code>
struct map_element {
  using element = element_of_kernel<Code>;
  device_step<element::slots, Code::scalars> s;
  index_t first;
  RICCI_HD void operator()(index_t i) const { element::store(s.at(first + i, 0, s.loops).to, s.scalars); }
};
// As many elements side by side as one access of 128 bits holds.
template <class Code>
struct map_pack {
  using element = element_of_kernel<Code>;
  device_step<element::slots, Code::scalars> s;
  index_t groups;  // in a row
  RICCI_HD void operator()(index_t i) const {
    int const inner = s.loops - 1;
    index_t const row = inner > 0 ? i / groups : 0, group = i - row * groups;
    auto at = s.at(row, 0, inner);
    for (int slot = 0; slot < element::slots; ++slot) at.to[slot] += group * element::width * s.stride[inner][slot];
    element::store_pack(at.to, s.stride[inner], s.scalars);
  }
};
// Whether every row begins where a pack may be loaded, and is made of whole ones (the end of a single row is done by
// itself).
template <class Code>
bool in_packs(device_geometry const& g) {
  using element = element_of_kernel<Code>;
  if (element::width == 1 || g.loops == 0 || (g.loops > 1 && g.extent[g.loops - 1] % element::width != 0)) return false;
  if (g.extent[g.loops - 1] < element::width) return false;
  for (int slot = 0; slot < element::slots; ++slot) {
    index_t const alignment = element::pack_bytes(slot);
    if (alignment == 0) continue;
    if (reinterpret_cast<std::uintptr_t>(g.p[slot]) % static_cast<std::uintptr_t>(alignment) != 0) return false;
    for (int l = 0; l + 1 < g.loops; ++l)
      if (g.stride[l][slot] % alignment != 0) return false;
  }
  return true;
}
template <class Code>
void device_map(device_geometry const& g, device_call const& c) {
  using element = element_of_kernel<Code>;
  index_t const n = product_of(g, 0, g.loops);
  auto const s = passed<element::slots, Code::scalars>(g, c);
  if (!in_packs<Code>(g)) return device_backend::for_each_index(c.device, n, map_element<Code>{s, 0});
  index_t const inner = g.extent[g.loops - 1], groups = inner / element::width;
  device_backend::for_each_index(c.device, n / inner * groups, map_pack<Code>{s, groups});
  device_backend::for_each_index(c.device, g.loops == 1 ? inner % element::width : 0,
                                 map_element<Code>{s, groups * element::width});
}

// ---- reductions ----

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

inline constexpr index_t longest_stretch = 256;

// Where part `part` of `parts` of `length` elements begins: no intermediate value is larger than `length`.
RICCI_HD constexpr index_t part_begin(index_t length, index_t part, index_t parts) {
  index_t const more = length % parts;  // parts of one element more, which come first
  return length / parts * part + (part < more ? part : more);
}
static_assert(part_begin(10, 0, 3) == 0 && part_begin(10, 1, 3) == 4 && part_begin(10, 2, 3) == 7 &&
              part_begin(10, 3, 3) == 10);
static_assert(part_begin(5'000'000'000, 4'999'999'999, 5'000'000'000) == 4'999'999'999);
static_assert(part_begin((index_t(1) << 40) + 3, index_t(1) << 32, index_t(1) << 32) == (index_t(1) << 40) + 3);

// Part `i` of the segments: elements that follow one another, added up by one index.
template <class Code>
struct partial_value {
  using element = element_of_kernel<Code>;
  using values = typename element::values;
  device_step<element::slots, Code::scalars> s;
  int kept;
  index_t length, parts;  // of a segment

  RICCI_HD values operator()(index_t i) const {
    index_t const segment = i / parts, part = i - segment * parts;
    index_t const first = part_begin(length, part, parts), last = part_begin(length, part + 1, parts);
    auto const outer = s.at(segment, 0, kept);
    values total = values::identity();
    for (index_t k = first; k < last; ++k) total.add(element::value(s.moved(outer, k, kept, s.loops).to, s.scalars));
    return total;
  }
};
template <class V>
struct combine_values {
  RICCI_HD V operator()(V a, V const& b) const {
    a.add(b);
    return a;
  }
};
template <class Code>
struct write_result {
  using element = element_of_kernel<Code>;
  device_step<element::slots, Code::scalars> s;
  int kept;
  typename element::values const* results;  // null: nothing was there to reduce
  RICCI_HD void operator()(index_t segment) const {
    auto const at = s.at(segment, 0, kept);
    if (results)
      results[segment].write(at.to);
    else
      element::values::identity().write(at.to);
  }
};

template <class Code, int Variant>
void device_reduce(device_geometry& g, device_call const& c) {
  using element = element_of_kernel<Code>;
  using values = typename element::values;
  device_geometry const given = g;
  kept_first(g, Variant == 1);
  auto const s = passed<element::slots, Code::scalars>(g, c);
  index_t const segments = product_of(g, 0, g.kept), length = product_of(g, g.kept, g.loops);
  if (segments == 0) return;
  if (length == 0) return device_backend::for_each_index(c.device, segments, write_result<Code>{s, g.kept, nullptr});
  // on a GPU neighbours in a row are read by neighbouring threads, and CUB adds them up
  index_t const stretch = device_backend::is_cuda && Variant == 0 ? 1 : longest_stretch,
                parts = (length + stretch - 1) / stretch;
  device_array<values> const results(segments, c.device);
  device_backend::reduce_segments(c.device, segments, parts, partial_value<Code>{s, g.kept, length, parts},
                                  combine_values<values>{}, values::identity(), results.data());
  if constexpr (element::storing > 0) device_map<Code>(given, c);  // now that the memory has been had
  device_backend::for_each_index(c.device, segments, write_result<Code>{s, g.kept, results.data()});
}

// ---- rows by index ----

template <bool Own>
struct row_steps_t {
  index_t outer, rows, inner, choices;
  std::int64_t const* indices;
  RICCI_HD index_t index(index_t o, index_t r) const {
    std::int64_t const i = indices[Own ? o * rows + r : r];
    return i < 0 ? i + choices : i;
  }
};
struct is_outside {
  std::int64_t const* indices;
  index_t choices;
  RICCI_HD index_t operator()(index_t k) const { return indices[k] < -choices || indices[k] >= choices ? 1 : 0; }
};
// Raises an index_error where one of the indices lies outside, before anything is written.
inline void check_device_rows(int device, std::int64_t const* indices, index_t n, index_t choices, char const* name) {
  if (n == 0) return;
  device_array<index_t> const count(1, device);
  device_backend::reduce_segments(device, 1, n, is_outside{indices, choices}, thrust::plus<index_t>(), index_t(0),
                                  count.data());
  index_t outside = 0;
  device_backend::copy_out(device, &outside, count.data(), sizeof outside);
  if (outside == 0) return;
  core::shared_buffer host(n * index_t(sizeof(std::int64_t)));
  device_backend::copy_out(device, host.data(), indices, n * index_t(sizeof(std::int64_t)));
  check_rows(reinterpret_cast<std::int64_t const*>(host.data()), n, choices, name);
}
template <class T, bool Own>
struct take_element {
  row_steps_t<Own> at;
  T const* x;
  T* y;
  RICCI_HD void operator()(index_t i) const {
    index_t const k = i % at.inner, r = i / at.inner % at.rows, o = i / at.inner / at.rows;
    y[i] = x[(o * at.choices + at.index(o, r)) * at.inner + k];
  }
};
// one element of a row of operand 0, for all rows that are written there, in their order
template <class T, bool Add, bool Own>
struct scatter_element {
  row_steps_t<Own> at;
  T* x;
  T const* y;
  RICCI_HD void operator()(index_t i) const {
    index_t const k = i % at.inner, o = i / at.inner;
    for (index_t r = 0; r < at.rows; ++r) {
      T& to = x[(o * at.choices + at.index(o, r)) * at.inner + k];
      T const from = y[(o * at.rows + r) * at.inner + k];
      to = Add ? scalar::add(to, from) : from;
    }
  }
};
template <class Op, bool Own, int Slot>
void check_device_indices(device_geometry const& g, device_call const& c) {
  check_device_rows(c.device, reinterpret_cast<std::int64_t const*>(g.p[Slot]),
                    Own ? g.extent[0] * g.extent[1] : g.extent[1], g.extent[3], Op::name);
}
template <class T, bool Own>
void device_take(device_geometry& g, device_call const& c) {
  row_steps_t<Own> const at{g.extent[0], g.extent[1], g.extent[2], g.extent[3],
                            reinterpret_cast<std::int64_t const*>(g.p[1])};
  device_backend::for_each_index(
      c.device, at.outer * at.rows * at.inner,
      take_element<T, Own>{at, reinterpret_cast<T const*>(g.p[0]), reinterpret_cast<T*>(g.p[2])});
}
template <class T, bool Add, bool Own>
void device_scatter(device_geometry& g, device_call const& c) {
  row_steps_t<Own> const at{g.extent[0], g.extent[1], g.extent[2], g.extent[3],
                            reinterpret_cast<std::int64_t const*>(g.p[2])};
  device_backend::for_each_index(
      c.device, at.outer * at.inner,
      scatter_element<T, Add, Own>{at, reinterpret_cast<T*>(g.p[0]), reinterpret_cast<T const*>(g.p[1])});
}

// numbers of the plan; by way of memory of their own, since earlier steps may still read what is written here
template <class T>
void device_table(device_geometry& g, device_call const& c) {
  index_t const n = g.extent[0], bytes = n * index_t(sizeof(T));
  core::shared_buffer host(bytes);
  write_table(reinterpret_cast<T*>(host.data()), g.table, n);
  device_array<T> const numbers(n, c.device);
  device_backend::copy_in(c.device, numbers.data(), host.data(), bytes);
  device_backend::copy_within(c.device, g.p[0], numbers.data(), bytes);
}

// ---- calls, sums over axes that turned out to be broadcast ----

// One core for an index, each with a workspace of its own.
template <class Op, class T>
struct core_element {
  using loop = core_loop<Op, T>;
  device_step<loop::slots, loop::attributes> s;
  int batch;
  typename loop::work* workspace;
  index_t work;
  RICCI_HD void operator()(index_t i) const {
    attributes_of_call<Op> const attributes(s.scalars);
    auto const at = s.at(i, 0, batch);
    loop::run(s, batch, at.to, attributes.at, workspace + i * work);
  }
};
// A routine that knows better, as one of a library, is a specialization for its operation and element type.
template <class Op, class T>
struct device_routine {
  static void run(device_geometry& g, device_call const& c) {
    using loop = core_loop<Op, T>;
    index_t const cores = product_of(g, 0, g.kept), work = calls::workspace<Op>(g.extent + g.kept);
    if (cores == 0) return;
    auto const memory =
        work > 0 ? device_array<typename loop::work>(cores * work, c.device) : device_array<typename loop::work>();
    device_backend::for_each_index(
        c.device, cores,
        core_element<Op, T>{passed<loop::slots, loop::attributes>(g, c), g.kept,
                            work > 0 ? const_cast<typename loop::work*>(memory.data()) : nullptr, work});
  }
};
template <class Op, class T>
void device_call_of(device_geometry& g, device_call const& c) {
  device_routine<Op, T>::run(g, c);
}
template <class Op>
void check_device_call(device_geometry const& g, [[maybe_unused]] device_call const& c) {
  check_extents<Op>(g);
  if constexpr (may_refuse_values<Op>) {
    index_t const n = product_of(g, 0, g.kept);
    core::shared_buffer const host(n * index_t(sizeof(std::int64_t)));
    auto* const x = reinterpret_cast<std::int64_t*>(host.data());
    device_backend::copy_out(c.device, x, g.p[Op::checked], n * index_t(sizeof(std::int64_t)));
    calls::check_values<Op>(x, n);
  }
}
// The loops along which operand 1 stands still come last: one index for each of its elements.
template <class Op, class T>
struct accumulate_element {
  device_step<2, 0> s;
  int kept;
  index_t length;
  RICCI_HD void operator()(index_t i) const {
    auto const outer = s.at(i, 0, kept);
    T total = Op::template identity<T>;
    for (index_t k = 0; k < length; ++k)
      total = static_cast<T>(Op::combine(total, *reinterpret_cast<T const*>(s.moved(outer, k, kept, s.loops).to[0])));
    *reinterpret_cast<T*>(outer.to[1]) = total;
  }
};
template <class Op, class T>
void device_accumulate(device_geometry& g, device_call const& c) {
  device_geometry const old = g;
  int to = 0;
  for (int reduced = 0; reduced < 2; ++reduced) {
    for (int l = 0; l < old.loops; ++l) {
      if ((old.stride[l][1] == 0 && old.extent[l] != 1) != (reduced == 1)) continue;
      g.extent[to] = old.extent[l];
      for (int k = 0; k < 2; ++k) g.stride[to][k] = old.stride[l][k];
      ++to;
    }
    if (reduced == 0) g.kept = to;
  }
  device_backend::for_each_index(c.device, product_of(g, 0, g.kept),
                                 accumulate_element<Op, T>{passed<2, 0>(g, c), g.kept, product_of(g, g.kept, g.loops)});
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
