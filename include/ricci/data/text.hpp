// Texts: files of them, and the tokens that they are made of.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <ricci/data/records.hpp>
#include <ricci/io/source.hpp>

namespace ricci::data {

// What a token is.
enum class units {
  bytes,
  characters,       // of UTF-8
  words,            // what stands between white space
  words_and_marks,  // the same, but every mark of ASCII is a token of its own, as in "it", "'", "s", "."
};
constexpr char const* name_of(units u) {
  constexpr char const* names[] = {"bytes", "characters", "words", "words_and_marks"};
  return names[int(u)];
}

// A file as it is. io_error: it cannot be read.
inline std::string read_text(std::string const& path) {
  files::file_source s(path);
  core::shared_buffer memory;
  return std::string(s.read_all(memory));
}
// The lines of a text, without their ends, "\n" or "\r\n"; the last one needs none. They refer to the text.
inline std::vector<std::string_view> lines(std::string_view text) {
  std::vector<std::string_view> all;
  while (!text.empty()) {
    auto const end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r') && end != std::string_view::npos) line.remove_suffix(1);
    all.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return all;
}

namespace text {

constexpr bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr bool is_mark(char c) {
  return (c >= '!' && c <= '/') || (c >= ':' && c <= '@') || (c >= '[' && c <= '`' && c != '_') ||
         (c >= '{' && c <= '~');
}
// The number of bytes of the character at the start of s, 0 where it is none of UTF-8 (RFC 3629): too long a form, a
// surrogate, above 10FFFF, cut off.
constexpr std::size_t character_size(std::string_view s) {
  auto const byte = [&](std::size_t k) { return k < s.size() ? static_cast<unsigned char>(s[k]) : 0u; };
  unsigned const first = byte(0);
  if (first < 0x80) return 1;
  std::size_t const n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4) return 0;
  for (std::size_t k = 1; k < n; ++k)
    if ((byte(k) & 0xc0) != 0x80) return 0;
  unsigned const second = byte(1);
  if ((first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) || (first == 0xf0 && second < 0x90) ||
      (first == 0xf4 && second > 0x8f))
    return 0;
  return n;
}

// f(token) for every token.
template <class F>
void for_each_token(std::string_view all, units u, F const& f) {
  std::size_t k = 0;
  if (u == units::bytes || u == units::characters) {
    while (k < all.size()) {
      std::size_t const n = u == units::bytes ? 1 : character_size(all.substr(k));
      if (n == 0)
        core::raise<value_error>(core::text() << "data: byte " << index_t(k)
                                              << " of a text begins no character of UTF-8; units::bytes takes any");
      f(all.substr(k, n));
      k += n;
    }
    return;
  }
  bool const marks = u == units::words_and_marks;
  while (true) {
    while (k < all.size() && is_space(all[k])) ++k;
    if (k == all.size()) return;
    std::size_t end = k + 1;
    if (!marks || !is_mark(all[k]))
      while (end < all.size() && !is_space(all[end]) && !(marks && is_mark(all[end]))) ++end;
    f(all.substr(k, end - k));
    k = end;
  }
}

}  // namespace text

// The tokens of a text, in their order; they refer to it. What is no UTF-8 is a value_error where characters are asked
// for.
inline std::vector<std::string_view> tokens(std::string_view all, units u) {
  std::vector<std::string_view> found;
  text::for_each_token(all, u, [&](std::string_view t) { found.push_back(t); });
  return found;
}

}  // namespace ricci::data
