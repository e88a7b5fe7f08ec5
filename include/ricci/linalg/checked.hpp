// `rc::linalg::checked(rc::linalg::cholesky(a))` is what stands in parentheses, evaluated; where an element of it is
// NaN, as what cannot be factored is, a rc::linalg::error is raised that names the operation and says where the first
// one is: "cholesky: NaN at (1, 0, 0)". It takes the records of several results, too: `auto [w, v] =
// rc::linalg::checked(rc::linalg::eigh(a))`. It is for tensors, and not for symbols of a traced function.
#pragma once

#include <ricci/linalg/results.hpp>

namespace ricci {

namespace linalg {

struct error : ricci::error {
  using ricci::error::error;
};

}  // namespace linalg

template <>
inline constexpr char const* core::error_name<linalg::error> = "linalg::error";

namespace linalg {

// who is named where a record is checked, or a tensor
template <class X>
constexpr char const* name_of_result = "a result";
template <class Op, class Attributes, class... A>
constexpr char const* name_of_result<node<Op, Attributes, A...>> = Op::name;
template <class... T>
constexpr char const* name_of_result<slogdet_result<T...>> = "slogdet";
template <class... T>
constexpr char const* name_of_result<lu_result<T...>> = "lu";
template <class... T>
constexpr char const* name_of_result<qr_result<T...>> = "qr";
template <class... T>
constexpr char const* name_of_result<eigh_result<T...>> = "eigh";
template <class... T>
constexpr char const* name_of_result<eig_result<T...>> = "eig";
template <class... T>
constexpr char const* name_of_result<schur_result<T...>> = "schur";
template <class... T>
constexpr char const* name_of_result<polar_result<T...>> = "polar";
template <class... T>
constexpr char const* name_of_result<lstsq_result<T...>> = "lstsq";
template <class... T>
constexpr char const* name_of_result<svd_result<T...>> = "svd";

[[noreturn]] RICCI_COLD inline void raise_not_a_number(char const* name, index_t at, index_t const* extents, int rank) {
  index_t place[max_rank]{};
  for (int k = rank - 1; k >= 0; --k) place[k] = at % extents[k], at /= extents[k];
  core::text t;
  t << name << ": NaN at ";
  t.shape(place, rank);
  core::raise<error>(t);
}
// of a tensor in memory, in row-major order
template <class X>
constexpr void check_numbers(char const* name, X const& x) {
  auto const* const p = x.data();
  for (index_t k = 0, n = x.size(); k < n; ++k)
    if (p[k] != p[k]) {
      index_t extents[X::rank + 1]{};
      for (int axis = 0; axis < X::rank; ++axis) extents[axis] = x.shape(axis);
      raise_not_a_number(name, k, extents, X::rank);
    }
}

template <class X>
requires(level_of<X> == operand_level::tensor) constexpr auto checked(X&& x) {
  auto y = eval(static_cast<X&&>(x));
  check_numbers(name_of_result<std::remove_cvref_t<X>>, y);
  return y;
}
template <template <class...> class Record, class... T>
requires requires {
  name_of_result<Record<T...>>[0];
  Record<T...>{};
}
constexpr Record<T...> checked(Record<T...> x) {
  tree::for_each_leaf([](auto const& m) { check_numbers(name_of_result<Record<T...>>, m); }, x);
  return x;
}

}  // namespace linalg

}  // namespace ricci
