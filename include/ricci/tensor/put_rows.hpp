// Rows named by index tensors, written: `a(rows) = x` and `a(rows, rc::all, columns).add(x)` touch what is named and
// nothing else.
#pragma once

#include <ricci/exec/alias.hpp>
#include <ricci/tensor/assign.hpp>
#include <ricci/tensor/index_loops.hpp>

namespace ricci {

namespace storage {
inline namespace RICCI_ABI {

template <class I>
concept IndexInMemory = requires(I const& i) {
  i.data();
  i.stride_values();
  requires !requires { I::memory_space; };
};
// an index tensor with elements to point to
template <class I>
constexpr decltype(auto) index_values(I const& i) {
  if constexpr (IndexInMemory<I>)
    return (i);
  else
    return eval(i);
}
template <class X, class V>
constexpr bool lies_in(X const& x, V const& v) {
  return __builtin_is_constant_evaluated() || exec::overlap(ref_of(x), X::rank, sizeof(typename X::value_type),
                                                            ref_of(v), V::rank, sizeof(typename V::value_type));
}

// Offsets of all rows that are named, in the order of their names, of index tensors that are about to be overwritten
// themselves; counted from the least of them, so that they are indices of an axis.
struct kept_offsets {
  core::owned_array<index_t> offsets;
  index_t count = 0, least = 0;

  template <class Rows, class... Index>
  constexpr kept_offsets(char const* name, Rows const& rows, Index const&... index) : offsets(size_of(rows.by)) {
    rows.for_each(
        name,
        [&](index_t const* some, index_t n, index_t, index_t) {
          for (index_t k = 0; k < n; ++k) {
            least = count == 0 || some[k] < least ? some[k] : least;
            offsets[count++] = some[k];
          }
        },
        index...);
    for (index_t k = 0; k < count; ++k) offsets[k] -= least;
  }
  template <class Rows>
  constexpr index_axes<2> axes(Rows const& rows) const {
    index_axes<2> r;
    index_t packed = count;
    for (int k = 0; k < rows.by.rank && count > 0; ++k) {
      packed /= rows.by.extent[k];
      index_t const step[] = {packed, rows.y_strides[Rows::outer + k]};
      r.push(rows.by.extent[k], step);
    }
    return r;
  }
};

// All indices are checked before anything is written.
template <class Places, class How, class View, class X, class... Index>
constexpr void write_picked(View const& v, X const& x, Index const&... index) {
  using T = typename View::value_type;
  picked_rows<Places, View, Index...> rows(How::name, v, index...);
  auto const write_from = [&](T const* from) {
    index_t least = 0;
    auto const write = [&](index_t const* offsets, index_t n, index_t where, index_t step) {
      rows.move(offsets, n, v.data() + least, from + where, step, [](T& to, T const& value) { How::write(to, value); });
    };
    if ((lies_in(index, v) || ...)) [[unlikely]] {
      kept_offsets const kept(How::name, rows, index...);
      least = kept.least;
      if (kept.count > 0)
        for_each_rows<false>(How::name, kept.axes(rows), write,
                             row_indices<index_t>{&kept.offsets[0], index_t(1) << 62, 1});
    } else {
      rows.template for_each<true>(How::name, write, index...);
      rows.for_each(How::name, write, index...);
    }
  };
  auto const write_values = [&](auto const& values) {
    shape_t const from = shape_in_numbers(values);
    shapes::type_context c;
    put_rows_function<Places>::check(c, rows.shape, from);
    if (c.failed) shapes::raise_misfit(How::name, rows.shape, from);
    auto const of_values = values.stride_values();
    for (int k = 0; k < from.rank; ++k)
      rows.y_strides[k + rows.shape.rank - from.rank] = from.extent[k] == 1 ? 0 : of_values.values[k];
    write_from(values.data());
  };
  if constexpr (is_arithmetic<X>) {
    T const number = scalar::convert<T>(x);
    write_from(&number);
  } else {
    // what lies in memory apart from v is read while v is written, anything else before
    if constexpr (requires { x.stride_values(); } && std::is_same_v<value_type_of<X>, T>)
      if (!lies_in(x, v)) return write_values(x);
    write_values(eval(astype<T>(x)));
  }
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

// The rows of v that the index tensors name become x, which is broadcast to them, or (How) are combined with it. Raises
// index_error for an index that lies outside of its axis, shape_error where shapes do not fit, before anything is
// written.
template <class Places, class How, class View, class X, class... Index>
constexpr void assign_rows(View const& v, X const& x, Index const&... index) {
  (void)sizeof(extents_of_call<put_rows_function<Places>, no_attributes, View, X, Index...>);
  if constexpr (std::is_const_v<std::remove_pointer_t<decltype(v.data())>>)
    assign(v, x);  // which says that it is read only
  else if constexpr (requires { View::memory_space; })
    assign(v, How::template on_values<Places>(v, x, index...));
  else
    storage::write_picked<Places, How>(v, x, storage::index_values(index)...);
}

}  // namespace RICCI_ABI
}  // namespace ricci
