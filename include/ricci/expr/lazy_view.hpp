// Lazy views: nodes whose operation shows what lies in memory in another way, `x.T()`, `rc::flip(x)`, a reshape of what
// lies in row-major order, and such nodes of such nodes. In an expression they are nodes like any other. What is
// indexed or assigned is a view (expr/view.hpp) of the same memory: an element or row costs what one of x costs, and is
// assignable where x is.
#pragma once

#include <ricci/expr/gather.hpp>

RICCI_OPTIMIZED
namespace ricci {

namespace expr {

template <class X>
inline constexpr bool is_in_place_leaf = false;
template <class T, class E>
inline constexpr bool is_in_place_leaf<in_place_leaf<T, E>> = true;

// Of operand X: whether strides can say where its elements lie, and what the type knows of them.
template <class X>
struct memory_view {
  static constexpr bool exists = false;
};
template <class X>
requires requires { X::memory; }
struct memory_view<X> {
  static constexpr bool exists = true;
  // a tensor in place that moved into the expression, which a view would outlive
  static constexpr bool is_held = !X::shared && is_whole_tensor<X> && !is_in_place_leaf<X>;
  static constexpr layout memory = X::memory;
  RICCI_INLINE static constexpr X const& leaf(X const& x) { return x; }
  RICCI_INLINE static constexpr auto strided(X const& x) {
    shapes::strided<X::rank> s;
    auto const& extents = x.extent_values();
    auto const& strides = x.stride_values();
    for (int k = 0; k < X::rank; ++k) s.set(k, extents[k], strides.values[k]);
    return s;
  }
};

// What the type knows of the strides after operation Op: numbered strides are sent through its `view`. Axes of extent 1
// have no say. Nothing is known of what has a `map`, which may do anything, or says `layout_is_open`.
template <class Op, class Attributes, class X>
constexpr layout layout_after() {
  using E = typename node<Op, Attributes, X>::extents;
  constexpr layout before = memory_view<X>::memory;
  if (Op::of_row_major) return layout::row_major;
  if constexpr (
      requires { &Op::map; } || requires { Op::layout_is_open; })
    return layout::strided;
  if (!Op::one_to_one || before == layout::strided) return layout::strided;
  shapes::strided<X::rank> x;
  shapes::strided<E::rank> y;
  for (int k = 0; k < X::rank; ++k) x.set(k, 1, 2 + k);
  Op::view(Attributes::typed(), x, y);
  bool ordered = true;
  index_t number = 0;
  for (int k = 0; k < E::rank; ++k) {
    if (E::extent(k) == 1) continue;
    ordered = ordered && y.stride[k] > number;
    number = y.stride[k];
  }
  if (ordered && before == layout::row_major) return layout::row_major;
  return E::rank > 0 && y.stride[E::rank - 1] == 1 + X::rank ? layout::rows : layout::strided;
}
template <class Op, class Attributes, class X>
requires requires {
  Op::one_to_one;
  requires memory_view<X>::exists;
  requires !Op::of_row_major || memory_view<X>::memory == layout::row_major;
}
struct memory_view<node<Op, Attributes, X>> {
  static constexpr bool exists = true, is_held = memory_view<X>::is_held;
  static constexpr layout memory = layout_after<Op, Attributes, X>();
  using node_type = node<Op, Attributes, X>;
  RICCI_INLINE static constexpr auto const& leaf(node_type const& x) {
    return memory_view<X>::leaf(operand<0>(x.operands()));
  }
  RICCI_INLINE static constexpr auto strided(node_type const& x) {
    shapes::strided<node_type::rank> s;
    Op::view(x.attributes().lowered(), memory_view<X>::strided(operand<0>(x.operands())), s);
    return s;
  }
};

// The view that a node is; of V, which is const or not.
template <class V, class Node>
RICCI_INLINE constexpr auto view_of(Node const& x) {
  using m = memory_view<Node>;
  using E = typename Node::extents;
  auto const s = m::strided(x);
  auto const& leaf = m::leaf(x);
  extent_storage<E> extents;
  stride_storage<E::rank> strides;
  for (int k = 0; k < E::rank; ++k) {
    extents.set(k, s.extent[k]);
    strides.values[k] = s.stride[k];
  }
  return view_beside<E, m::memory>(leaf, const_cast<V*>(leaf.data()) + s.offset, extents, strides);
}
// An element of it.
template <class Node, class... I>
RICCI_INLINE constexpr auto& element_of(Node const& x, I... i) {
  auto const s = memory_view<Node>::strided(x);
  return memory_view<Node>::leaf(x).data()[s.offset + element_offset<RICCI_CHECKED>(s.extent, s.stride, i...)];
}

template <class... I>
inline constexpr bool all_integers = (std::is_integral_v<I> && ...);
template <class Node>
concept ViewOfHost = memory_view<Node>::exists &&(reified<Node>::memory & ~host_memory) == 0;

}  // namespace expr

// `e(i, j)` or `e(rc::all, 2)` of an expression: of a lazy view as of any view, else of its value, which is computed
// for that.
template <class Node, class... I>
RICCI_INLINE constexpr auto index_node(Node const& x, I const&... items) {
  using V = typename Node::value_type;
  constexpr bool is_element = sizeof...(I) == Node::rank && expr::all_integers<I...>;
  static_assert(!holds_names<Node>,
                "part of an expression with named operands would be a constant for its derivatives: name a part of the "
                "tensor, wrt<...>(x(...)), use take(e, indices), or eval(e)(...) where its value is meant");
  if constexpr (!expr::memory_view<Node>::exists) {
    static_assert(!holds_variables<Node>,
                  "part of what is computed of variables would not be recorded: name it, rc::variable y = ..., and use "
                  "y(...)");
    auto const value = eval(x);
    if constexpr (is_element)
      return V(value(items...));
    else
      return eval(value(items...));
  } else if constexpr (is_element && expr::ViewOfHost<Node>) {
    return V(expr::element_of(x, items...));
  } else if constexpr (is_element) {
    return V(expr::view_of<V const>(x)(items...));
  } else if constexpr (expr::memory_view<Node>::is_held) {
    return eval(expr::view_of<V const>(x)(items...));
  } else {
    return expr::view_of<V const>(x)(items...);
  }
}

// A lazy view of what may be written.
template <class Op, class Attributes, class X>
class lazy_view : public node<Op, Attributes, X>, public accumulates<lazy_view<Op, Attributes, X>> {
  using base = node<Op, Attributes, X>;
  using V = typename base::value_type;

