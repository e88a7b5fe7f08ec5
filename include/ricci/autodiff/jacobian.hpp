// Whole matrices of derivatives: `rc::jacfwd(f)(x)`, `rc::jacrev(f)(x)`, `rc::hessian(f)(x)`, and the product of the
// last one with a vector, `rc::hvp(f)(x, v)`, which never makes it.
//
// The jacobian of a result of shape R by an argument of shape A has the shape R + A. jacfwd pushes a basis of the
// argument forward, which is the cheaper way where A has fewer elements; jacrev pulls one of the result back. Either
// way f itself is computed once, and the basis is one batch (vmap). `rc::jacfwd<1>(f)` is by argument 1.
// `rc::jacobian(f)` chooses the cheaper way.
#pragma once

#include <ricci/autodiff/jacobian_types.hpp>
#include <ricci/autodiff/raveled.hpp>
#include <ricci/autodiff/vjp.hpp>
#include <ricci/autodiff/vmap.hpp>
#include <ricci/ops/create.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

// All tensors like x that are 1 in one place and 0 elsewhere, one after another.
template <class T, class E, class Mode>
constexpr auto basis_of(symbol<T, E, Mode> const& x) {
  auto& g = *x.v.g;
  index_t const n = ir::element_count(x.v);
  shape_t s{1, {n}};
  for (int k = 0; k < x.v.rank(); ++k) s.push(x.v.shape().extent[k]);
  using extents_of_x = typename operand_extents<symbol<T, E, Mode>>::type;
  return symbol<T, extents_of_shape<shapes::with_axis<extents_of_x, 0, extents_of_x::size>>, Mode>{
      ir::reshape(ir::identity<Mode>(g, n, dtype_of<T>), ir::intern(g, s))};
}

// A linear function of each tensor of that basis, along an axis of the results that Out says. The basis of a number is
// one direction: there is no batch to make, nor a loop over it.
template <class Out, class F, class T, class E, class Mode>
constexpr auto along_basis(F const& f, symbol<T, E, Mode> const& x) {
  static_assert(is_inexact(dtype_of<T>), "a derivative with respect to integers does not exist");
  if constexpr (operand_extents<symbol<T, E, Mode>>::type::rank == 0)
    return f(symbol<T, E, Mode>{ir::full_like(x.v, 1)});
  else
    return batching<in_axes_t<0>, Out>::apply(f, basis_of(x));
}

template <class X>
constexpr void require_floating_leaves(X const& x) {
  tree::for_each_leaf(
      [](auto const& leaf) {
        using L = std::remove_cvref_t<decltype(leaf)>;
        if constexpr (is_symbol<L>)
          static_assert(is_inexact(dtype_of<typename L::value_type>),
                        "a jacobian is of floating tensors, by floating tensors: a derivative with respect to integers "
                        "does not exist");
      },
      x);
}

// Whether a tensor in a tree is complex (or real).
template <bool Complex, class X>
constexpr bool has_tensors() {
  bool some = false;
  X x = tree::made<X>();
  tree::for_each_leaf(
      [&](auto& leaf) {
        using L = std::remove_cvref_t<decltype(leaf)>;
        if constexpr (is_symbol<L>) some = some || is_complex(dtype_of<typename L::value_type>) == Complex;
      },
      x);
  return some;
}
// Of what is complex a jacobian is that of a holomorphic function; and rows, which are real where an argument is, do
// not hold a complex result's derivative.
template <bool Rows, class X, class Y>
constexpr void require_jacobian_of() {
  static_assert(!has_tensors<true, X>() || !has_tensors<false, Y>(),
                "a real function of a complex argument has no jacobian, as it is not holomorphic: derive it by "
                "rc::real(x) and rc::imag(x), or use rc::grad");
  static_assert(!Rows || !has_tensors<false, X>() || !has_tensors<true, Y>(),
                "jacrev: a complex function of real arguments is derived by rc::jacfwd");
}

// The arguments I of a function among all arguments: a single one as it is, several as a tuple.
template <int... I>
struct chosen {
  template <class All>
  static constexpr auto of(All const& all) {
    static_assert(((I >= 0 && I < int(std::tuple_size_v<All>)) && ...),
                  "a jacobian names an argument that the function does not have");
    if constexpr (sizeof...(I) == 1)
      return (std::get<I>(all), ...);
    else
      return std::tuple(std::get<I>(all)...);
  }
};

