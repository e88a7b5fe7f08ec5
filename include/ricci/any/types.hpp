// The data type functions of the array API standard of types that are values; `rc::can_cast(from, to)` and
// `rc::isdtype(type, kind)` are in core/data_types.hpp.
#pragma once

#include <ricci/core/data_types.hpp>
#include <ricci/core/scalar.hpp>

namespace ricci {

// The type to which these promote (NumPy's name: `rc::result_type<A, B>` is a type).
template <class... T>
requires(sizeof...(T) > 0 && (std::is_same_v<T, dtype> && ...)) constexpr dtype promote_types(T... types) {
  return promote_all(types...);
}

// The limits of a type of numbers as a value, which doubles hold exactly. value_error: it has none.
inline floating_limits<double> finfo(dtype type) {
  floating_limits<double> found{};
  if (type != dtype::none)
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (is_inexact(dtype_of<T>)) {
        auto const of = [](auto x) { return scalar::convert<double>(x); };
        auto const own = finfo<T>();
        found = {own.bits, of(own.eps), of(own.max), of(own.min), of(own.smallest_normal), own.dtype};
      }
    });
  if (found.bits == 0) core::raise<value_error>(core::text() << "finfo: " << name_of(type) << " has no fractions");
  return found;
}
struct any_integer_limits {
  int bits;
  std::uint64_t max;
  std::int64_t min;
  ricci::dtype dtype;
};
// value_error: it is no integer type.
inline any_integer_limits iinfo(dtype type) {
  any_integer_limits found{};
  if (type != dtype::none)
    with_type(type, [&](auto zero) {
      using T = decltype(zero);
      if constexpr (is_integer(dtype_of<T>)) {
        auto const own = iinfo<T>();
        found = {own.bits, std::uint64_t(own.max), std::int64_t(own.min), own.dtype};
      }
    });
  if (found.bits == 0) core::raise<value_error>(core::text() << "iinfo: " << name_of(type) << " is no integer");
  return found;
}

}  // namespace ricci
