// Whole matrices of derivatives: `rc::jacfwd(f)(x)`, `rc::jacrev(f)(x)`, `rc::hessian(f)(x)`, and the product of the
// last one with a vector, `rc::hvp(f)(x, v)`, which never makes it.
//
// The jacobian of a result of shape R by an argument of shape A has the shape R + A. jacfwd pushes a basis of the
// argument forward, which is the cheaper way where A has fewer elements; jacrev pulls one of the result back. Either
// way f itself is computed once, and the basis is one batch (vmap). `rc::jacfwd<1>(f)` is by argument 1.
#pragma once

#include <ricci/autodiff/vjp.hpp>
#include <ricci/autodiff/vmap.hpp>

namespace ricci {

namespace shapes {

template <class A, class B>
struct joined_extents {
  static constexpr shape_t value = [] {
    shape_t s = A::value;
    for (int k = 0; k < B::rank; ++k) s.push(B::extent(k));
    return s;
  }();
};

}  // namespace shapes

namespace trace {
inline namespace RICCI_ABI {

// All tensors like x that are 1 in one place and 0 elsewhere, one after another.
template <class T, class E, class Mode>
constexpr auto basis_of(symbol<T, E, Mode> const& x) {
  static_assert(std::is_floating_point_v<T>, "a derivative with respect to integers does not exist");
  auto& g = *x.v.g;
  index_t n = 1;
  for (int k = 0; k < x.v.rank(); ++k) n = ir::times(g, n, x.v.shape().extent[k]);
  index_t const start = 0, step = ir::plus(g, n, 1);
  auto const flat = [&](double number, index_t size) {
    return ir::literal<Mode>(g, number, dtype_of<T>, ir::intern(g, shape_t{1, {size}}));
  };
  auto const diagonal = ir::update_slice(flat(0, ir::times(g, n, n)), flat(1, n), &start, &step);
  shape_t s{1, {n}};
  for (int k = 0; k < x.v.rank(); ++k) s.push(x.v.shape().extent[k]);
  using extents_of_x = typename operand_extents<symbol<T, E, Mode>>::type;
  return symbol<T, extents_of_shape<shapes::with_axis<extents_of_x, 0, extents_of_x::size>>, Mode>{
      ir::reshape(diagonal, ir::intern(g, s))};
}

// Derivatives of a result of shape R by an argument of type A, with the basis of one of them as one axis, as they are
// meant.
template <class R, class A, class T, class E, class Mode>
constexpr auto as_jacobian(symbol<T, E, Mode> const& derivatives, shape_t shape, ir::value<Mode> argument) {
  for (int k = 0; k < argument.rank(); ++k) shape.push(argument.shape().extent[k]);
  using extents_of_jacobian =
      extents_of_shape<shapes::joined_extents<typename operand_extents<R>::type, typename operand_extents<A>::type>>;
  return symbol<T, extents_of_jacobian, Mode>{ir::reshape(derivatives.v, ir::intern(*derivatives.v.g, shape))};
}

template <class S>
constexpr void require_tensor() {
  static_assert(is_symbol<S>, "a jacobian is of a function that gives a tensor, by an argument that is one");
}

// what is like x, and zero
template <class X>
constexpr auto no_direction(X const& x) {
  if constexpr (Arithmetic<X>)
    return x * 0;
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

template <int I>
struct jacobian_forward {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    static_assert(I >= 0 && I < int(sizeof...(S)), "a jacobian names an argument that the function does not have");
    std::tuple<S const&...> const all(s...);
    auto const& x = std::get<I>(all);
    using X = std::remove_cvref_t<decltype(x)>;
    require_tensor<X>();
    auto const pushed = [&](auto const& t) {
      return [&]<std::size_t... K>(std::index_sequence<K...>) {
        return jvp(f)(s...)(direction_of<I, K>(s, t)...).second;
      }
      (std::index_sequence_for<S...>{});
    };
    using Y = decltype(pushed(x));
    require_tensor<Y>();
    auto const columns = batching<in_axes_t<0>, out_axes_t<-1>>::apply(pushed, basis_of(x));
    shape_t shape = columns.v.shape();
    --shape.rank;
    return as_jacobian<Y, X>(columns, shape, x.v);
  }
};

template <int I>
struct jacobian_reverse {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    static_assert(I >= 0 && I < int(sizeof...(S)), "a jacobian names an argument that the function does not have");
    auto const value_and_pull = vjp(f)(s...);
    auto const& y = value_and_pull.first;
    using Y = std::remove_cvref_t<decltype(y)>;
    using X = std::tuple_element_t<I, std::tuple<S...>>;
    require_tensor<X>();
    require_tensor<Y>();
    std::tuple<S const&...> const all(s...);
    auto const pulled = [&](auto const& ct) { return std::get<I>(value_and_pull.second(ct)); };
    auto const rows = batching<in_axes_t<0>, out_axes_t<>>::apply(pulled, basis_of(y));
    return as_jacobian<Y, X>(rows, y.v.shape(), std::get<I>(all).v);
  }
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
    return jvp(derivative)(std::get<K>(all)...)(direction_of<0, K>(std::get<K>(all), v)...).second;
  }
};

}  // namespace RICCI_ABI
}  // namespace trace

template <int I = 0, class F>
constexpr auto jacfwd(F const& f) {
  return trace::transformed<trace::jacobian_forward<I>, F>{f};
}
template <int I = 0, class F>
constexpr auto jacrev(F const& f) {
  return trace::transformed<trace::jacobian_reverse<I>, F>{f};
}
// Of a function whose result is one number, by argument 0: shape A + A.
template <class F>
constexpr auto hessian(F const& f) {
  return jacfwd(grad(f));
}
// The product of the hessian with a vector of the argument's shape.
template <class F>
constexpr auto hvp(F const& f) {
  return trace::transformed<trace::hessian_vector_product, F>{f};
}

}  // namespace ricci
