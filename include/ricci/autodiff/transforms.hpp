// Transforms of functions, as functions on symbols: each calls the function on symbols and appends what it makes of it
// to their graph. Whether the compiler or an interpreter records that graph makes no difference here.
#pragma once

#include <ricci/autodiff/trace.hpp>
#include <ricci/transform/forward.hpp>
#include <ricci/transform/reverse.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// Leaves of a tree of symbols, by id; and back.
struct leaf_ids {
  int id[max_leaves]{};
  int count = 0;
  constexpr ir::span<int> all() const { return {id, count}; }
};
template <class Mode, class X>
constexpr void collect(typename Mode::graph& g, X const& x, leaf_ids& to) {
  to.count += ids_of<Mode>(g, x, to.id + to.count);
}
template <class G, class X>
constexpr void replace_ids(G& g, X& x, int const* ids, int& k) {
  tree::for_each_leaf(
      [&](auto& s) {
        if constexpr (is_symbol<std::remove_cvref_t<decltype(s)>>) s.v = {&g, ids[k]};
        ++k;
      },
      x);
}
template <class Mode, class X>
constexpr X with_ids(typename Mode::graph& g, X x, int const* ids) {
  int k = 0;
  replace_ids(g, x, ids, k);
  return x;
}
// a derivative of a tree, in which that of a plain number is zero
template <class X>
constexpr X without_numbers(X x) {
  tree::for_each_leaf(
      [](auto& leaf) {
        if constexpr (!is_symbol<std::remove_cvref_t<decltype(leaf)>>) leaf = {};
      },
      x);
  return x;
}
// derivatives that are zero everywhere become literals
template <class Mode>
constexpr void fill_zeros(typename Mode::graph& g, leaf_ids const& like, int* ids) {
  for (int k = 0; k < like.count; ++k)
    if (ids[k] == 0) ids[k] = ir::zeros_like(ir::value<Mode>{&g, like.id[k]}).id;
}

template <class X>
constexpr void require_floating() {
  if constexpr (is_symbol<X>)
    static_assert(is_inexact(dtype_of<typename X::value_type>),
                  "a derivative with respect to integers does not exist: name the arguments that are meant, as in "
                  "ricci::grad<0, 2>(f)");
}

template <class X>
constexpr void require_floating_arguments(X const& x) {
  tree::for_each_leaf([](auto const& leaf) { require_floating<std::remove_cvref_t<decltype(leaf)>>(); }, x);
}

// x has this shape: another one is a shape_error of Op, as of loops and branches, which keep shapes.
template <class Op, class Mode>
constexpr void require_shape(ir::value<Mode> x, int shape) {
  auto& g = *x.g;
  if (ir::same_shape(g, x.shape_id(), shape)) return;
  ir::graph_context<typename Mode::graph> c{g, ir::facts_of<Op>(), shape, x.shape_id()};
  for (int k = 0; k < x.rank(); ++k) c.same(g.shapes[shape].extent[k], x.shape().extent[k]);
}

// What does not have the shape of what it belongs to, by the name that errors give it.
struct tangent_of_argument : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "jvp, a tangent";
};
struct cotangent_of_value : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "vjp, a cotangent";
};

// Whether F, called with what there is of constants alone, gives symbols, since it has captured one of the traced
// function around it.
template <class F, class Arguments>
constexpr bool gives_symbols() {
  if constexpr (is_stateless<F>)
    return false;
  else if constexpr (is_callable<F, Arguments>)
    return !std::is_void_v<mode_t<decltype(tree::apply(std::declval<F const&>(), std::declval<Arguments const&>()))>>;
  else
    return false;
}
// A tensor of constants as a symbol of a graph; all else stays.
template <class Mode, class X>
constexpr auto as_symbol(typename Mode::graph& g, X const& x) {
  if constexpr (Tensor<X> && !is_symbol<X>)
    return symbol<value_type_of<X>, extents_of<X>, Mode>{lifted<Mode>(g, x, dtype::none)};
  else
    return x;
}
// Base of a Transform that calls f with its arguments: of constants alone it is a part of the trace that f has captured
// a symbol of (a call of f says which).
template <class Transform>
struct beside_captured {
  template <class F, class... A>
  static constexpr bool is_in_trace() {
    return ((Tensor<A> || Arithmetic<A>) || ...) && gives_symbols<F, std::tuple<A const&...>>();
  }
  template <class F, class... A>
  static constexpr auto apply_in_trace(F const& f, A const&... a) {
    auto const y = f(a...);
    using Mode = mode_t<decltype(y)>;
    auto& g = graph_in<Mode>(y);
    auto const in_graph = [&]<class X>(X const& x) {
      if constexpr (Arithmetic<X>)
        return symbol<element_t<X>, extents<>, Mode>{lifted<Mode>(g, x, dtype_of<element_t<X>>)};
      else
        return as_symbol<Mode>(g, x);
    };
    return Transform::apply(f, in_graph(a)...);
  }
};

