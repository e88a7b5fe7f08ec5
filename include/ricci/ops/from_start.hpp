// Indices none of which counts from the end.
#pragma once

#include <ricci/core/raise_index.hpp>
#include <ricci/ops/bitwise.hpp>

namespace ricci::ir {

// As int64; a negative one lies outside, and errors tell it as it was (core/raise_index.hpp).
template <class V>
constexpr V from_start(V indices) {
  return bitwise_and(as_int64_indices(indices),
                     integer_literal<typename V::mode>(*indices.g, core::never_from_end, dtype::int64, 0));
}

}  // namespace ricci::ir
