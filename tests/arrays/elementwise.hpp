// Elementwise functions as lines, with the forms that they get.
#pragma once

#include "forms.hpp"

namespace oracle {

template <rc::label Name, class List, class F>
void unary(registry& to, F f) {
  constexpr unsigned k = turn_of<Name>;
  std::string const name = name_text<Name>.data();
  add<values<1, List>,                                                   //
      forms<part<turn<k, List>, int(k % 6)>>,                            //
      forms<lazy<turn<k / 7 + 1, List>, turn<k / 5, mixed_shapes>>>,     //
      forms<owner<turn<k / 7 + 2, List>, turn<k / 3, static_shapes>>>>(  //
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

// what is no operation of its own, but a formula of others, is interpreted in the form of its operands
template <class Form>
struct only_interpreted_too;
template <class... Form>
struct only_interpreted_too<forms<Form...>> {
  using type = interpreted_too<Form...>;
};
template <rc::label Name, class List, bool Operation = true, class F>
void binary(registry& to, F f) {
  constexpr unsigned k = turn_of<Name>;
  constexpr int order = int(k % 6), other = k % 2 ? order : int(k / 6 % 6);
  using mixed = turn<k / 5, mixed_pairs>;
  using known = turn<k / 3, static_pairs>;
  std::string const name = name_text<Name>.data();
  using parts = forms<part<turn<k, List>, order>, part<turn<k + (k / 4 % 3 == 0), List>, other>>;
  add<std::conditional_t<Operation, values<2, List>, nothing>,
      std::conditional_t<Operation, parts, typename only_interpreted_too<parts>::type>,
      forms<lazy<turn<k / 7 + 1, List>, typename mixed::a>, owner<turn<k / 7 + 1, List>, typename mixed::b>>,    //
      forms<owner<turn<k / 7 + 2, List>, typename known::a>, owner<turn<k / 7 + 2, List>, typename known::b>>>(  //
      to, name.c_str(), "", ("rc::" + name + "(a, b)").c_str(), f);
}

}  // namespace oracle