 public:
  using base::base;
  RICCI_INLINE constexpr lazy_view(lazy_view const&) = default;
  RICCI_INLINE constexpr lazy_view(lazy_view&&) = default;
  RICCI_INLINE constexpr ~lazy_view() = default;

  // ---- assignment writes the elements ----
  RICCI_INLINE constexpr lazy_view& operator=(lazy_view const& x) {
    assign(as_view(), x);
    return *this;
  }
  template <class Y>
  requires operands<Y> RICCI_INLINE constexpr lazy_view& operator=(Y const& x) {
    assign(as_view(), x);
    return *this;
  }

  RICCI_INLINE constexpr auto as_view() const { return expr::view_of<V>(static_cast<base const&>(*this)); }

  // an element, or a view
  template <class... I>
  RICCI_INLINE constexpr decltype(auto) operator()(I const&... items) const {
    if constexpr (sizeof...(I) == base::rank && expr::all_integers<I...> && expr::ViewOfHost<base>)
      return const_cast<V&>(expr::element_of(static_cast<base const&>(*this), items...));
    else
      return as_view()(items...);
  }
  // its elements, as those of any view
  RICCI_INLINE constexpr auto begin() const { return as_view().begin(); }
  RICCI_INLINE constexpr auto end() const { return as_view().end(); }
  RICCI_INLINE constexpr auto T() const {
    require_matrix<base::rank>();
    return matrix_transpose(*this);
  }
};
template <class Op, class Attributes, class X>
inline constexpr bool is_native_tensor<lazy_view<Op, Attributes, X>> = true;
template <class Op, class Attributes, class X>
inline constexpr bool is_expression<lazy_view<Op, Attributes, X>> = true;

namespace expr {
template <class Op, class Attributes, class X>
struct memory_view<lazy_view<Op, Attributes, X>> : memory_view<node<Op, Attributes, X>> {};
template <class Op, class Attributes, class X>
struct reified<lazy_view<Op, Attributes, X>> : reified<node<Op, Attributes, X>> {};
}  // namespace expr

}  // namespace ricci
RICCI_OPTIMIZED_END
