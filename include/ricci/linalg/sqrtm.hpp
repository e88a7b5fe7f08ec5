// The principal square root and logarithm of a matrix, (..., n, n) -> (..., n, n):
//
//   sqrtm(a)   x with x x = a, whose eigenvalues have no negative real parts
//   logm(a)    x with expm(x) = a, whose eigenvalues have imaginary parts between -pi and pi
//
// Of real matrices they are real; where that is not possible, as a has a negative eigenvalue, and where there is none,
// as for some singular matrices, the member of the batch is NaN (`rc::astype<std::complex<double>>(a)` has the complex
// one). A matrix that is not square is a compile error or a shape_error.
//
// By Schur's form [Bjorck and Hammarling, A Schur method for the square root of a matrix, 1983], the logarithm by roots
// until little is left but the unit matrix, of which it is a quotient of polynomials in partial fractions [Higham,
// Functions of Matrices, 2008, sections 6.2 and 11.5; Al-Mohy, A more accurate Briggs method for the logarithm, 2012].
#pragma once

#include <ricci/linalg/complex_schur.hpp>
#include <ricci/linalg/eigh.hpp>
#include <ricci/linalg/matrix_functions.hpp>
#include <ricci/linalg/schur.hpp>

namespace ricci::linalg {

// An upper triangular matrix becomes its square root. False where it has none.
template <class C>
RICCI_HD constexpr bool take_root_of_triangle(C* t, index_t n) {
  for (index_t j = 0; j < n; ++j) {
    t[j * n + j] = square_root_of_complex(t[j * n + j]);
    for (index_t i = j - 1; i >= 0; --i) {
      C rest = t[i * n + j];
      for (index_t k = i + 1; k < j; ++k) rest -= t[i * n + k] * t[k * n + j];
      C const sum = t[i * n + i] + t[j * n + j];
      if (sum == 0 && !(rest == 0)) return false;
      t[i * n + j] = sum == 0 ? C(0) : rest / sum;
    }
  }
  return true;
}
template <class R>
RICCI_HD constexpr complex_number<R> logarithm_of_complex(complex_number<R> x) {
  using std::atan2, std::log;
  return {log(modulus(x)), atan2(x.im, x.re)};
}
// The 2^k-th root of x, less 1, without cancellation.
template <class C>
RICCI_HD constexpr C root_less_one(C x, int k) {
  if (k == 0) return x - C(1);
  x = square_root_of_complex(x);
  C const first = x - C(1);
  C all(1);
  for (int i = 1; i < k; ++i) {
    x = square_root_of_complex(x);
    all *= x + C(1);
  }
  return first / all;
}
// An upper triangular matrix becomes its logarithm. memory: 2 n n + n numbers. False where it has none.
template <class C>
RICCI_HD constexpr bool take_logarithm_of_triangle(C* t, index_t n, C* memory) {
  using R = real_for<C>;
  constexpr int degree = 7;
  constexpr double half_nodes[] = {0, .405845151377397166906606412076961, .741531185599394439863864773280788,
                                   .949107912342758524526189684047851},
                   weights[] = {.417959183673469387755102040816327, .381830050505118944950369775488975,
                                .279705391489276667901467771423780, .129484966168869693270611432679082},
                   largest_norm = .264;  // table 11.1 there, of degree 7
  constexpr int most_roots = 200;
  C *const x = memory, *const y = x + n * n, *const values = y + n * n;
  for (index_t i = 0; i < n; ++i) {
    values[i] = t[i * n + i];
    if (values[i] == 0) return false;
  }
  int roots = 0;
  for (;; ++roots) {
    R norm = 0;
    for (index_t j = 0; j < n; ++j) {
      R sum = 0;
      for (index_t i = 0; i <= j; ++i) sum += modulus(i == j ? t[i * n + i] - C(1) : t[i * n + j]);
      norm = sum > norm ? sum : norm;
    }
    if (double(norm) <= largest_norm) break;
    if (roots == most_roots || !take_root_of_triangle(t, n)) return false;
  }
  for (index_t i = 0; i < n; ++i)
    for (index_t j = i; j < n; ++j) x[i * n + j] = i == j ? root_less_one(values[i], roots) : t[i * n + j];
  for (index_t k = 0; k < n * n; ++k) t[k] = 0;
  R factor = 1;
  for (int k = 0; k < roots; ++k) factor *= 2;
  for (int p = 0; p < degree; ++p) {  // the sum of w x / (1 + z x), by the nodes of Gauss and Legendre between 0 and 1
    int const at = p < 4 ? p : p - 3;
    R const node = R((1 + (p < 4 ? half_nodes[at] : -half_nodes[at])) / 2), weight = R(weights[at] / 2) * factor;
    for (index_t j = 0; j < n; ++j)
      for (index_t i = j; i >= 0; --i) {
        C rest = x[i * n + j];
        for (index_t k = i + 1; k <= j; ++k) rest -= C(node) * x[i * n + k] * y[k * n + j];
        y[i * n + j] = rest / (C(1) + C(node) * x[i * n + i]);
        t[i * n + j] += C(weight) * y[i * n + j];
      }
  }
  for (index_t i = 0; i < n; ++i) t[i * n + i] = logarithm_of_complex(values[i]);
  return true;
}

// What both have in common; Derived says what is made of the triangle.
template <class Derived>
struct function_by_schur : core_call<Derived> {
  static constexpr core_signature core{"(n,n)->(n,n)"};
  static constexpr bool takes_complex = true;
  template <class T>
  using workspace_type = complex_number<real_for<T>>;
  static constexpr dtype operand_type(dtype t) { return floating_matrix(t); }
  static constexpr index_t workspace(index_t const* n) { return 4 * n[0] * n[0] + 3 * n[0]; }
  static constexpr index_t operations(index_t const* n) { return 100 * n[0] * n[0] * n[0]; }

