// The abi namespace. Translation units with different -march, exception or fast-math flags may be linked into one
// program, and a linker keeps only one body of a template that two of them share; it may be the one with instructions
// that the caller's machine lacks. So everything that evaluates stands in an inline namespace named after those flags:
// other flags, other symbol. What is left outside is always inlined, like the members of tensors, or evaluated by the
// compiler alone, like graphs. Tensor types themselves stand outside: their layout depends on their size alone, and
// they may be passed between such units. tests/targets/mixed holds that no object file has a function that escapes
// this.
//
//   namespace ricci::exec {
//   inline namespace RICCI_ABI { ... }
//   }
#pragma once

#include <ricci/core/config.hpp>
