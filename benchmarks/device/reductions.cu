// Reductions: few long rows, many short ones, columns; of sums, squares, the largest and where it is.
#include "bench.hpp"

void bench::reductions() {
  print_head("reductions");
  rc::index_t const one = 1;
  {
    auto const x = noise(rc::shape(2, one << 27));
    row("sum (2, 2^27), axis 1", 4. * double(x.size()), .9, [&] { (void)rc::eval(rc::sum(x, rc::axis<1>)); });
  }
  {
    auto const x = noise(rc::shape(one << 27));
    row("sum (2^27,)", 4. * double(x.size()), .9, [&] { (void)rc::eval(rc::sum(x)); });
    row("max (2^27,)", 4. * double(x.size()), .9, [&] { (void)rc::eval(rc::max(x)); });
    auto const z = noise(rc::shape(one << 27), 2);
    row("sum(square(x - z)) (2^27,)", 8. * double(x.size()), .9, [&] { (void)rc::eval(rc::sum(rc::square(x - z))); });
  }
  struct size {
    rc::index_t rows, columns;
  };
  for (auto const [rows, columns] : {size{one << 20, 64}, size{65536, 1024}, size{1000003, 67}}) {
    auto const x = noise(rc::shape(rows, columns));
    double const bytes = 4. * double(x.size());
    std::printf("(%ld, %ld)\n", long(rows), long(columns));
    row("  sum, axis 1", bytes, .9, [&] { (void)rc::eval(rc::sum(x, rc::axis<1>)); });
    row("  sum, axis 0", bytes, .9, [&] { (void)rc::eval(rc::sum(x, rc::axis<0>)); });
    row("  max, axis 1", bytes, .9, [&] { (void)rc::eval(rc::max(x, rc::axis<1>)); });
    row("  argmax, axis 1", bytes, .9, [&] { (void)rc::eval(rc::argmax(x, rc::axis<1>)); });
  }
  auto const x = noise(rc::shape(65536, 1024));
  double const bytes = 4. * double(x.size());
  row("var (65536, 1024), axis 1", bytes, .9, [&] { (void)rc::eval(rc::var(x, rc::axis<1>)); });
  row("logsumexp (65536, 1024), axis 1", bytes, .9, [&] { (void)rc::eval(rc::logsumexp(x, rc::axis<1>)); });
  row("argmax (65536, 1024), axis 0", bytes, .9, [&] { (void)rc::eval(rc::argmax(x, rc::axis<0>)); });
}
