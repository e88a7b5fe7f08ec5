// A text of any length as a template argument, `einsum<"ij,jk->ik">`: its length is part of its type, and compilers
// show it in their messages. Operations are named after `written`, one type for each text, since nvcc cannot pass an
// array in a class-type template argument to its host compiler.
#pragma once

#include <cstddef>
#include <utility>

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
template <pattern P, class = std::make_index_sequence<sizeof(P.text) - 1>>
struct as_written;
template <pattern P, std::size_t... K>
struct as_written<P, std::index_sequence<K...>> {
  using type = written<P.text[K]...>;
};
template <pattern P>
using written_as = typename as_written<P>::type;

// The pattern of a text, for messages.
template <class Written>
struct shown_as;
template <char... C>
struct shown_as<written<C...>> {
  static constexpr pattern<sizeof...(C) + 1> value{{C..., '\0'}};
};

}  // namespace ricci
