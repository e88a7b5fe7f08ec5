// How something is computed, as the context of a tensor said and its memory remembers; a result is computed as its
// operands ask for together.
#pragma once

#include <cstdint>

#include <ricci/core/config.hpp>

namespace ricci::core {

// One word, which stays in a register.
class execution {
 public:
  constexpr execution() = default;
  RICCI_INLINE constexpr explicit execution(int threads, unsigned devices = 0)
      : bits_(static_cast<std::uint32_t>(threads) | static_cast<std::uint32_t>(devices) << 16) {}
  // of the host
  RICCI_INLINE constexpr int threads() const { return static_cast<int>(bits_ & 0xffff); }
  // a bit for each; none is the host, and two are more than one context can compute with
  RICCI_INLINE constexpr unsigned devices() const { return bits_ >> 16; }
  // without devices, which what lies on the host has none of: so compilers see it
  RICCI_INLINE constexpr execution on_host() const { return execution(threads()); }

  constexpr bool operator==(execution const&) const = default;

 private:
  std::uint32_t bits_ = 1;
};
RICCI_INLINE constexpr execution joined(execution a, execution b) {
  return execution(a.threads() < b.threads() ? b.threads() : a.threads(), a.devices() | b.devices());
}

// What is asked of a context for a result: at least what its operands ask for, or exactly that.
struct execution_request {
  execution how;
  bool exactly = false;

  RICCI_INLINE constexpr execution with(execution operands) const { return exactly ? how : joined(operands, how); }
};

}  // namespace ricci::core
