// An index outside of its axis, as errors tell it.
#pragma once

#include <ricci/core/errors.hpp>

namespace ricci::core {

// What is left of an index where none counts from the end: the bits but for the sign's, so that a negative one lies
// outside of every axis.
inline constexpr index_t never_from_end = index_t(~std::uint64_t(0) >> 1);

inline namespace RICCI_ABI {

[[noreturn]] RICCI_COLD inline void raise_index(char const* name, index_t i, index_t choices) {
  raise<index_error>(text() << name << ": index " << (i < never_from_end / 2 ? i : i - never_from_end - 1)
                            << " is out of range for an axis of " << choices);
}
[[noreturn]] RICCI_COLD inline void raise_index_of_axis(index_t i, int axis, index_t extent) {
  raise<index_error>(text() << "index " << i << " is out of range for axis " << axis << " with extent " << extent);
}

}  // namespace RICCI_ABI
}  // namespace ricci::core
