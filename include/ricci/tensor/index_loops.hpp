// Loops over the rows of a view that integer tensors name. First come, for some hundred rows at once, their offsets in
// the memory of the view, which checks the indices, too; then the elements are moved. So what is compiled for every
// combination of types is a few lines, and the first part runs in SIMD registers.
#pragma once

#include <ricci/exec/row_index.hpp>
#include <ricci/expr/gather.hpp>

namespace ricci::storage {
inline namespace RICCI_ABI {

template <class X>
constexpr shape_t shape_in_numbers(X const& x) {
  shape_t s{};
  for (int k = 0; k < X::rank; ++k) s.push(x.extent_values()[k]);
  return s;
}

// f(x, y) for the elements of two parts with the same extents
template <int Rank, class X, class Y, class F>
RICCI_INLINE constexpr void for_each_pair(index_t const* extents, X* x, index_t const* x_strides, Y* y,
                                          index_t const* y_strides, F const& f) {
  if constexpr (Rank == 0) {
    f(*x, *y);
  } else {
    index_t const n = *extents, x_step = *x_strides, y_step = *y_strides;
    if (Rank == 1 && x_step == 1 && y_step == 1)
      for (index_t k = 0; k < n; ++k) for_each_pair<0>(extents, x + k, x_strides, y + k, y_strides, f);
    else
      for (index_t k = 0; k < n; ++k)
        for_each_pair<Rank - 1>(extents + 1, x + k * x_step, x_strides + 1, y + k * y_step, y_strides + 1, f);
  }
}

// An index tensor: its first element, how many rows there are to choose from, and how far apart they lie.
template <class I>
struct row_indices {
  I const* first;
  index_t choices, step;
};
// The axes of all index tensors together, with the strides of N operands along them. Axes that may be walked as one
// become one.
template <int N>
struct index_axes {
  int rank = 0;
  index_t extent[max_rank]{}, stride[N][max_rank]{};

  constexpr void push(index_t n, index_t const* step) {
    if (n == 1) return;
    bool joins = rank > 0;
    for (int k = 0; k < N; ++k) joins = joins && stride[k][rank - 1] == n * step[k];
    rank += !joins;
    extent[rank - 1] = joins ? extent[rank - 1] * n : n;
    for (int k = 0; k < N; ++k) stride[k][rank - 1] = step[k];
  }
};

inline constexpr index_t indices_at_once = 256;

namespace offsets_are {
inline constexpr int checked = 0, written = 1, added = 2;
}

// The offsets of n rows, to the first of which `from` points: written or added to those that are there, or their
// indices are looked at alone. Whether one lies outside of its axis.
template <int How, class I>
RICCI_NOINLINE constexpr bool row_offsets(index_t* to, index_t n, I const* from, index_t stride,
                                          row_indices<I> const& r) {
  std::uint64_t outside = 0;  // its highest bit is set by an index below 0 or above the last
  // not to be read again after each offset
  auto const choices = static_cast<std::uint64_t>(r.choices), step = static_cast<std::uint64_t>(r.step);
  auto const one = [&](index_t k, I name) RICCI_INLINE_LAMBDA {
    index_t const given = to_index(name);
    std::uint64_t const i = static_cast<std::uint64_t>(given) + (given < 0 ? choices : 0);
    outside |= i | (choices - 1 - i);
    if constexpr (How == offsets_are::written) to[k] = static_cast<index_t>(i * step);
    if constexpr (How == offsets_are::added) to[k] += static_cast<index_t>(i * step);
  };
  if (stride == 1)
    for (index_t k = 0; k < n; ++k) one(k, from[k]);
  else
    for (index_t k = 0; k < n; ++k) one(k, from[k * stride]);
  return outside >> 63 != 0;
}

// use(offsets, n, at, step) for all rows, n at a time: where operand `sizeof...(I)` stands for the first of them, and
// its step. An index outside of its axis is an index_error; with `Checks` that is all that is done.
template <bool Checks, class Use, class... I>
constexpr void for_each_rows(char const* name, index_axes<sizeof...(I) + 1> const& axes, Use const& use,
                             row_indices<I> const&... indices) {
  constexpr int operands = sizeof...(I) + 1;
  index_t offsets[indices_at_once];
  index_t at[max_rank]{}, where[operands]{}, step[operands]{}, turns = 1;
  int const last = axes.rank - 1;
  for (int k = 0; k < last; ++k) turns *= axes.extent[k];
  if (last >= 0)
    for (int o = 0; o < operands; ++o) step[o] = axes.stride[o][last];
  index_t const row = last >= 0 ? axes.extent[last] : 1;
  for (; turns > 0; --turns) {
    for (index_t first = 0; first < row; first += indices_at_once) {
      index_t const n = row - first < indices_at_once ? row - first : indices_at_once;
      int o = 0;
      auto const add = [&]<class R>(row_indices<R> const& r) {
        R const* const from = r.first + where[o] + first * step[o];
        constexpr auto first_one = Checks ? offsets_are::checked : offsets_are::written,
                       others = Checks ? offsets_are::checked : offsets_are::added;
        if (o == 0 ? row_offsets<first_one>(offsets, n, from, step[o], r)
                   : row_offsets<others>(offsets, n, from, step[o], r))
          for (index_t k = 0; k < n; ++k) exec::row_index(to_index(from[k * step[o]]), r.choices, name);
        ++o;
      };
      (add(indices), ...);
      if constexpr (!Checks)
        use(static_cast<index_t const*>(offsets), n, where[operands - 1] + first * step[operands - 1],
            step[operands - 1]);
    }
    for (int k = last - 1; k >= 0; --k) {
      for (int o = 0; o < operands; ++o) where[o] += axes.stride[o][k];
      if (++at[k] < axes.extent[k]) break;
      for (int o = 0; o < operands; ++o) where[o] -= at[k] * axes.stride[o][k];
      at[k] = 0;
    }
  }
}

// Index tensors beside the view whose rows they name.
template <class Places, class View, class... Index>
struct picked_rows {
  static constexpr int count = sizeof...(Index), outer = Places::place, inner = View::rank - count - outer;
  View const& v;
  shape_t by{}, shape{};          // of the index tensors together, and of what they name
  index_t y_strides[max_rank]{};  // of the other side, along `shape`

  // shape_error where they do not broadcast
  constexpr picked_rows(char const* name, View const& whole, Index const&... index) : v(whole) {
    auto const one = [&](shape_t const& s) {
      shapes::type_context c;
      shape_t const old = by;
      by = shapes::broadcast(c, by, s);
      if (c.failed) shapes::raise_misfit(name, old, s);
    };
    (one(shape_in_numbers(index)), ...);
    shape = Places::result(shape_in_numbers(v), by);
  }
  constexpr void pack_strides() {
    index_t n = 1;
    for (int k = shape.rank - 1; k >= 0; --k) {
      y_strides[k] = n;
      n *= shape.extent[k];
    }
  }
  constexpr index_axes<count + 1> axes(Index const&... index) const {
    index_axes<count + 1> r;
    for (int k = 0; k < by.rank; ++k) {
      int o = 0;
      index_t step[count + 1]{};
      auto const one = [&](auto const& i) {
        int const axis = k - by.rank + std::remove_cvref_t<decltype(i)>::rank;
        step[o++] = axis < 0 || i.extent_values()[axis] == 1 ? 0 : i.stride_values().values[axis];
      };
      (one(index), ...);
      step[o] = y_strides[outer + k];
      r.push(by.extent[k], step);
    }
    return r;
  }
  // what index tensor number `o` names
  template <class I>
  constexpr row_indices<value_type_of<I>> indices(int o, I const& i) const {
    int const axis = Places::axes[o];
    return {i.data(), v.extent_values()[axis], v.stride_values().values[axis]};
  }
  // use(offsets, n, at, step) as above
  template <bool Checks = false, class Use>
  constexpr void for_each(char const* name, Use const& use, Index const&... index) const {
    for_each<Checks>(name, use, std::make_integer_sequence<int, count>{}, index...);
  }
  template <bool Checks, class Use, int... O>
  constexpr void for_each(char const* name, Use const& use, std::integer_sequence<int, O...>,
                          Index const&... index) const {
    for_each_rows<Checks>(name, axes(index...), use, indices(O, index)...);
  }
  // f(element of v, element of y) for some rows
  template <class X, class Y, class F>
  constexpr void move(index_t const* offsets, index_t n, X* x, Y* y, index_t step, F const& f) const {
    index_t extents[View::rank + 1]{}, strides[View::rank + 1]{};
    auto const of_v = v.stride_values();
    for (int k = 0, other = 0; k < View::rank; ++k)
      if (!Places::names(k)) {
        extents[other] = v.extent_values()[k];
        strides[other++] = of_v.values[k];
      }
    for_each_pair<outer>(extents, x, strides, y, y_strides, [&](X& x_of_all, Y& y_of_all) {
      for (index_t k = 0; k < n; ++k)
        for_each_pair<inner>(extents + outer, &x_of_all + offsets[k], strides + outer, &y_of_all + k * step,
                             y_strides + outer + by.rank, f);
    });
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::storage
