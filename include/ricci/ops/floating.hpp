// What a number is as a floating one: its sign, its neighbours, whether it is finite; and the arithmetic of <cmath>
// that has no operator. `rc::isnan(x)` and its like also hold where the compiler is told that there is no NaN.
#pragma once

#include <ricci/ops/arithmetic.hpp>

RICCI_OPTIMIZED
namespace ricci {

// Conditions of numbers; integers are all finite, and of complex numbers both parts count.
template <class Derived>
struct classification : elementwise<Derived, 1> {
  static constexpr bool of_instructions = true, takes_complex = true;
  static constexpr std::uint8_t cost = 1;
  static constexpr interval domain = all_numbers;
  static constexpr double ulp = 0;
  static constexpr dtype operand_type(dtype t) { return numeric_type_for(t); }
  static constexpr dtype result_type(dtype) { return dtype::boolean; }
};
struct isnan_t : classification<isnan_t> {
  static constexpr auto name = "isnan";
  RICCI_FN kernel(auto x) {
    using scalar::isnan;
    return isnan(x);
  }
};
struct isinf_t : classification<isinf_t> {
  static constexpr auto name = "isinf";
  RICCI_FN kernel(auto x) {
    using scalar::isinf;
    return isinf(x);
  }
};
struct isfinite_t : classification<isfinite_t> {
  static constexpr auto name = "isfinite";
  RICCI_FN kernel(auto x) {
    using scalar::isfinite;
    return isfinite(x);
  }
};
// Whether there is a minus sign, also of -0 and NaN.
struct signbit_t : classification<signbit_t> {
  static constexpr auto name = "signbit";
  static constexpr bool takes_complex = false;
  RICCI_FN kernel(auto x) {
    using scalar::signbit;
    return signbit(x);
  }
};

template <class Derived, int Arity>
struct floating_arithmetic : arithmetic<Derived, Arity> {
  static constexpr bool of_instructions = true;
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }
};
// The size of a with the sign of b, also of -0.
struct copysign_t : floating_arithmetic<copysign_t, 2> {
  static constexpr auto name = "copysign";
  static constexpr double ulp = 0;
  RICCI_FN kernel(auto a, auto b) {
    using scalar::copysign;
    return copysign(a, b);
  }
  static constexpr auto pull(auto g, auto, auto a, auto b) {
    auto const minus = signbit_t{}(a);  // recorded in this order by all compilers
    auto const of_b = signbit_t{}(b);
    return each{where(minus == of_b, g, -g), none};
  }
};
// The number of the type that follows a towards b. Its derivative is that of a.
struct nextafter_t : floating_arithmetic<nextafter_t, 2> {
  static constexpr auto name = "nextafter";
  static constexpr bool of_instructions = false, only_moves = true;  // in the type itself, also of two bytes
  static constexpr double ulp = 1;                                   // measured from a, which it is next to
  static constexpr std::uint8_t cost = 8;
  RICCI_FN kernel(auto a, auto b) {
    if constexpr (requires { a.next_towards(b); }) {
      return a.next_towards(b);
    } else {
      using std::nextafter;
      return nextafter(a, b);
    }
  }
  static constexpr auto partials(auto, auto, auto) { return each{one, none}; }
};
// 1 / x; integers enter as double.
struct reciprocal_t : floating_arithmetic<reciprocal_t, 1> {
  static constexpr auto name = "reciprocal";
  static constexpr bool takes_complex = true;
  static constexpr std::uint8_t cost = 4;
  RICCI_FN kernel(auto x) { return scalar::divide(decltype(x)(1), x); }
  static constexpr auto partials(auto y, auto) { return -(y * y); }
};
// +x, which is x; of conditions a compile error, as -x is.
struct positive_t : arithmetic<positive_t, 1> {
  static constexpr auto name = "positive";
  static constexpr bool of_operators = true, takes_complex = true, rejects_booleans = true;
  static constexpr double ulp = 0;
  RICCI_FN kernel(auto x) { return x; }
  static constexpr auto partials(auto, auto) { return one; }
};
// The integer next to x on the way to 0.
struct trunc_t : arithmetic<trunc_t, 1> {
  static constexpr auto name = "trunc";
  static constexpr bool of_instructions = true;
  RICCI_FN kernel(auto x) {
    using scalar::trunc;
    return trunc(x);
  }
  static constexpr auto partials(auto, auto) { return none; }
};
inline constexpr isnan_t isnan{};
inline constexpr isinf_t isinf{};
inline constexpr isfinite_t isfinite{};
inline constexpr signbit_t signbit{};
inline constexpr copysign_t copysign{};
inline constexpr nextafter_t nextafter{};
inline constexpr reciprocal_t reciprocal{};
inline constexpr positive_t positive{};
inline constexpr trunc_t trunc{};

// What a division truncated towards 0 leaves, with the sign of a, as in C; `rc::remainder` is Python's.
struct fmod_t : arithmetic<fmod_t, 2> {
  static constexpr auto name = "fmod";
  static constexpr std::uint8_t cost = 8;
  RICCI_FN kernel(auto a, auto b) {
    using scalar::fmod;
    return fmod(a, b);
  }
  static constexpr auto pull(auto g, auto, auto a, auto b) { return each{g, -(g * trunc(a / b))}; }
};
inline constexpr fmod_t fmod{};

}  // namespace ricci
RICCI_OPTIMIZED_END
