// What the threads of a team have, put together without memory: a warp exchanges registers.
#pragma once

#include <ricci/exec/device/element.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

template <class V>
__device__ V of_lane_across(V v, int distance) {
  constexpr int words = (int(sizeof(V)) + 3) / 4;
  unsigned w[words]{};
  __builtin_memcpy(w, &v, sizeof v);
  for (int k = 0; k < words; ++k) w[k] = __shfl_xor_sync(~0u, w[k], distance);
  __builtin_memcpy(&v, w, sizeof v);
  return v;
}
// What the threads of a team have, joined in halves, to all of them; a team is a power of two of threads, side by side.
// `shares`: one for each warp of the block, which are not used again before another barrier of the block.
template <class V, class Join>
__device__ V joined_by_team(V v, int team, V* shares, int thread, Join const& join) {
  for (int distance = 16; distance > 0; distance /= 2)
    if (distance < team) v = join(v, of_lane_across(v, distance));
  if (team <= 32) return v;
  if (thread % 32 == 0) shares[thread / 32] = v;
  __syncthreads();
  int const first = (thread & -team) / 32;
  v = shares[first];
  RICCI_ONE_BY_ONE
  for (int k = 1; k < team / 32; ++k) v = join(v, shares[first + k]);
  return v;
}
// the same of what is added up
template <class V>
__device__ V total_of_team(V v, int team, V* shares, int thread) {
  return joined_by_team(v, team, shares, thread, [](V a, V const& b) {
    a.add(b);
    return a;
  });
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
