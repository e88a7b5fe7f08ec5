// Messages are put together in a buffer of fixed size, so that an error needs neither heap nor <string>.
#pragma once

#include <ricci/core/abi.hpp>
#include <ricci/core/types.hpp>

namespace ricci::core {
inline namespace RICCI_ABI {

class text {
 public:
  static constexpr int capacity = 248;

  RICCI_COLD constexpr text& operator<<(char const* s) {
    while (*s && size_ + 1 < capacity) chars_[size_++] = *s++;
    if (*s)  // too long: cut, and seen to be
      for (int k = 1; k <= 3; ++k) chars_[capacity - 1 - k] = '.';
    chars_[size_] = 0;
    return *this;
  }
  RICCI_COLD constexpr text& operator<<(char c) {
    char const s[2] = {c, 0};
    return *this << s;
  }
  RICCI_COLD constexpr text& operator<<(index_t n) {
    char digits[24] = {};
    int k = 23;
    auto rest = n < 0 ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    do digits[--k] = static_cast<char>('0' + rest % 10);
    while (rest /= 10);
    if (n < 0) digits[--k] = '-';
    return *this << &digits[k];
  }
  constexpr text& operator<<(int n) { return *this << index_t(n); }
  // extents in parentheses, NumPy's way: (2, 3), (4,), ()
  RICCI_COLD constexpr text& shape(index_t const* extents, int rank) {
    *this << '(';
    for (int i = 0; i < rank; ++i) {
      if (i) *this << ", ";
      *this << extents[i];
    }
    return *this << (rank == 1 ? ",)" : ")");
  }
  constexpr char const* c_str() const { return chars_; }

 private:
  char chars_[capacity] = {};
  int size_ = 0;
};

}  // namespace RICCI_ABI

// The operators `<<` of tensors and of streams are candidates for messages, too: with this before all else nobody has
// to ask what is appended to one.
template <class A>
inline constexpr bool is_message = false;
template <>
inline constexpr bool is_message<text> = true;
template <>
inline constexpr bool is_message<text&> = true;
// What tensors and shapes are printed to: std::ostream and its like, but no messages. (It asks for `<<`, so those who
// bring one ask for their operand first.)
template <class Stream>
concept TextStream = !is_message<Stream> && requires(Stream & s) {
  s.flags();
  s << "text";
};

}  // namespace ricci::core
