// Elementwise functions as lines, with the forms that they get.
#pragma once

#include "forms.hpp"

namespace oracle {

template <rc::label Name, class List, class F>
void unary(registry& to, F f) {
  constexpr unsigned k = turn_of<Name>;
  std::string const name = name_text<Name>.data();
  add<values<1, List>,                                                           //
      only_compiled<part<turn<k, List>, int(k % 6)>>,                            //
      forms<lazy<turn<k / 7 + 1, List>, turn<k / 5, mixed_shapes>>>,             //
      only_compiled<owner<turn<k / 7 + 2, List>, turn<k / 3, static_shapes>>>>(  //
      to, name.c_str(), "", ("rc::" + name + "(x)").c_str(), f);
}

// two static or mixed shapes that broadcast
template <class A, class B>
struct two {
  using a = A;
  using b = B;
};
using static_pairs = types<two<ext<2, 3>, ext<3>>, two<ext<2, 1, 3>, ext<4, 1>>, two<ext<>, ext<5>>,
                           two<ext<7>, ext<7>>, two<ext<1, 2, 1, 2, 1>, ext<2, 1, 3>>, two<ext<0, 2>, ext<1>>>;
using mixed_pairs = types<two<ext<dyn, 3>, ext<2, dyn>>, two<ext<dyn, 2, dyn>, ext<3>>, two<ext<2, dyn>, ext<2, 4>>,
                          two<ext<dyn, 1, dyn>, ext<2, dyn, dyn>>>;

// What is no operation of its own, but a formula of others, does not take values of the interpreter.
template <rc::label Name, class List, bool Operation = true, class F>
void binary(registry& to, F f) {
  constexpr unsigned k = turn_of<Name>;
  constexpr int order = int(k % 6), other = k % 2 ? order : int(k / 6 % 6);
  using mixed = turn<k / 5, mixed_pairs>;
  using known = turn<k / 3, static_pairs>;
  std::string const name = name_text<Name>.data();
  using part_a = part<turn<k, List>, order>;
  using part_b = part<turn<k + (k / 4 % 3 == 0), List>, other>;
  using lazy_mixed =
      forms<lazy<turn<k / 7 + 1, List>, typename mixed::a>, owner<turn<k / 7 + 1, List>, typename mixed::b>>;
  using owner_a = owner<turn<k / 7 + 2, List>, typename known::a>;
  using owner_b = owner<turn<k / 7 + 2, List>, typename known::b>;
  std::string const spelling = "rc::" + name + "(a, b)";
  if constexpr (Operation)
    add<values<2, List>, only_compiled<part_a, part_b>, lazy_mixed, only_compiled<owner_a, owner_b>>(
        to, name.c_str(), "", spelling.c_str(), f);
  else
    add<forms<part_a, part_b>, lazy_mixed, forms<owner_a, owner_b>>(to, name.c_str(), "", spelling.c_str(), f);
}

}  // namespace oracle
