// `rc::linalg::expm(a)`, the exponential of a matrix, the sum of a^k / k!: (..., n, n) -> (..., n, n), as in SciPy and
// JAX. A matrix that is not square is a compile error or a shape_error.
//
// By scaling, quotients of polynomials and squaring [Higham, The scaling and squaring method for the matrix exponential
// revisited, 2005]. Its derivative is part of the exponential of a matrix of blocks (matrix_functions.hpp).
#pragma once

#include <ricci/linalg/matrix_functions.hpp>
#include <ricci/ops/elimination.hpp>

namespace ricci::linalg {

// c = a b, of n rows and columns
template <class T>
RICCI_HD RICCI_VECTORISED constexpr void multiply_square(T const* a, T const* b, T* c, index_t n) {
  for (index_t k = 0; k < n * n; ++k) c[k] = 0;
  index_t i = 0;
  for (; i + 2 <= n; i += 2)
    subtract_rows_of_two(c + i * n, c + (i + 1) * n, a + i * n, a + (i + 1) * n, 1, b, n, n, n);
  if (i < n) subtract_rows(c + i * n, a + i * n, 1, b, n, n, n);
  for (index_t k = 0; k < n * n; ++k) c[k] = -c[k];
}

struct expm_t : core_call<expm_t> {
  static constexpr auto name = "expm";
  static constexpr core_signature core{"(n,n)->(n,n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = number_for<T>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return 8 * n[0] * n[0]; }
  static constexpr index_t operations(index_t const* n) { return 20 * n[0] * n[0] * n[0]; }

  // Degrees of both polynomials, and the 1-norms of matrices up to which they are exact to rounding (table 2.3 there,
  // and of float Higham, Functions of Matrices, 2008, section 10.3). Beyond the last one the matrix is halved.
  struct approximations {
    int count;
    int degree[5];
    double norm[5];
  };
  template <class T>
  RICCI_HD static constexpr approximations known() {
    if (sizeof(real_for<T>) == 4) return {3, {3, 5, 7}, {4.258730016922831e-1, 1.880152677804762, 3.925724783138660}};
    return {5,
            {3, 5, 7, 9, 13},
            {1.495585217958292e-2, 2.539398330063230e-1, 9.504178996162932e-1, 2.097847961257068, 5.371920351148152}};
  }
  // The exponential of the matrix at `memory`, whose 1-norm that is. Where it lies then is the result.
  template <class T>
  RICCI_HD RICCI_VECTORISED static constexpr T* exponential(T* memory, index_t n, real_for<T> norm) {
    index_t const all = n * n;
    T *const x = memory, *const square = x + all, *const odd = square + all, *const even = odd + all,
             *const system = even + all;
    T *power = system + 2 * all, *other = power + all;
    auto const next_power = [&](T const* a, T const* b) {
      multiply_square(a, b, other, n);
      T* const t = power;
      power = other, other = t;
    };
    approximations const table = known<T>();
    int which = 0, halvings = 0;
    while (which + 1 < table.count && double(norm) > table.norm[which]) ++which;
    real_for<T> scale = 1;
    for (; double(norm * scale) > table.norm[which]; ++halvings) scale /= 2;
    for (index_t k = 0; k < all; ++k) x[k] *= T(scale);
    multiply_square(x, x, square, n);
    for (index_t k = 0; k < all; ++k) odd[k] = even[k] = power[k] = 0;
    for (index_t k = 0; k < n; ++k) power[k * n + k] = 1;
    int const m = table.degree[which];
    double factor = 1;  // of the k-th power
    for (int k = 0; k < m; k += 2) {
      double const following = factor * (m - k) / ((2. * m - k) * (k + 1));
      T const f = T(real_for<T>(factor)), g = T(real_for<T>(following));
      for (index_t i = 0; i < all; ++i) even[i] += f * power[i], odd[i] += g * power[i];
      factor = following * (m - k - 1) / ((2. * m - k - 1) * (k + 2));
      if (k + 2 < m) next_power(power, square);
    }
    multiply_square(x, odd, other, n);
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) {
        T const e = even[i * n + j], o = other[i * n + j];
        system[i * 2 * n + j] = e - o, system[i * 2 * n + n + j] = e + o;
      }
    (void)solve_beside(system, n, n);
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) power[i * n + j] = system[i * 2 * n + n + j];
    for (; halvings > 0; --halvings) next_power(power, power);
    return power;
  }
  RICCI_FN run(auto const& c, auto const& a, auto const& y) {
    index_t const n = c.extents[0];
    using T = std::remove_cvref_t<decltype(*c.workspace)>;
    using R = real_for<T>;
    R norm = 0;
    for (index_t j = 0; j < n; ++j) {
      R sum = 0;
      for (index_t i = 0; i < n; ++i) sum += modulus(number_for<T>(a(i, j)));
      if (!(sum <= std::numeric_limits<R>::max())) return fill(not_a_number<T>, y, n, n);
      norm = sum > norm ? sum : norm;
    }
    read(c.workspace, n, a, n, n);
    write(exponential(c.workspace, n, norm), n, y, n, n);
  }

  // (which may be 0, where a direction of any size would do)
  template <class V>
  static constexpr V along(V a, V e) {
    return derivative_along<expm_t>(a, e, V(maximum(largest_element(a, 2), 0.25)));
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return along(at.operand(0), t[0]);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    out[0] = along(transposed(at.operand(0)), ct);
  }
};
inline constexpr expm_t expm{};

}  // namespace ricci::linalg
