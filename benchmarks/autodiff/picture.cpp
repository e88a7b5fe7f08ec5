// The table as a picture: for each row the time of a gradient over that of the objective, on a logarithmic axis, with
// what the goal allows as a line across its bars.
#include <algorithm>
#include <cstdio>

#include "table.hpp"

namespace bench {
namespace {

constexpr double left = 250, right = 760, top = 60, row_height = 40, bar = 10, most = 1000, least = .5;

double along(double ratio) {
  double const r = std::clamp(ratio, least, most);
  return left + (right - left) * std::log(r / least) / std::log(most / least);
}
void draw_bar(std::FILE* f, double y, double ratio, char const* colour) {
  std::fprintf(f, "<rect x='%.1f' y='%.1f' width='%.1f' height='%.0f' fill='%s'/>\n", left, y, along(ratio) - left, bar,
               colour);
  std::fprintf(f, "<text x='%.1f' y='%.1f' font-size='10'>%.*f</text>\n", along(ratio) + 4, y + bar - 1,
               ratio < 100 ? 1 : 0, ratio);
}
void key(std::FILE* f, double x, char const* colour, char const* text) {
  std::fprintf(f, "<rect x='%.0f' y='14' width='14' height='10' fill='%s'/><text x='%.0f' y='23'>%s</text>\n", x,
               colour, x + 18, text);
}

}  // namespace

bool draw_picture(char const* file) {
  std::FILE* const f = std::fopen(file, "w");
  if (!f) return false;
  double const bottom = top + row_height * double(printed.size());
  char const *const ours = "#1f77b4", *const hand = "#9aa5b1", *const peer = "#e0a458", *const goal = "#c0392b";
  std::fprintf(
      f,
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 810 %.0f' font-family='sans-serif' font-size='12'>\n"
      "<rect width='100%%' height='100%%' fill='white'/>\n",
      bottom + 40);
  key(f, left, ours, "ricci"), key(f, left + 80, hand, "by hand"), key(f, left + 170, peer, "ADOL-C, Eigen's AutoDiff");
  std::fprintf(f, "<path d='M%.0f 12v14' stroke='%s' stroke-width='2'/><text x='%.0f' y='23'>goal</text>\n", left + 350,
               goal, left + 358);
  for (double tick : {1., 10., 100., 1000.})
    std::fprintf(f,
                 "<path d='M%.1f %.0fV%.0f' stroke='#ddd'/><text x='%.1f' y='%.0f' text-anchor='middle'>%.0f</text>\n",
                 along(tick), top - 10, bottom, along(tick), bottom + 16, tick);
  std::fprintf(
      f, "<text x='%.0f' y='%.0f' text-anchor='middle'>time of value and gradient by that of the objective</text>\n",
      (left + right) / 2, bottom + 33);
  for (std::size_t k = 0; k < printed.size(); ++k) {
    gradient_row const& r = printed[k];
    double const y = top + row_height * double(k);
    std::fprintf(f, "<text x='%.0f' y='%.1f' text-anchor='end'>%s</text>\n", left - 8, y + 20, r.name.c_str());
    draw_bar(f, y, r.ricci / r.objective, ours);
    draw_bar(f, y + bar + 1, r.by_hand / r.objective, hand);
    if (r.peer != absent) draw_bar(f, y + 2 * (bar + 1), r.peer / r.objective, peer);
    double const limit = r.goal * (r.of == beside::hand ? r.by_hand / r.objective : 1);
    std::fprintf(f, "<path d='M%.1f %.1fv%.0f' stroke='%s' stroke-width='2'/>\n", along(limit), y - 2, bar + 4, goal);
  }
  std::fprintf(f, "</svg>\n");
  return std::fclose(f) == 0;
}

}  // namespace bench
