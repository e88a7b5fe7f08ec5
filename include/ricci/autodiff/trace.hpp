// Tracing by the compiler: a callable without run-time state is rebuilt from its type inside a constant expression and
// called once with symbols. A closure may capture other such callables ([=]); one that captures a value cannot be
// rebuilt.
#pragma once

#include <ricci/autodiff/traceable.hpp>
#include <ricci/core/owned_array.hpp>
#include <ricci/ops/another_name.hpp>
#include <ricci/ops/complex.hpp>
#include <ricci/transform/derivatives.hpp>
#include <ricci/transform/simplify.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// ir::traced, by a name that depends on F: where it does not, clang instantiates all rules of derivation in every file.
template <class F>
using mode_for = std::conditional_t<std::is_void_v<F>, void, ir::traced>;

inline constexpr int max_leaves = limits::most_arguments;

// Makes symbols of the leaves of an argument.
template <class Mode, class X, class Reifier>
constexpr tree::symbolic_t<Mode, X> symbols_for(Reifier& into);

namespace detail {
template <class Mode, class Symbol, class Reifier>
constexpr void make(Symbol& s, Reifier& into, bool dense) {
  if constexpr (is_weak<Symbol>)
    s.v = into.template argument<typename Symbol::value_type, extents<>>(true, true);
  else
    s.v = into.template argument<typename Symbol::value_type, typename Symbol::extents>(dense, false);
}
// of each leaf of X: whether it lies in row-major order, is a whole tensor, or a number
template <class X>
constexpr void note_memory(bool* dense, bool* whole, bool* number, int& n) {
  if constexpr (tree::Leaf<X>) {
    number[n] = Arithmetic<X>;
    whole[n] = false;
    dense[n] = true;
    if constexpr (requires { X::memory; }) dense[n] = X::memory == layout::row_major;
    if constexpr (requires { X::whole; }) whole[n] = X::whole;
    ++n;
  } else {
    []<class... M>(std::tuple<M&...>*, [[maybe_unused]] bool* d, [[maybe_unused]] bool* w, [[maybe_unused]] bool* x,
                   [[maybe_unused]] int& k) { (note_memory<std::remove_cv_t<M>>(d, w, x, k), ...); }(
        static_cast<tree::members_of<X>*>(nullptr), dense, whole, number, n);
  }
}
}  // namespace detail

// The same of results, which are made in row-major order.
struct all_dense {
  bool at[max_leaves];
  constexpr all_dense() {
    for (bool& a : at) a = true;
  }
};

template <class Mode, class X, class Reifier>
constexpr tree::symbolic_t<Mode, X> symbols_for(Reifier& into) {
  tree::symbolic_t<Mode, X> s{};
  bool dense[max_leaves]{}, whole[max_leaves]{}, number[max_leaves]{};
  int n = 0, k = 0;
  detail::note_memory<X>(dense, whole, number, n);
  tree::for_each_leaf(
      [&](auto& leaf) {
        static_assert(
            is_symbol<std::remove_cvref_t<decltype(leaf)>>,
            "a record as an argument holds fields (ricci::field<Kind, T, extents...>) and records of the same Kind");
        detail::make<Mode>(leaf, into, dense[k++]);
      },
      s);
  return s;
}

// The ids of the values in a tree of symbols; numbers become literals.
template <class Mode, class X>
constexpr int ids_of(typename Mode::graph& g, X const& x, int* ids) {
  static_assert(tree::count_leaves<X>() <= max_leaves,
                "a function has at most 512 tensors and numbers as its arguments, and as many as its results");
  int n = 0;
  tree::for_each_leaf(
      [&](auto const& leaf) {
        using L = std::remove_cvref_t<decltype(leaf)>;
        if constexpr (is_symbol<L>)
          ids[n++] = value_in(g, leaf).id;
        else
          ids[n++] = lifted<Mode>(g, leaf, dtype::none).id;
      },
      x);
  return n;
}

// ---- transforms of functions, as functions on symbols ----

// x as a tree of symbols, whose numbers and tensors become constants of the graph; each is what `as` makes of its
// value.
struct as_it_is {
  template <class V>
  constexpr V operator()(V x) const {
    return x;
  }
};
template <class Mode, class X, class As = as_it_is>
constexpr tree::symbolic_t<Mode, X> as_symbols(typename Mode::graph& g, X const& x, As const& as = {}) {
  tree::symbolic_t<Mode, X> y{};
  tree::for_each_leaf(
      [&](auto& to, auto const& from) {
        int id = 0;
        ids_of<Mode>(g, from, &id);
        to.v = as(ir::value<Mode>{&g, id});
      },
      y, x);
  return y;
}

// Whether a traced function may have made the tensors in a tree X. It returns a type to be found out, so that what is
// wrong is said before the function turns out to be none of constants.
template <class Mode, class X>
constexpr auto tensors_in_trace() {
  if constexpr (tree::Leaf<X>)
    return int(sizeof(tensor_in_trace<Mode, X>));
  else
    return []<class... M>(std::tuple<M&...>*) {
      return (tensors_in_trace<Mode, std::remove_cv_t<M>>() + ... + 0);
    }(static_cast<tree::members_of<X>*>(nullptr));
}

