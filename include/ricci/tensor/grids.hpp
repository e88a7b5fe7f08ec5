// Creation, further: `rc::logspace<T>(a, b, n)`, `rc::geomspace<T>(a, b, n)`, `rc::tri<T>(n, m)`,
// `rc::indices(rc::shape(m, n))`.
#pragma once

#include <ricci/tensor/create.hpp>

namespace ricci {
inline namespace RICCI_ABI {

// (n,): the base to the power of numbers at equal distances from start to stop.
template <Element T, Arithmetic A, Arithmetic B, class N, Context C = exec::default_context>
requires(Extent<N> || shapes::is_extents<N>) auto logspace(A start, B stop, N n, double base = 10,
                                                           endpoint with_stop = {}, C const& context = {}) {
  auto x = storage::made<T>(storage::shape_of_length(n), context);
  storage::even_powers const f{base, storage::steps_to<double>(x.size(), static_cast<double>(start),
                                                               static_cast<double>(stop), with_stop.value)};
  return storage::filled(static_cast<decltype(x)&&>(x), f);
}
// (n,): numbers from start to stop of which each is as many times the one before. Both have one sign and are not 0:
// else a value_error.
template <Element T, Arithmetic A, Arithmetic B, class N, Context C = exec::default_context>
requires(Extent<N> || shapes::is_extents<N>) auto geomspace(A start, B stop, N n, endpoint with_stop = {},
                                                            C const& context = {}) {
  static_assert(is_floating(dtype_of<T>), "geomspace makes floating tensors");
  auto const a = static_cast<double>(start), b = static_cast<double>(stop);
  if (!((a > 0 && b > 0) || (a < 0 && b < 0)))
    core::raise<value_error>(core::text() << "geomspace: start and stop have one sign and are not 0");
  double const way = __builtin_log2(__builtin_fabs(b)) - __builtin_log2(__builtin_fabs(a));
  bool const is_far = __builtin_fabs(way) > 1000;  // the quotient is no number then
  auto const powers = linspace<double>(0, is_far ? way : __builtin_log2(b / a), n, with_stop);
  index_t const last = with_stop.value ? powers.size() - 1 : -1;
  return storage::filled(storage::made<T>(storage::shape_of_length(n), context), [&](index_t k) {
    double const p = powers.data()[k];
    if (k == last && last > 0) return b;
    return is_far ? a * __builtin_exp2(p / 2) * __builtin_exp2(p / 2) : a * __builtin_exp2(p);
  });
}
// (n, m): ones on diagonal k and below it; (n, n) of a single extent.
template <Element T, ShapeArgument S, Context C = exec::default_context>
constexpr auto tri(S const& shape, index_t k = 0, C const& context = {}) {
  auto const& s = shapes::argument(shape);
  using argument = std::remove_cvref_t<decltype(s)>;
  static_assert(argument::rank == 2, "tri makes matrices");
  if constexpr (requires { requires argument::is_symbolic; }) {
    return tracing::tri<T>(s, k);
  } else {
    auto x = storage::made<T>(s, context);
    index_t const columns = x.shape(1);
    return storage::filled(static_cast<decltype(x)&&>(x), storage::lower_ones<T>{columns, k});
  }
}
template <Element T, Extent N>
constexpr auto tri(N n) {
  return tri<T>(shape(n, n));
}
template <Element T, Extent N, Extent M>
constexpr auto tri(N rows, M columns, index_t k = 0) {
  return tri<T>(shape(rows, columns), k);
}
// (rank, ...): of a shape, the coordinates of all elements along each axis, int64 if no type is given.
template <Element T = std::int64_t, ShapeArgument S, Context C = exec::default_context>
constexpr auto indices(S const& shape, C const& context = {}) {
  auto const& s = shapes::argument(shape);
  using argument = std::remove_cvref_t<decltype(s)>;
  constexpr int rank = argument::rank;
  auto x = [&]<std::size_t... K>(std::index_sequence<K...>) {
    if constexpr (shapes::is_extents<argument>)
      return storage::made<T>(extents<rank, argument::extent(int(K))...>{}, context);
    else
      return storage::made<T>(ricci::shape(rank, s.values[K]...), context);
  }
  (std::make_index_sequence<std::size_t(rank)>{});
  auto const n = x.shape();
  return storage::written(static_cast<decltype(x)&&>(x), [&](T* to) {
    index_t size = 1;
    for (int k = 1; k <= rank; ++k) size *= n[std::size_t(k)];
    index_t behind = size;
    for (int k = 1; k <= rank; ++k) {
      index_t const extent = n[std::size_t(k)];
      if (size > 0) behind /= extent;
      for (index_t first = 0; first < size; first += extent * behind)
        for (index_t i = 0; i < extent; ++i)
          for (index_t j = 0; j < behind; ++j) *to++ = scalar::convert<T>(i);
    }
  });
}

}  // namespace RICCI_ABI
}  // namespace ricci
