// The table of gradients: how often the time of the fastest plain objective a gradient takes.
#pragma once

#include <cmath>
#include <string>

#include "../core/timing.hpp"

namespace bench {

struct gradient_row {
  std::string name;
  double objective;  // seconds of the fastest plain one
  double ricci, by_hand, peer;  // seconds of value and gradient; 0: absent
  double goal;       // ricci's time over that of the objective is to be at most this
  double error;      // of ricci's gradient, by the largest element of that by hand
};
inline gradient_row all_rows[32];
inline int row_count = 0;

inline void gradient_title() {
  std::printf("%-34s %12s %9s %9s %9s %8s %9s\n", "value and gradient, by the objective", "objective", "ricci", "by hand",
              "ADOL-C", "goal", "error");
}
inline std::string times_text(double seconds, double objective) {
  if (seconds == absent) return "-";
  char text[32];
  std::snprintf(text, sizeof text, "%.2f", seconds / objective);
  return text;
}
inline void gradient(gradient_row const& r) {
  bool const meets = r.ricci <= (r.goal + tolerance) * r.objective, right = r.error < 1e-8;
  std::printf("%-34s %12s %9s %9s %9s %8.3g %9.1e %s%s\n", r.name.c_str(), time_text(r.objective).c_str(),
              times_text(r.ricci, r.objective).c_str(), times_text(r.by_hand, r.objective).c_str(),
              times_text(r.peer, r.objective).c_str(), r.goal, r.error, meets ? "ok" : "short", right ? "" : " WRONG");
  std::fflush(stdout);
  ++rows;
  short_of_goal += !meets || !right;
  if (row_count < 32) all_rows[row_count++] = r;
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

}  // namespace bench
