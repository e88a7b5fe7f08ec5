// Layer norms of rows and their gradients.
#include "bench.hpp"

namespace {

constexpr auto layer_norm = [](auto x, auto gain, auto bias) {
  auto const centred = x - rc::mean(x, rc::axis<1>, rc::keepdims);
  return centred / rc::sqrt(rc::mean(rc::square(centred), rc::axis<1>, rc::keepdims) + 1e-5f) * gain + bias;
};

}  // namespace

void bench::norms() {
  print_head("layer norm of rows");
  auto const gradient =
      rc::grad([](auto x, auto gain, auto bias, auto w) { return rc::sum(w * layer_norm(x, gain, bias)); });
  for (rc::index_t columns : {128, 1024, 4096, 32768}) {
    rc::index_t const rows = (rc::index_t(1) << 26) / columns;
    auto const x = noise(rc::shape(rows, columns)), w = noise(rc::shape(rows, columns), 2);
    auto const gain = noise(rc::shape(columns), 3), bias = noise(rc::shape(columns), 4);
    auto y = rc::zeros_like(x);
    double const bytes = 4. * double(rows * columns);
    std::printf("%ld rows of %ld\n", long(rows), long(columns));
    row("  layer norm", 2 * bytes, .85, [&] { rc::fn(layer_norm).into(y)(x, gain, bias); });
    row("  gradient by x", 3 * bytes, .85, [&] { (void)gradient(x, gain, bias, w); });
  }
}
