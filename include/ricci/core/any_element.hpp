// A number of any element type, as memory holds it.
#pragma once

#include <ricci/core/types.hpp>

RICCI_OPTIMIZED
namespace ricci::core {
inline namespace RICCI_ABI {

struct any_element {
  alignas(largest_element) char bytes[largest_element];

  template <class T>
  RICCI_INLINE RICCI_HD void set(T x) {
    __builtin_memcpy(bytes, &x, sizeof x);
  }
  template <class T>
  RICCI_INLINE RICCI_HD T get() const {
    T x;
    __builtin_memcpy(&x, bytes, sizeof x);
    return x;
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
