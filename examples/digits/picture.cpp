#include "picture.hpp"

#include <ricci/io.hpp>

namespace {

// Seven rows of five bits for each digit.
constexpr std::uint8_t font[10][7] = {
    {0x0e, 0x11, 0x13, 0x15, 0x19, 0x11, 0x0e}, {0x04, 0x0c, 0x04, 0x04, 0x04, 0x04, 0x0e},
    {0x0e, 0x11, 0x01, 0x02, 0x04, 0x08, 0x1f}, {0x1f, 0x02, 0x04, 0x02, 0x01, 0x11, 0x0e},
    {0x02, 0x06, 0x0a, 0x12, 0x1f, 0x02, 0x02}, {0x1f, 0x10, 0x1e, 0x01, 0x01, 0x11, 0x0e},
    {0x06, 0x08, 0x10, 0x1e, 0x11, 0x11, 0x0e}, {0x1f, 0x01, 0x02, 0x04, 0x08, 0x08, 0x08},
    {0x0e, 0x11, 0x11, 0x0e, 0x11, 0x11, 0x0e}, {0x0e, 0x11, 0x11, 0x0f, 0x01, 0x02, 0x0c}};

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
  ricci::any_tensor const pixels(ricci::dtype::uint8, std::array{height_, width_, 3}, bytes_.data());
  return ricci::io::to_bytes(pixels, {.format = "png"});
}
