// Whether two threads really use two cores: processor time over wall time, next to what two threads that only count get
// in the same moment; and how much sooner they are done than one.
#include <algorithm>
#include <ctime>
#include <ricci/ricci.hpp>
#include <thread>

#if __has_include(<sys/resource.h>)
#include <sys/resource.h>
#endif

#include "timing.hpp"

namespace rc = ricci;

namespace bench {
namespace {

using array = rc::ndarray<float, 1>;
using matrix = rc::ndarray<float, 2>;

double processor_seconds() {
#if __has_include(<sys/resource.h>)
  rusage u;
  getrusage(RUSAGE_SELF, &u);
  auto const of = [](timeval t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  return of(u.ru_utime) + of(u.ru_stime);
#else
  return double(std::clock()) / CLOCKS_PER_SEC;
#endif
}

// The work of `f` for a while, on as many threads as it likes: processor time over wall time.
template <class F>
double cores_in(F& f) {
  double const wall = seconds(), cpu = processor_seconds();
  do f();
  while (seconds() - wall < 0.1);
  return (processor_seconds() - cpu) / (seconds() - wall);
}
// two threads that only count: what the machine has left for this process right now
void spin() {
  auto const count = [] {
    double const start = seconds();
    while (seconds() - start < 0.05) touch(&start);
  };
  std::thread other(count);
  count();
  other.join();
}
struct cores {
  double used, available;
};
// The round in which the machine had most to give.
template <class F>
cores cores_used(F& f) {
  cores best{0, 0};
  for (int r = 0; r < 7; ++r) {
    double const before = cores_in(spin), used = cores_in(f), after = cores_in(spin);
    double const available = std::min(before, after);
    if (available > best.available) best = {used, available};
  }
  return best;
}

// `make(context)` gives the work with operands of that context
template <class Make>
void line(char const* name, Make const& make) {
  if (!wanted(name)) return;
  auto one = make(rc::cpu{});
  auto two = make(rc::cpu{.threads = 2});
  auto const cores = cores_used(two);
  auto const t = race(one, two);
  char figure[32];
  std::snprintf(figure, sizeof figure, "%.2f cores", cores.used);
  row(name, figure, {t[0] / t[1], 0}, {cores.used / cores.available, 0.9});
}

template <class T>
T ones(long rows, long columns, rc::cpu c) {
  if constexpr (T::rank == 1)
    return rc::full<float>(rc::shape(rows * columns), 0.5f, c);
  else
    return rc::full<float>(rc::shape(rows, columns), 0.5f, c);
}

}  // namespace

void threads() {
  section("2 threads", "1 thread", "counting");
  constexpr long n = 16000000;
  line("2x+z*x-z/3, 1.6e7", [](rc::cpu c) {
    return [x = ones<array>(1, n, c), z = ones<array>(1, n, c), y = ones<array>(1, n, c)]() mutable {
      y = 2.f * x + z * x - z / 3.f;
    };
  });
  line("exp(-x*x)*tanh(z), 1.6e7", [](rc::cpu c) {
    return [x = ones<array>(1, n, c), z = ones<array>(1, n, c), y = ones<array>(1, n, c)]() mutable {
      y = rc::exp(-x * x) * rc::tanh(z);
    };
  });
  line("sum, 1.6e7",
       [](rc::cpu c) { return [x = ones<array>(1, n, c), s = 0.f]() mutable { s = float(rc::sum(x)), touch(&s); }; });
  line("sum(A, axis 0), 4096x4096", [](rc::cpu c) {
    return [a = ones<matrix>(4096, 4096, c), v = ones<array>(1, 4096, c)]() mutable { v = rc::sum(a, rc::axis<0>); };
  });
  line("sum(A, axis 1), 4096x4096", [](rc::cpu c) {
    return [a = ones<matrix>(4096, 4096, c), v = ones<array>(1, 4096, c)]() mutable { v = rc::sum(a, rc::axis<1>); };
  });
  line("A+B^T, 4096x4096", [](rc::cpu c) {
    return [a = ones<matrix>(4096, 4096, c), b = ones<matrix>(4096, 4096, c),
            d = ones<matrix>(4096, 4096, c)]() mutable { d = a + rc::matrix_transpose(b); };
  });
  line("matmul, 1024x1024", [](rc::cpu c) {
    return [a = ones<matrix>(1024, 1024, c), b = ones<matrix>(1024, 1024, c),
            d = ones<matrix>(1024, 1024, c)]() mutable { d = rc::matmul(a, b); };
  });
}

}  // namespace bench