  RICCI_FN run(auto const& c, auto const& a, auto const& y) {
    index_t const n = c.extents[0];
    using C = std::remove_cvref_t<decltype(*c.workspace)>;
    using R = real_for<C>;
    constexpr bool is_real = !is_complex_number<std::remove_cvref_t<decltype(y(0, 0))>>;
    C *const t = c.workspace, *const z = t + n * n, *const memory = z + n * n;
    R const scale = scale_of(largest_of(a, n, n));
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) t[i * n + j] = C(a(i, j)) * C(scale);
    bool there = scale != 0 && schur_form(t, n, z, memory);
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) t[i * n + j] = j < i ? C(0) : C(t[i * n + j].re / scale, t[i * n + j].im / scale);
    there = there && Derived::of_triangle(t, n, memory);
    if (!there) return fill(not_a_number<std::conditional_t<is_real, R, C>>, y, n, n);
    // z t z^H, where rows of z are columns; first t z^H
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) {
        C sum(0);
        for (index_t k = i; k < n; ++k) sum += t[i * n + k] * conjugate(z[k * n + j]);
        memory[i * n + j] = sum;
      }
    R largest = 0, imaginary = 0;
    for (index_t i = 0; i < n; ++i)
      for (index_t j = 0; j < n; ++j) {
        C sum(0);
        for (index_t k = 0; k < n; ++k) sum += z[k * n + i] * memory[k * n + j];
        t[i * n + j] = sum;
        largest = magnitude(sum) > largest ? magnitude(sum) : largest;
        imaginary = magnitude(sum.im) > imaginary ? magnitude(sum.im) : imaginary;
      }
    if constexpr (is_real) {
      // beyond what rounding of an eigenvalue that is 0 makes of its root
      if (imaginary > 8 * square_root(std::numeric_limits<R>::epsilon()) * largest)
        return fill(not_a_number<R>, y, n, n);
      for (index_t i = 0; i < n; ++i)
        for (index_t j = 0; j < n; ++j) y(i, j) = t[i * n + j].re;
    } else {
      write(t, n, y, n, n);
    }
  }

  // along e, which is brought to the size of a
  template <class V>
  static constexpr V along(V a, V e) {
    return derivative_along<Derived>(a, e, largest_element(a, 2));
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
struct sqrtm_t : function_by_schur<sqrtm_t> {
  static constexpr auto name = "sqrtm";
  template <class C>
  RICCI_HD static constexpr bool of_triangle(C* t, index_t n, C*) {
    return take_root_of_triangle(t, n);
  }
};
struct logm_t : function_by_schur<logm_t> {
  static constexpr auto name = "logm";
  template <class C>
  RICCI_HD static constexpr bool of_triangle(C* t, index_t n, C* memory) {
    return take_logarithm_of_triangle(t, n, memory);
  }
};
inline constexpr sqrtm_t sqrtm{};
inline constexpr logm_t logm{};

}  // namespace ricci::linalg
