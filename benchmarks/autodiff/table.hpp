// The table of gradients: how often the time of the fastest plain objective a gradient takes.
#pragma once

#include <cmath>
#include <string>
#include <vector>

#include "../core/timing.hpp"

namespace bench {

// what a goal is a multiple of
enum class beside { objective, hand };

struct gradient_row {
  std::string name;
  double objective;       // seconds of the fastest plain one; where derivatives are all that is done, those by hand
  double ricci, by_hand;  // seconds of value and gradient
  double goal;            // ricci's time over that of what it is beside is to be at most this
  double error;           // of ricci's gradient, by the largest element of that by hand
  beside of = beside::objective;
  double peer = absent;  // seconds of a library for differentiation
  double error_of_peer = 0;
};
inline std::vector<gradient_row> printed;  // for the picture

inline std::string peer_text(gradient_row const& r) {
  char text[32];
  if (r.peer == absent) return "-";
  std::snprintf(text, sizeof text, r.peer < 100 * r.objective ? "%.2f" : "%.0f", r.peer / r.objective);
  return text;
}
inline void gradient_title() {
  std::printf("%-36s %11s %9s %9s %9s %12s %9s\n", "value and gradient, by the objective", "objective", "ricci",
              "by hand", "peer", "goal", "error");
}
inline void gradient(gradient_row const& r) {
  double const limit = r.of == beside::hand ? r.by_hand : r.objective;
  bool const meets = r.ricci <= (r.goal + tolerance) * limit, right = r.error < 1e-8, peers = r.error_of_peer < 1e-8;
  char goal[32];
  std::snprintf(goal, sizeof goal, r.of == beside::hand ? "%.3g by hand" : "%.3g", r.goal);
  std::printf("%-36s %11s %9.2f %9.2f %9s %12s %9.1e %s%s%s\n", r.name.c_str(), time_text(r.objective).c_str(),
              r.ricci / r.objective, r.by_hand / r.objective, peer_text(r).c_str(), goal, r.error,
              meets ? "ok" : "short", right ? "" : " WRONG", peers ? "" : " PEER WRONG");
  std::fflush(stdout);
  ++rows;
  short_of_goal += !meets || !right;
  printed.push_back(r);
}

// the largest difference by the largest element of b
template <class A, class B>
double difference(A const& a, B const& b, long n) {
  double most = 0, largest = 1e-300;
  for (long k = 0; k < n; ++k) {
    most = std::fmax(most, std::fabs(a[k] - b[k]));
    largest = std::fmax(largest, std::fabs(b[k]));
    if (!(a[k] == a[k])) return 1;
  }
  return most / largest;
}

bool draw_picture(char const* file);  // the rows printed so far, as SVG

}  // namespace bench
