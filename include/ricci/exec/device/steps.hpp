// The kinds of steps on the device: each from a geometry, as on the CPU, but one element, or one result, per index.
#pragma once

#include <ricci/core/scalar.hpp>
#include <ricci/exec/device/core_routine.hpp>
#if RICCI_CALLS_CUDA
#include <ricci/exec/device/cuda_folds.hpp>
#include <ricci/exec/device/cuda_reduce.hpp>
#include <ricci/exec/device/cuda_scans.hpp>
#include <ricci/exec/device/cuda_scatter.hpp>
#include <ricci/exec/device/cuda_sort.hpp>
#else
#include <ricci/exec/device/host_reduce.hpp>
#endif
#include <ricci/exec/device/row_steps.hpp>
#include <ricci/exec/row_index.hpp>
#include <ricci/exec/step.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// ---- rows by index ----

struct note_outside {
  std::int64_t const* indices;
  index_t choices;
  int volatile* any;  // whoever finds one writes the same
  RICCI_HD void operator()(index_t k) const {
    if (indices[k] < -choices || indices[k] >= choices) *any = 1;
  }
};
// Raises an index_error where one of the indices lies outside, before anything is written.
inline void check_device_rows(int device, std::int64_t const* indices, index_t n, index_t choices, char const* name) {
  if (n == 0) return;
  device_array<int> const any(1, device);
  device_backend::clear(device, any.data(), sizeof(int));
  device_backend::for_each_index(device, n, note_outside{indices, choices, any.data()});
  int outside = 0;
  device_backend::copy_out(device, &outside, any.data(), sizeof outside);
  if (outside == 0) return;
  core::shared_buffer host(n * index_t(sizeof(std::int64_t)));
  device_backend::copy_out(device, host.data(), indices, n * index_t(sizeof(std::int64_t)));
  check_rows(reinterpret_cast<std::int64_t const*>(host.data()), n, choices, name);
}
#if RICCI_CALLS_CUDA
// Kernels look at indices themselves (cuda_outside.hpp).
using outside_notes = device_backend::outside_notes;
inline constexpr bool kernels_see_outside = true;
#else
struct outside_notes {
  void operator()(index_t, index_t, index_t) const {}
};
inline constexpr bool kernels_see_outside = false;
#endif
template <class T, bool Own>
struct take_element {
  row_steps_t<Own> at;
  T const* x;
  T* y;
  outside_notes is_outside;
  RICCI_HD void operator()(index_t i) const {
    index_t const k = i % at.inner, r = i / at.inner % at.rows, o = i / at.inner / at.rows;
    index_t const row = at.index(o, r);
    if constexpr (kernels_see_outside)
      if (row < 0 || row >= at.choices) {
        if (k == 0) at.note_outside(is_outside, o, r);
        return;
      }
    y[i] = x[(o * at.choices + row) * at.inner + k];
  }
};
// one element of a row of operand 0, for all rows that are written there, in their order
template <class T, bool Add, bool Own>
struct scatter_element {
  row_steps_t<Own> at;
  T* x;
  T const* y;
  outside_notes is_outside;
  RICCI_HD void operator()(index_t i) const {
    index_t const k = i % at.inner, o = i / at.inner;
    for (index_t r = 0; r < at.rows; ++r) {
      index_t const row = at.index(o, r);
      if constexpr (kernels_see_outside)
        if (row < 0 || row >= at.choices) {
          if (k == 0) at.note_outside(is_outside, o, r);
          continue;
        }
      T& to = x[(o * at.choices + row) * at.inner + k];
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
template <class Op, class T, bool Own>
void device_take(device_geometry& g, device_call const& c) {
  row_steps_t<Own> at{g.extent[0], g.extent[1], g.extent[2], g.extent[3],
                      reinterpret_cast<std::int64_t const*>(g.p[1])};
  outside_notes notes{};
#if RICCI_CALLS_CUDA
  if (at.outer * at.rows * at.inner == 0) return check_device_indices<Op, Own, 1>(g, c);  // nobody looks at them
  notes = device_backend::notes_of_outside(c.device, Op::name);
  // by 128 bits where rows are made of them
  if constexpr (constexpr index_t each = 16 / index_t(sizeof(T)); each > 1)
    if (at.inner % each == 0 &&
        (reinterpret_cast<std::uintptr_t>(g.p[0]) | reinterpret_cast<std::uintptr_t>(g.p[2])) % 16 == 0) {
      at.inner /= each;
      return device_backend::for_each_index(c.device, at.outer * at.rows * at.inner,
                                            take_element<float4, Own>{at, reinterpret_cast<float4 const*>(g.p[0]),
                                                                      reinterpret_cast<float4*>(g.p[2]), notes});
    }
#endif
  device_backend::for_each_index(
      c.device, at.outer * at.rows * at.inner,
      take_element<T, Own>{at, reinterpret_cast<T const*>(g.p[0]), reinterpret_cast<T*>(g.p[2]), notes});
}
template <class Op, class T, bool Add, bool Own>
void device_scatter(device_geometry& g, device_call const& c) {
  row_steps_t<Own> const at{g.extent[0], g.extent[1], g.extent[2], g.extent[3],
                            reinterpret_cast<std::int64_t const*>(g.p[2])};
  outside_notes notes{};
#if RICCI_CALLS_CUDA
  if (at.outer * at.rows * at.inner == 0) return check_device_indices<Op, Own, 2>(g, c);  // nobody looks at them
  notes = device_backend::notes_of_outside(c.device, Op::name);
  if (scatter_in_order<T, Add, Own>(at, reinterpret_cast<T*>(g.p[0]), reinterpret_cast<T const*>(g.p[1]), c.device,
                                    notes))
    return;
#endif
  device_backend::for_each_index(
      c.device, at.outer * at.inner,
      scatter_element<T, Add, Own>{at, reinterpret_cast<T*>(g.p[0]), reinterpret_cast<T const*>(g.p[1]), notes});
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

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
