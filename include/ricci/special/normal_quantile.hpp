// Quantiles of the normal distribution, from which `ndtri`, `erfinv` and normal random numbers are made.
#pragma once

#include <ricci/special/function.hpp>

RICCI_OPTIMIZED
namespace ricci::special {

// The numbers in a batch; a number is its own.
template <class X>
struct number_of_lanes {
  using type = X;
};
template <class X>
requires requires { typename X::value_type; }
struct number_of_lanes<X> {
  using type = typename X::value_type;
};

// Rational functions for the quantiles of a normal variable: near the median, in the tails, and far out. (M. Wichura,
// Algorithm AS 241: the percentage points of the normal distribution, Applied Statistics 37, 1988: PPND16, about 1 part
// in 1e16; PPND7, about 1 in 1e7.)
template <class T, int N>
struct quantile_coefficients_of {
  T top[N], bottom[N];
};
template <class T>
struct quantile_coefficients;  // functions, as device code has no arrays of constants
template <>
struct quantile_coefficients<double> {
  RICCI_HD static constexpr quantile_coefficients_of<double, 8> near() {
    return {{3.3871328727963666080e0, 1.3314166789178437745e+2, 1.9715909503065514427e+3, 1.3731693765509461125e+4,
             4.5921953931549871457e+4, 6.7265770927008700853e+4, 3.3430575583588128105e+4, 2.5090809287301226727e+3},
            {1, 4.2313330701600911252e+1, 6.8718700749205790830e+2, 5.3941960214247511077e+3, 2.1213794301586595867e+4,
             3.9307895800092710610e+4, 2.8729085735721942674e+4, 5.2264952788528545610e+3}};
  }
  RICCI_HD static constexpr quantile_coefficients_of<double, 8> tail() {
    return {
        {1.42343711074968357734e0, 4.63033784615654529590e0, 5.76949722146069140550e0, 3.64784832476320460504e0,
         1.27045825245236838258e0, 2.41780725177450611770e-1, 2.27238449892691845833e-2, 7.74545014278341407640e-4},
        {1, 2.05319162663775882187e0, 1.67638483018380384940e0, 6.89767334985100004550e-1, 1.48103976427480074590e-1,
         1.51986665636164571966e-2, 5.47593808499534494600e-4, 1.05075007164441684324e-9}};
  }
  RICCI_HD static constexpr quantile_coefficients_of<double, 8> far() {
    return {
        {6.65790464350110377720e0, 5.46378491116411436990e0, 1.78482653991729133580e0, 2.96560571828504891230e-1,
         2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7},
        {1, 5.99832206555887937690e-1, 1.36929880922735805310e-1, 1.48753612908506148525e-2, 7.86869131145613259100e-4,
         1.84631831751005468180e-5, 1.42151175831644588870e-7, 2.04426310338993978564e-15}};
  }
};
template <>
struct quantile_coefficients<float> {
  RICCI_HD static constexpr quantile_coefficients_of<float, 4> near() {
    return {{3.3871327179e0f, 5.0434271938e1f, 1.5929113202e2f, 5.9109374720e1f},
            {1, 1.7895169469e1f, 7.8757757664e1f, 6.7187563600e1f}};
  }
  RICCI_HD static constexpr quantile_coefficients_of<float, 4> tail() {
    return {{1.4234372777e0f, 2.7568153900e0f, 1.3067284816e0f, 1.7023821103e-1f},
            {1, 7.3700164250e-1f, 1.2021132975e-1f, 0}};
  }
  RICCI_HD static constexpr quantile_coefficients_of<float, 4> far() {
    return {{6.6579051150e0f, 3.0812263860e0f, 4.2868294337e-1f, 1.7337203997e-2f},
            {1, 2.4197894225e-1f, 1.2258202635e-2f, 0}};
  }
};

// Of the probability 1/2 + q, |q| <= 0.425.
template <class X>
RICCI_INLINE RICCI_HD constexpr X quantile_near(X q) {
  using C = quantile_coefficients<typename number_of_lanes<X>::type>;
  X const s = X(typename number_of_lanes<X>::type(0.180625)) - q * q;
  constexpr auto c = C::near();
  return q * polynomial(s, c.top) / polynomial(s, c.bottom);
}
// Of the probability 1 - p, p < 0.075, where r is sqrt(-log(p)).
template <class X>
RICCI_INLINE RICCI_HD constexpr X quantile_beyond(X r) {
  using scalar::select;
  using T = typename number_of_lanes<X>::type;
  using C = quantile_coefficients<T>;
  X const u = r - X(T(1.6)), v = r - X(T(5));
  constexpr auto in_tail = C::tail(), far_out = C::far();
  X const tail = polynomial(u, in_tail.top) / polynomial(u, in_tail.bottom);
  X const far = polynomial(v, far_out.top) / polynomial(v, far_out.bottom);
  return select(r <= X(T(5)), tail, far);
}

}  // namespace ricci::special
RICCI_OPTIMIZED_END
