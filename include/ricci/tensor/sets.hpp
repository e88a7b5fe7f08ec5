// Sets: the distinct elements of a tensor, in ascending order, and what else is known of them: `rc::unique_all(x)` and
// its parts, as in the array API. -0 and 0 are one, NaNs are distinct and come last. Complex numbers ascend by their
// real parts and, where these are equal, by their imaginary parts. Computed at once.
#pragma once

#include <ricci/core/sort_keys.hpp>
#include <ricci/ops/search.hpp>
#include <ricci/tensor/searching.hpp>

RICCI_OPTIMIZED
namespace ricci {

inline namespace RICCI_ABI {

// `values`, ascending; where each is first among the elements of x in row-major order, for each element of x the
// position of its value, and how often each is there.
template <class T, int Rank>
struct unique_all_result {
  ndarray<T, 1> values;
  storage::indices<T> indices;
  ndarray<std::int64_t, Rank> inverse_indices;
  storage::indices<T> counts;
};
template <class T, int Rank>
struct unique_inverse_result {
  ndarray<T, 1> values;
  ndarray<std::int64_t, Rank> inverse_indices;
};
template <class T>
struct unique_counts_result {
  ndarray<T, 1> values;
  storage::indices<T> counts;
};

}  // namespace RICCI_ABI

namespace storage {
inline namespace RICCI_ABI {

// keys of the elements, sorted, in memory that is kept in `memory`
template <class Entry, class T>
Entry* sorted_keys(T const* p, index_t n, core::shared_buffer& memory) {
  memory = core::shared_buffer(core::bytes_of(&n, 1, 2 * index_t(sizeof(Entry))));
  auto* const a = reinterpret_cast<Entry*>(memory.data());
  if constexpr (std::is_same_v<Entry, core::key_t<T>>) {
    return core::sort_keys(reinterpret_cast<Entry const*>(p), core::numbers_as_keys<T>{}, a, a + n, n);
  } else {
    for (index_t k = 0; k < n; ++k) a[k] = {core::key_of(p[k]), k};
    return core::radix_sort(a, a + n, n);
  }
}
template <class T>
bool is_another(T a, T b) {
  return !(computed_t<T>(a) == computed_t<T>(b));
}
// The elements' places, in ascending order of the elements, each with a key. Complex numbers are sorted by their
// imaginary parts, then by their real parts, then by which parts are NaN: each sort keeps the order of what is equal.
template <class T>
auto* sorted_places(T const* p, index_t n, core::shared_buffer& memory) {
  if constexpr (!is_complex_number<T>) {
    return sorted_keys<core::placed_key<core::key_t<T>>>(p, n, memory);
  } else {
    using U = component_t<T>;
    using entry = core::placed_key<core::key_t<U>>;
    memory = core::shared_buffer(core::bytes_of(&n, 1, 2 * index_t(sizeof(entry))));
    auto* const a = reinterpret_cast<entry*>(memory.data());
    entry* e = a;
    auto const sorted_by = [&](auto const& key) {
      for (index_t k = 0; k < n; ++k) e[k].key = static_cast<core::key_t<U>>(key(p[e[k].at]));
      e = core::radix_sort(e, e == a ? a + n : a, n);
    };
    for (index_t k = 0; k < n; ++k) e[k].at = k;
    sorted_by([](T x) { return core::key_in_order<false>(x.imag()); });
    sorted_by([](T x) { return core::key_in_order<false>(x.real()); });
    sorted_by([](T x) { return 2 * scalar::isnan(x.real()) + scalar::isnan(x.imag()); });
    return e;
  }
}
// The element of an entry that has been sorted: a key, or a place with a key, which of complex numbers is not their
// own.
template <class T, class Entry>
RICCI_INLINE T element_of(T const* p, Entry const& e) {
  if constexpr (is_complex_number<T>)
    return p[e.at];
  else if constexpr (std::is_same_v<Entry, core::key_t<T>>)
    return core::of_key<T>(e);
  else
    return core::of_key<T>(e.key);
}
// Distinct elements, and their counts where they are wanted.
template <class T>
ndarray<T, 1> distinct(T const* p, index_t n, indices<T>* counts) {
  core::shared_buffer memory;
  auto* const sorted = [&] {
    if constexpr (is_complex_number<T>)
      return sorted_places(p, n, memory);
    else
      return sorted_keys<core::key_t<T>>(p, n, memory);
  }();
  auto const element = [&](index_t k) { return element_of(p, sorted[k]); };
  index_t found = 0;
  for (index_t k = 0; k < n; ++k) found += k == 0 || is_another(element(k), element(k - 1));
  auto values = new_row<T>(found);
  if (counts) *counts = new_indices<T>(found);
  T* to = values.data();
  index_t first = 0;
  for (index_t k = 0, at = 0; k < n; ++k) {
    T const x = element(k);
    if (k + 1 < n && !is_another(x, element(k + 1))) continue;
    *to++ = x;
    if (counts) counts->data()[at++] = k + 1 - first;
    first = k + 1;
  }
  return values;
}
// With where they stand: `inverse` has an element for each of p.
template <class T>
unique_all_result<T, 1> distinct_with_places(T const* p, index_t n, std::int64_t* inverse) {
  core::shared_buffer memory;
  auto* const entries = sorted_places(p, n, memory);
  auto const element = [&](index_t k) { return element_of(p, entries[k]); };
  auto const begins = [&](index_t k) { return k == 0 || is_another(element(k), element(k - 1)); };
  index_t found = 0;
  for (index_t k = 0; k < n; ++k) found += begins(k);
  unique_all_result<T, 1> r{new_row<T>(found), new_indices<T>(found), {}, new_indices<T>(found)};
  T* const values = r.values.data();
  std::int64_t *const places = r.indices.data(), *const counts = r.counts.data();
  index_t at = -1;
  for (index_t k = 0; k < n; ++k) {
    index_t const place = entries[k].at;
    if (begins(k)) {
      ++at;
      counts[at] = 0, places[at] = place;
    }
    if (place < places[at]) places[at] = place;  // 0 before a -0
    ++counts[at];
    inverse[place] = at;
  }
  for (index_t k = 0; k < found; ++k) values[k] = p[places[k]];
  return r;
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

// The distinct elements of x, which may have any shape: (count,), ascending.
template <class X>
requires(Tensor<X>) auto unique_values(X const& x) {
  (void)sizeof(derived_by_nobody<X>);
  (void)sizeof(storage::shape_depends_on_elements_of<X>);
  using T = value_type_of<X>;
  auto const& v = storage::stored_value(x);
  return storage::distinct<T>(v.data(), v.size(), nullptr);
}
// With how often each is there.
template <class X>
requires(Tensor<X>) auto unique_counts(X const& x) {
  (void)sizeof(derived_by_nobody<X>);
  (void)sizeof(storage::shape_depends_on_elements_of<X>);
  using T = value_type_of<X>;
  auto const& v = storage::stored_value(x);
  unique_counts_result<T> r;
  r.values = storage::distinct<T>(v.data(), v.size(), &r.counts);
  return r;
}
// All that is known of them.
template <class X>
requires(Tensor<X>) auto unique_all(X const& x) {
  (void)sizeof(derived_by_nobody<X>);
  (void)sizeof(storage::shape_depends_on_elements_of<X>);
  using T = value_type_of<X>;
  constexpr int rank = rank_of<X>;
  auto const& v = storage::stored_value(x);
  auto const shape = v.shape();
  ndarray<std::int64_t, rank> inverse(typename ndarray<std::int64_t, rank>::raw{}, shape.data(), {});
  auto r = storage::distinct_with_places<T>(v.data(), v.size(), inverse.data());
  return unique_all_result<T, rank>{
      static_cast<ndarray<T, 1>&&>(r.values), static_cast<storage::indices<T>&&>(r.indices),
      static_cast<decltype(inverse)&&>(inverse), static_cast<storage::indices<T>&&>(r.counts)};
}
// With the position of its value for each element of x, in the shape of x.
template <class X>
requires(Tensor<X>) auto unique_inverse(X const& x) {
  (void)sizeof(derived_by_nobody<X>);
  auto r = unique_all(x);
  return unique_inverse_result<value_type_of<X>, rank_of<X>>{
      static_cast<decltype(r.values)&&>(r.values), static_cast<decltype(r.inverse_indices)&&>(r.inverse_indices)};
}

// The distinct elements of x and y together, ascending, (count,), of the type to which both promote.
template <class X, class Y>
requires(Tensor<X>&& Tensor<Y>) auto union1d(X const& x, Y const& y) {
  using T = type_of<promote(dtype_of<value_type_of<X>>, dtype_of<value_type_of<Y>>)>;
  (void)sizeof(storage::shape_depends_on_elements_of<X>);
  (void)sizeof(storage::shape_depends_on_elements_of<Y>);
  return unique_values(concat(reshape(astype<T>(x), shape(-1)), reshape(astype<T>(y), shape(-1))));
}
// Those that are in both, of that type.
template <class X, class Y>
requires(Tensor<X>&& Tensor<Y>) auto intersect1d(X const& x, Y const& y) {
  using T = type_of<promote(dtype_of<value_type_of<X>>, dtype_of<value_type_of<Y>>)>;
  (void)sizeof(storage::shape_depends_on_elements_of<Y>);
  auto const values = unique_values(astype<T>(x));
  return compress(isin(values, y), values);
}
// Those of x that are not in y, of the type of x.
template <class X, class Y>
requires(Tensor<X>&& Tensor<Y>) auto setdiff1d(X const& x, Y const& y) {
  (void)sizeof(storage::shape_depends_on_elements_of<Y>);
  auto const values = unique_values(x);
  return compress(!isin(values, y), values);
}

}  // namespace RICCI_ABI
}  // namespace ricci
RICCI_OPTIMIZED_END
