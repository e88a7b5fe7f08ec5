// From the type of an expression to its graph, and from its value to the operands of that graph: `reify` and `bind`
// walk an expression in the same order.
#pragma once

#include <ricci/core/any_element.hpp>
#include <ricci/expr/node.hpp>

RICCI_OPTIMIZED
namespace ricci::expr {

// What is collected on the way down: arguments are numbered as they come, run-time numbers of attributes likewise.
template <class Mode>
struct reifier {
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;

  graph& g;
  int arguments = 0, slots = 0, names = 0, labels = 0;
  index_t name[limits::most_names]{};  // packed names of extents, and the symbolic dimension of each
  index_t name_dim[limits::most_names]{};
  std::uint64_t label[limits::most_labels][4]{};  // labelled operands
  int label_value[limits::most_labels]{};
  bool dense[limits::most_arguments]{};   // which arguments lie in row-major order
  bool whole[limits::most_arguments]{};   // which are whole tensors
  bool number[limits::most_arguments]{};  // and which are numbers in the expression

  // an extent of argument `a`, as its type has it
  constexpr index_t extent(index_t e, int a, int axis) {
    if (e >= 0) return e;
    index_t const d = ir::dim(g, ir::dim_op::argument, a, axis);
    if (e == dyn) return d;
    for (int k = 0; k < names; ++k)
      if (name[k] == e) {
        ir::graph_context<graph> c{g, ir::no_asker, ir::intern(g, {1, {name_dim[k]}}), ir::intern(g, {1, {d}})};
        return c.same(name_dim[k], d);
      }
    if (names == limits::most_names) limits::a_function_has_more_than_64_named_extents();
    name[names] = e;
    name_dim[names++] = d;
    return d;
  }
  template <class T, class E>
  constexpr V argument(bool is_dense, bool is_whole) {
    int const a = arguments++;
    dense[a] = is_dense;
    whole[a] = is_whole;
    shape_t s{};
    for (int k = 0; k < E::rank; ++k) s.push(extent(E::extent(k), a, k));
    return ir::argument<Mode>(g, dtype_of<T>, s, a);
  }
  constexpr index_t slot() { return ir::dim(g, ir::dim_op::slot, slots++, 0); }
};

// Where operands lie: a bit for each space.
inline constexpr int memory_of_numbers = 0, host_memory = 1, device_memory = RICCI_DEVICE_MEMORY;

// How an operand becomes a value of the graph; specialised for everything that a node can hold.
template <class X>
struct reified;

// What is computed before, and then is one argument, of elements T and extents E.
template <class T, class E, bool Dense, bool Whole>
struct deferred_argument {
  static constexpr int arguments = 1, slots = 0, deferred = 1, memory = host_memory;
  template <class Mode>
  static constexpr ir::value<Mode> value(reifier<Mode>& r) {
    return r.template argument<T, E>(Dense, Whole);
  }
};

template <class T>
struct reified<number_leaf<T>> {
  static constexpr int memory = memory_of_numbers;
  template <class Mode>
  static constexpr ir::value<Mode> value(reifier<Mode>& r) {
    r.number[r.arguments] = true;
    return r.template argument<T, extents<>>(true, true);
  }
  static constexpr int arguments = 1, slots = 0, deferred = 0;
};
template <class T, class E>
struct reified<shared_leaf<T, E>> {
  static constexpr int memory = host_memory;
  template <class Mode>
  static constexpr ir::value<Mode> value(reifier<Mode>& r) {
    return r.template argument<T, E>(true, true);
  }
  static constexpr int arguments = 1, slots = 0, deferred = 0;
};
template <class T, class E>
struct reified<in_place_leaf<T, E>> : reified<shared_leaf<T, E>> {};
template <class T, class E, layout L, bool Shared>
struct reified<view<T, E, L, Shared>> {
  static constexpr int memory = host_memory;
  template <class Mode>
  static constexpr ir::value<Mode> value(reifier<Mode>& r) {
    return r.template argument<std::remove_const_t<T>, E>(L == layout::row_major, false);
  }
  static constexpr int arguments = 1, slots = 0, deferred = 0;
};
template <label Name, class Leaf>
struct reified<labelled<Name, Leaf>> {
  static constexpr int arguments = reified<Leaf>::arguments, slots = reified<Leaf>::slots,
                       deferred = reified<Leaf>::deferred;
  static constexpr int memory = reified<Leaf>::memory;
  template <class Mode>
  static constexpr ir::value<Mode> value(reifier<Mode>& r) {
    for (int k = 0; k < r.labels; ++k)
      if (r.label[k][0] == Name.w0 && r.label[k][1] == Name.w1 && r.label[k][2] == Name.w2 &&
          r.label[k][3] == Name.w3) {
        r.arguments += arguments;  // the first operand of that name stands for this one
        return {&r.g, r.label_value[k]};
      }
    auto const v = reified<Leaf>::value(r);
    int const k = r.labels++;
    if (k == limits::most_labels) limits::a_statement_has_more_than_64_labels();
    r.label[k][0] = Name.w0, r.label[k][1] = Name.w1, r.label[k][2] = Name.w2, r.label[k][3] = Name.w3;
    r.label_value[k] = v.id;
    return v;
  }
};
template <class Op, class Attributes, class... A>
struct reified<node<Op, Attributes, A...>> {
  static constexpr int arguments = (reified<A>::arguments + ... + 0);
  static constexpr int slots = (reified<A>::slots + ... + Attributes::slots);
  static constexpr int deferred = (reified<A>::deferred + ... + 0);
  static constexpr int memory = (reified<A>::memory | ... | 0);
  template <class Mode>
  static constexpr ir::value<Mode> value(reifier<Mode>& r) {
    return value(r, std::make_index_sequence<sizeof...(A)>{});
  }
  template <class Mode, std::size_t... I>
  static constexpr ir::value<Mode> value(reifier<Mode>& r, std::index_sequence<I...>) {
    ir::value<Mode> const operands[] = {reified<A>::value(r)...};  // in order
    if constexpr (shapes::misfit<Op, Attributes, typename A::extents...>())
      return ir::number<Mode>(r.g, 0, dtype_of<typename node<Op, Attributes, A...>::value_type>);
    else
      return ir::recorded<Op>(Attributes::reified(r), operands[I]...);
  }
};

template <class E>
struct graph_of {
  static constexpr ir::graph value = [] {
    ir::graph g{};
    reifier<ir::statement> into{g};
    g.outputs[g.output_count++] = reified<E>::value(into).id;
    return g;
  }();
};

// ---- the operands of the graph, when it is about to run ----

inline namespace RICCI_ABI {

// Operands that have to be computed, or looked at in another order, before the graph runs: what that needs is kept
// here.
struct deferred_operand {
  core::shared_buffer buffer;
  index_t extents[max_rank];
  index_t strides[max_rank];
};
template <int N>
struct deferred_operands {
  deferred_operand deferred[N];
  int deferred_count = 0;
};
template <>
struct deferred_operands<0> {};

// What `bind` collects. Everything is written by an index that the compiler knows, and no operand is pointed at that
// lies in the expression: so all of it, the expression too, can stay in registers where evaluation is inlined.
template <class X>
struct binder : deferred_operands<reified<X>::deferred> {
  static constexpr int arguments = reified<X>::arguments;
  operand_ref operands[arguments + 1];  // one more for the result, where its extents matter
  core::any_element numbers[arguments + 1];
  index_t slots[reified<X>::slots > 0 ? reified<X>::slots : 1];
  int slot_count = 0;
  core::execution how;
};

}  // namespace RICCI_ABI

// how many arguments stand before operand I of a node
template <int I, class... A>
constexpr int arguments_before() {
  int n = 0, k = 0;
  ((n += k++ < I ? reified<A>::arguments : 0), ...);
  return n;
}

// bind<A>(b, x): x and what it holds are arguments A, A + 1, ...
template <int A, class B, class T>
RICCI_INLINE void bind(B& b, number_leaf<T> const& x) {
  b.numbers[A].set(x.value);
}
template <int A, class B, class T, class E>
RICCI_INLINE constexpr void bind(B& b, shared_leaf<T, E> const& x) {
  b.operands[A] = {x.buffer.data(), x.buffer.header().extents, nullptr};
  b.how = core::joined(b.how, x.execution());
}
template <int A, class B, class T, class E>
RICCI_INLINE constexpr void bind(B& b, in_place_leaf<T, E> const& x) {
  b.operands[A] = {reinterpret_cast<char*>(const_cast<T*>(x.elements)), x.extent_values().data(), nullptr};
}
template <int A, class B, class T, class E, layout L, bool Shared>
RICCI_INLINE constexpr void bind(B& b, view<T, E, L, Shared> const& x) {
  b.operands[A] = {reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(x.data())), x.extent_values().data(),
                   x.stride_data()};
  b.how = core::joined(b.how, x.execution());
}
template <int A, class B, label Name, class Leaf>
RICCI_INLINE constexpr void bind(B& b, labelled<Name, Leaf> const& x) {
  bind<A>(b, x.leaf);
}
template <int A, class B, class Op, class Attributes, class... X>
RICCI_INLINE constexpr void bind(B& b, node<Op, Attributes, X...> const& x) {
  [&]<int... I>(std::integer_sequence<int, I...>) RICCI_INLINE_LAMBDA {
    (bind<A + arguments_before<I, X...>()>(b, operand<I>(x.operands())), ...);
  }
  (std::make_integer_sequence<int, sizeof...(X)>{});
  if constexpr (Attributes::slots > 0) x.attributes().bind(b.slots, b.slot_count);
}

}  // namespace ricci::expr
RICCI_OPTIMIZED_END