// Symbols like the leaves of x, as variables of their own. Numbers are symbols, too, and so are tensors of constants: a
// function is derived in a traced function as outside of it.
struct fresh_t : ir::another_name {
  static constexpr auto name = "fresh";
};
struct as_variable {
  template <class V>
  constexpr V operator()(V x) const {
    index_t const attributes[] = {++x.g->fresh_count};
    return ir::record<fresh_t, typename V::mode>(*x.g, x.type(), x.shape_id(), {&x.id, 1}, {attributes, 1});
  }
};
template <class Mode, class X>
constexpr tree::symbolic_t<Mode, X> fresh(typename Mode::graph& g, X const& x) {
  return as_symbols<Mode>(g, x, as_variable{});
}
// The arguments of a function, of which those that are named are variables of their own.
template <class Mode, int... I, class... X>
constexpr auto with_fresh(typename Mode::graph& g, X const&... x) {
  return [&]<int... K>(std::integer_sequence<int, K...>) {
    auto const one = [&]<int N, class Y>(std::integral_constant<int, N>, Y const& y) {
      if constexpr (((N == I) || ...))
        return fresh<Mode>(g, y);
      else
        return y;
    };
    return std::tuple<decltype(one(std::integral_constant<int, K>{}, x))...>(
        one(std::integral_constant<int, K>{}, x)...);
  }
  (std::make_integer_sequence<int, int(sizeof...(X))>{});
}

// The mode of the symbols in some trees: that of the first.
template <class... X>
constexpr auto mode_in_trees();
template <class X>
constexpr auto mode_in_tree() {
  if constexpr (is_symbol<X>)
    return std::type_identity<typename X::mode>{};
  else if constexpr (tree::Leaf<X>)
    return std::type_identity<void>{};
  else
    return []<class... M>(std::tuple<M&...>*) {
      return mode_in_trees<std::remove_cv_t<M>...>();
    }(static_cast<tree::members_of<X>*>(nullptr));
}
template <class... X>
constexpr auto mode_in_trees() {
  if constexpr (sizeof...(X) == 0)
    return std::type_identity<void>{};
  else
    return []<class First, class... Rest>(std::type_identity<First>*, std::type_identity<Rest>*...) {
      using M = decltype(mode_in_tree<First>());
      if constexpr (std::is_void_v<typename M::type>)
        return mode_in_trees<Rest...>();
      else
        return M{};
    }(static_cast<std::type_identity<X>*>(nullptr)...);
}
template <class... X>
using mode_t = typename decltype(mode_in_trees<std::remove_cvref_t<X>...>())::type;
template <class... X>
inline constexpr bool is_traced = (!std::is_void_v<mode_t<X>> || ...);

// The graph of the first symbol in a tree.
template <class Mode, class... X>
constexpr typename Mode::graph& graph_in(X const&... x) {
  typename Mode::graph* g = nullptr;
  auto const look = [&](auto const& leaf) {
    if constexpr (is_symbol<std::remove_cvref_t<decltype(leaf)>>) g = g ? g : leaf.v.g;
  };
  (tree::for_each_leaf(look, x), ...);
  return *g;
}

// Before a function is derived it is simplified, so that derivatives come from stable forms. Interpreted graphs are
// computed as they are recorded and stay as they are.
template <class Mode>
constexpr void make_stable(typename Mode::graph& g, int begin, int* outputs, int count) {
  if constexpr (!Mode::runs) transform::simplify<Mode, level::stable>(g, begin, outputs, count);
}

}  // namespace RICCI_ABI
}  // namespace ricci::tracing

namespace ricci {

// A tensor that a traced function makes of constants, as rc::ones<float>(rc::extents<3>{}) or a constexpr tensor: one
// literal where all elements are equal, else a table.
template <class T, class E>
constexpr ir::value<ir::traced> constant_of(ir::value<ir::traced> at,
                                            view<T const, E, layout::row_major, false> const& x) {
  index_t const n = x.size();
  core::owned_array<index_t> bits(n);
  shape_t shape{};
  for (int k = 0; k < E::rank; ++k) shape.push(x.shape(k));
  auto const table_of = [&](auto const& number) {
    for (index_t k = 0; k < n; ++k) bits[k] = core::literal_bits(number(x.data()[k]));
    return ir::table<ir::traced>(*at.g, {&bits[0], static_cast<int>(n)}, dtype_of<component_t<T>>,
                                 ir::intern(*at.g, shape));
  };
  if constexpr (is_complex_number<T>)
    return complex(table_of([](T z) { return z.real(); }), table_of([](T z) { return z.imag(); }));
  else
    return table_of([](T y) { return y; });
}
template <class X>
constexpr ir::value<ir::traced> constant_of(ir::value<ir::traced> at, X const& x) {
  using T = value_type_of<X>;
  using E = extents_of<X>;
  (void)sizeof(tensor_in_trace<ir::traced, X>);
  tensor_with<T, E> const elements = x;
  return constant_of(at, view<T const, E, layout::row_major, false>(elements.data(), {}));
}

}  // namespace ricci
