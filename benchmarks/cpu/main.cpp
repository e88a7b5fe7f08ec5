// Prints the table of speed beside the limits of the machine and beside peers. This is a library that run.py loads, so
// that Python's libraries run in the same process; without Python, `main` in alone.cpp calls it.
#include <ricci/exec/cpu/math.hpp>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "blas.hpp"

namespace bench {
namespace {

// what run.py gives
struct python_side {
  void (*bind)(char const* name, void const* data, int is_float, int order, long const* shape);
  int (*compile)(char const* library, char const* names, char const* expression);  // -1: there is no such library
  void (*run)(int);
  double const* (*result)(int, long*);
};
python_side const* here = nullptr;

#if RICCI_HAS_XSIMD
template <class T>
struct multiply_adds {
  using P = ricci::simd::pack<T>;
  static constexpr int chains = 12, steps = 2000;
  static constexpr double operations = 2. * chains * steps * P::size;
  T out[chains * P::size] = {};

  [[gnu::noinline]] void run() {
    P sum[chains], x(T(.5)), y(T(1));
    for (int c = 0; c < chains; ++c) sum[c] = P::load(out + c * P::size);  // equal ones would be computed once
    for (int s = 0; s < steps; ++s)
#pragma GCC unroll 12
      for (auto& c : sum) c = ricci::simd::fma(c, x, y);
    for (int c = 0; c < chains; ++c) sum[c].store(out + c * P::size);
  }
};
#endif

// what the machine can do at most, as a contestant, and how much of the work it does in a call
std::pair<std::vector<contestant>, double> limit_of(work w) {
  auto const nothing = [] { return numbers(); };
  auto const arithmetic = [&]<class T>(T) -> std::pair<std::vector<contestant>, double> {
#if RICCI_HAS_XSIMD
    auto const m = std::make_shared<multiply_adds<T>>();
    return {{{"limit", [m] { m->run(), touch(m.get()); }, nothing}}, multiply_adds<T>::operations};
#else
    return {};
#endif
  };
  switch (w.of) {
    case work::operations:
      return arithmetic(0.f);
    case work::operations_of_doubles:
      return arithmetic(0.);
    case work::bytes: {  // a copy that reads and writes as much
      auto const n = std::size_t(w.amount / 2);
      auto const memory = std::make_shared<std::vector<char>>(2 * n + 128, 1);
      char* const from = memory->data() + (64 - reinterpret_cast<std::uintptr_t>(memory->data()) % 64) % 64;
      return {{{"limit", [=] { std::memcpy(from + n, from, n), touch(memory->data()); }, nothing}}, 2. * double(n)};
    }
    case work::none:
      return {};
  }
  return {};
}
std::string figure_of(work w, double s) {
  char text[32];
  switch (w.of) {
    case work::operations:
    case work::operations_of_doubles:
      std::snprintf(text, sizeof text, "%.1f GF/s", w.amount / s * 1e-9);
      return text;
    case work::bytes:
      std::snprintf(text, sizeof text, "%.1f GB/s", w.amount / s * 1e-9);
      return text;
    case work::none:
      return time_text(s);
  }
  return "";
}

}  // namespace

void title(char const* text) {
  std::printf("\n%-46s %11s %6s  %-12s %6s  %-14s\n", text, "ricci", "limit", "best peer", "ratio", "goal");
}

void contest(std::string const& name, work w, goals g, contestant ricci, std::vector<contestant> peers) {
  if (!wanted(name)) return;
  auto all = together({std::move(ricci)}, std::move(peers));
  std::size_t const n = all.size();
  auto const [limit, done] = limit_of(w);
  all.insert(all.end(), limit.begin(), limit.end());
  auto best = race_all(all, 100000);
  double const of_limit = limit.empty() ? 0 : (w.amount / best[0]) / (done / best.back());
  best.resize(n);
  std::string odd;
  numbers const own = all[0].result();
  for (std::size_t k = 1; k < n; ++k)
    if (double const d = difference(own, all[k].result()); !(d < 1e-4)) odd += " other than " + all[k].name;
  std::size_t const first = n > 1 ? fastest_of_others(best) : 0;
  double const ratio = n > 1 ? best[first] / best[0] : 0;
  bool const ok =
      (n < 2 || ratio >= g.peer - tolerance) && (limit.empty() || of_limit >= g.limit - tolerance) && odd.empty();
  char goal[32] = "-", part[16] = "-";
  if (g.peer > 0 && g.limit > 0)
    std::snprintf(goal, sizeof goal, "%.2f, %.2f", g.peer, g.limit);
  else if (g.peer > 0 || g.limit > 0)
    std::snprintf(goal, sizeof goal, g.peer > 0 ? "%.2f" : "-, %.2f", std::max(g.peer, g.limit));
  if (!limit.empty()) std::snprintf(part, sizeof part, "%.2f", of_limit);
  std::printf("%-46s %11s %6s  %-12s %6.2f  %-12s %s%s ", name.c_str(), figure_of(w, best[0]).c_str(), part,
              n > 1 ? all[first].name.c_str() : "absent", ratio, goal, ok ? "ok   " : "short", odd.c_str());
  for (std::size_t k = 1; k < n; ++k)
    if (k != first) std::printf("  %s %.2f", all[k].name.c_str(), best[k] / best[0]);
  std::printf("\n");
  std::fflush(stdout);
  if (n > 1) printed.push_back({name, ratio, all[first].name, g.peer});
  ++rows;
  short_of_goal += !ok;
}

void bind(char const* name, float const* data, std::vector<long> shape) {
  if (here) here->bind(name, data, 1, int(shape.size()), shape.data());
}
void bind(char const* name, ricci::index_t const* data, std::vector<long> shape) {
  if (here) here->bind(name, data, 0, int(shape.size()), shape.data());
}
std::vector<contestant> python(char const* library, char const* names, char const* expression) {
  if (!here) return {};
  int const id = here->compile(library, names, expression);
  if (id < 0) return {};
  return {{library, [id] { here->run(id); },
           [id] {
             long n = 0;
             double const* const p = here->result(id, &n);
             return numbers(p, p + n);
           }}};
}

}  // namespace bench

extern "C" {
void bench_blas(char const* name, char const* path) { bench::add_blas(name, path); }
// The whole table, or rows whose name contains `only`; a picture of it goes to `picture` where that is a path.
// Functions are null where there is no Python.
void bench_cpu(char const* only, char const* picture, void (*bind)(char const*, void const*, int, int, long const*),
               int (*compile)(char const*, char const*, char const*), void (*run)(int),
               double const* (*result)(int, long*)) {
  bench::python_side const side{bind, compile, run, result};
  if (compile) bench::here = &side;
  if (only && *only) bench::only = only;
  bench::budget = .1;
  if (char const* s = std::getenv("BENCH_SECONDS")) bench::budget = std::atof(s);
  std::printf(
      "one core; limit: ricci's rate over that of multiply-adds in registers, or of a copy of as many bytes;\n"
      "ratio: the best peer's time over ricci's. All of a row run by turns.\n");
  bench::streams();
  bench::reductions_of_rows();
  bench::movement();
  bench::large_products();
  bench::batches();
  bench::contractions();
  bench::layers();
  std::printf("\n%d of %d rows short of their goal\n", bench::short_of_goal, bench::rows);
  if (picture && *picture && !bench::draw_picture(picture)) std::printf("%s cannot be written\n", picture);
}
}
