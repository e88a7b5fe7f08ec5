// The shape of one tensor as that of another: `rc::zeros<double>(rc::shape_of(x))`.
#pragma once

#include <ricci/shape/concepts.hpp>
#include <ricci/shape/shape_argument.hpp>

namespace ricci {

// The extents of a tensor as a shape for functions that make one: `rc::extents<...>{}` where the type knows all of
// them, else as values; inside a traced function those of a symbol.
template <Tensor X>
constexpr auto shape_of(X const& x) {
  if constexpr (extents_of<X>::is_static)
    return extents_of<X>{};
  else
    return shapes::argument(x.shape());
}

}  // namespace ricci
