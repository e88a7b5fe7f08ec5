// What a backend makes of the steps of a program, in words: what `explain` says beside the plan, which is the same for
// all backends.
#pragma once

#include <ricci/exec/program.hpp>

namespace ricci::exec {

// A backend says it in its folder, by a specialization for its memory space (as that of `backend_of`) with these static
// members:
//
// - `loops`: a table of how each step runs; null where its kind says enough (a map, a reduction and a product say
// more);
// - `numbers(type)`: what a kernel computes with that computes numbers of that type together; none: one by one;
// - `group_ends`: a table of where the group of steps ends that run together from each step on; the step itself where
//   it begins none;
// - `together`: how such run.
template <int Memory, Program P>
struct described;

}  // namespace ricci::exec
