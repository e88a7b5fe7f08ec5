// Reductions by Thrust on the cores of this machine: stretches of elements by one index each, which are then combined.
#pragma once

#include <ricci/exec/device/maps.hpp>
#include <ricci/exec/device/reduce_grid.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

inline constexpr index_t longest_stretch = 256;

// Part `i` of the segments: elements that follow one another, added up by one index.
template <class Code>
struct partial_value {
  using element = element_of_kernel<Code>;
  using values = typename element::values;
  device_step<element::slots, Code::scalars> s;
  int kept;
  index_t length, parts;  // of a segment

  values operator()(index_t i) const {
    index_t const segment = i / parts, part = i - segment * parts;
    index_t const first = part_begin(length, part, parts), last = part_begin(length, part + 1, parts);
    auto const outer = s.at(segment, 0, kept);
    values total = values::identity();
    for (index_t k = first; k < last; ++k) total.add(element::value(s.moved(outer, k, kept, s.loops).to, s.scalars));
    return total;
  }
};
template <class V>
struct combine_values {
  V operator()(V a, V const& b) const {
    a.add(b);
    return a;
  }
};
template <class Code>
struct write_result {
  using element = element_of_kernel<Code>;
  device_step<element::slots, Code::scalars> s;
  int kept;
  typename element::values const* results;  // null: nothing was there to reduce
  void operator()(index_t segment) const {
    auto const at = s.at(segment, 0, kept);
    if (results)
      results[segment].write(at.to);
    else
      element::values::identity().write(at.to);
  }
};

template <class Code, int Variant>
void device_reduce(device_geometry& g, device_call const& c) {
  using element = element_of_kernel<Code>;
  using values = typename element::values;
  device_geometry given = g;
  kept_first(g, Variant == 1);
  auto const s = passed<element::slots, Code::scalars>(g, c);
  index_t const segments = product_of(g, 0, g.kept), length = product_of(g, g.kept, g.loops);
  if (segments == 0) return;
  if (length == 0) return device_backend::for_each_index(c.device, segments, write_result<Code>{s, g.kept, nullptr});
  index_t const parts = (length + longest_stretch - 1) / longest_stretch;
  device_array<values> const results(segments, c.device);
  device_backend::reduce_segments(c.device, segments, parts, partial_value<Code>{s, g.kept, length, parts},
                                  combine_values<values>{}, results.data());
  if constexpr (element::storing > 0) device_map<Code>(given, c);  // now that the memory has been had
  device_backend::for_each_index(c.device, segments, write_result<Code>{s, g.kept, results.data()});
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
