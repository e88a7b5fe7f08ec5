// What a context provides to run plans.
#pragma once

#include <ricci/expr/reify.hpp>

namespace ricci::exec {

// The backend of a memory space, specialised by each context in a folder of its own (exec/cpu/run.hpp,
// exec/device/run.hpp).
template <int Memory>
struct executor;

}  // namespace ricci::exec
