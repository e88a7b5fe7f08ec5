// Prints the table of the functions of arrays. This is a library that run.py loads, so that NumPy runs in the same
// process; without NumPy, `main` in alone.cpp calls it, and its contestants are left out.
#include <cstdlib>
#include <map>

#include "contest.hpp"

namespace bench {
namespace {

// what run.py gives: compiles an expression to a number, evaluates it, says where the elements of its value are
struct python {
  int (*compile)(char const*);
  void (*run)(int);
  double const* (*result)(int, long*);
};
python const* numpy_here = nullptr;

std::map<std::string, std::vector<contestant>>& other_peers() {
  static std::map<std::string, std::vector<contestant>> all;
  return all;
}

}  // namespace

std::vector<contestant> numpy(char const* expression) {
  if (!numpy_here || !*expression) return {};
  int const id = numpy_here->compile(expression);
  return {{"NumPy", [id] { numpy_here->run(id); },
           [id] {
             long n = 0;
             double const* p = numpy_here->result(id, &n);
             return numbers(p, p + n);
           }}};
}
void add_peer(std::string const& row, contestant c) { other_peers()[row].push_back(std::move(c)); }

void contest(std::string const& name, double n, contestant ricci, std::vector<contestant> peers) {
  if (!wanted(name)) return;
  for (auto const& c : other_peers()[name]) peers.push_back(c);
  peers.insert(peers.begin(), std::move(ricci));
  std::vector<double> const best = race_all(peers, 1000);
  std::string odd;
  numbers const own = peers[0].result();
  for (std::size_t k = 1; k < peers.size(); ++k)
    if (double const d = difference(own, peers[k].result()); !(d < 1e-4)) odd += " other than " + peers[k].name;
  if (peers.size() < 2) {
    std::printf("%-44s %11.3f %11s\n", name.c_str(), best[0] / n * 1e9, "absent");
    return;
  }
  std::size_t const first = fastest_of_others(best);
  double const ratio = best[0] / best[first];
  bool const ok = ratio <= 1.2 + tolerance && odd.empty();
  std::printf("%-44s %11.3f %11.3f  %-8s %6.2f  %s%s ", name.c_str(), best[0] / n * 1e9, best[first] / n * 1e9,
              peers[first].name.c_str(), ratio, ok ? "ok   " : "short", odd.c_str());
  for (std::size_t k = 1; k < peers.size(); ++k)
    if (k != first) std::printf("  %s %.2f", peers[k].name.c_str(), best[0] / best[k]);
  std::printf("\n");
  std::fflush(stdout);
  ++rows;
  short_of_goal += !ok;
}

}  // namespace bench

extern "C" {
// Where the operand of that name is.
void const* bench_operand(char name) {
  auto const& x = bench::data();
  switch (name) {
    case 'a':
      return x.a.data();
    case 'b':
      return x.b.data();
    case 'p':
      return x.p.data();
    case 'u':
      return x.u.data();
    case 'd':
      return x.d.data();
    case 'e':
      return x.e.data();
    case 'i':
      return x.i.data();
    case 'j':
      return x.j.data();
    case 's':
      return x.s.data();
    case 't':
      return x.at.data();
    case 'c':
      return x.c.data();
    case 'k':
      return x.k.data();
    case 'g':
      return x.grid.data();
  }
  return nullptr;
}
// The whole table, or rows whose name contains `only`. NumPy is absent where the functions are null.
void bench_arrays(char const* only, int (*compile)(char const*), void (*run)(int),
                  double const* (*result)(int, long*)) {
  bench::python const here{compile, run, result};
  if (compile) bench::numpy_here = &here;
  if (only && *only) bench::only = only;
  bench::budget = .1;
  if (char const* s = std::getenv("BENCH_SECONDS")) bench::budget = std::atof(s);
  bench::add_eigen();
  bench::add_xtensor();
  std::printf(
      "one core, 1e6 elements unless it says otherwise; ratio: ricci's time over the best peer's, goal at most 1.2\n");
  if (!compile) std::printf("NumPy is absent: there is no python3 with it\n");
  std::printf("%-44s %11s %11s  %-8s %6s  %s\n", "float32, (1e6,) or (1000, 1000)", "ns/element", "best peer", "is",
              "ratio", "      ratios to the others");
  bench::elementwise();
  bench::functions();
  bench::reductions();
  bench::movement();
  bench::indexing();
  bench::searching();
  bench::products();
  std::printf("\n%d of %d rows short of their goal\n", bench::short_of_goal, bench::rows);
}
}
