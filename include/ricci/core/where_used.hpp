// `where_used<T, Use>` is T, and depends on the template's parameter Use. Clang compiles what a template names that
// depends on none of its parameters in each file that includes it, also where nobody calls it: a standard container of
// this library's own types is some 10 ms, its sort 15. A template that says `std::vector<where_used<beam, State>>` is
// compiled where it is called.
#pragma once

namespace ricci::core {

template <class T, class... Use>
struct used_type {
  using type = T;
};
template <class T, class... Use>
using where_used = typename used_type<T, Use...>::type;

}  // namespace ricci::core
