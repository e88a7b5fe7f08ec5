// What several index tensors name, read: straight into a new tensor, or into memory of its own where it is part of an
// expression.
#pragma once

#include <ricci/tensor/deferred.hpp>
#include <ricci/tensor/put_rows.hpp>

namespace ricci {

namespace storage {
inline namespace RICCI_ABI {

// f(rows, tensors...) of what is picked
template <class Places, class View, class... Index, class F>
constexpr void with_rows_of(picked<Places, View, Index...> const& x, F const& f) {
  auto const named = [&]<class... I>(View const& v, I const&... index) {
    picked_rows<Places, View, I...> rows("take", v, index...);
    rows.pack_strides();
    f(rows, index...);
  };
  x.with_tensors([&](View const& v, Index const&... index) { named(v, index_values(index)...); });
}
template <class Rows, class T, class... Index>
constexpr void read_picked(Rows const& rows, T* to, Index const&... index) {
  rows.for_each(
      "take",
      [&](index_t const* offsets, index_t n, index_t where, index_t step) {
        rows.move(offsets, n, rows.v.data(), to + where, step, [](T const& from, T& y) { y = from; });
      },
      index...);
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

template <class Places, class View, class... Index>
constexpr auto shape_of_expression(picked<Places, View, Index...> const& x) {
  using X = picked<Places, View, Index...>;
  shape_values<X::rank> s{};
  storage::with_rows_of(x, [&](auto const& rows, auto const&...) {
    for (int k = 0; k < X::rank; ++k) s[std::size_t(k)] = rows.shape.extent[k];
  });
  return s;
}

}  // namespace RICCI_ABI

template <class T, index_t... E, class Places, class View, class... Index>
constexpr void construct(tensor<T, E...>& t, picked<Places, View, Index...> const& x) {
  using X = picked<Places, View, Index...>;
  (void)sizeof(storage::assigned<extents<E...>, typename X::extents>);
  using to = extents<E...>;
  if constexpr (std::is_same_v<T, typename X::value_type> &&
                (std::is_same_v<to, typename X::extents> || std::is_same_v<to, dynamic_extents<to::rank>>))
    storage::with_rows_of(x, [&](auto const& rows, auto const&... index) {
      if constexpr (tensor<T, E...>::shared) t.resize(rows.shape.extent, x.whole().execution());
      storage::read_picked(rows, t.data(), index...);
    });
  else
    construct(t, eval(x));
}
template <class T, index_t... E, class Places, class View, class... Index>
constexpr void assign(tensor<T, E...>& t, picked<Places, View, Index...> const& x) {
  t = eval(x);
}

namespace expr {

template <int A, class B, class Places, class View, class... Index>
void bind(B& b, picked<Places, View, Index...> const& x) {
  using T = typename View::value_type;
  constexpr int rank = picked<Places, View, Index...>::rank;
  auto& d = b.deferred[b.deferred_count++];
  storage::with_rows_of(x, [&](auto const& rows, auto const&... index) {
    for (int k = 0; k < rank; ++k) d.extents[k] = rows.shape.extent[k];
    d.buffer = core::shared_buffer(core::bytes_of(d.extents, rank, sizeof(T)));
    storage::read_picked(rows, reinterpret_cast<T*>(d.buffer.data()), index...);
  });
  b.operands[A] = {d.buffer.data(), d.extents, nullptr};
  b.how = core::joined(b.how, x.whole().execution());
}

}  // namespace expr

}  // namespace ricci
