// `rc::flush_subnormals`: numbers below the smallest normal one (1.2e-38 of float, 2.2e-308 of double) are 0. Intel's
// cores take some hundred cycles for each of them, and what decays, as the moments of an optimiser, ends there.
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/core/types.hpp>

#if defined(__SSE2__)
#define RICCI_HAS_MXCSR 1
#else
#define RICCI_HAS_MXCSR 0  // on ARM they cost what others cost
#endif

namespace ricci {

namespace core {
inline namespace RICCI_ABI {
// How this thread rounds, and what it does about subnormal numbers: x86's control and status register.
RICCI_INLINE unsigned floating_point_control() {
#if RICCI_HAS_MXCSR
  return __builtin_ia32_stmxcsr();
#else
  return 0;
#endif
}
RICCI_INLINE void set_floating_point_control([[maybe_unused]] unsigned control) {
#if RICCI_HAS_MXCSR
  __builtin_ia32_ldmxcsr(control);
#endif
}
}  // namespace RICCI_ABI
}  // namespace core

inline namespace RICCI_ABI {
// While it lives, subnormal numbers are 0 as operands and results of arithmetic in the functions that this thread
// calls, and for the threads that compute for it. On processors other than x86, and on devices, it does nothing.
class [[nodiscard]] flush_subnormals {
 public:
  flush_subnormals() { core::set_floating_point_control(before_ | flush_to_zero | denormals_are_zero); }
  ~flush_subnormals() {
    unsigned const modes = flush_to_zero | denormals_are_zero;
    core::set_floating_point_control((core::floating_point_control() & ~modes) | (before_ & modes));
  }
  flush_subnormals(flush_subnormals const&) = delete;
  flush_subnormals& operator=(flush_subnormals const&) = delete;

 private:
  static constexpr unsigned flush_to_zero = 1u << 15, denormals_are_zero = 1u << 6;  // bits FTZ and DAZ of MXCSR
  unsigned before_ = core::floating_point_control();
};
}  // namespace RICCI_ABI

}  // namespace ricci
