// Numbers in text: how a cell of a CSV file becomes an element, and an element a cell. Cells are read and written as
// one of five types, bool, std::int64_t, std::uint64_t, float and double: fewer than there are element types to
// compile.
#pragma once

#include <charconv>
#include <cstdint>

#include <ricci/io/array.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

enum class cell_error { none, not_a_number, out_of_range };

inline constexpr double powers_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                           1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

// A decimal number at p, where it is exact in a double up to one correctly rounded product or quotient: at most 2^53
// without its point, and a power of ten up to 22 (Clinger 1990, "How to Read Floating Point Numbers Accurately").
// nullptr where it is another one or none, else behind it.
inline char const* simple_number(char const* p, char const* end, double& x) {
  bool const negative = p < end && *p == '-';
  p += negative;
  std::uint64_t digits = 0;
  char const* const first = p;
  for (; p < end && unsigned(*p - '0') < 10; ++p) digits = 10 * digits + unsigned(*p - '0');
  index_t count = p - first, exponent = 0;
  if (p < end && *p == '.') {
    char const* const point = ++p;
    for (; p < end && unsigned(*p - '0') < 10; ++p) digits = 10 * digits + unsigned(*p - '0');
    exponent = point - p;
    count += p - point;
  }
  if (count == 0 || count > 19) return nullptr;
  if (p < end && (*p | 32) == 'e') {
    if (++p == end) return nullptr;
    bool const below = *p == '-';
    p += *p == '-' || *p == '+';
    char const* const power = p;
    int n = 0;
    for (; p < end && unsigned(*p - '0') < 10 && p - power < 4; ++p) n = 10 * n + (*p - '0');
    if (p == power || p - power == 4) return nullptr;
    exponent += below ? -n : n;
  }
  if (digits > std::uint64_t(1) << 53 || exponent < -22 || exponent > 22) return nullptr;
  auto const whole = static_cast<double>(digits);
  double const size = exponent < 0 ? whole / powers_of_ten[-exponent] : whole * powers_of_ten[exponent];
  x = negative ? -size : size;
  return p;
}

template <class T>
cell_error read_with_from_chars(char const* p, char const* end, T& x) {
  if (p < end && *p == '+' && end - p > 1 && p[1] != '-') ++p;
  auto const [stop, code] = std::from_chars(p, end, x);
  if (code == std::errc::result_out_of_range) return cell_error::out_of_range;
  return code == std::errc{} && stop == end ? cell_error::none : cell_error::not_a_number;
}
inline bool is_word(char const* p, char const* end, std::string_view word) {
  if (end - p != index_t(word.size())) return false;
  for (char const w : word)
    if ((*p++ | 32) != w) return false;
  return true;
}

// The number with which the text at p begins, without a sign +: behind it, or nullptr where there is none or a word.
// `are_short` says whether the last one was so short that it may have been a simple one; long ones are not tried as
// such.
template <class T>
char const* read_number(char const* p, char const* end, T& x, bool& are_short) {
  if constexpr (std::is_same_v<T, bool>) {
    return nullptr;
  } else {
    constexpr bool is_double = std::is_same_v<T, double>, is_float = std::is_same_v<T, float>;
    if constexpr (is_double || is_float)
      if (are_short) {
        double d = 0;
        char const* const stop = simple_number(p, end, d);
        // of short ones as floats: a longer one, rounded to a double and once more, could lie between two floats
        if (stop && (is_double || stop - p <= 8)) return x = static_cast<T>(d), stop;
      }
    auto const [stop, code] = std::from_chars(p, end, x);
    are_short = stop - p <= (is_double ? 17 : 8);
    return code == std::errc{} ? stop : nullptr;
  }
}

// The element that stands between p and end, without spaces around it.
template <class T>
cell_error read_cell(char const* p, char const* end, T& x) {
  if constexpr (std::is_same_v<T, bool>) {
    bool const one = (end - p == 1 && *p == '1') || is_word(p, end, "true");
    x = one;
    return one || (end - p == 1 && *p == '0') || is_word(p, end, "false") ? cell_error::none : cell_error::not_a_number;
  } else {
    bool are_short = true;
    if (read_number(p, end, x, are_short) == end) return cell_error::none;
    return read_with_from_chars(p, end, x);
  }
}

// The type as which elements of a type are written, and read but for those of half precision, which are read as doubles
// and so rounded once.
template <class T>
using cell_type =
    std::conditional_t<is_integer(dtype_of<T>), std::conditional_t<std::is_signed_v<T>, std::int64_t, std::uint64_t>,
                       std::conditional_t<std::is_same_v<T, double> || std::is_same_v<T, bool>, T, float>>;
// The element of a type that is `x`, at `to`; false where it is out of its range.
template <class P>
bool store(P x, dtype type, char* to) {
  if constexpr (std::is_same_v<P, std::int64_t> || std::is_same_v<P, std::uint64_t>) {
    auto const as = [&](auto zero) {
      auto const y = static_cast<decltype(zero)>(x);
      __builtin_memcpy(to, &y, sizeof y);
      return static_cast<P>(y) == x;
    };
    using of = std::conditional_t<std::is_same_v<P, std::int64_t>, std::true_type, std::false_type>;
    switch (size_of(type)) {
      case 1:
        return as(std::conditional_t<of::value, std::int8_t, std::uint8_t>());
      case 2:
        return as(std::conditional_t<of::value, std::int16_t, std::uint16_t>());
      case 4:
        return as(std::conditional_t<of::value, std::int32_t, std::uint32_t>());
      case 8:
        return as(P());
    }
    __builtin_unreachable();  // no integers have another size
  } else if constexpr (std::is_same_v<P, double>) {
    auto const as = [&](auto zero) {  // rounded once, from a double
      auto const y = scalar::convert<decltype(zero)>(x);
      __builtin_memcpy(to, &y, sizeof y);
      float const back = scalar::convert<float>(y);
      return x - x != 0 || back - back == 0;  // what is finite stays so
    };
    if (type == dtype::float16) return as(float16());
    if (type == dtype::bfloat16) return as(bfloat16());
    __builtin_memcpy(to, &x, sizeof x);
    return true;
  } else {
    __builtin_memcpy(to, &x, sizeof x);
    return true;
  }
}

// Appends the shortest text that is read as the same element.
template <class T>
void append_cell(std::string& to, T x) {
  if constexpr (std::is_same_v<T, bool>) {
    to += x ? '1' : '0';
  } else {
    char text[64];
    to.append(text, std::to_chars(text, text + sizeof text, x).ptr);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
