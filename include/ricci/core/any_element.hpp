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

// f of an element of as many bytes as those of a type have, to be moved and not looked at.
template <class F>
void with_size_of(dtype type, F const& f) {
  struct two_words {
    std::uint64_t word[2];
  };
  static_assert(element_sizes == (1 | 2 | 4 | 8 | 16), "each size of elements has a case here");
  switch (size_of(type)) {
    case 1:
      return f(std::uint8_t());
    case 2:
      return f(std::uint16_t());
    case 4:
      return f(std::uint32_t());
    case 8:
      return f(std::uint64_t());
    case 16:
      return f(two_words());
  }
  __builtin_unreachable();
}

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
