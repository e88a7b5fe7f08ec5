// The checksums of zip, gzip, PNG (CRC-32, ISO 3309, eight bytes at a time: Kounavis and Berry 2005) and of zlib's
// format (Adler-32, RFC 1950).
#pragma once

#include <cstdint>

#include <ricci/core/types.hpp>

namespace ricci::files {

// Compilers define the macro for fuzzers, which find no way past a checksum.
#if defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
inline constexpr bool compares_checksums = false;
#else
inline constexpr bool compares_checksums = true;
#endif

struct crc_tables {
  std::uint32_t of[8][256];
};
inline constexpr crc_tables crcs = [] {
  crc_tables t{};
  for (std::uint32_t k = 0; k < 256; ++k) {
    std::uint32_t c = k;
    for (int bit = 0; bit < 8; ++bit) c = c >> 1 ^ (c & 1 ? 0xedb88320u : 0u);
    t.of[0][k] = c;
  }
  for (int n = 1; n < 8; ++n)
    for (int k = 0; k < 256; ++k) t.of[n][k] = t.of[n - 1][k] >> 8 ^ t.of[0][t.of[n - 1][k] & 0xff];
  return t;
}();

inline namespace RICCI_ABI {

// whether a checksum is not that of the data
constexpr bool is_another_sum(std::uint32_t computed, std::uint32_t found) {
  return compares_checksums && computed != found;
}

// The CRC of bytes that follow those of which it is `crc`, 0 of none.
inline std::uint32_t crc32(std::uint32_t crc, void const* data, index_t n) {
  auto const* p = static_cast<unsigned char const*>(data);
  auto const& t = crcs.of;
  crc = ~crc;
  for (; n >= 8; n -= 8, p += 8) {
    std::uint32_t const low =
        crc ^ (p[0] | std::uint32_t(p[1]) << 8 | std::uint32_t(p[2]) << 16 | std::uint32_t(p[3]) << 24);
    crc = t[7][low & 0xff] ^ t[6][low >> 8 & 0xff] ^ t[5][low >> 16 & 0xff] ^ t[4][low >> 24] ^ t[3][p[4]] ^
          t[2][p[5]] ^ t[1][p[6]] ^ t[0][p[7]];
  }
  for (; n > 0; --n) crc = crc >> 8 ^ t[0][(crc ^ *p++) & 0xff];
  return ~crc;
}
// The same for Adler-32, which is 1 of no bytes.
inline std::uint32_t adler32(std::uint32_t sum, void const* data, index_t n) {
  constexpr std::uint32_t prime = 65521;
  auto const* p = static_cast<unsigned char const*>(data);
  std::uint32_t a = sum & 0xffff, b = sum >> 16;
  while (n > 0) {
    index_t const part = n < 5552 ? n : 5552;  // sums of so many bytes fit
    for (index_t k = 0; k < part; ++k) a += *p++, b += a;
    a %= prime, b %= prime, n -= part;
  }
  return b << 16 | a;
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
