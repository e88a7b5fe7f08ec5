// Derivative rules of one's own: `rc::custom_jvp(f, rule)` and `rc::custom_vjp(f, fwd, bwd)`, as jax.custom_jvp and
// jax.custom_vjp.
//
//   auto const softplus = rc::custom_jvp([](auto x) { return rc::log(1. + rc::exp(x)); },
//                                        [](auto x, auto t) { return std::tuple{rc::log(1. + rc::exp(x)),
//                                                                               t * rc::sigmoid(x)}; });
//   auto const clipped = rc::custom_vjp([](auto x) { return x; },
//                                       [](auto x) { return std::tuple{x, std::tuple{}}; },
//                                       [](auto, auto ct) { return std::tuple{rc::clip(ct, -1., 1.)}; });
//
// Either rule serves both modes. A rule for tangents is linear in them, so that recorded with variables for the
// tangents it is transposed by reverse mode; one for cotangents is transposed in the same way for forward mode, where
// it is taken for linear at a cotangent of zero. Rules are ordinary traced functions, so that they are derived for
// higher orders.
#pragma once

#include <ricci/autodiff/custom_call.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

struct tangent_of_custom_jvp : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "custom_jvp, a tangent of its rule";
};

// Integers have no derivatives: what a transpose gives for variables of their type is none.
template <class G>
constexpr void drop_integers(G const& g, int const* variables, int n, int* derivatives) {
  for (int k = 0; k < n; ++k)
    if (!is_inexact(g.ins[variables[k]].type)) derivatives[k] = 0;
}

template <class R>
struct rule_for_tangents {
  static constexpr auto name = "custom_jvp";
  template <class Mode, class Args, class Out>
  static constexpr void jvp(typename Mode::graph& g, call_at const& c, int* results) {
    tangents<Mode, Args, Out>(g, c.results, c.arguments, derivatives_at<Mode, Args>(g, c.arguments, c.derivatives),
                              results);
  }
  template <class Mode, class Args, class Out>
  static constexpr void vjp(typename Mode::graph& g, call_at const& c, int* arguments) {
    constexpr int n = tree::count_leaves<Args>(), m = tree::count_leaves<Out>();
    int const begin = g.size;
    int variables[ir::max_operands]{}, outputs[ir::max_operands]{}, given[ir::max_operands]{}, count = 0;
    variables_like<Mode>(g, c.arguments, n, variables);
    int of_results[ir::max_operands]{};
    tangents<Mode, Args, Out>(g, c.results, c.arguments, symbols_at<Args>(g, variables), of_results);
    for (int k = 0; k < m; ++k)
      if (of_results[k] != 0 && c.derivatives[k] != 0)
        outputs[count] = of_results[k], given[count++] = c.derivatives[k];
    transform::reverse<Mode>(g, begin, {outputs, count}, {given, count}, {variables, n}, arguments);
    require_linear<Mode>(g, begin, {variables, n}, arguments);
    drop_integers(g, variables, n, arguments);
  }

 private:
  template <class Mode, class Args, class Out>
  static constexpr void tangents(typename Mode::graph& g, int const* results, int const* arguments, Args const& t,
                                 int* ids) {
    auto const both = applied(stateless_object<R>(), std::tuple_cat(symbols_at<Args>(g, arguments), t));
    using Both = std::remove_const_t<decltype(both)>;
    static_assert(tree::is_tuple_of<2, Both>, "custom_jvp: the rule returns a tuple of the value and its tangent");
    if constexpr (tree::is_tuple_of<2, Both>) {
      using Value = std::tuple_element_t<0, Both>;
      using Tangent = std::tuple_element_t<1, Both>;
      constexpr bool fits = tree::same_structure<Out, Value>() && tree::same_structure<Out, Tangent>();
      static_assert(fits,
                    "custom_jvp: the value and the tangent that the rule returns have the structure of the function's "
                    "result");
      if constexpr (fits)
        derivative_ids<tangent_of_custom_jvp, Mode>(g, symbols_at<Out>(g, results), std::get<1>(both), ids);
    }
  }
  // Its transpose does not depend on the tangents.
  template <class Mode>
  static constexpr void require_linear(typename Mode::graph& g, int begin, ir::span<int> variables,
                                       int const* transposed) {
    using storage = typename Mode::graph::storage;
    typename storage::template array<bool, ir::capacity> needed{};
    storage::reserve(needed, g.size);
    int outputs[ir::max_operands]{}, count = 0;
    for (int k = 0; k < variables.size; ++k)
      if (transposed[k] != 0) outputs[count++] = transposed[k];
    transform::mark_needed(g, begin, {outputs, count}, needed);
    for (int k = 0; k < variables.size; ++k) {
      if (!needed[variables.data[k]]) continue;
      if constexpr (Mode::runs)
        core::raise<value_error>(core::text() << "custom_jvp: the rule is not linear in its tangents");
      else
        limits::the_rule_of_a_custom_jvp_is_not_linear_in_its_tangents();
    }
  }
};

