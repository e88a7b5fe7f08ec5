// The table as a picture: a bar for each row, the best peer's time over ricci's on a logarithmic axis.
#include <algorithm>
#include <cmath>
#include <cstdio>

#include "table.hpp"

namespace bench {
namespace {

constexpr double left = 290, right = 760, top = 50, row_height = 17, least = 1 / 4., most = 16;

double along(double ratio) {
  return left + (right - left) * std::log(std::clamp(ratio, least, most) / least) / std::log(most / least);
}

}  // namespace

bool draw_picture(char const* file) {
  std::FILE* const f = std::fopen(file, "w");
  if (!f) return false;
  double const bottom = top + row_height * double(printed.size());
  std::fprintf(
      f,
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 900 %.0f' font-family='sans-serif' "
      "font-size='11'>\n<rect width='100%%' height='100%%' fill='white'/>\n"
      "<text x='%.0f' y='22' text-anchor='middle' font-size='13'>time of the best peer over ricci's, one core</text>\n",
      bottom + 24, (left + right) / 2);
  for (double tick : {.25, .5, 1., 2., 4., 8., 16.}) {
    std::fprintf(f, "<path d='M%.1f %.0fV%.0f' stroke='%s'/>\n", along(tick), top - 6, bottom,
                 tick == 1. ? "#c0392b" : "#ddd");
    std::fprintf(f, "<text x='%.1f' y='%.0f' text-anchor='middle'>%g</text>\n", along(tick), top - 10, tick);
  }
  for (std::size_t k = 0; k < printed.size(); ++k) {
    printed_row const& r = printed[k];
    double const y = top + row_height * double(k), from = along(std::min(1., r.ratio)),
                 to = along(std::max(1., r.ratio));
    std::fprintf(f, "<text x='%.0f' y='%.1f' text-anchor='end'>%s</text>\n", left - 8, y + 11, r.name.c_str());
    std::fprintf(f, "<rect x='%.1f' y='%.1f' width='%.1f' height='11' fill='%s'/>\n", from, y + 2, to - from,
                 r.ratio >= r.goal - tolerance ? "#1f77b4" : "#e0a458");
    std::fprintf(f, "<text x='%.1f' y='%.1f' font-size='10'>%.2f %s</text>\n", to + 4, y + 11, r.ratio, r.peer.c_str());
  }
  std::fprintf(f, "</svg>\n");
  return std::fclose(f) == 0;
}

}  // namespace bench
