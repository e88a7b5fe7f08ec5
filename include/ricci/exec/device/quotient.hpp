// Quotients of several floats by one that does not change along a row, as layer norms and softmax have them: with its
// reciprocal, which a loop computes once, one takes three operations and not ten. They are rounded as division is.
#pragma once

#include <ricci/kernel/code.hpp>
#include <ricci/ops/arithmetic.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// The registers of dividend and divisor where an instruction of a kernel is a quotient of floats.
struct quotient_registers {
  int dividend = -1, divisor = -1;
};
template <class Instruction>
inline constexpr quotient_registers quotient_of{};
template <int I, int X, int Y>
inline constexpr quotient_registers quotient_of<
    kernel::apply<I, dtype::float32, divide_t, kernel::reg<X, dtype::float32>, kernel::reg<Y, dtype::float32>>>{X, Y};

#if defined(__CUDA_ARCH__)
// The quotient by way of the reciprocal r of y, corrected by what is left over (P. Markstein, Computation of elementary
// functions on the IBM RISC System/6000 processor, 1990). It is exact where none of it is subnormal or too large.
__device__ inline float quotient_by(float x, float y, float r) {
  float const q = __fmul_rn(x, r);
  return __fmaf_rn(__fmaf_rn(-y, q, x), r, q);
}
template <class... X>
__device__ bool are_of_middle_size(float y, X... x) {
  constexpr float least = 0x1p-60f, most = 0x1p60f;
  float smallest = fabsf(y), largest = smallest;
  ((smallest = fminf(smallest, fabsf(x)), largest = fmaxf(largest, fabsf(x))), ...);
  return smallest >= least && largest <= most;
}
#endif

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