// Whose name stands in errors.
template <int I>
struct cotangent_of_argument : ir::operation_of_kind<ir::op_kind::alias, 0> {
  struct text {
    char at[48]{};
    constexpr text() {
      int n = 0;
      for (char const* s = "custom_vjp, the cotangent of argument "; *s;) at[n++] = *s++;
      if (I >= 10) at[n++] = static_cast<char>('0' + I / 10);
      at[n] = static_cast<char>('0' + I % 10);
    }
  };
  static constexpr text words{};
  static constexpr char const* name = words.at;
};
template <int I, class Argument, class Cotangent>
struct cotangent_for {
  static_assert(tree::same_structure<Argument, Cotangent>(),
                "custom_vjp: the cotangent that bwd returns for an argument has the structure of the argument (which: "
                "see the number above)");
};

template <class Fwd, class Bwd>
struct rule_for_cotangents {
  static constexpr auto name = "custom_vjp";
  template <class Mode, class Args, class Out>
  static constexpr void jvp(typename Mode::graph& g, call_at const& c, int* results) {
    constexpr int n = tree::count_leaves<Args>(), m = tree::count_leaves<Out>();
    int const begin = g.size;
    int variables[ir::max_operands]{}, cotangents[ir::max_operands]{}, outputs[ir::max_operands]{},
        given[ir::max_operands]{}, count = 0;
    variables_like<Mode>(g, c.results, m, variables);
    pull<Mode, Args, Out>(g, c.arguments, symbols_at<Out>(g, variables), cotangents);
    for (int k = 0; k < n; ++k)
      if (cotangents[k] != 0 && c.derivatives[k] != 0)
        outputs[count] = cotangents[k], given[count++] = c.derivatives[k];
    transform::reverse<Mode>(g, begin, {outputs, count}, {given, count}, {variables, m}, results);
    drop_integers(g, variables, m, results);
  }
  template <class Mode, class Args, class Out>
  static constexpr void vjp(typename Mode::graph& g, call_at const& c, int* arguments) {
    pull<Mode, Args, Out>(g, c.arguments, derivatives_at<Mode, Out>(g, c.results, c.derivatives), arguments);
  }

 private:
  template <class Mode, class Args, class Out>
  static constexpr void pull(typename Mode::graph& g, int const* arguments, Out const& ct, int* ids) {
    auto const args = symbols_at<Args>(g, arguments);
    auto const both = applied(stateless_object<Fwd>(), args);
    using Both = std::remove_const_t<decltype(both)>;
    static_assert(tree::is_tuple_of<2, Both>,
                  "custom_vjp: fwd returns a tuple of the value and of what bwd is to know (std::tuple{}: nothing)");
    if constexpr (tree::is_tuple_of<2, Both>) {
      static_assert(tree::same_structure<Out, std::tuple_element_t<0, Both>>(),
                    "custom_vjp: the value that fwd returns has the structure of the function's result");
      auto const kept = as_symbols<Mode>(g, std::get<1>(both));
      auto const all = applied(stateless_object<Bwd>(), std::tuple<decltype(kept), Out const&>(kept, ct));
      using All = std::remove_const_t<decltype(all)>;
      constexpr int n = int(std::tuple_size_v<Args>);
      static_assert(tree::is_tuple_of<n, All>, "custom_vjp: bwd returns a tuple of one cotangent for each argument");
      if constexpr (tree::is_tuple_of<n, All>) [&]<int... I>(std::integer_sequence<int, I...>) {
          int k = 0;
          (one<I, Mode>(g, std::get<I>(args), std::get<I>(all), ids, k), ...);
        }
      (std::make_integer_sequence<int, n>{});
    }
  }
  template <int I, class Mode, class X, class Ct>
  static constexpr void one(typename Mode::graph& g, X const& x, Ct const& ct, int* ids, int& k) {
    if constexpr (!std::is_same_v<Ct, none_t>) {
      (void)sizeof(cotangent_for<I, X, Ct>);
      if constexpr (tree::same_structure<X, Ct>()) derivative_ids<cotangent_of_argument<I>, Mode>(g, x, ct, ids + k);
    }
    k += tree::count_leaves<X>();
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// f, derived by `rule(x..., t...)`, which returns a tuple of f(x...) and of its tangent for tangents t of x, linear in
// them. x, t and the result may be trees. The tangent has the structure and shapes of the result; a plain number is the
// same in every place. Integers have no tangents: theirs are zeros, and what is returned for an integer is not read. f
// and the rule are traced functions without captured values; all that they read are arguments.
template <class F, class Rule>
constexpr auto custom_jvp(F const& f, Rule const&) {
  (void)sizeof(tracing::function_of_symbols<F>);
  (void)sizeof(tracing::functions_without_state<F, Rule>);
  return tracing::function_with_rule<tracing::rule_for_tangents<Rule>, F>{f, {}};
}

// f, derived by `fwd(x...)`, which returns a tuple of f(x...) and of residuals, any tree, and by `bwd(residuals, ct)`,
// which returns from a cotangent of the result a tuple of one for each argument, of its structure and shapes: another
// number of them, or another structure, is a compile error, another shape a compile error or a shape_error that names
// the argument. A plain number is the same in every place, `rc::none` is zero; what is returned for integers is not
// read.
template <class F, class Fwd, class Bwd>
constexpr auto custom_vjp(F const& f, Fwd const&, Bwd const&) {
  (void)sizeof(tracing::function_of_symbols<F>);
  (void)sizeof(tracing::functions_without_state<F, Fwd, Bwd>);
  return tracing::function_with_rule<tracing::rule_for_cotangents<Fwd, Bwd>, F>{f, {}};
}

}  // namespace ricci
