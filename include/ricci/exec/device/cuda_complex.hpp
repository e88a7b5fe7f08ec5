// Arithmetic of std::complex in what nvcc compiles. Its device code (13.0, seen on an H200) lacks, without a word, what
// libstdc++'s operators of float and double leave to the compiler's own complex numbers: `a + b` is a there. Overloads
// that are no templates come before those, in kernels of a program's own, too; on the host they do what the standard
// library's do. What they cannot stand for, since members are no templates: `z = x`, `z += x` and their like with a
// real x, which also take what comes behind them out of a kernel.
#pragma once

#include <ricci/core/scalar.hpp>

#if defined(__CUDA_ARCH__)
#define RICCI_COMPLEX(host, device) device
#else
#define RICCI_COMPLEX(host, device) host
#endif
#define RICCI_COMPLEX_OPERATOR(T, op, assigned, function, of_number)                                    \
  RICCI_HD constexpr complex<T>& operator assigned(complex<T>& a, complex<T> const& b) {                \
    return RICCI_COMPLEX(a.operator assigned(b), a = ::ricci::scalar::function(a, b));                  \
  }                                                                                                     \
  RICCI_HD constexpr complex<T> operator op(complex<T> a, complex<T> const& b) { return a assigned b; } \
  RICCI_HD constexpr complex<T> operator op(complex<T> a, T const& b) {                                 \
    return RICCI_COMPLEX(a.operator assigned(b), (complex<T>(a.real() op b, a.imag() of_number)));      \
  }                                                                                                     \
  RICCI_HD constexpr complex<T> operator op(T const& a, complex<T> const& b) {                          \
    complex<T> x(a, T(0));                                                                              \
    return x assigned b;                                                                                \
  }
#define RICCI_COMPLEX_OPERATORS(T)               \
  RICCI_COMPLEX_OPERATOR(T, +, +=, add, )        \
  RICCI_COMPLEX_OPERATOR(T, -, -=, subtract, )   \
  RICCI_COMPLEX_OPERATOR(T, *, *=, multiply, *b) \
  RICCI_COMPLEX_OPERATOR(T, /, /=, divide, / b)

namespace std {
RICCI_COMPLEX_OPERATORS(float)
RICCI_COMPLEX_OPERATORS(double)
}  // namespace std

#undef RICCI_COMPLEX_OPERATORS
#undef RICCI_COMPLEX_OPERATOR
#undef RICCI_COMPLEX
