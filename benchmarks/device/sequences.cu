// Sums along an axis and sorting. Long ones are run only where short ones say that they end.
#include "bench.hpp"

namespace {

template <class F>
void longer_and_longer(char const* what, double bytes, F const& run) {
  char name[64];
  double before = 0;
  for (int bits : {12, 16, 20, 24}) {
    std::snprintf(name, sizeof name, "%s of 2^%d", what, bits);
    if (before * 20 > 0.6) {
      std::printf("%-44s left out: it would take %.1f s or more\n", name, before * 16);
      return;
    }
    before = run(name, rc::index_t(1) << bits, bytes * double(rc::index_t(1) << bits));
  }
}

}  // namespace

void bench::sequences() {
  print_head("along an axis");
  longer_and_longer("cumulative_sum", 8, [&](char const* name, rc::index_t n, double bytes) {
    auto const x = noise(rc::shape(n));
    return row(name, bytes, .7, [&] { (void)rc::eval(rc::cumulative_sum(x)); });
  });
  longer_and_longer("sort", 8, [&](char const* name, rc::index_t n, double bytes) {
    auto const x = noise(rc::shape(n));
    return row(name, bytes, .1, [&] { (void)rc::eval(rc::sort(x)); });
  });
  longer_and_longer("argmax", 4, [&](char const* name, rc::index_t n, double bytes) {
    auto const x = noise(rc::shape(n));
    return row(name, bytes, .9, [&] { (void)rc::eval(rc::argmax(x)); });
  });
  auto const x = noise(rc::shape(65536, 256));
  double const bytes = 8. * double(x.size());
  row("cumulative_sum (65536, 256), axis 1", bytes, .7, [&] { (void)rc::eval(rc::cumulative_sum(x, rc::axis<1>)); });
  row("sort (65536, 256), axis 1", bytes, .1, [&] { (void)rc::eval(rc::sort(x, rc::axis<1>)); });
}