// A tree with symbols for the plain numbers in it, and for the parts of symbols, which are no values of their own.
template <class Mode>
struct with_symbols {
  template <class X>
  static constexpr auto leaf() {
    if constexpr (Arithmetic<X>)
      return std::type_identity<symbol<element_t<X>, extents<>, Mode>>{};
    else
      return []<class T, class E>(symbol<T, E, Mode> const*) {
        return std::type_identity<symbol<T, E, Mode>>{};
      }(static_cast<X const*>(nullptr));
  }
  template <class Kind>
  static constexpr auto record() {
    return std::type_identity<Kind>{};
  }
};
template <class Mode, class Y>
constexpr auto all_symbols(typename Mode::graph& g, Y const& y) {
  tree::mapped_t<with_symbols<Mode>, Y> all{};
  tree::for_each_leaf(
      [&](auto& to, auto const& from) {
        using S = std::remove_cvref_t<decltype(to)>;
        to = S{lifted<Mode>(g, from, dtype_of<typename S::value_type>)};
      },
      all, y);
  return all;
}

// The tree of derivatives whose leaf (o, i) is the value `ids[o * n + i]`, in the shape of leaf o of the results
// followed by that of leaf i of the arguments.
template <class J, class Mode>
constexpr J as_jacobian(typename Mode::graph& g, leaf_ids const& outs, leaf_ids const& wrt, int const* ids) {
  J jacobian = tree::made<J>();
  int k = 0;
  tree::for_each_leaf(
      [&](auto& s) {
        using S = std::remove_cvref_t<decltype(s)>;
        shape_t shape = g.shape(outs.id[k / wrt.count]);
        shape_t const argument = g.shape(wrt.id[k % wrt.count]);
        for (int d = 0; d < argument.rank; ++d) shape.push(argument.extent[d]);
        ir::value<Mode> const all = ir::cast(ir::value<Mode>{&g, ids[k]}, dtype_of<typename S::value_type>);
        s = S{ir::reshape(all, ir::intern(g, shape))};
        ++k;
      },
      jacobian);
  return jacobian;
}

// Columns: for each tensor of the argument a basis of it is pushed through f, which is recorded once.
template <int... I>
struct jacobian_forward {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    using Mode = mode_t<S...>;
    auto& g = graph_in<Mode>(s...);
    int const begin = g.size;
    auto arguments = with_fresh<Mode, I...>(g, s...);
    auto const x = chosen<I...>::of(arguments);
    auto const y = applied(f, arguments);
    require_floating_leaves(x), require_floating_leaves(y);
    require_jacobian_of<false, std::remove_const_t<decltype(x)>, decltype(all_symbols<Mode>(g, y))>();
    leaf_ids outs, wrt;
    collect<Mode>(g, y, outs);
    make_stable<Mode>(g, begin, outs.id, outs.count);
    collect<Mode>(g, x, wrt);
    int const end = g.size;
    using J = jacobian_t<std::remove_const_t<decltype(y)>, std::remove_const_t<decltype(x)>, true>;
    int ids[tree::count_leaves<J>() > 0 ? tree::count_leaves<J>() : 1]{};
    int i = 0;
    tree::for_each_leaf(
        [&](auto const& leaf) {
          auto const pushed = [&](auto const& t) {
            int results[max_leaves]{};
            transform::forward<Mode>(g, begin, end, {wrt.id + i, 1}, {&t.v.id, 1}, outs.all(), results);
            fill_zeros<Mode>(g, outs, results);
            return as_tangents<Mode>(g, y, results);
          };
          leaf_ids columns;
          collect<Mode>(g, along_basis<out_axes_t<-1>>(pushed, leaf), columns);
          for (int o = 0; o < outs.count; ++o) ids[o * wrt.count + i] = columns.id[o];
          ++i;
        },
        x);
    return as_jacobian<J, Mode>(g, outs, wrt, ids);
  }

 private:
  // as many symbols as y has leaves
  template <class Mode, class Y>
  static constexpr auto as_tangents(typename Mode::graph& g, Y const& y, int const* ids) {
    auto t = all_symbols<Mode>(g, y);
    int k = 0;
    replace_ids(g, t, ids, k);
    return t;
  }
};

