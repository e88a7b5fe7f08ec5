// The hash of a text (FNV-1a with 64 bits, Fowler, Noll and Vo).
#pragma once

#include <cstddef>
#include <cstdint>

namespace ricci::core {

// of the first `length` characters of something with an operator[], as pointers and labels are
template <class Text>
constexpr std::uint64_t hash_of_text(Text const& text, std::size_t length) {
  std::uint64_t hash = 14695981039346656037u;
  for (std::size_t i = 0; i < length; ++i) hash = (hash ^ static_cast<unsigned char>(text[i])) * 1099511628211u;
  return hash;
}

}  // namespace ricci::core
