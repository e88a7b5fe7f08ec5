#include "sheet.hpp"

#include <algorithm>

picture draw_sheet(std::span<float const> images, std::span<std::int64_t const> labels,
                   std::span<std::int64_t const> seen) {
  constexpr int most = 600, columns = 30, side = 8, scale = 4, border = 4, width = side * scale + 2 * border,
                height = width + 20;
  constexpr color paper{250, 250, 247}, ink{32, 36, 44}, grey{130, 134, 140}, red{196, 30, 42}, pink{255, 214, 212};
  int const count = std::min(most, static_cast<int>(labels.size())), rows = (count + columns - 1) / columns;
  picture sheet(std::min(count, columns) * width, rows * height, paper);
  for (int k = 0; k < count; ++k) {
    int const left = k % columns * width, top = k / columns * height;
    auto const label = static_cast<int>(labels[std::size_t(k)]), taken = static_cast<int>(seen[std::size_t(k)]);
    color const& background = taken == label ? paper : pink;
    if (taken != label) {
      sheet.fill(left, top, width, height, red);
      sheet.fill(left + 2, top + 2, width - 4, height - 4, background);
    }
    for (int pixel = 0; pixel < side * side; ++pixel) {
      float const amount = images[std::size_t(k * side * side + pixel)];
      color shade;
      for (std::size_t c = 0; c < 3; ++c)
        shade[c] = static_cast<std::uint8_t>(static_cast<float>(background[c]) +
                                             amount * static_cast<float>(ink[c] - background[c]));
      sheet.fill(left + border + pixel % side * scale, top + border + pixel / side * scale, scale, scale, shade);
    }
    int const text = top + width + 1;
    if (taken == label) {
      sheet.draw_digit(left + width / 2 - 5, text, 2, taken, grey);
    } else {
      sheet.draw_digit(left + width / 2 - 13, text, 2, taken, red);
      sheet.draw_digit(left + width / 2 + 3, text, 2, label, ink);
    }
  }
  return sheet;
}
