// The bytes of a PNG file (ISO/IEC 15948), 8-bit RGB. Needs zlib.
#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <string_view>

namespace png {

inline void append(std::string& to, std::size_t number) {  // four bytes, the highest first
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(number >> shift & 0xff);
}
inline void append_chunk(std::string& to, std::string_view type, std::string_view data) {
  append(to, data.size());
  auto const start = to.size();
  to += type;
  to += data;
  append(to, crc32(0, reinterpret_cast<Bytef const*>(to.data() + start), static_cast<uInt>(to.size() - start)));
}

// `pixels`: red, green and blue of each, row by row. Empty where there is no memory to compress them.
inline std::string encode(std::size_t width, std::size_t height, std::uint8_t const* pixels) {
  std::string rows;  // each begins with the number of its filter, here none
  for (std::size_t y = 0; y < height; ++y) {
    rows += '\0';
    rows.append(reinterpret_cast<char const*>(pixels) + y * width * 3, width * 3);
  }
  auto size = compressBound(static_cast<uLong>(rows.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<Bytef const*>(rows.data()),
                static_cast<uLong>(rows.size()), Z_BEST_COMPRESSION) != Z_OK)
    return {};
  packed.resize(size);

  std::string header;
  append(header, width);
  append(header, height);
  header +=
      {8, 2, 0, 0, 0};  // bits of a channel, RGB, and the only methods of compression, filtering, interlacing: none
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", packed);
  append_chunk(file, "IEND", {});
  return file;
}

}  // namespace png
