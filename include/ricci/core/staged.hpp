// A long computation by the compiler, in several constants. Compilers limit what it may take to make one constant (g++
// -fconstexpr-ops-limit, clang -fconstexpr-steps), not how many there are. So a loop over many items is cut into parts;
// each part is a constant that goes on from the state of the one before. A short loop is one part, and costs nothing.
//
//   struct work {
//     using state = ...;
//     static constexpr int items = ..., at_once = ...;                 // at most so many in one constant
//     static constexpr void begin(state&);
//     static constexpr void advance(state&, int first, int last);      // items [first, last), in order
//   };
//   constexpr auto s = core::staged<work>();
#pragma once

#include <ricci/core/abi.hpp>

namespace ricci::core {
inline namespace RICCI_ABI {

template <class Work>
inline constexpr int parts_of = Work::items <= Work::at_once ? 1 : (Work::items + Work::at_once - 1) / Work::at_once;

template <class Work, int Part>
struct stage {
  static constexpr typename Work::state computed() {
    if constexpr (Part == 0) {
      typename Work::state s{};
      Work::begin(s);
      Work::advance(s, 0, last);
      return s;
    } else {
      auto s = stage<Work, Part - 1>::state;
      Work::advance(s, Part * Work::at_once, last);
      return s;
    }
  }
  static constexpr int last = Part + 1 < parts_of<Work> ? (Part + 1) * Work::at_once : Work::items;
  static constexpr typename Work::state state = computed();
};

// The state when all is done: for the initialiser of a constant, which is the last part.
template <class Work>
constexpr typename Work::state staged() {
  return stage<Work, parts_of<Work> - 1>::computed();
}

}  // namespace RICCI_ABI
}  // namespace ricci::core
