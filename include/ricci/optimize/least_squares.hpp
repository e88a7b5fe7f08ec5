// `rc::optimize::least_squares(f, x0, options, a...)`: the x near x0 where half the sum of the squares of f(x, a...),
// a vector of residuals, is least, by the method of Levenberg and Marquardt (damped_steps.hpp).
//
//   auto const residuals = [](auto const& p, auto const& x, auto const& y) { return p(x) - y; };
//   auto const [p, value, gradient_norm, steps, evaluations, reason] =
//       rc::optimize::least_squares(residuals, p0, {}, x, y);
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/jacobian.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/optimize/damped_steps.hpp>
#include <ricci/optimize/trees.hpp>

namespace ricci::optimize {
inline namespace RICCI_ABI {

// the residuals, whatever their shape, in a row
template <class F>
struct residuals_in_a_row {
  F f;
  template <class X, class... A>
  constexpr auto operator()(X const& x, A const&... a) const {
    return ricci::eval(ricci::ravel(f(x, a...)));
  }
};
// their derivatives by all elements of x in a row, (m, n)
template <class F>
struct jacobian_in_a_row {
  F f;
  template <class X, class... A>
  constexpr auto operator()(X const& x, A const&... a) const {
    residuals_in_a_row<F> const g{f};
    if constexpr (is_symbol<X>) {
      auto const of_row = [=](auto const& v) { return g(ricci::eval(ricci::reshape(v, x.shape())), a...); };
      return jacfwd(of_row)(ricci::eval(ricci::ravel(x)));
    } else {
      tracing::raveled<X> const all{x};
      auto const of_row = [=](auto const& v) { return g(all.tree(v), a...); };
      return jacfwd(of_row)(all.vector(x));
    }
  }
};

// a function of a tree and its jacobian, over the elements of the tree in a row
template <class F, class X, class... A>
struct residuals_of_tree {
  using T = tracing::element_type_in_t<X>;
  decltype(prepared(std::declval<residuals_in_a_row<F> const&>())) f;
  decltype(prepared(std::declval<jacobian_in_a_row<F> const&>())) jacobian;
  X x;
  std::tuple<A const&...> arguments;

  static ndarray<T, 1> at(void* self, T const* from) {
    auto& o = *static_cast<residuals_of_tree*>(self);
    optimize::unpack(o.x, from);
    return tree::apply([&](auto const&... a) { return ndarray<T, 1>(o.f(o.x, a...)); }, o.arguments);
  }
  static ndarray<T, 2> jacobian_at(void* self) {
    auto& o = *static_cast<residuals_of_tree*>(self);
    return tree::apply([&](auto const&... a) { return ndarray<T, 2>(o.jacobian(o.x, a...)); }, o.arguments);
  }
};

}  // namespace RICCI_ABI

// x0 is a tensor, number, record or tuple of float or of double, of any extents; f is traced, and gives residuals of
// the same type in any shape. It may have further arguments, which stay as they are. The result has the structure and
// shapes of x0; `value` is half the sum of squares, `gradient_norm` that of its gradient.
//
// The jacobian is taken by forward mode, (m, n), and factored by QR, 2 m n^2 operations for each step. There may be
// fewer residuals than numbers, and numbers that nothing depends on, which stay what they are. Places where residuals
// are not finite are stepped back from; where that is so at x0 it is a value_error. A minimum is a local one.
template <class F, class X, class... A>
auto least_squares(F const& f, X const& x0, least_squares_options const& options, A const&... a) {
  if constexpr (argument_of_minimiser<X>::holds) {
    using owned = tree::owned_t<X>;
    using problem = residuals_of_tree<F, owned, A...>;
    using T = typename problem::T;
    problem p{prepared(residuals_in_a_row<F>{f}), prepared(jacobian_in_a_row<F>{f}), optimize::owned_copy(x0), {a...}};
    ndarray<T, 1> x = zeros<T>(shape(optimize::count_elements(p.x)));
    optimize::pack(p.x, x.data());
    outcome const r = damped_steps<T>({problem::at, problem::jacobian_at, &p}, options, x).run();
    optimize::unpack(p.x, static_cast<T const*>(x.data()));
    return minimum<owned>{p.x, r.value, r.gradient_norm, r.steps, r.evaluations, r.reason};
  }
}
template <class F, class X>
auto least_squares(F const& f, X const& x0) {
  return optimize::least_squares(f, x0, least_squares_options{});
}
template <class F, class X, class A, class... More>
requires(!std::is_convertible_v<A const&, least_squares_options const&>) wrong::result
    least_squares(F const&, X const&, A const&, More const&...) {
  static_assert(always_false<A>,
                "optimize::least_squares takes options before the further arguments of f: "
                "optimize::least_squares(f, x0, {}, data)");
  return {};
}

}  // namespace ricci::optimize
