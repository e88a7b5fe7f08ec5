// Errors that can only be seen at run time. With exceptions each is a class of its own; without, the same text goes to
// a handler that the program may install (`ricci::set_error_handler`), and the default one aborts.
#pragma once

#include <exception>

#include <ricci/core/abi.hpp>
#include <ricci/core/text.hpp>

namespace ricci {

class error : public std::exception {
 public:
  explicit error(core::text const& t) { __builtin_memcpy(text_, t.c_str(), sizeof text_); }
  char const* what() const noexcept override { return text_; }

 private:
  char text_[core::text::capacity];
};
// shapes that do not go together, with the operation and both shapes in the text
struct shape_error : error {
  using error::error;
};
// an element or slice outside its axis, a zero step
struct index_error : error {
  using error::error;
};
// an argument outside what the function promises to take
struct value_error : error {
  using error::error;
};
// a file or stream: name, place and reason (<ricci/io.hpp>)
struct io_error : error {
  using error::error;
};
// a context that does not exist here, or operands of two that exclude each other
struct context_error : error {
  using error::error;
};

// Called with the kind ("shape_error") and the text where exceptions are off; it must not return.
using error_handler = void (*)(char const* kind, char const* text);

namespace core {

inline constinit error_handler installed_error_handler = nullptr;

template <class E>
constexpr char const* error_name = "error";
template <>
inline constexpr char const* error_name<shape_error> = "shape_error";
template <>
inline constexpr char const* error_name<index_error> = "index_error";
template <>
inline constexpr char const* error_name<value_error> = "value_error";
template <>
inline constexpr char const* error_name<io_error> = "io_error";
template <>
inline constexpr char const* error_name<context_error> = "context_error";

inline namespace RICCI_ABI {
template <class E>
[[noreturn]] RICCI_COLD void raise(text const& t) {
#if RICCI_EXCEPTIONS
  throw E(t);
#else
  if (installed_error_handler) installed_error_handler(error_name<E>, t.c_str());
  __builtin_abort();
#endif
}
}  // namespace RICCI_ABI

}  // namespace core

// Installs the handler for builds without exceptions; returns the one before.
RICCI_INLINE error_handler set_error_handler(error_handler handler) {
  auto before = core::installed_error_handler;
  core::installed_error_handler = handler;
  return before;
}

}  // namespace ricci
