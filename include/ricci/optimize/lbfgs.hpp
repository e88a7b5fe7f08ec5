// `rc::optimize::lbfgs(f, x0, options, a...)`: the x near x0 where f(x, a...) is least, by the gradient of f and
// what its last changes tell of the second derivatives [Liu and Nocedal, On the limited memory BFGS method for large
// scale optimization, 1989].
//
//   auto const loss = [](auto const& p, auto const& x, auto const& y) { return rc::mean(rc::square(p(x) - y)); };
//   auto const [p, value, gradient_norm, steps, evaluations, reason] = rc::optimize::lbfgs(loss, p0, {}, x, y);
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/optimize/trees.hpp>

namespace ricci::optimize {

inline namespace RICCI_ABI {

// f's value and gradient with respect to a tree, over the elements of the tree in a row.
template <class F, class X, class... A>
struct objective_of_tree {
  using function = decltype(value_and_grad(std::declval<F const&>()));
  using T = tracing::element_type_in_t<X>;
  using result = typename tracing::result<typename function::transform, F, X, A...>::type;

  tracing::prepared_function<typename function::transform, F> f;
  X x;
  typename result::first_type value;
  typename result::second_type gradient;
  std::tuple<A const&...> arguments;

  static double evaluate(void* self, T const* from, T* to) {
    auto& o = *static_cast<objective_of_tree*>(self);
    optimize::unpack(o.x, from);
    tree::apply([&](auto const&... a) { o.f.into(o.value, o.gradient)(o.x, a...); }, o.arguments);
    optimize::pack(o.gradient, to);
    return static_cast<double>(o.value.item());
  }
};

}  // namespace RICCI_ABI

// x0 is a tensor, number, record or tuple of float or of double, of any extents; f is traced, and gives one number. It
// may have further arguments, which stay as they are: tensors that f captured would be compiled as constants. History
// is how many of the last steps are remembered. The result has the structure and shapes of x0.
//
// The line search is Hager and Zhang's (line_search.hpp). Places where f or its gradient is not finite are stepped back
// from; where that is so at x0 it is a value_error. A minimum is a local one. f is evaluated in its own precision, sums
// of the method in double. Where all extents are static nothing lies on the heap, unless it is large as of tensors.
template <int History = 10, class F, class X, class... A>
auto lbfgs(F const& f, X const& x0, lbfgs_options const& options, A const&... a) {
  static_assert(History > 0, "optimize::lbfgs: it remembers at least one step");
  if constexpr (argument_of_minimiser<X>::holds) {
    using owned = tree::owned_t<X>;
    using problem = objective_of_tree<F, owned, A...>;
    using T = typename problem::T;
    problem p{prepared(value_and_grad(f)), optimize::owned_copy(x0), {}, optimize::owned_copy(x0), {a...}};
    index_t const n = optimize::count_elements(p.x);
    constexpr index_t known = tracing::elements_in<owned>();
    constexpr int rows = 1 + work_rows(History);
    auto work = [&] {
      if constexpr (known < 0)
        return zeros<T>(shape(rows, n));
      else
        return tensor<T, rows, known>();
    }();
    double numbers[2 * History];
    T* const x = work.data();
    optimize::pack(p.x, x);
    objective<T> const along{problem::evaluate, &p};
    outcome const r = minimiser<T>(along, options, x, x + n, numbers, History, n).run();
    optimize::unpack(p.x, x);
    return minimum<owned>{p.x, r.value, r.gradient_norm, r.steps, r.evaluations, r.reason};
  }
}
template <int History = 10, class F, class X>
auto lbfgs(F const& f, X const& x0) {
  return optimize::lbfgs<History>(f, x0, lbfgs_options{});
}
template <int History = 10, class F, class X, class A, class... More>
requires(!std::is_convertible_v<A const&, lbfgs_options const&>) wrong::result
    lbfgs(F const&, X const&, A const&, More const&...) {
  static_assert(always_false<A>,
                "optimize::lbfgs takes options before the further arguments of f: optimize::lbfgs(f, x0, {}, data)");
  return {};
}

}  // namespace ricci::optimize
