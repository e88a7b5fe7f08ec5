// Orthonormal columns that span the range of a matrix, and its null space, as SciPy's:
//
//   orth(a)         (m, n) -> (m, rank)
//   null_space(a)   (m, n) -> (n, n - rank)
//
// A singular value counts as 0 where it is at most a tolerance times the largest one, a number behind the operand; by
// default it is the larger of m and n times the distance from 1 to the next number. Only the values of a matrix say how
// many columns there are: both are computed at once, of one matrix, and are no part of traced functions. A matrix with
// elements that are no finite numbers, and a tolerance that is negative or NaN, are value_errors.
#pragma once

#include <ricci/linalg/svd.hpp>

namespace ricci::linalg {

template <class Derived>
struct space_of_matrix {
  template <class X>
  requires operands<X>
  constexpr auto operator()(X const& x) const { return with_tolerance(x, -1.); }
  template <class X>
  requires operands<X>
  constexpr auto operator()(X const& x, double rtol) const {
    check_tolerance(Derived::name, rtol);
    return with_tolerance(x, rtol);
  }

 private:
  // `rtol`: negative where it is that by default
  template <class X>
  static constexpr auto with_tolerance(X const& x, double rtol) {
    static_assert(
        level_of<X> == operand_level::tensor && rank_of<X> == 2,
        "orth and null_space: of one matrix, and not within a traced function, as only its values say how many "
        "columns the result has");
    auto const [u, s, vh] = svd(x);
    using T = std::remove_cvref_t<decltype(s(0))>;
    index_t const m = u.shape(0), n = vh.shape(0), k = s.shape(0);
    double const limit =
        rtol < 0 ? double(std::numeric_limits<T>::epsilon()) * static_cast<double>(m > n ? m : n) : rtol;
    index_t rank = 0;
    for (index_t i = 0; i < k; ++i) {
      if (s(i) != s(i))
        core::raise<value_error>(core::text() << Derived::name << ": the matrix has elements that are not finite");
      rank += double(s(i)) > limit * double(s(0));
    }
    return Derived::chosen(u, vh, rank);
  }

 protected:
  template <index_t Rows, class T, class F>
  static constexpr auto made(index_t rows, index_t columns, F const& element) {
    tensor<T, Rows, dyn> y(rows, columns);
    for (index_t i = 0; i < rows; ++i)
      for (index_t j = 0; j < columns; ++j) y(i, j) = element(i, j);
    return y;
  }
};
struct orth_t : space_of_matrix<orth_t> {
  static constexpr auto name = "orth";
  template <class T, index_t M, index_t N>
  static constexpr auto chosen(tensor<T, M, M> const& u, tensor<T, N, N> const&, index_t rank) {
    return made<M, T>(u.shape(0), rank, [&](index_t i, index_t j) { return u(i, j); });
  }
};
struct null_space_t : space_of_matrix<null_space_t> {
  static constexpr auto name = "null_space";
  template <class T, index_t M, index_t N>
  static constexpr auto chosen(tensor<T, M, M> const&, tensor<T, N, N> const& vh, index_t rank) {
    return made<N, T>(vh.shape(0), vh.shape(0) - rank,
                      [&](index_t i, index_t j) { return T(conjugate(number_for<T>(vh(rank + j, i)))); });
  }
};
inline constexpr orth_t orth{};
inline constexpr null_space_t null_space{};

}  // namespace ricci::linalg
