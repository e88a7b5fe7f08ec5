// A picture in memory, and as a PNG file.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

using color = std::array<std::uint8_t, 3>;  // red, green, blue

class picture {
 public:
  picture(int width, int height, color background);
  int width() const { return width_; }
  int height() const { return height_; }
  void fill(int x, int y, int width, int height, color with);
  // a digit of 5 x 7 squares with sides of `scale`
  void draw_digit(int x, int y, int scale, int digit, color with);
  // the bytes of a PNG file (ISO/IEC 15948), 8-bit RGB
  std::string png() const;

 private:
  int width_, height_;
  std::vector<std::uint8_t> bytes_;
};
