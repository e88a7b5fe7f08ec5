#include "picture.hpp"

#include <zlib.h>

#include <string_view>

#include "fail.hpp"

namespace {

// Seven rows of five bits for each digit.
constexpr std::uint8_t font[10][7] = {
    {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e}, {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e},
    {0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f}, {0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e},
    {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}, {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e},
    {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}, {0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08},
    {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}, {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c}};

void append(std::string& to, std::size_t number) {  // four bytes, the highest first
  for (int shift = 24; shift >= 0; shift -= 8) to += static_cast<char>(number >> shift & 0xff);
}
void append_chunk(std::string& to, std::string_view type, std::string_view data) {
  append(to, data.size());
  auto const start = to.size();
  to += type;
  to += data;
  append(to, crc32(0, reinterpret_cast<Bytef const*>(to.data() + start), static_cast<uInt>(to.size() - start)));
}

}  // namespace

picture::picture(int width, int height, color background)
    : width_(width), height_(height), bytes_(std::size_t(width) * std::size_t(height) * 3) {
  fill(0, 0, width, height, background);
}

void picture::fill(int x, int y, int width, int height, color with) {
  for (int row = y; row < y + height; ++row)
    for (int column = x; column < x + width; ++column)
      for (std::size_t k = 0; k < 3; ++k)
        bytes_[(std::size_t(row) * std::size_t(width_) + std::size_t(column)) * 3 + k] = with[k];
}

void picture::draw_digit(int x, int y, int scale, int digit, color with) {
  for (int row = 0; row < 7; ++row)
    for (int column = 0; column < 5; ++column)
      if (font[digit][row] >> (4 - column) & 1) fill(x + column * scale, y + row * scale, scale, scale, with);
}

std::string picture::png() const {
  std::string rows;  // each begins with the number of its filter, here none
  for (std::size_t y = 0, length = std::size_t(width_) * 3; y < std::size_t(height_); ++y) {
    rows += '\0';
    rows.append(reinterpret_cast<char const*>(bytes_.data()) + y * length, length);
  }
  auto size = compressBound(static_cast<uLong>(rows.size()));
  std::string packed(size, '\0');
  if (compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<Bytef const*>(rows.data()),
                static_cast<uLong>(rows.size()), Z_BEST_COMPRESSION) != Z_OK)
    fail("there is no memory to compress a picture");
  packed.resize(size);

  std::string header;
  append(header, std::size_t(width_));
  append(header, std::size_t(height_));
  header +=
      {8, 2, 0, 0, 0};  // bits of a channel, RGB, and the only methods of compression, filtering, interlacing: none
  std::string file = "\x89PNG\r\n\x1a\n";
  append_chunk(file, "IHDR", header);
  append_chunk(file, "IDAT", packed);
  append_chunk(file, "IEND", {});
  return file;
}
