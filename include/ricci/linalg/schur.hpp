// `auto [t, z] = rc::linalg::schur(a)`: a = z t z^H with orthonormal columns of z, (..., n, n) -> (..., n, n), (..., n,
// n). Of complex matrices t is upper triangular; of real ones t and z are real, and t has a block of two rows on its
// diagonal for each pair of conjugate eigenvalues, as SciPy's and LAPACK's. Where elements are no finite numbers, the
// member of the batch is NaN. A matrix that is not square is a compile error or a shape_error. It has no derivatives,
// since nothing says in which order the eigenvalues stand.
#pragma once

#include <ricci/linalg/algebra.hpp>
#include <ricci/linalg/complex_schur.hpp>
#include <ricci/linalg/real_schur.hpp>
#include <ricci/linalg/results.hpp>

namespace ricci::linalg {

// The Schur form of what stands in a, which becomes t; rows of z, if it is there, become the columns of z. memory: 3 n.
template <class T>
RICCI_HD constexpr bool schur_form(T* a, index_t n, T* z, T* memory) {
  make_hessenberg(a, n, z, memory);
  if constexpr (is_complex_matrix<T>)
    return make_schur(a, n, z, memory);
  else
    return make_schur(a, n, z);
}

struct schur_t : core_call<schur_t> {
  static constexpr auto name = "schur";
  static constexpr core_signature core{"(n,n)->(n,n),(n,n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return 2 * n[0] * n[0] + 3 * n[0]; }
  static constexpr index_t operations(index_t const* n) { return 25 * n[0] * n[0] * n[0]; }

  RICCI_FN run(auto const& c, auto const& a, auto const& t, auto const& q) {
    index_t const n = c.extents[0];
    using T = std::remove_cvref_t<decltype(*c.workspace)>;
    T *const x = c.workspace, *const z = x + n * n, *const memory = z + n * n;
    auto const scale = scale_of(largest_of(a, n, n));
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) x[i * n + j] = T(a(i, j)) * T(scale);
    if (scale == 0 || !schur_form(x, n, z, memory)) {
      fill(not_a_number<T>, t, n, n);
      return fill(not_a_number<T>, q, n, n);
    }
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) {
        T const element = x[i * n + j];
        if constexpr (is_complex_matrix<T>)
          t(i, j) = T(element.re / scale, element.im / scale);
        else
          t(i, j) = element / scale;
        q(i, j) = z[j * n + i];
      }
  }
};
struct schur_function {
  template <class X>
  requires operands<X>
  constexpr auto operator()(X&& x) const { return named<schur_result>(schur_t{}(static_cast<X&&>(x))); }
};
inline constexpr schur_function schur{};

}  // namespace ricci::linalg
