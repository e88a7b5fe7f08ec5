// Memory of a tensor as the inside of the library passes it on: no type, no ownership.
#pragma once

#include <ricci/core/types.hpp>

namespace ricci {

struct operand_ref {
  char* p;
  index_t const* extents;
  index_t const* strides;  // in elements; null where they follow from the extents
};

}  // namespace ricci
