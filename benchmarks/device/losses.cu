// Cross-entropy of rows with numbers of classes, and its gradient.
#include <ricci/nn/cross_entropy.hpp>

#include "bench.hpp"

namespace {

constexpr auto dense = [](auto z, auto y) {
  return rc::mean(rc::logsumexp(z, rc::axis<1>) - rc::sum(z * y, rc::axis<1>));
};
constexpr auto by_label = [](auto z, auto label) { return rc::nn::cross_entropy(z, label); };

}  // namespace

void bench::losses() {
  print_head("cross-entropy");
  rc::index_t const rows = 8192, classes = 8192;
  auto const z = noise(rc::shape(rows, classes)), y = noise(rc::shape(rows, classes), 2);
  auto labels = rc::zeros<std::int64_t>(rc::shape(rows));
  for (rc::index_t k = 0; k < rows; ++k) labels(k) = k * 7919 % classes;
  auto const there_labels = rc::copy(labels, there);
  double const bytes = 4. * double(rows * classes);
  row("  of scores and targets (8192, 8192)", 2 * bytes, .85, [&] { (void)rc::fn(dense)(z, y); });
  auto const slope = rc::grad(dense);
  row("  its gradient", 3 * bytes, .85, [&] { (void)slope(z, y); });
  row("  of labels", bytes, .85, [&] { (void)rc::fn(by_label)(z, there_labels); });
  auto const slope_by_label = rc::grad(by_label);
  row("  its gradient", 2 * bytes, .85, [&] { (void)slope_by_label(z, there_labels); });
}
