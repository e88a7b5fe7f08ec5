// The table of gradients: how often the time of the fastest plain objective a gradient takes.
#pragma once

#include <cmath>
#include <string>

#include "../core/timing.hpp"

namespace bench {

struct gradient_row {
  std::string name;
  double objective;       // seconds of the fastest plain one
  double ricci, by_hand;  // seconds of value and gradient
  double goal;            // ricci's time over that of the objective is to be at most this
  double error;           // of ricci's gradient, by the largest element of that by hand
};

inline void gradient_title() {
  std::printf("%-36s %11s %9s %9s %8s %9s\n", "value and gradient, by the objective", "objective", "ricci", "by hand",
              "goal", "error");
}
inline void gradient(gradient_row const& r) {
  bool const meets = r.ricci <= (r.goal + tolerance) * r.objective, right = r.error < 1e-8;
  std::printf("%-36s %11s %9.2f %9.2f %8.3g %9.1e %s%s\n", r.name.c_str(), time_text(r.objective).c_str(),
              r.ricci / r.objective, r.by_hand / r.objective, r.goal, r.error, meets ? "ok" : "short",
              right ? "" : " WRONG");
  std::fflush(stdout);
  ++rows;
  short_of_goal += !meets || !right;
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