// The function itself.
struct call_itself : beside_captured<call_itself> {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    return called(f, s...);
  }
};

// What a gradient is taken of. Asked for by its size, so that what it says is the first message.
template <class Out>
struct derived_result {
  static_assert(!tree::is_tuple<Out>,
                "grad derives a function whose result is one number: of a pair whose first is that, "
                "rc::grad(f, rc::has_aux) hands on the second; of several numbers derive a sum, or use jvp, vjp");
  static_assert(tree::is_tuple<Out>,
                "grad derives a function whose result is one number that depends on its arguments (in a tensor made "
                "of numbers it cannot lie: rc::like)");
};
template <class Out>
requires is_symbol<Out>
struct derived_result<Out> {
  static_assert(Out::rank == 0, "grad derives a function whose result is one number: sum it, or use jvp, vjp");
  static_assert(is_floating(dtype_of<typename Out::value_type>),
                "grad derives a function whose result is a real number: derivatives of integers do not exist, and of a "
                "complex number rc::real or rc::abs is derived");
};
template <>
struct derived_result<no_result> {};
template <class Out>
inline constexpr bool is_derived = false;
template <class Out>
requires is_symbol<Out>
inline constexpr bool is_derived<Out> = Out::rank == 0 && is_floating(dtype_of<typename Out::value_type>);
// Of one argument its gradient, of several the tuple.
template <class... X>
constexpr auto one_or_all(std::tuple<X...> const& grads) {
  if constexpr (sizeof...(X) == 1)
    return std::get<0>(grads);
  else
    return grads;
}

// Puts the gradient of the number `out`, which was recorded from instruction `begin` on, into the variables' places.
template <class Mode, class Variables>
constexpr void put_gradient(typename Mode::graph& g, int begin, int out, Variables& variables) {
  leaf_ids wrt;
  collect<Mode>(g, variables, wrt);
  int const one = ir::full_like(ir::value<Mode>{&g, out}, 1).id;
  int results[max_leaves]{};
  transform::reverse<Mode>(g, begin, {&out, 1}, {&one, 1}, wrt.all(), results);
  fill_zeros<Mode>(g, wrt, results);
  int k = 0;
  replace_ids(g, variables, results, k);
}

// The gradient with respect to arguments I, with the value where it is wanted.
template <bool WithValue, int... I>
struct gradient : beside_captured<gradient<WithValue, I...>> {
  static constexpr bool with_value = WithValue;

  // f itself, on variables of its own: these, and its result
  template <class F, class... S>
  static constexpr auto recorded(F const& f, S const&... s) {
    constexpr bool are_there = ((I >= 0 && I < int(sizeof...(S))) && ...);
    static_assert(are_there, "grad names an argument that the function does not have");
    if constexpr (are_there) {
      using Mode = mode_t<S...>;
      auto args = with_fresh<Mode, I...>(graph_in<Mode>(s...), s...);
      std::tuple<std::tuple_element_t<I, decltype(args)>...> variables(std::get<I>(args)...);
      require_floating_arguments(variables);
      auto out = applied(f, args);
      (void)sizeof(derived_result<decltype(out)>);
      if constexpr (is_derived<decltype(out)>)
        return std::pair(variables, out);
      else
        return std::pair(variables, no_result{});
    } else {
      return std::pair(no_result{}, no_result{});
    }
  }

  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    using Mode = mode_t<S...>;
    auto& g = graph_in<Mode>(s...);
    int const begin = g.size;
    auto [grads, out] = recorded(f, s...);
    if constexpr (std::is_same_v<decltype(out), no_result>) {
      return out;
    } else {
      make_stable<Mode>(g, begin, &out.v.id, 1);
      put_gradient<Mode>(g, begin, out.v.id, grads);
      if constexpr (WithValue)
        return std::pair(out, one_or_all(grads));
      else
        return one_or_all(grads);
    }
  }
};

// The loop or branch in which variables of their own were recorded, and behind them a function of them. Its derivative
// may be recorded in another one within it.
template <class G>
constexpr int scope_of(G const& g, leaf_ids const& variables) {
  return variables.count > 0 ? g.ins[variables.id[0]].scope : g.scope;
}

// A tangent or cotangent in the type of what it belongs to.
template <class V>
constexpr V as_change_of(V x, V t) {
  if (is_complex(t.type()) && !is_complex(x.type())) limits::a_tangent_or_cotangent_of_real_numbers_is_complex();
  return ir::cast(t, x.type());
}

