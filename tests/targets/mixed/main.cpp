// Calls all parts with the same tensors, and each with what another one made: results agree to a few digits (fast-math
// may round as it likes), and tensors are the same objects in all of them.
#include "part.hpp"

#include <cmath>
#include <cstdio>

namespace {

int failures = 0;

bool close(float a, float b) { return std::fabs(a - b) <= 2e-3f * (1 + std::fabs(a)); }

void compare(char const* name, results const& a, results const& b) {
  bool same = close(a.number.item(), b.number.item()) && a.loose.shape() == b.loose.shape();
  for (int k = 0; k < a.fixed.size(); ++k) same = same && close(a.fixed.data()[k], b.fixed.data()[k]);
  for (int k = 0; same && k < a.loose.size(); ++k) same = close(a.loose.data()[k], b.loose.data()[k]);
  std::printf("%s: %s (%g, %g)\n", name, same ? "as the first part" : "DIFFERENT", double(a.number.item()),
              double(b.number.item()));
  if (!same) ++failures;
}

}  // namespace

int main() {
  fixed_t a;
  loose_t b(9, 5);
  for (int k = 0; k < a.size(); ++k) a.data()[k] = std::sin(float(k));
  for (int k = 0; k < b.size(); ++k) b.data()[k] = std::cos(0.7f * float(k));
  results const first = part_base::compute(a, b), second = part_aborts::compute(a, b);
  compare("part_aborts", first, second);
  results const twice = part_base::compute(second.fixed, second.loose);
#if defined(__x86_64__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !__builtin_cpu_supports("bmi2")) {
    std::printf("part_wide: this machine cannot run it\n");
    return failures;
  }
#endif
  compare("part_wide", first, part_wide::compute(a, b));
  compare("part_wide on what part_aborts made", twice, part_wide::compute(second.fixed, second.loose));
  compare("part_base on what part_wide made", twice, [&] {
    results const wide = part_wide::compute(a, b);
    return part_base::compute(wide.fixed, wide.loose);
  }());
  return failures;
}
