// missing_norm
// A number of an optimiser's link that has no default: 0 would make every step 0.
#include <ricci/ricci.hpp>

#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
namespace nn = ricci::nn;
int main() {
#ifdef FIXED
  auto const o = nn::clip_by_global_norm{1.f} | nn::adam{} | nn::constant{.value = 1e-3f};
#else
  auto const o = nn::clip_by_global_norm{} | nn::adam{} | nn::constant{.value = 1e-3f};
#endif
  (void)o;
}
