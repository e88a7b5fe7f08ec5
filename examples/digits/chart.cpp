#include "chart.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace {

constexpr double left = 80, right = 700, top = 30, bottom = 350;
constexpr auto blue = "#1f6fb4", orange = "#d9730d";

// 1, 2 and 5 times the powers of ten, which is where a scale has its marks.
std::vector<double> round_numbers(int first_power, int last_power) {
  std::vector<double> numbers;
  for (int power = first_power; power <= last_power; ++power)
    for (double digit : {1., 2., 5.}) numbers.push_back(digit * std::pow(10., power));
  return numbers;
}

// From losses to heights; logarithmic, because losses fall by powers.
class loss_scale {
 public:
  loss_scale(double least, double most) : marks_(round_numbers(lowest_power, 3)) {
    auto const above = std::upper_bound(marks_.begin() + 1, marks_.end() - 1, most);
    auto const below = std::upper_bound(marks_.begin() + 1, above, least) - 1;
    marks_ = std::vector<double>(below, above + 1);
  }
  double operator()(double loss) const {
    auto const whole = std::log(marks_.back() / marks_.front());
    return bottom - (bottom - top) * std::log(std::max(loss, marks_.front()) / marks_.front()) / whole;
  }
  std::vector<double> const& marks() const { return marks_; }

 private:
  static constexpr int lowest_power = -6;
  std::vector<double> marks_;
};

struct label {
  double x, y;
  char const* anchor;
};
std::ostream& operator<<(std::ostream& s, label const& l) {
  return s << "<text x='" << l.x << "' y='" << l.y << "' text-anchor='" << l.anchor << "'>";
}

}  // namespace

std::string draw_losses(std::vector<float> const& training, std::vector<float> const& held_out) {
  auto const [least1, most1] = std::minmax_element(training.begin(), training.end());
  auto const [least2, most2] = std::minmax_element(held_out.begin(), held_out.end());
  loss_scale const y(std::min(*least1, *least2), std::max(*most1, *most2));
  double const epochs = std::max<double>(static_cast<double>(training.size()), 2);
  auto const x = [&](double epoch) { return left + (right - left) * (epoch - 1) / (epochs - 1); };

  std::ostringstream s;
  s << "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 720 410' font-family='sans-serif' font-size='13' "
       "fill='#333'>\n"
    << "<rect width='720' height='410' fill='white'/>\n";
  for (double mark : y.marks())
    s << "<path d='M" << left << ' ' << y(mark) << 'H' << right << "' stroke='#ddd'/>"
      << label{left - 8, y(mark) + 4, "end"} << mark << "</text>\n";
  auto const steps = round_numbers(0, 5);
  auto const step = *std::find_if(steps.begin(), steps.end() - 1, [&](double n) { return epochs / n <= 12; });
  for (double epoch = step; epoch <= epochs; epoch += step)
    s << "<path d='M" << x(epoch) << ' ' << bottom << "v5' stroke='#333'/>" << label{x(epoch), bottom + 20, "middle"}
      << epoch << "</text>\n";
  s << "<path d='M" << left << ' ' << top << 'V' << bottom << 'H' << right << "' fill='none' stroke='#333'/>\n"
    << label{(left + right) / 2, bottom + 45, "middle"} << "epoch</text>\n"
    << "<g transform='translate(22 " << (top + bottom) / 2 << ") rotate(-90)'>" << label{0, 0, "middle"}
    << "mean cross entropy, logarithmic</text></g>\n";

  double legend = top + 18;
  auto const curve = [&](std::vector<float> const& losses, char const* color, char const* name) {
    s << "<polyline fill='none' stroke='" << color << "' stroke-width='2' stroke-linejoin='round' points='";
    for (std::size_t k = 0; k < losses.size(); ++k) s << x(static_cast<double>(k + 1)) << ',' << y(losses[k]) << ' ';
    s << "'/>\n<circle cx='" << x(static_cast<double>(losses.size())) << "' cy='" << y(losses.back())
      << "' r='3' fill='" << color << "'/>\n<path d='M" << right - 200 << ' ' << legend - 4 << "h24' stroke='" << color
      << "' stroke-width='2'/>" << label{right - 168, legend, "start"} << name << "</text>\n";
    legend += 20;
  };
  curve(training, blue, "training, noise on the ink");
  curve(held_out, orange, "held out");
  s << "</svg>\n";
  return s.str();
}
