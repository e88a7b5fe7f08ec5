// Timing by ratios. Contestants run in turn, round by round in one process, so that a change of clock or a busy
// neighbour meets all of them; each is represented by its fastest round. A row of the table compares the first of them,
// ricci, with the others.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <limits>
#include <string>

namespace bench {

inline double seconds() {
  using namespace std::chrono;
  return duration<double>(steady_clock::now().time_since_epoch()).count();
}

// Keeps the compiler from dropping a result, or from believing that memory stays as it was.
inline void touch(void const* p) { asm volatile("" : : "g"(p) : "memory"); }

// one round of a contestant: `calls` calls
template <class F>
double round(F& f, long calls) {
  double const start = seconds();
  for (long k = 0; k < calls; ++k) f();
  return seconds() - start;
}

inline double budget = 0.25;  // seconds for one row

// Seconds per call of each, in the given order.
template <class... F>
std::array<double, sizeof...(F)> race(F&&... f) {
  constexpr int n = sizeof...(F);
  std::array<double, n> best;
  best.fill(std::numeric_limits<double>::infinity());
  std::array<long, n> calls;
  std::size_t k = 0;
  auto const calibrate = [&](auto& g) {
    long c = 1;
    while (round(g, c) < 2e-4 && c < (1L << 30)) c *= 2;
    calls[k++] = c;
  };
  (calibrate(f), ...);
  double const start = seconds();
  for (int r = 0; r < 9 || seconds() - start < budget * n; ++r) {
    k = 0;
    auto const once = [&](auto& g) {
      best[k] = std::min(best[k], round(g, calls[k]) / double(calls[k]));
      ++k;
    };
    (once(f), ...);
  }
  return best;
}

// ---- the table ----

inline constexpr double absent = 0;        // the time of a peer that is not here
inline constexpr double tolerance = 0.02;  // ratios of equal work differ by as much from run to run
inline int short_of_goal = 0, rows = 0;
inline char const* only = nullptr;  // rows whose name contains this

inline bool wanted(std::string const& name) { return !only || name.find(only) != std::string::npos; }

inline void section(char const* title, char const* peer, char const* limit) {
  std::printf("\n%-44s %11s %11s %11s  %-22s\n", title, "ricci", peer, limit, "goal");
}
inline std::string time_text(double s) {
  char text[32];
  if (s < 1e-6)
    std::snprintf(text, sizeof text, "%.2f ns", s * 1e9);
  else if (s < 1e-3)
    std::snprintf(text, sizeof text, "%.3f us", s * 1e6);
  else
    std::snprintf(text, sizeof text, "%.3f ms", s * 1e3);
  return text;
}
inline std::string ratio_text(double x, bool known) {
  if (!known) return "absent";
  char text[32];
  std::snprintf(text, sizeof text, "%.2fx", x);
  return text;
}

struct column {
  double value;       // of the ratio: above 1 where ricci is the faster one
  double goal;        // at least this; 0: nothing is asked
  bool known = true;  // false where the peer is absent
  bool shown = true;
};

// `figure` says how fast ricci is; the two ratios are peer time / ricci time, and hand or limit time / ricci time.
inline void row(std::string const& name, std::string const& figure, column peer, column limit) {
  auto const meets = [](column const& c) { return !c.known || c.value >= c.goal - tolerance; };
  bool const ok = meets(peer) && meets(limit);
  char goal[48] = "";
  if (peer.goal > 0 && limit.goal > 0)
    std::snprintf(goal, sizeof goal, ">= %.3g, >= %.3g", peer.goal, limit.goal);
  else if (peer.goal > 0)
    std::snprintf(goal, sizeof goal, ">= %.3g", peer.goal);
  else if (limit.goal > 0)
    std::snprintf(goal, sizeof goal, ">= %.3g", limit.goal);
  else
    std::snprintf(goal, sizeof goal, "-");
  std::printf("%-44s %11s %11s %11s  %-16s %s\n", name.c_str(), figure.c_str(),
              peer.shown ? ratio_text(peer.value, peer.known).c_str() : "-",
              limit.shown ? ratio_text(limit.value, limit.known).c_str() : "-", goal, ok ? "ok" : "short");
  std::fflush(stdout);
  ++rows;
  short_of_goal += !ok;
}
inline column nothing() { return {0, 0, true, false}; }
// how many times faster ricci is than a peer, which may be absent
inline column faster(double ricci, double peer, double goal) { return {peer / ricci, goal, peer != absent}; }

// a time per call against a peer and a limit
inline void times(std::string const& name, double ricci, column peer, column limit) {
  row(name, time_text(ricci), peer, limit);
}

void chains();
void reductions();
void products();
void threads();
void small();

// ---- limits of the machine, measured in the same process ----

double fma_peak();                    // flop/s of one core
double triad_bandwidth(long floats);  // bytes/s of x = y + s z over arrays of that size
double read_bandwidth(long floats);   // bytes/s of reading

}  // namespace bench
