// A picture of a training, as an observer of nn::fit: `nn::curve{"run.svg"}` writes the mean loss (blue) and the
// measure (orange) of all epochs so far after each one, each on a scale of its own, whose ends stand beside it. The
// file is replaced as a whole, so that a browser may show it meanwhile; an io_error where it cannot be written.
#pragma once

#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

#include <ricci/core/where_used.hpp>
#include <ricci/io/sink.hpp>

namespace ricci::nn {

template <class Use = void>
struct curve_of {
  std::string path;
  std::vector<core::where_used<float, Use>> losses{}, measures{};

  static constexpr int left = 70, top = 20, width = 500, height = 300;

  // a line through all finite values, with the scale's ends at x
  static std::string line(auto const& y, char const* colour, int x, char const* name) {
    float low = 0, high = 0;
    bool any = false;
    for (float const v : y)
      if (std::isfinite(v)) low = any && low < v ? low : v, high = any && high > v ? high : v, any = true;
    char text[400];
    std::string points;
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (!std::isfinite(y[k])) continue;
      double const across = y.size() > 1 ? double(k) / double(y.size() - 1) : 0;
      double const up = high > low ? double(y[k] - low) / double(high - low) : .5;
      std::snprintf(text, sizeof text, "%d.%02d,%d.%02d ", left + int(across * width), int(across * width * 100) % 100,
                    top + int((1 - up) * height), int((1 - up) * height * 100) % 100);
      points += text;
    }
    std::snprintf(text, sizeof text,
                  "<text x=\"%d\" y=\"%d\" fill=\"%s\">%.4g</text>\n<text x=\"%d\" y=\"%d\" fill=\"%s\">%.4g</text>\n"
                  "<text x=\"%d\" y=\"%d\" fill=\"%s\">%s</text>\n",
                  x, top + 5, colour, double(high), x, top + height, colour, double(low), x, top + height / 2, colour,
                  name);
    return text + std::string("<polyline fill=\"none\" stroke-width=\"2\" stroke=\"") + colour + "\" points=\"" +
           points + "\"/>\n";
  }
  std::string svg() const {
    char text[400];
    std::snprintf(text, sizeof text,
                  "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" font-family=\"sans-serif\" "
                  "font-size=\"12\">\n<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>\n"
                  "<rect x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"none\" stroke=\"#999\"/>\n"
                  "<text x=\"%d\" y=\"%d\">%d epochs</text>\n",
                  left + width + 90, top + height + 40, left, top, width, height, left + width / 2 - 30,
                  top + height + 25, int(losses.size()));
    return text + line(losses, "#1f77b4", 5, "loss") + line(measures, "#ff7f0e", left + width + 8, "measure") +
           "</svg>\n";
  }
  bool epoch(auto const&, float loss, float measure) {
    losses.push_back(loss), measures.push_back(measure);
    files::file_sink to(path);
    to.write(svg());
    to.commit();
    return true;
  }
  void finish(auto const&) const {}
};
struct curve {
  std::string path;
  template <class Run>
  core::where_used<curve_of<>, Run> of() const {
    return {path};
  }
};

}  // namespace ricci::nn
