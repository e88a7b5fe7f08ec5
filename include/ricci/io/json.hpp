// JSON (RFC 8259) as far as the headers of safetensors need it: strict, read from left to right.
#pragma once

#include <ricci/io/error.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

class json_reader {
 public:
  // `start`: where the text lies in the file
  json_reader(std::string_view text, std::string_view file, index_t start) : text_(text), file_(file), start_(start) {}

  RICCI_COLD [[noreturn]] void fail(char const* what) const {
    (message(file_, start_ + index_t(at_)) << "the header has " << what).raise();
  }
  char next() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t' || text_[at_] == '\r'))
      ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) { return next() == c ? (++at_, true) : false; }
  RICCI_COLD void expect(char c) {
    if (take(c)) return;
    message m(file_, start_ + index_t(at_));
    at_ < text_.size() ? m << "the header has '" << text_[at_] << '\'' : m << "the header ends";
    (m << " where '" << c << "' was expected").raise();
  }
  bool at_end() { return next() == '\0' && at_ == text_.size(); }
  // f(key) for every member of an object, which has to read the value
  template <class F>
  RICCI_COLD void object(F const& f) {
    expect('{');
    if (take('}')) return;
    do {
      std::string const key = string();
      expect(':');
      f(key);
    } while (take(','));
    expect('}');
  }
  // f() for every element of an array
  template <class F>
  RICCI_COLD void array(F const& f) {
    expect('[');
    if (take(']')) return;
    do f();
    while (take(','));
    expect(']');
  }
  RICCI_COLD std::string string() {
    expect('"');
    std::string s;
    while (true) {
      if (at_ >= text_.size()) fail("a string that does not end");
      char const c = text_[at_++];
      if (c == '"') return s;
      if (static_cast<unsigned char>(c) < 0x20) fail("a control character in a string");
      if (c == '\\')
        escaped(s);
      else
        s += c;
    }
  }
  // an integer that is not negative
  RICCI_COLD index_t integer() {
    (void)next();
    std::size_t const begin = at_;
    index_t n = 0;
    for (; at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9'; ++at_)
      if (__builtin_mul_overflow(n, index_t(10), &n) || __builtin_add_overflow(n, index_t(text_[at_] - '0'), &n))
        fail("a number above 2^63");
    if (at_ == begin || (text_[begin] == '0' && at_ > begin + 1)) fail("no integer where one was expected");
    return n;
  }

 private:
  RICCI_COLD unsigned four_digits() {
    unsigned x = 0;
    for (int k = 0; k < 4; ++k) {
      char const c = at_ < text_.size() ? text_[at_++] : '\0';
      if (c >= '0' && c <= '9')
        x = 16 * x + unsigned(c - '0');
      else if ((c | 32) >= 'a' && (c | 32) <= 'f')
        x = 16 * x + unsigned((c | 32) - 'a' + 10);
      else
        fail("an escape without four digits");
    }
    return x;
  }
  RICCI_COLD void escaped(std::string& s) {
    char const c = at_ < text_.size() ? text_[at_++] : '\0';
    constexpr std::string_view escapes = "\"\\/bfnrt", are = "\"\\/\b\f\n\r\t";
    if (auto const k = escapes.find(c); k != std::string_view::npos && c != '\0') {
      s += are[k];
      return;
    }
    if (c != 'u') fail("an unknown escape in a string");
    unsigned x = four_digits();
    if (x >= 0xd800 && x < 0xdc00) {
      if (text_.substr(at_, 2) != "\\u") fail("half of a surrogate pair");
      at_ += 2;
      unsigned const low = four_digits();
      if (low < 0xdc00 || low > 0xdfff) fail("half of a surrogate pair");
      x = 0x10000 + ((x - 0xd800) << 10) + (low - 0xdc00);
    } else if (x >= 0xdc00 && x < 0xe000) {
      fail("half of a surrogate pair");
    }
    if (x < 0x80) {  // as UTF-8
      s += char(x);
    } else if (x < 0x800) {
      s += {char(0xc0 | x >> 6), char(0x80 | (x & 63))};
    } else if (x < 0x10000) {
      s += {char(0xe0 | x >> 12), char(0x80 | (x >> 6 & 63)), char(0x80 | (x & 63))};
    } else {
      s += {char(0xf0 | x >> 18), char(0x80 | (x >> 12 & 63)), char(0x80 | (x >> 6 & 63)), char(0x80 | (x & 63))};
    }
  }

  std::string_view text_, file_;
  index_t start_;
  std::size_t at_ = 0;
};

RICCI_COLD inline void append_json(std::string& to, std::string_view s) {
  constexpr char digits[] = "0123456789abcdef";
  to += '"';
  for (char const c : s) {
    auto const u = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\')
      to += {'\\', c};
    else if (u < 0x20)
      to += {'\\', 'u', '0', '0', digits[u >> 4], digits[u & 15]};
    else
      to += c;
  }
  to += '"';
}
RICCI_COLD inline void append_json(std::string& to, index_t n) { to += (core::text() << n).c_str(); }

}  // namespace RICCI_ABI
}  // namespace ricci::files
