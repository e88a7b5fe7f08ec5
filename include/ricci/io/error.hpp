// Messages of readers and writers: each names the file, the place in it, what was found there and what was expected.
#pragma once

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

#include <ricci/any/tensor.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

// Text of a file as a message may show it: at most `most` characters, without those that a terminal would obey.
RICCI_COLD inline core::text& show(core::text& t, std::string_view s, std::size_t most = 60) {
  for (std::size_t k = 0; k < s.size() && k < most; ++k) t << (s[k] < ' ' || s[k] > '~' ? '?' : s[k]);
  return s.size() > most ? t << "..." : t;
}
// The name of a file, of a long one its end: the reason has to find room behind it.
RICCI_COLD inline core::text& show_name(core::text& t, std::string_view name) {
  constexpr std::size_t most = 90;
  if (name.size() > most) t << "...", name.remove_prefix(name.size() - most);
  return show(t, name, most);
}
// Extents of a type, where `?` is one that the type leaves open.
RICCI_COLD inline core::text& show_extents(core::text& t, index_t const* extents, int rank) {
  t << '(';
  for (int k = 0; k < rank; ++k) {
    if (k > 0) t << ", ";
    extents[k] < 0 ? t << '?' : t << extents[k];
  }
  return t << (rank == 1 ? ",)" : ")");
}

// "name: " and what is appended to it, until `raise` throws it.
class message {
 public:
  RICCI_COLD explicit message(std::string_view name) { show_name(text_, name) << ": "; }
  // the place, in bytes from the start of the file
  RICCI_COLD message(std::string_view name, index_t offset) : message(name) { text_ << "byte " << offset << ": "; }
  message& operator<<(char const* s) { return text_ << s, *this; }
  message& operator<<(char c) { return *this << std::string_view(&c, 1); }
  message& operator<<(std::string_view s) { return show(text_, s), *this; }
  message& operator<<(std::string const& s) { return *this << std::string_view(s); }
  message& operator<<(index_t n) { return text_ << n, *this; }
  message& operator<<(int n) { return text_ << index_t(n), *this; }
  message& operator<<(std::uint64_t n) {
    return n > std::uint64_t(core::no_extent) ? *this << "more than 9.2e18" : *this << index_t(n);
  }
  message& operator<<(dtype t) { return text_ << name_of(t), *this; }
  message& operator<<(shape_t const& s) { return text_.shape(s.extent, s.rank), *this; }
  message& extents(shape_t const& s) { return show_extents(text_, s.extent, s.rank), *this; }
  [[noreturn]] void raise() const { core::raise<io_error>(text_); }

 private:
  core::text text_;
};

// What the operating system said about the last call that failed.
RICCI_COLD [[noreturn]] inline void raise_of_system(std::string_view name, char const* what, int code) {
  (message(name) << what << ": " << static_cast<char const*>(std::strerror(code))).raise();
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
