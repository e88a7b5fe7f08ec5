// A name as a template argument: `wrt<"x">`, `dim<"n">`. Scalar members only, since nvcc cannot pass an array in a
// class-type template argument to its host compiler; so names have at most 32 characters.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ricci {

struct label {
  std::uint64_t w0 = 0, w1 = 0, w2 = 0, w3 = 0;

  constexpr label(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::uint64_t d) : w0(a), w1(b), w2(c), w3(d) {}
  template <std::size_t N>
  consteval label(char const (&s)[N]) {
    static_assert(N > 1 && N <= 33, "a name has 1 to 32 characters");
    for (std::size_t i = 0; i + 1 < N; ++i) {
      auto& w = i < 8 ? w0 : i < 16 ? w1 : i < 24 ? w2 : w3;
      w |= std::uint64_t(static_cast<unsigned char>(s[i])) << 8 * (i % 8);
    }
  }
  constexpr bool operator==(label const&) const = default;
  constexpr char operator[](std::size_t i) const {
    return static_cast<char>((i < 8 ? w0 : i < 16 ? w1 : i < 24 ? w2 : w3) >> 8 * (i % 8));
  }
};

}  // namespace ricci
