// The Bessel functions of orders 0 and 1. The C library computes them; near their zeros beyond the first the error is
// some units of the last place of 1, not of the result.
#pragma once

#include <ricci/special/modified_bessel.hpp>

#include <math.h>  // POSIX has them there

RICCI_OPTIMIZED
namespace ricci::special {

// g++ knows them in constant expressions, under these names
namespace library {
#if defined(__CUDA_ARCH__)
RICCI_HD constexpr double bessel_j0(double x) { return ::j0(x); }
RICCI_HD constexpr double bessel_j1(double x) { return ::j1(x); }
RICCI_HD constexpr double bessel_y0(double x) { return ::y0(x); }
RICCI_HD constexpr double bessel_y1(double x) { return ::y1(x); }
#elif defined(__GNUC__) && !defined(__clang__)
RICCI_HD constexpr double bessel_j0(double x) { return __builtin_j0(x); }
RICCI_HD constexpr double bessel_j1(double x) { return __builtin_j1(x); }
RICCI_HD constexpr double bessel_y0(double x) { return __builtin_y0(x); }
RICCI_HD constexpr double bessel_y1(double x) { return __builtin_y1(x); }
#else
inline double bessel_j0(double x) { return ::j0(x); }
inline double bessel_j1(double x) { return ::j1(x); }
inline double bessel_y0(double x) { return ::y0(x); }
inline double bessel_y1(double x) { return ::y1(x); }
#endif
}  // namespace library

struct j1_t : special_function<j1_t> {
  static constexpr auto name = "special::j1";
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return library::bessel_j1(x); }
  static constexpr auto partials(auto y, auto x);
};
struct j0_t : special_function<j0_t> {
  static constexpr auto name = "special::j0";
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) { return library::bessel_j0(x); }
  static constexpr auto partials(auto, auto x) { return -j1_t{}(x); }
};
constexpr auto j1_t::partials(auto y, auto x) { return j0_t{}(x)-over_operand<-1>(y, x, 1.); }

// Of negative numbers NaN, of 0 minus infinity.
struct y1_t : special_function<y1_t> {
  static constexpr auto name = "special::y1";
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) {
    return x < 0 ? not_a_number : x == 0 ? -infinity : library::bessel_y1(x);
  }
  static constexpr auto partials(auto y, auto x);
};
struct y0_t : special_function<y0_t> {
  static constexpr auto name = "special::y0";
  static constexpr interval domain = no_negative_number;
  static constexpr double ulp = 16;
  RICCI_HD static constexpr double of(double x) {
    return x < 0 ? not_a_number : x == 0 ? -infinity : library::bessel_y0(x);
  }
  static constexpr auto partials(auto, auto x) { return -y1_t{}(x); }
};
constexpr auto y1_t::partials(auto y, auto x) { return y0_t{}(x)-y / x; }

inline constexpr j0_t j0{};
inline constexpr j1_t j1{};
inline constexpr y0_t y0{};
inline constexpr y1_t y1{};

}  // namespace ricci::special
RICCI_OPTIMIZED_END
