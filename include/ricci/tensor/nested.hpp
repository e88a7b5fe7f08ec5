// Data of others with more than one axis: `rc::asarray(rows)` copies a std::vector of std::vectors (of std::arrays,
// spans, C arrays, of any depth), `rc::frombuffer(p, rc::shape(n, m), rc::strides(1, n))` is a view of memory with
// strides.
#pragma once

#include <ricci/tensor/create.hpp>

namespace ricci {

namespace storage {

// One axis of nested data: what stands along it, and how many, where the type knows.
template <class R>
struct sequence {};
template <Range R>
struct sequence<R> {
  using part = std::remove_cvref_t<decltype(*std::declval<R const&>().begin())>;
  static constexpr index_t length = length_of_range<R>;
};
template <class R, std::size_t N>
struct sequence<R[N]> {
  using part = R;
  static constexpr index_t length = N;
};
template <class R>
concept Sequence = requires {
  typename sequence<R>::part;
};

// What stands in nested data at the end, and the extents that its type knows.
template <class R>
struct nested_data {
  using element = R;
  using extents = ricci::extents<>;
};
template <index_t N, class E>
struct behind_extent;
template <index_t N, index_t... E>
struct behind_extent<N, extents<E...>> {
  using type = extents<N, E...>;
};
template <Sequence R>
struct nested_data<R> {
  using inner = nested_data<typename sequence<R>::part>;
  using element = typename inner::element;
  using extents = typename behind_extent<sequence<R>::length, typename inner::extents>::type;
};
template <class R>
concept NestedData =
    Sequence<R> && Sequence<typename sequence<R>::part> && Arithmetic<typename nested_data<R>::element>;

inline namespace RICCI_ABI {

template <class R>
constexpr index_t length_of(R const& data) {
  if constexpr (sequence<R>::length >= 0)
    return sequence<R>::length;
  else
    return static_cast<index_t>(data.size());
}
// the extents of the first of each depth
template <class R>
constexpr void measure_nested(R const& data, index_t* extents) {
  if constexpr (Sequence<R>) {
    *extents = length_of(data);
    for (auto const& part : data) {
      measure_nested(part, extents + 1);
      break;
    }
  }
}
// in row-major order to `to`; at: the indices of `data` itself
template <class T, class R>
constexpr void write_nested(R const& data, index_t const* extents, index_t* at, int depth, T*& to) {
  if constexpr (Sequence<R>) {
    if (index_t const n = length_of(data); n != extents[depth]) {
      core::text t;
      t << "asarray: ragged: element ";
      for (int k = 0; k < depth; ++k) t << '[' << at[k] << ']';
      core::raise<shape_error>(t << " has " << n << " elements, the first one has " << extents[depth]);
    }
    at[depth] = 0;
    for (auto const& part : data) {
      write_nested(part, extents, at, depth + 1, to);
      ++at[depth];
    }
  } else {
    *to++ = scalar::convert<T>(data);
  }
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

// A copy of nested data, (n, m, ...): a range of ranges of numbers, with the extents that its type knows, as that of a
// std::array does. Where an element is longer or shorter than the first one: a shape_error that says which.
template <Element T, storage::NestedData R, Context C = exec::default_context>
constexpr auto asarray(R const& data, [[maybe_unused]] C const& context = {}) {
  using E = typename storage::nested_data<R>::extents;
  using X = typename storage::maker<C>::template type<T, E>;
  index_t extents[E::rank], at[E::rank]{};
  for (int k = 0; k < E::rank; ++k) extents[k] = E::extent(k) < 0 ? 0 : E::extent(k);
  storage::measure_nested(data, extents);
  return storage::written(X(typename X::raw{}, extents, storage::maker<C>::execution(context)),
                          [&](T* to) { storage::write_nested(data, extents, at, 0, to); });
}
template <storage::NestedData R, Context C = exec::default_context>
constexpr auto asarray(R const& data, C const& context = {}) {
  return asarray<element_t<typename storage::nested_data<R>::element>>(data, context);
}

// Strides, in elements: for frombuffer. One may be negative, or 0: then all along its axis are the same element.
template <std::integral... N>
constexpr std::array<index_t, sizeof...(N)> strides(N... n) {
  return {static_cast<index_t>(n)...};
}
// A view of elements that are so many apart along each axis; element (0, ..., 0) is at p. Somebody else owns and keeps
// them. T: an element type, const where they are only read.
template <class T, ShapeArgument S, std::size_t N>
requires(is_stored<std::remove_const_t<T>>) constexpr auto frombuffer(T* p, S const& shape,
                                                                      std::array<index_t, N> const& strides) {
  auto const dense = frombuffer(p, shape);
  using E = typename std::remove_const_t<decltype(dense)>::extents;
  static_assert(E::rank == N, "frombuffer: a stride for each axis");
  expr::stride_storage<E::rank> s;
  for (int k = 0; k < E::rank; ++k) s.values[k] = strides[std::size_t(k)];
  return view<T, E, layout::strided, false>(p, dense.extent_values(), s);
}

}  // namespace RICCI_ABI
}  // namespace ricci
