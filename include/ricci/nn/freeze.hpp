// A trained net as a C++ header of constants, for programs that read no files, as on a microcontroller:
//
//   nn::freeze("learned.hpp", run);               // or a record of parameters
//
// writes `template <class Model> inline constexpr Model learned{...};`, which the other program uses as
//
//   #include "learned.hpp"
//   auto scores = rc::fn(predict)(learned<net<>>, learned_state<net_state<>>, picture);
//
// The file includes nothing of this library and names no type: members are initialised by their names, so that a record
// that has other members, or tensors of other extents, is a compile error. Every number is the shortest decimal one
// that is read back as the same bits.
#pragma once

#include <array>
#include <charconv>
#include <cmath>
#include <string>

#include <ricci/io/member_names.hpp>
#include <ricci/io/sink.hpp>

namespace ricci::nn {

struct freeze_options {
  std::string name = "learned";  // of the constant; that of a run's state ends in _state
};

namespace frozen_text {

template <class X>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

// Lines of at most 120 columns, broken between words.
struct text {
  std::string all;
  std::size_t column = 0, depth = 0;
  bool space = false;

  void line() {
    all += '\n' + std::string(4 * depth, ' ');
    column = 4 * depth, space = false;
  }
  void add(std::string const& word) {
    if (space && column + word.size() > 118) line();
    if (space) all += ' ', ++column;
    space = false;
    all += word, column += word.size();
  }
};

template <class T>
std::string literal(T x, std::string const& where) {
  char s[64];
  if constexpr (std::is_same_v<T, bool>) {
    return x ? "true" : "false";
  } else if constexpr (std::is_integral_v<T>) {
    if (std::is_signed_v<T> && x == std::numeric_limits<T>::min() && x != 0)  // has no literal
      return "(" + literal(T(x + 1), where) + " - 1)";
    return std::string(s, std::to_chars(s, s + sizeof s, std::conditional_t<sizeof(T) == 1, int, T>(x)).ptr) +
           (std::is_unsigned_v<T> ? "u" : "") + (sizeof(T) > 4 ? "ll" : "");
  } else if constexpr (std::is_floating_point_v<T>) {
    if (!std::isfinite(x))
      core::raise<value_error>(core::text() << "nn::freeze: " << where.c_str() << " has an element that is not finite");
    std::string digits(s, std::to_chars(s, s + sizeof s, x).ptr);
    if (digits.find_first_of(".e") == std::string::npos) digits += ".0";
    return digits + (std::is_same_v<T, float> ? "f" : "");
  } else {
    static_assert(
        requires { typename T::computed_as; }, "nn::freeze: elements are real numbers, integers or bool");
    return std::string("ricci::") + element_names[int(dtype_of<T>)] + "(" + literal(float(x), where) + ")";
  }
}

template <class X>
void write_tensor(text& to, X const& x, std::string const& where) {
  static_assert(extents_of<X>::is_static, "nn::freeze: a constant has static extents, and this tensor has not");
  constexpr int rank = rank_of<X>;
  index_t const size = x.size();
  index_t at[rank + 1]{};
  if constexpr (rank == 0) {
    to.add("{" + literal(value_type_of<X>(x.item()), where) + "}");
  } else {
    std::string open(std::size_t(rank), '{');
    index_t n = 0;
    for (auto const element : x) {
      std::string word = open + literal(value_type_of<X>(element), where);
      open.clear();
      ++n;
      for (int d = rank - 1; d >= 0; --d) {
        if (++at[d] < x.shape()[std::size_t(d)] && n < size) break;
        at[d] = 0;
        word += '}', open += '{';
      }
      if (n < size) word += ',';
      to.add(word);
      to.space = n < size;
    }
    if (size == 0) to.add("{}");
  }
}

template <class X>
void write(text& to, X const& x, std::string const& where) {
  using Record = std::remove_cv_t<X>;
  if constexpr (Tensor<Record>) {
    write_tensor(to, x, where);
  } else if constexpr (Arithmetic<Record>) {
    to.add(literal(x, where));
  } else {
    auto const all = tree::members(x);
    constexpr std::size_t n = std::tuple_size_v<std::remove_cv_t<decltype(all)>>;
    to.add(is_array<Record> ? "{{" : "{");
    ++to.depth;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      [[maybe_unused]] auto const each = [&]<class M>(std::size_t k, std::string const& name, M const& m) {
        if constexpr (!tree::is_tuple<Record>) {
          to.line();
          to.add("." + name + " = ");
        }
        write(to, m, where.empty() ? name : where + "." + name);
        if (k + 1 < n) to.add(","), to.space = true;
      };
      if constexpr (tree::is_tuple<Record>)
        (each(I, std::to_string(I), tree::get<I>(all)), ...);
      else
        (each(I, std::string(files::member_name<Record, I>), tree::get<I>(all)), ...);
    }
    (std::make_index_sequence<n>{});
    --to.depth;
    to.add(is_array<Record> ? "}}" : "}");
  }
}
template <class X>
void write_constant(std::string& file, X const& x, std::string const& name) {
  text to;
  to.add("template <class Model>\ninline constexpr Model " + name);
  to.column = 0;
  write(to, x, "");
  file += "\n" + to.all + ";\n";
}

}  // namespace frozen_text

// What `freeze` writes. A number that is not finite is a value_error, as is a name that is none.
template <class X>
std::string frozen_source(X const& x, freeze_options const& o = {}) {
  bool is_name = !o.name.empty() && !(o.name[0] >= '0' && o.name[0] <= '9');
  for (char const c : o.name)
    is_name = is_name && ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_');
  if (!is_name)
    core::raise<value_error>(core::text() << "nn::freeze: \"" << o.name.c_str() << "\" is no name of a constant");
  std::string file = "// Written by nn::freeze of the tensor library ricci.\n// clang-format off\n#pragma once\n";
  if constexpr (requires { x.params, x.state, x.optimiser; }) {
    frozen_text::write_constant(file, x.params, o.name);
    if constexpr (tree::count_leaves<std::remove_cvref_t<decltype(x.state)>>() > 0)
      frozen_text::write_constant(file, x.state, o.name + "_state");
  } else {
    frozen_text::write_constant(file, x, o.name);
  }
  return file;
}
// The file is replaced when all is written; an io_error where it cannot be.
template <class X>
void freeze(std::string const& path, X const& x, freeze_options const& o = {}) {
  std::string const text = frozen_source(x, o);
  files::file_sink to(path);
  to.write(text);
  to.commit();
}

}  // namespace ricci::nn
