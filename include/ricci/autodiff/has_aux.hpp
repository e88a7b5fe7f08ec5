// Auxiliary results: what a function computes beside the number that is derived, as scores, predictions or a state that
// goes on. Such a function returns the pair of both, and derivatives look at the first alone. As in JAX:
//
//   auto f = [](auto const& w, auto const& x, auto const& y) {
//     auto const p = rc::matmul(x, w);
//     return std::pair(rc::mean(rc::square(p - y)), p);
//   };
//   auto [outcome, g] = rc::value_and_grad(f, rc::has_aux)(w, x, y);   // outcome is the pair of the loss and p
//   auto [g, p] = rc::grad(f, rc::has_aux)(w, x, y);
#pragma once

#include <ricci/autodiff/functions.hpp>

namespace ricci {

struct has_aux_t {};
inline constexpr has_aux_t has_aux{};

namespace tracing {
inline namespace RICCI_ABI {

// The gradient of the first of two results with respect to arguments I, and both results or the second.
template <bool WithValue, int... I>
struct gradient_with_aux {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    static_assert(((I >= 0 && I < int(sizeof...(S))) && ...), "grad names an argument that the function does not have");
    using Mode = mode_t<S...>;
    auto& g = graph_in<Mode>(s...);
    int const begin = g.size;
    auto args = with_fresh<Mode, I...>(g, s...);
    std::tuple<std::tuple_element_t<I, decltype(args)>...> grads(std::get<I>(args)...);
    require_floating_arguments(grads);
    auto out = applied(f, args);
    if constexpr (!requires { out.first, out.second; }) {
      static_assert(std::is_same_v<decltype(out), no_result>,
                    "has_aux: the function returns a std::pair: the number that is derived, and whatever else it "
                    "computes");
      return no_result{};
    } else if constexpr ((void)sizeof(derived_result<decltype(out.first)>), !is_derived<decltype(out.first)>) {
      return no_result{};
    } else {
      leaf_ids outs;
      collect<Mode>(g, out, outs);
      make_stable<Mode>(g, begin, outs.id, outs.count);
      put_gradient<Mode>(g, begin, outs.id[0], grads);
      int k = 0;
      replace_ids(g, out, outs.id, k);
      if constexpr (WithValue)
        return std::pair(out, one_or_all(grads));
      else
        return std::pair(one_or_all(grads), out.second);
    }
  }
};
template <int... I>
using gradient_and_aux = gradient_with_aux<false, I...>;
template <int... I>
using results_and_gradient = gradient_with_aux<true, I...>;

}  // namespace RICCI_ABI
}  // namespace tracing

// The pair of the gradient and of what else f computes. f returns a pair of one number, which is derived, and of a
// tensor, number, record or tuple of any types. `rc::grad<0, 2>(f, rc::has_aux)` names arguments.
template <int... I, class F>
constexpr auto grad(F const& f, has_aux_t) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::by_arguments<tracing::gradient_and_aux, I...>, F>{f};
}
// The pair of both results of f, as f returns them, and of the gradient, from one evaluation.
template <int... I, class F>
constexpr auto value_and_grad(F const& f, has_aux_t) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::by_arguments<tracing::results_and_gradient, I...>, F>{f};
}

}  // namespace ricci
