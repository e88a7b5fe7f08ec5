// Rows by index: a gather, and the gradient of an embedding.
#include "bench.hpp"

void bench::movement() {
  print_head("rows by index");
  rc::index_t const vocabulary = 50257, width = 768, rows = 8192;
  auto const words = noise(rc::shape(vocabulary, width)), w = noise(rc::shape(rows, width), 2);
  auto number = rc::zeros<std::int64_t>(rc::shape(rows));
  for (rc::index_t k = 0; k < rows; ++k) number(k) = (k * k + 7919 * k) % vocabulary;
  auto const numbers = rc::copy(number, there);
  auto picked = rc::zeros_like(w);
  double const taken = 4. * double(rows * width), all = 4. * double(vocabulary * width);
  row("take 8192 rows of 768", 2 * taken, .9, [&] { picked = rc::take(words, numbers, rc::axis<0>); });
  auto const gradient =
      rc::grad([](auto table, auto at, auto v) { return rc::sum(v * rc::take(table, at, rc::axis<0>)); });
  row("gradient of an embedding (50257, 768)", taken + all, .7, [&] { (void)gradient(words, numbers, w); });
  number *= 0;
  auto const same = rc::copy(number, there);
  row("  the same where all are one word", taken + all, .7, [&] { (void)gradient(words, same, w); });
}
