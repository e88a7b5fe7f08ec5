// Records of variables: what parameters are in the imperative way. `tape.variable(p)` of a record of tensors, also of
// tuples and arrays of such, is the same of variables, and `rc::tree_map` is a step of an optimiser there as it is for
// functions.
//
//   auto q = tape.variable(params<>{...});                                     // a params<rc::variables>
//   rc::variable loss = rc::mean(rc::square(rc::matmul(x, q.w) + q.b - y));
//   loss.backward();
//   rc::tree_map([](auto& w) { w.value() -= 0.1 * w.grad(), w.zero_grad(); }, q);
#pragma once

#include <ricci/autodiff/tree_map.hpp>
#include <ricci/autodiff/variable.hpp>

namespace ricci {

struct variables {
  template <class T, index_t... E>
  using of = variable<T, E...>;
};

namespace tree {

// What is computed of them without a tape are tensors.
template <>
struct kind<variables> : kind<values> {
  static constexpr bool of_variables = true;
};

}  // namespace tree

template <template <class> class Record, class Kind>
requires(requires { tree::kind<Kind>::of_variables; }) inline constexpr bool holds_variables<Record<Kind>> = true;

namespace taped {
inline namespace RICCI_ABI {

template <class Kind>
struct variables_of_kind {
  static_assert(std::is_same_v<Kind, values>, "a record of variables is made of one of tensors in host memory");
  using type = variables;
};
template <class Kind, index_t N, int Axis>
struct variables_of_kind<batched<Kind, N, Axis>> {
  using type = batched<typename variables_of_kind<Kind>::type, N, Axis>;
};

// A branch of a tree with other members.
template <class X, class... M>
struct branch_with {
  static_assert(
      tree::is_tuple<X>,
      "a variable is made of a tensor or number, or of a record whose fields are rc::field<Kind, T, extents...>, "
      "a tuple or an array of such");
};
template <template <class> class Record, class Kind, class... M>
requires(tree::kind<Kind>::is_kind) struct branch_with<Record<Kind>, M...> {
  using type = Record<typename variables_of_kind<Kind>::type>;
};
template <class... X, class... M>
struct branch_with<std::tuple<X...>, M...> {
  using type = std::tuple<M...>;
};
template <class A, class B, class... M>
struct branch_with<std::pair<A, B>, M...> {
  using type = std::pair<M...>;
};
template <class X, std::size_t N, class First, class... M>
struct branch_with<std::array<X, N>, First, M...> {
  using type = std::array<First, N>;
};

// x with what `make` gives for each leaf. A variable has no default, so branches are made of their members.
template <class Make, class X>
auto made_of_leaves(Make const& make, X const& x) {
  if constexpr (tree::Leaf<X>)
    return make(x);
  else
    return tree::apply(
        [&](auto const&... member) {
          using type = typename branch_with<X, decltype(made_of_leaves(make, member))...>::type;
          return type{made_of_leaves(make, member)...};
        },
        tree::members(x));
}

}  // namespace RICCI_ABI
}  // namespace taped
}  // namespace ricci