// Value and tangent; the arguments are followed by their tangents.
struct pushforward {
  template <class X, class Tangent>
  struct direction {
    static_assert(shapes::may_be_broadcast<X, Tangent>(),
                  "a tangent has the extents of its argument (both: see the type above)");
  };
  template <class X, class Tangent>
  static constexpr void check() {
    if constexpr (requires { X::extents::rank, Tangent::extents::rank; })
      (void)sizeof(direction<typename X::extents, typename Tangent::extents>);
  }
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    return split(f, std::make_index_sequence<sizeof...(S) / 2>{}, std::tuple<S const&...>(s...));
  }
  // Op: whose name stands in errors about tangents
  template <class Op = tangent_of_argument, class F, std::size_t... I, class All>
  static constexpr auto split(F const& f, std::index_sequence<I...>, All const& all_arguments) {
    constexpr std::size_t n = sizeof...(I);
    using Mode = mode_t<std::tuple_element_t<I, All>..., std::tuple_element_t<n + I, All>...>;
    (check<std::remove_cvref_t<std::tuple_element_t<I, All>>, std::remove_cvref_t<std::tuple_element_t<n + I, All>>>(),
     ...);
    auto& g = graph_in<Mode>(std::get<I>(all_arguments)..., std::get<n + I>(all_arguments)...);
    int const begin = g.size;
    auto args = with_fresh<Mode, int(I)...>(g, std::get<I>(all_arguments)...);
    auto out = applied(f, args);
    leaf_ids outs;
    collect<Mode>(g, out, outs);
    make_stable<Mode>(g, begin, outs.id, outs.count);
    auto const value = with_ids<Mode>(g, out, outs.id);
    std::tuple<std::tuple_element_t<n + I, All>...> const tangents(std::get<n + I>(all_arguments)...);
    return std::pair(value, pushed<Mode, Op>(g, begin, g.size, args, value, tangents));
  }
  // The tangent of a value that was recorded from instruction `begin` to before `end`, of the arguments' tangents.
  template <class Mode, class Op = tangent_of_argument, class Args, class Out, class Tangents>
  static constexpr Out pushed(typename Mode::graph& g, int begin, int end, Args const& args, Out const& value,
                              Tangents const& given) {
    leaf_ids outs, wrt;
    collect<Mode>(g, value, outs);
    collect<Mode>(g, args, wrt);
    leaf_ids const tangents = directions<Mode, Op>(g, wrt, given);
    int results[max_leaves]{};
    transform::forward_in<Mode>(scope_of(g, wrt), g, begin, end, wrt.all(), tangents.all(), outs.all(), results);
    fill_zeros<Mode>(g, outs, results);
    return without_numbers(with_ids<Mode>(g, value, results));
  }
  // Tangents have the type and shape of what they belong to; integers have none.
  template <class Mode, class Op, class Tangents>
  static constexpr leaf_ids directions(typename Mode::graph& g, leaf_ids const& wrt, Tangents const& given) {
    leaf_ids tangents;
    collect<Mode>(g, given, tangents);
    for (int k = 0; k < wrt.count; ++k) {
      ir::value<Mode> const x{&g, wrt.id[k]}, t{&g, tangents.id[k]};
      tangents.id[k] = 0;
      if (is_inexact(x.type())) tangents.id[k] = ir::checked_broadcast_to<Op>(as_change_of(x, t), x.shape_id()).id;
    }
    return tangents;
  }
};

// What remains of a function after its value: from a cotangent of the result to one of every argument. The last
// argument is the cotangent.
struct pullback {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    return split(f, std::make_index_sequence<sizeof...(S) - 1>{}, std::tuple<S const&...>(s...));
  }
  template <class F, std::size_t... I, class All>
  static constexpr auto split(F const& f, std::index_sequence<I...>, All const& all_arguments) {
    using Mode = mode_t<std::tuple_element_t<I, All>...>;
    auto& g = graph_in<Mode>(std::get<I>(all_arguments)...);
    int const begin = g.size;
    auto args = with_fresh<Mode, int(I)...>(g, std::get<I>(all_arguments)...);
    auto const out = applied(f, args);
    leaf_ids outs;
    collect<Mode>(g, out, outs);
    make_stable<Mode>(g, begin, outs.id, outs.count);
    auto const cotangents = pulled<Mode>(g, begin, outs, args, std::get<sizeof...(I)>(all_arguments));
    return std::pair(with_ids<Mode>(g, out, outs.id), cotangents);
  }
  template <class Mode, class Args, class Ct>
  static constexpr Args pulled(typename Mode::graph& g, int begin, leaf_ids const& outs, Args args, Ct const& ct) {
    leaf_ids wrt, given;
    collect<Mode>(g, args, wrt);
    collect<Mode>(g, ct, given);
    for (int k = 0; k < outs.count; ++k) {
      ir::value<Mode> const y{&g, outs.id[k]}, c{&g, given.id[k]};
      given.id[k] = ir::checked_broadcast_to<cotangent_of_value>(as_change_of(y, c), y.shape_id()).id;
    }
    int results[max_leaves]{};
    transform::reverse_in<Mode>(scope_of(g, wrt), g, begin, outs.all(), given.all(), wrt.all(), results);
    fill_zeros<Mode>(g, wrt, results);
    return with_ids<Mode>(g, args, results);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
