// `auto report = rc::check_grads(f, x, y, {.order = 2}); if (!report) std::puts(report.text());`: whether the
// derivatives of f are right, in forward and reverse mode, against finite differences in random directions. It is for
// rules of one's own: custom_vjp, custom_jvp, operations with `partials`. Where they are wrong it says by which
// argument, which element, and by how much.
//
// f is computed as rc::interpret does it, so it may hold run-time values, and a check costs little to compile.
#pragma once

#include <ricci/autodiff/gradient_checker.hpp>
#include <ricci/core/wrong_argument.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

template <class F, class... A>
struct leaves_of_call {
  using mode = std::conditional_t<std::is_void_v<F>, void, ir::eager>;
  using arguments = std::tuple<tree::symbolic_t<mode, A>...>;

  static void call(void const* f, ir::eager::graph& g, int const* leaves, leaf_ids& results) {
    arguments args{};
    int k = 0;
    replace_ids(g, args, leaves, k);
    collect<mode>(g, applied(*static_cast<F const*>(f), args), results);
  }
  static gradient_check run(F const& f, check_options const& options, A const&... a) {
    ir::eager_graph base;
    arguments args{};
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (tree::for_each_leaf([&](auto& s, auto const& x) { give_elements(base, s, x); }, std::get<I>(args), a), ...);
    }
    (std::make_index_sequence<sizeof...(A)>{});
    leaf_ids leaves;
    collect<mode>(static_cast<ir::eager::graph&>(base), args, leaves);
    tree::leaf_name names[max_leaves];
    for (int k = 0; k < leaves.count; ++k) names[k] = tree::name_of_leaf<A...>(k);
    return gradient_checker<mode>({&f, &call}, base, leaves, options).run(names);
  }
};
template <class F, class... A>
gradient_check checked(F const& f, check_options const& options, A const&... a) {
  static_assert(!Tensor<F>, "check_grads takes the function first, then its arguments: rc::check_grads(f, x)");
  if constexpr (Tensor<F>)
    return {};
  else
    return leaves_of_call<F, A...>::run(f, options, a...);
}

}  // namespace RICCI_ABI
}  // namespace tracing

// f's derivatives by all floating numbers in its arguments, which are one to six tensors, numbers, views, records or
// tuples. Its results are floating or complex tensors or trees of them; integers are left out. Derivatives at kinks are
// not what differences give: keep away from them. Of order 2 it is the pullback that is checked, as a function of the
// arguments and of cotangents, up to order 7; value_error: an order outside of 1 to 7, neither forward nor reverse
// mode, or no direction.
template <class F, class A>
gradient_check check_grads(F const& f, A const& a, check_options const& options = {}) {
  return tracing::checked(f, options, tracing::in_memory(a));
}
template <class F, class A, class B>
gradient_check check_grads(F const& f, A const& a, B const& b, check_options const& options = {}) {
  return tracing::checked(f, options, tracing::in_memory(a), tracing::in_memory(b));
}
template <class F, class A, class B, class C>
gradient_check check_grads(F const& f, A const& a, B const& b, C const& c, check_options const& options = {}) {
  return tracing::checked(f, options, tracing::in_memory(a), tracing::in_memory(b), tracing::in_memory(c));
}
template <class F, class A, class B, class C, class D>
gradient_check check_grads(F const& f, A const& a, B const& b, C const& c, D const& d,
                           check_options const& options = {}) {
  using tracing::in_memory;
  return tracing::checked(f, options, in_memory(a), in_memory(b), in_memory(c), in_memory(d));
}
template <class F, class A, class B, class C, class D, class E>
gradient_check check_grads(F const& f, A const& a, B const& b, C const& c, D const& d, E const& e,
                           check_options const& options = {}) {
  using tracing::in_memory;
  return tracing::checked(f, options, in_memory(a), in_memory(b), in_memory(c), in_memory(d), in_memory(e));
}
template <class F, class A, class B, class C, class D, class E, class G>
gradient_check check_grads(F const& f, A const& a, B const& b, C const& c, D const& d, E const& e, G const& g,
                           check_options const& options = {}) {
  using tracing::in_memory;
  return tracing::checked(f, options, in_memory(a), in_memory(b), in_memory(c), in_memory(d), in_memory(e),
                          in_memory(g));
}
RICCI_WRONG_CALL(
    check_grads,
    "check_grads is called as rc::check_grads(f, x...) or rc::check_grads(f, x..., {.order = 2}), with the "
    "function first and one to six arguments of it")

}  // namespace ricci