// Rows: for each tensor of the result a basis of it is pulled back through f.
template <int... I>
struct jacobian_reverse {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    using Mode = mode_t<S...>;
    auto& g = graph_in<Mode>(s...);
    auto const call = record_call(f, s...);
    auto const y = all_symbols<Mode>(g, call.out);
    auto const x = chosen<I...>::of(call.args);
    require_floating_leaves(x), require_floating_leaves(y);
    require_jacobian_of<true, std::remove_const_t<decltype(x)>, std::remove_const_t<decltype(y)>>();
    leaf_ids outs, wrt;
    collect<Mode>(g, y, outs);
    collect<Mode>(g, x, wrt);
    using J = jacobian_t<std::remove_const_t<decltype(y)>, std::remove_const_t<decltype(x)>, false>;
    int ids[tree::count_leaves<J>() > 0 ? tree::count_leaves<J>() : 1]{};
    int o = 0;
    tree::for_each_leaf(
        [&](auto const& leaf) {
          auto const pulled = [&](auto const& ct) {
            auto cotangents = y;
            leaf_ids each;
            for (int k = 0; k < outs.count; ++k)
              each.id[k] = k == o ? ct.v.id : ir::zeros_like(ir::value<Mode>{&g, outs.id[k]}).id;
            int k = 0;
            replace_ids(g, cotangents, each.id, k);
            return chosen<I...>::of(pullback::pulled<Mode>(g, call.begin, call.outs, call.args, cotangents));
          };
          leaf_ids rows;
          collect<Mode>(g, along_basis<out_axes_t<>>(pulled, leaf), rows);
          for (int i = 0; i < wrt.count; ++i) ids[o * wrt.count + i] = rows.id[i];
          ++o;
        },
        y);
    return as_jacobian<J, Mode>(g, outs, wrt, ids);
  }
};

// Columns where the arguments have no more elements than the results, else rows. What is not known before the program
// runs is taken for more than what is; where neither is known, columns: they need no memory for intermediate values.
template <int... I>
struct jacobian_either_way {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    using arguments = decltype(with_fresh<mode_t<S...>, I...>(graph_in<mode_t<S...>>(s...), s...));
    using X = decltype(chosen<I...>::of(std::declval<arguments const&>()));
    using Y = std::remove_cvref_t<decltype(applied(f, std::declval<arguments const&>()))>;
    constexpr index_t columns = elements_in<X>(), rows = elements_in<Y>();
    constexpr bool by_columns =
        (columns >= 0 ? rows < 0 || columns <= rows : rows < 0) || (has_tensors<false, X>() && has_tensors<true, Y>());
    if constexpr (by_columns)
      return jacobian_forward<I...>::apply(f, s...);
    else
      return jacobian_reverse<I...>::apply(f, s...);
  }
};

// what is like x, and zero
template <class X>
constexpr auto no_direction(X const& x) {
  if constexpr (Arithmetic<X>)
    return X(0);
  else
    return zeros_like(x);
}
template <int I, std::size_t K, class X, class T>
constexpr auto direction_of(X const& x, T const& t) {
  if constexpr (int(K) == I)
    return t;
  else
    return no_direction(x);
}

struct vector_of_hvp : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "hvp, the vector";
};
// The last argument is the vector.
struct hessian_vector_product {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    static_assert(sizeof...(S) >= 2, "hvp takes the function's arguments and then a vector like the first of them");
    return split(f, std::make_index_sequence<sizeof...(S) - 1>{}, std::tuple<S const&...>(s...));
  }

 private:
  template <class F, std::size_t... K, class All>
  static constexpr auto split(F const& f, std::index_sequence<K...>, All const& all) {
    auto const& v = std::get<sizeof...(K)>(all);
    auto const derivative = transformed<gradient<false, 0>, F>{f};
    std::tuple const both(std::get<K>(all)..., direction_of<0, K>(std::get<K>(all), v)...);
    return pushforward::split<vector_of_hvp>(derivative, std::index_sequence<K...>{}, both).second;
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// Jacobians by argument 0, or by those that are named: `rc::jacfwd<0, 1>(f)(x, y)` has a tuple of derivatives by x and
// by y in the place of each tensor of f's result. Of a tensor of shape R by one of shape A: R + A.
// Integers have no derivative: a compile error. So is a real result by a complex argument; a complex one by a complex
// one is taken for holomorphic, and a complex one by a real one is for jacfwd.
template <int... I, class F>
constexpr auto jacfwd(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::by_arguments<tracing::jacobian_forward, I...>, F>{f};
}
template <int... I, class F>
constexpr auto jacrev(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::by_arguments<tracing::jacobian_reverse, I...>, F>{f};
}
// The one of the two that is cheaper: by the numbers of elements in the types of arguments and results, of which one
// that is only known at run time is taken for large; jacfwd where neither is known.
template <int... I, class F>
constexpr auto jacobian(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::by_arguments<tracing::jacobian_either_way, I...>, F>{f};
}
// The second derivatives of a function whose result is one number, by argument 0 or by those that are named: shape A +
// A; of a record, a record of records.
template <int... I, class F>
constexpr auto hessian(F const& f) {
  return jacfwd<I...>(grad<I...>(f));
}
// The product of the hessian by argument 0 with a vector of its structure, which follows the arguments: `rc::hvp(f)(x,
// y, v)` is the second derivative of f(x, y) by x in the direction of v; y is not derived.
template <class F>
constexpr auto hvp(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::hessian_vector_product, F>{f};
}

}  // namespace ricci
