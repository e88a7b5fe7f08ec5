// Rows named by an index tensor, written: `a(rows) = x` touches those rows and nothing else.
#pragma once

#include <ricci/exec/row_index.hpp>
#include <ricci/expr/gather.hpp>
#include <ricci/tensor/assign.hpp>

namespace ricci {

namespace storage {
inline namespace RICCI_ABI {

template <class X>
constexpr shape_t shape_in_numbers(X const& x) {
  shape_t s{};
  for (int k = 0; k < X::rank; ++k) s.push(x.extent_values()[k]);
  return s;
}

// The elements from `from` on to the rows of v that `rows` names along Axis. `extent`: of all of them; `strides`: those
// of `from` along the same axes. Where a row is named twice, the last stays.
template <int Axis, class View, class Rows, class T>
constexpr void write_rows(View const& v, Rows const& rows, shape_t const& extent, T const* from,
                          index_t const* strides) {
  constexpr int rank = View::rank - 1 + Rows::rank;
  index_t to_stride[rank + 1]{}, row_stride[rank + 1]{}, at[rank + 1]{}, turns = size_of(extent);
  auto const of_v = v.stride_values();
  auto const of_rows = rows.stride_values();
  for (int k = 0; k < rank; ++k) {
    int const in_rows = k - Axis;
    if (in_rows >= 0 && in_rows < Rows::rank)
      row_stride[k] = of_rows.values[in_rows];
    else
      to_stride[k] = of_v.values[in_rows < 0 ? k : k - Rows::rank + 1];
  }
  // the last axis by itself, where it is not one of the names
  constexpr int last = Axis < View::rank - 1 ? rank - 1 : rank;
  index_t const n = last < rank ? extent[last] : 1, to_step = to_stride[last], from_step = strides[last];
  if (n > 0) turns /= n;
  index_t const choices = v.shape(Axis), row_step = of_v.values[Axis];
  T* p = v.data();
  for (std::int64_t const* row = rows.data(); turns > 0; --turns) {
    T* const to = p + (*row < 0 ? *row + choices : *row) * row_step;
    if (to_step == 1 && from_step == 1)
      for (index_t k = 0; k < n; ++k) to[k] = from[k];
    else
      for (index_t k = 0; k < n; ++k) to[k * to_step] = from[k * from_step];
    for (int k = last - 1; k >= 0; --k) {
      p += to_stride[k], row += row_stride[k], from += strides[k];
      if (++at[k] < extent[k]) break;
      p -= at[k] * to_stride[k], row -= at[k] * row_stride[k], from -= at[k] * strides[k];
      at[k] = 0;
    }
  }
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

// The rows of v along Axis that `index` names become x, which is broadcast to them. Raises index_error for an index
// that lies outside of the axis, shape_error where x does not fit, before anything is written.
template <int Axis, class View, class Index, class X>
constexpr void assign_rows(View const& v, Index const& index, X const& x) {
  using T = typename View::value_type;
  using rule = put_rows_function<Axis>;
  (void)sizeof(extents_of_call<rule, no_attributes, View, Index, X>);
  if constexpr (std::is_const_v<std::remove_pointer_t<decltype(v.data())>>) {
    assign(v, x);  // which says that it is read only
  } else if constexpr (requires { View::memory_space; }) {
    assign(v, put_rows<Axis>(v, index, x));
  } else {
    auto const rows = eval(astype<std::int64_t>(index));
    exec::check_rows(rows.data(), rows.size(), v.shape(Axis), rule::name);
    constexpr int rank = View::rank - 1 + decltype(rows)::rank;
    index_t strides[rank + 1]{};
    shape_t const of_v = storage::shape_in_numbers(v), of_rows = storage::shape_in_numbers(rows);
    shapes::type_context c;
    shape_t const extent = take_t::shape_of(c, Axis, of_v, of_rows);
    auto const write = [&](auto const& values) {
      shape_t const from = storage::shape_in_numbers(values);
      rule::shape_of(c, no_attributes{}, of_v, of_rows, from);
      if (c.failed) shapes::raise_misfit(rule::name, extent, from);
      auto const of_values = values.stride_values();
      for (int k = 0; k < from.rank; ++k) strides[k + rank - from.rank] = from[k] == 1 ? 0 : of_values.values[k];
      storage::write_rows<Axis>(v, rows, extent, static_cast<T const*>(values.data()), strides);
    };
    if constexpr (is_arithmetic<X>) {
      T const number = scalar::convert<T>(x);
      storage::write_rows<Axis>(v, rows, extent, &number, strides);
    } else {
      // what lies in memory apart from v is read while v is written, anything else before
      if constexpr (requires { x.stride_values(); } && std::is_same_v<value_type_of<X>, T>)
        if (!__builtin_is_constant_evaluated() &&
            !exec::overlap(storage::ref_of(x), X::rank, sizeof(T), storage::ref_of(v), View::rank, sizeof(T)))
          return write(x);
      write(eval(astype<T>(x)));
    }
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci
