// Conjugate gradients: x with matvec(x) = b for a linear function that is symmetric and positive definite, of which no
// matrix is made [Hestenes and Stiefel, Methods of conjugate gradients for solving linear systems, 1952, section 3].
//
//   x = rc::linalg::cg([=](auto x) { return a * x + laplacian(x); }, b, {.rtol = 1e-10})
#pragma once

#include <ricci/autodiff/custom_root.hpp>
#include <ricci/autodiff/value_loops.hpp>

namespace ricci {

namespace linalg {

// When `cg` has found its solution, as in SciPy: where |b - matvec(x)| <= max(rtol |b|, atol), by Euclidean norms.
struct cg_options {
  double rtol = 1e-5;
  double atol = 0;
  int max_steps = 0;  // no more than so many, else a value_error; 0: ten times the number of elements
};

}  // namespace linalg

namespace tracing {
inline namespace RICCI_ABI {

struct cg_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "cg";
  static constexpr unfinished_search unfinished{};
};

// the options: numbers, or symbols of a trace
template <class Options>
struct conjugate_gradients {
  static constexpr bool is_of_vectors = true;
  Options options;

  template <class F, class V>
  constexpr V operator()(F const& matvec, V b) const {
    using Mode = typename V::mode;
    auto& g = *b.g;
    auto const number = [&](auto const& x, dtype type) { return ir::cast(lifted<Mode>(g, x, type), type); };
    auto const& [rtol, atol, max_steps] = options;
    V const steps = number(max_steps, dtype::int64);
    V const most = where(steps > 0, steps, 10 * ir::number<Mode>(g, ir::element_count(b), dtype::int64));
    return found(linear_function_by<Mode, F>(matvec), b, number(rtol, b.type()), number(atol, b.type()), most);
  }

  static constexpr reduction_axes all_axes{};
  // one for all functions
  template <class Mode, class V = ir::value<Mode>>
  static constexpr V found(linear_function<Mode> const& matvec, V b, V rtol, V atol, V most) {
    auto& g = *b.g;
    auto const dot = [](V p, V q) { return sum_t::record(all_axes, V(p * q)); };
    // b is taken as a multiple of its largest element, so that no square of a number overflows or vanishes
    V const largest = max_t::record(all_axes, V(abs(b)));
    V const scale = where((largest > 0) & isfinite(largest), largest, V(ir::zeros_like(largest) + 1));
    V const right = b / ir::broadcast_to(scale, b.shape_id());
    V const size = dot(right, right), tolerance = atol / scale;
    V const enough = maximum(rtol * rtol * size, tolerance * tolerance);
    enum { x, rest, direction, squares, count, carries };
    V s[carries] = {ir::zeros_like(b), right, right, size, ir::zeros_like(most)};
    while_values<Mode>(
        g, s, carries, [&](V const* at) { return V((at[squares] > enough) & (at[count] < most)); },
        [&](V* at) {
          V const q = matvec(at[direction]), curvature = dot(at[direction], q);
          // where it is not positive definite there may be no solution, and the search ends
          V const length = at[squares] / where(curvature > 0, curvature, ir::zeros_like(curvature) / 0.);
          V const step = ir::broadcast_to(length, b.shape_id());
          V const next = at[rest] - step * q, next_size = dot(next, next);
          at[x] = at[x] + step * at[direction];
          at[direction] = next + ir::broadcast_to(V(next_size / at[squares]), b.shape_id()) * at[direction];
          at[rest] = next, at[squares] = next_size, at[count] = at[count] + 1;
        });
    V const solution = s[x] * ir::broadcast_to(scale, b.shape_id());
    return when_converged<cg_t>(solution, V(s[squares] <= enough), s[count], V(sqrt(s[squares]) * scale));
  }
};

struct solving_by_cg {
  template <class F, class B, class Options, class... A>
  static constexpr auto apply(F const& f, B const& b, Options const& options, A const&... a) {
    using solver = conjugate_gradients<Options>;
    auto const of = [&](auto const& x) { return f(x, a...); };
    return solving_linear_equations::apply(of, b, with_solve<solver, symmetric_t>{{options}, {}});
  }
};
// As a function of its arguments alone, which is compiled and called with tensors.
template <class F>
struct cg_by {
  F f;
  template <class B, class Options, class... A>
  constexpr auto operator()(B const& b, Options const& options, A const&... a) const {
    return solving_by_cg::apply(f, b, options, a...);
  }
};
template <class F, class B, class... A>
constexpr bool is_cg_in_a_trace() {
  if constexpr (is_traced<B, A...>)
    return true;
  else
    return is_traced<decltype(std::declval<F const&>()(std::declval<B const&>(), std::declval<A const&>()...))>;
}

}  // namespace RICCI_ABI
}  // namespace tracing

namespace linalg {

// x with matvec(x, a...) = b, a tree of the structure, shapes and type of b: a real tensor or number of floats, or a
// record or tuple of such. matvec is linear in x, its own transpose, and positive definite. Derivatives are with
// respect to b, a and what matvec captures: of any order, in both modes, in batches; they are solutions to the same
// tolerance. A value_error where that is not reached, as where matvec is not positive definite. In a traced function
// options may be an argument.
template <class F, class B, class... A>
constexpr auto cg(F const& matvec, B const& b, cg_options const& options, A const&... a) {
  static_assert(
      !Tensor<F>,
      "linalg::cg takes a function that gives the product with the matrix: rc::linalg::cg([](auto x, auto a) { return "
      "rc::matmul(a, x); }, b, {}, a), or rc::linalg::solve(a, b)");
  if constexpr (Tensor<F>)
    return wrong::result{};
  else if constexpr (tracing::is_cg_in_a_trace<F, B, A...>())
    return tracing::solving_by_cg::apply(matvec, b, options, a...);
  else
    return fn(tracing::cg_by<F>{matvec})(b, options, a...);
}
template <class F, class B>
constexpr auto cg(F const& matvec, B const& b) {
  return cg(matvec, b, cg_options{});
}
template <class F, class B, class Options, class... A>
requires tree::stands_for<Options, cg_options>
constexpr auto cg(F const& matvec, B const& b, Options const& options, A const&... a) {
  return tracing::solving_by_cg::apply(matvec, b, options, a...);
}
RICCI_WRONG_CALL(cg,
                 "linalg::cg is called as rc::linalg::cg(f, b) or rc::linalg::cg(f, b, {.rtol = 1e-6}, a...), where f "
                 "gives the product with the matrix, and a... are what it takes behind x")

}  // namespace linalg

}  // namespace ricci
