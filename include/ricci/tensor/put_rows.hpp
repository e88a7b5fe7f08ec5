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

// All indices are checked before anything is written. Where the view holds them itself, their offsets are kept.
template <class Places, class How, class View, class X, class... Index>
constexpr void write_named(View const& v, X const& x, Index const&... index) {
  using T = typename View::value_type;
  named_rows<Places, View, Index...> at(How::name, v, index...);
  auto const write = [&](T const* from, index_t const* offsets, index_t n, index_t where, index_t step) {
    at.move(offsets, n, v.data(), from + where, step, [](T& to, T const& value) { How::write(to, value); });
  };
  auto const write_all = [&](T const* from) {
    bool const own = (lies_in(index, v) || ...);
    core::owned_array<index_t> kept(own ? size_of(at.by) : 0);
    index_t done = 0;
    at.for_each(
        How::name,
        [&](index_t const* offsets, index_t n, index_t, index_t) {
          if (own)
            for (index_t k = 0; k < n; ++k) kept[done + k] = offsets[k];
          done += n;
        },
        index...);
    if (!own || done == 0)
      return at.for_each(
          How::name,
          [&](index_t const* offsets, index_t n, index_t where, index_t step) { write(from, offsets, n, where, step); },
          index...);
    index_axes<2> axes;
    shape_t packed = at.by;
    for (index_t k = at.by.rank - 1, n = 1; k >= 0; --k) packed.extent[k] = n, n *= at.by.extent[k];
    for (int k = 0; k < at.by.rank; ++k) {
      index_t const step[] = {packed.extent[k], at.y_strides[at.outer + k]};
      axes.push(at.by.extent[k], step);
    }
    // offsets may be negative, and are none of an axis: nothing is checked once more, or counted from an end
    index_t const* p = &kept[0];
    index_t from_first = *p;
    for (index_t k = 0; k < done; ++k) from_first = kept[k] < from_first ? kept[k] : from_first;
    for (index_t k = 0; k < done; ++k) kept[k] -= from_first;
    for_each_rows(
        How::name, axes,
        [&](index_t const* offsets, index_t n, index_t where, index_t step) {
          at.move(offsets, n, v.data() + from_first, from + where, step,
                  [](T& to, T const& value) { How::write(to, value); });
        },
        row_names<index_t>{p, index_t(1) << 62, 1});
  };
  auto const write_values = [&](auto const& values) {
    shape_t const from = shape_in_numbers(values);
    shapes::type_context c;
    put_rows_function<Places>::check(c, at.shape, from);
    if (c.failed) shapes::raise_misfit(How::name, at.shape, from);
    auto const of_values = values.stride_values();
    for (int k = 0; k < from.rank; ++k)
      at.y_strides[k + at.shape.rank - from.rank] = from.extent[k] == 1 ? 0 : of_values.values[k];
    write_all(values.data());
  };
  if constexpr (is_arithmetic<X>) {
    T const number = scalar::convert<T>(x);
    write_all(&number);
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
    storage::write_named<Places, How>(v, x, storage::index_values(index)...);
}

}  // namespace RICCI_ABI
}  // namespace ricci
