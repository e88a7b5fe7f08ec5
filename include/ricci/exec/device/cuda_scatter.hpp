// Rows that are written or added by index under CUDA: the places of rows are sorted stably by where they go, and those
// that go to the same row are a run, which is added up in its order. Runs are dealt to threads in stretches of fixed
// length, so results are the same every time; one that goes on over several stretches is added up in parts first.
#pragma once

#include <ricci/exec/device/cuda_sort_pairs.hpp>
#include <ricci/exec/device/row_steps.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// The row that index number i names, counted over all of x where iterations of the outer loop have their own.
template <bool Own>
struct keys_of_indices {
  row_steps_t<Own> at;
  std::uint32_t *keys, *places;
  std::uint32_t nowhere;  // of an index outside, behind all others
  device_backend::outside_notes is_outside;
  __device__ void operator()(index_t i) const {
    index_t const o = Own ? i / at.rows : 0, r = i - o * at.rows, row = at.index(o, r);
    bool const inside = row >= 0 && row < at.choices;
    if (!inside) at.note_outside(is_outside, o, r);
    keys[i] = inside ? static_cast<std::uint32_t>(o * at.choices + row) : nowhere;
    places[i] = static_cast<std::uint32_t>(i);
  }
};
// What both kernels know: n places in the order of their keys, by which rows of y go to rows of x.
template <class T>
struct sorted_rows {
  index_t n, inner, choices, stretch, stretches;
  std::uint32_t const *keys, *places;
  T* x;
  T const* y;
  T* partial;  // by iteration of the outer loop, stretch and column

  __device__ bool is_inside(index_t i) const { return index_t(keys[i]) < choices; }
  __device__ T& to(index_t o, index_t i, index_t column) const {
    return x[(o * choices + index_t(keys[i])) * inner + column];
  }
  __device__ T from(index_t o, index_t i, index_t column) const {
    return y[(o * n + index_t(places[i])) * inner + column];
  }
  // an index into so many units of each iteration of the outer loop, column by column
  struct place {
    index_t o, unit, column;
  };
  __device__ place place_of(index_t index, index_t units) const {
    index_t const rest = index / inner, o = rest / units;
    return {o, rest - o * units, index - rest * inner};
  }
  __device__ index_t end_of(index_t s) const { return (s + 1) * stretch < n ? (s + 1) * stretch : n; }
  // whether a run goes on from the stretch before into this one
  __device__ bool goes_on_into(index_t s) const {
    return s > 0 && s < stretches && keys[s * stretch - 1] == keys[s * stretch];
  }
};
// The last row of each run is what is there in the end.
template <class T>
struct write_last_rows {
  sorted_rows<T> r;
  __device__ void operator()(index_t index) const {
    auto const [o, i, column] = r.place_of(index, r.n);
    if (r.is_inside(i) && (i + 1 == r.n || r.keys[i + 1] != r.keys[i])) r.to(o, i, column) = r.from(o, i, column);
  }
};
// One stretch and column: whole runs go to x; of one that came from before its part here is kept. What several places
// read is on its way at once, whether they belong to one run or not.
template <class T>
struct add_stretches {
  static constexpr int at_once = 8;
  sorted_rows<T> r;
  __device__ void operator()(index_t index) const {
    auto const [o, s, column] = r.place_of(index, r.stretches);
    index_t const end = r.end_of(s);
    std::uint32_t before = r.keys[s * r.stretch];
    T* to = r.goes_on_into(s) ? &r.partial[index] : nullptr;
    T total{};
    for (index_t i = s * r.stretch; i < end && r.is_inside(i); i += at_once) {
      bool inside[at_once], begins[at_once];
      T next[at_once], old[at_once];
      for (int j = 0; j < at_once; ++j) {
        inside[j] = i + j < end && r.is_inside(i + j);
        std::uint32_t const key = inside[j] ? r.keys[i + j] : before;
        begins[j] = inside[j] && (key != before || (i + j == s * r.stretch && !to));
        before = key;
      }
      for (int j = 0; j < at_once; ++j) {
        next[j] = inside[j] ? r.from(o, i + j, column) : T{};
        old[j] = begins[j] ? r.to(o, i + j, column) : T{};
      }
      for (int j = 0; j < at_once; ++j) {
        if (begins[j]) {
          if (to) *to = total;
          to = &r.to(o, i + j, column);
          total = old[j];
        }
        if (inside[j]) total = scalar::add(total, next[j]);
      }
    }
    if (to) *to = total;
  }
};
// Of runs that begin in a stretch and go on the other parts.
template <class T>
struct add_parts_of_runs {
  static constexpr int at_once = 8;
  sorted_rows<T> r;
  __device__ void operator()(index_t index) const {
    auto const [o, s, column] = r.place_of(index, r.stretches);
    index_t const last = r.end_of(s) - 1;
    std::uint32_t const key = r.keys[last];
    // the run began here
    if (!r.goes_on_into(s + 1) || (r.goes_on_into(s) && r.keys[s * r.stretch] == key) || !r.is_inside(last)) return;
    T& to = r.to(o, last, column);
    T total = to;
    T const* part = r.partial + (o * r.stretches + s) * r.inner + column;
    index_t count = 1;  // stretches that the run goes on into; keys are in order
    for (index_t beyond = r.stretches - s; count + 1 < beyond;) {
      index_t const middle = count + (beyond - count) / 2;
      (r.keys[(s + middle) * r.stretch] == key ? count : beyond) = middle;
    }
    for (index_t k = 1; k <= count; k += at_once) {
      T next[at_once];
      for (int j = 0; j < at_once; ++j) next[j] = k + j <= count ? part[(k + j) * r.inner] : T{};
      for (int j = 0; j < at_once; ++j)
        if (k + j <= count) total = scalar::add(total, next[j]);
    }
    to = total;
  }
};

// False where a thread for each column is as good: rows are few, or columns many.
template <class T, bool Add, bool Own>
bool scatter_in_order(row_steps_t<Own> const& at, T* x, T const* y, int device,
                      device_backend::outside_notes const& notes) {
  index_t const n = Own ? at.outer * at.rows : at.rows, outer = Own ? 1 : at.outer,
                choices = Own ? at.outer * at.choices : at.choices;
  if (at.rows <= 16 || (at.rows <= 256 && at.outer * at.inner >= enough_threads / 4)) return false;
  if (n > most_sorted_pairs || choices >= most_sorted_pairs) return false;
  pairs_to_sort<std::uint32_t> pairs(n, device);
  device_backend::for_each_index(
      device, n, keys_of_indices<Own>{at, pairs.keys(), pairs.places(), static_cast<std::uint32_t>(choices), notes});
  pairs.sort(bits_below(choices + 1));
  sorted_rows<T> r{n, at.inner, choices, 1, n, pairs.keys(), pairs.places(), x, y, nullptr};
  if constexpr (!Add) {
    device_backend::for_each_index(device, outer * n * at.inner, write_last_rows<T>{r});
  } else {
    index_t const all = outer * n * at.inner;
    r.stretch = all / enough_threads < 8 ? 8 : all / enough_threads > 64 ? 64 : all / enough_threads;
    r.stretches = (n + r.stretch - 1) / r.stretch;
    device_array<T> const partial(outer * r.stretches * at.inner, device);
    r.partial = partial.data();
    device_backend::for_each_index(device, outer * r.stretches * at.inner, add_stretches<T>{r});
    device_backend::for_each_index(device, outer * r.stretches * at.inner, add_parts_of_runs<T>{r});
  }
  return true;
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
