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

// Elements of so many bytes, to be moved and not looked at: one type for all types of that size, up to 8 bytes an
// integer without a sign.
template <int Bytes>
struct word_of {
  static_assert(Bytes == 16, "elements have 1, 2, 4, 8 or 16 bytes");
  std::uint64_t first, second;
  using type = word_of;
};
template <>
struct word_of<1> : std::type_identity<std::uint8_t> {};
template <>
struct word_of<2> : std::type_identity<std::uint16_t> {};
template <>
struct word_of<4> : std::type_identity<std::uint32_t> {};
template <>
struct word_of<8> : std::type_identity<std::uint64_t> {};

// f of a word of as many bytes as elements of a type have.
template <class F>
void with_size_of(dtype type, F const& f) {
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
      return f(word_of<16>());
  }
  __builtin_unreachable();
}

}  // namespace RICCI_ABI
}  // namespace ricci::core
RICCI_OPTIMIZED_END
