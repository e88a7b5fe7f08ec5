// A text of any length as a template argument, `einsum<"ij,jk->ik">`: its length is part of its type, and compilers
// show it in their messages. Operations are named after `written`, one type for each text, since nvcc cannot pass an
// array in a class-type template argument to its host compiler.
#pragma once

#include <cstddef>
#include <utility>

#include <ricci/core/label.hpp>

namespace ricci {

template <std::size_t N>
struct pattern {
  char text[N]{};

  consteval pattern(char const (&s)[N]) {
    for (std::size_t k = 0; k < N; ++k) text[k] = s[k];
  }
};

// The characters of a pattern, ended by a 0.
template <char... C>
struct written {
  static constexpr char text[] = {C..., '\0'};
};
template <pattern P, std::size_t... K>
written<P.text[K]...> as_written(std::index_sequence<K...>);  // a function: nvcc does not match such a specialisation
template <pattern P>
using written_as = decltype(as_written<P>(std::make_index_sequence<sizeof(P.text) - 1>{}));

// a part of a text
template <class Written, std::size_t Begin, class Indices>
struct part_of_written;
template <class Written, std::size_t Begin, std::size_t... K>
struct part_of_written<Written, Begin, std::index_sequence<K...>> {
  using type = written<Written::text[Begin + K]...>;
};
// a label
constexpr std::size_t length_of(label const& name) {
  std::size_t n = 0;
  while (n < 32 && name[n] != '\0') ++n;
  return n;
}
template <label Name, class = std::make_index_sequence<length_of(Name)>>
struct label_as_written;
template <label Name, std::size_t... K>
struct label_as_written<Name, std::index_sequence<K...>> {
  using type = written<Name[K]...>;
};
template <label Name>
using written_name = typename label_as_written<Name>::type;

// The pattern of a text, for messages.
template <class Written>
struct shown_as;
template <char... C>
struct shown_as<written<C...>> {
  static constexpr pattern<sizeof...(C) + 1> value{{C..., '\0'}};
};

}  // namespace ricci
