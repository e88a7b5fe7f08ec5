// How something is computed, as the context of a tensor said and its memory remembers; a result is computed as its
// operands ask for together.
#pragma once

#include <cstdint>

#include <ricci/core/config.hpp>

namespace ricci::core {

struct execution {
  std::int16_t threads = 1;   // of the host
  std::uint16_t devices = 0;  // a bit for each; none is the host, and two are more than one context can compute with

  constexpr bool operator==(execution const&) const = default;
};
RICCI_INLINE constexpr execution joined(execution a, execution b) {
  return {a.threads < b.threads ? b.threads : a.threads, static_cast<std::uint16_t>(a.devices | b.devices)};
}
// of what lies on the host, so that compilers see that there is no device
RICCI_INLINE constexpr execution on_host(execution e) { return {e.threads, 0}; }

// What is asked of a context for a result: at least what its operands ask for, or exactly that.
struct execution_request {
  execution how;
  bool exactly = false;

  RICCI_INLINE constexpr execution with(execution operands) const { return exactly ? how : joined(operands, how); }
};

}  // namespace ricci::core
