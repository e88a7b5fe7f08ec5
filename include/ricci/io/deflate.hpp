// Compression. It needs zlib: RICCI_IO_ZLIB says that it is linked, which the CMake target ricci::io does where zlib is
// found. Without it PNG files hold their pixels uncompressed, and what has to be compressed is an error.
#pragma once

#include <string>

#include <ricci/io/checksums.hpp>
#include <ricci/io/error.hpp>

#if !defined(RICCI_IO_ZLIB)
#define RICCI_IO_ZLIB 0
#endif
#if RICCI_IO_ZLIB
#include <zlib.h>
#endif

namespace ricci::files {
inline namespace RICCI_ABI {

#if RICCI_IO_ZLIB
inline constexpr bool has_zlib = true;
inline namespace with_zlib {
#else
inline constexpr bool has_zlib = false;
inline namespace without_zlib {
#endif

// As blocks of deflate that are not compressed.
inline std::string in_stored_blocks(char const* p, index_t n) {
  std::string out;
  out.reserve(std::size_t(n + n / 65535 * 5 + 16));
  do {
    index_t const part = n < 65535 ? n : 65535;
    auto const size = unsigned(part);
    out += {char(part == n), char(size & 0xff), char(size >> 8), char(~size & 0xff), char(~size >> 8 & 0xff)};
    out.append(p, std::size_t(part));
    p += part, n -= part;
  } while (n > 0);
  return out;
}

// n bytes at p by deflate (RFC 1951).
inline std::string deflated(std::string_view file, char const* p, index_t n) {
#if RICCI_IO_ZLIB
  z_stream z{};
  if (deflateInit2(&z, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -15, 9, Z_DEFAULT_STRATEGY) != Z_OK)
    (message(file) << "zlib has no memory").raise();
  struct ending {
    z_stream& z;
    ~ending() { deflateEnd(&z); }
  } const end{z};
  std::string out;
  char chunk[16384];
  int result = Z_OK;
  do {
    if (z.avail_in == 0 && n > 0) {
      index_t const part = n < (1 << 30) ? n : 1 << 30;
      z.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(p));
      z.avail_in = static_cast<uInt>(part);
      p += part, n -= part;
    }
    z.next_out = reinterpret_cast<Bytef*>(chunk), z.avail_out = sizeof chunk;
    result = ::deflate(&z, n == 0 ? Z_FINISH : Z_NO_FLUSH);
    out.append(chunk, sizeof chunk - z.avail_out);
  } while (result == Z_OK || (result == Z_BUF_ERROR && n > 0));
  if (result != Z_STREAM_END) (message(file) << "zlib cannot compress the data").raise();
  return out;
#else
  (void)p, (void)n;
  (message(file) << "compression needs zlib: link ricci::io, or define RICCI_IO_ZLIB=1 and link zlib").raise();
#endif
}

// The same in zlib's format (RFC 1950); not compressed where there is no zlib.
inline std::string deflated_zlib(std::string_view file, char const* p, index_t n) {
  std::string out("\x78\x9c", 2);
  out += has_zlib ? deflated(file, p, n) : in_stored_blocks(p, n);
  std::uint32_t const sum = adler32(1, p, n);
  return out += {char(sum >> 24), char(sum >> 16 & 0xff), char(sum >> 8 & 0xff), char(sum & 0xff)};
}

}  // namespace of what there is
}  // namespace RICCI_ABI
}  // namespace ricci::files
