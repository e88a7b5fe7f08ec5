// `rc::scan(f, carry, n)`: n iterations without data, of which f is given the number, as the body of a `fori_loop` is,
// while what it returns beside the next carry is stacked. n is an integer, an extent of a traced function, or
// `rc::known<n>`, from which the type of what is stacked knows it; none where it is negative.
//
//   auto [last, path] = rc::scan([=](auto x, auto i) { return std::pair(x + h * f(x), x); }, x0, rc::known<100>);
#pragma once

#include <ricci/autodiff/carries.hpp>
#include <ricci/core/where_used.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

template <class N>
inline constexpr index_t known_count = dyn;
template <class T, T N>
inline constexpr index_t known_count<std::integral_constant<T, N>> = N < 0 ? 0 : N;
template <class N>
concept IterationCount = ExtentBound<N> || known_count<N>
!= dyn;

// f of the carry and of the number of the iteration, which adapts to the types that it meets, as extents do
template <class F>
struct of_iteration {
  F f;
  template <class C, class I>
  requires is_callable<F, std::tuple<C, symbol<index_t, weak_extents, typename I::mode>>>
  constexpr auto operator()(C const& carry, I const& i) const {
    return f(carry, symbol<index_t, weak_extents, typename I::mode>{i.v});
  }
};

// 0, 1, ... n - 1 where the carry is: beside it, or in its trace.
template <class C, class N>
constexpr auto iteration_numbers([[maybe_unused]] C const& carry, [[maybe_unused]] N const& n) {
  constexpr index_t known = known_count<N>;
  using Mode = mode_of_all<std::conditional_t<known == dyn, N, int>, C>;
  if constexpr (!std::is_void_v<Mode>) {
    auto& g = graph_of_loop<Mode>(n, carry);
    index_t count = known;
    if constexpr (known == dyn) count = ir::length(g, shapes::extent_value(n));
    return symbol<index_t, extents<known>, Mode>{positions<index_t, Mode>(g, count).v};
  } else {
    using T = core::where_used<index_t, N>;
    auto const numbers = [&] {
      if constexpr (known != dyn)
        return ricci::arange<T>(extents<known>{});
      else
        return ricci::arange<T>(T(n < 0 ? 0 : n));
    }();
    if constexpr (Tensor<C>)
      return ricci::eval(numbers, like(carry));
    else
      return numbers;
  }
}
template <index_t Every, index_t Times = 1, class F, class C, class N>
constexpr auto counted_scan(F const& f, C const& carry, N const& n) {
  if constexpr (is_value<F>)
    return scan<Every, Times>(f, carry, n);  // which says so
  else
    return scan<Every, Times>(of_iteration<F>{f}, carry, iteration_numbers(carry, n));
}

}  // namespace RICCI_ABI
}  // namespace tracing

// For n iterations: f(carry, i), i = 0, ..., n - 1; of a negative n there is none.
template <class F, class C, tracing::IterationCount N>
constexpr auto scan(F const& f, C const& carry, N const& n) {
  return tracing::counted_scan<tracing::no_segments>(f, carry, n);
}
template <class F, class C, tracing::IterationCount N, index_t K>
constexpr auto scan(F const& f, C const& carry, N const& n, checkpoint_every_t<K>) {
  return tracing::counted_scan<K>(f, carry, n);
}
template <class F, class C, tracing::IterationCount N, index_t K>
constexpr auto scan(F const& f, C const& carry, N const& n, unroll_t<K>) {
  return tracing::counted_scan<tracing::no_segments, K>(f, carry, n);
}

}  // namespace ricci
