// The base of elementwise operations. One struct says all there is to say of an operation:
//
//   struct tanh_t : elementwise<tanh_t, 1> {
//     static constexpr auto name = "tanh";
//     static constexpr interval domain{-10, 10};   // where the generic tests sample it
//     static constexpr double ulp = 2;             // what they then demand of float and double
//     RICCI_FN kernel(auto x) {                    // a number or a SIMD batch; its functions are found by ADL
//       using std::tanh;
//       return tanh(x);
//     }
//     static constexpr auto partials(auto y, auto) { return 1. - y * y; }  // written in the library's own language
//   };
//
// Kernels are for numbers. What an operation of conditions is, it says in the language of values: `on_booleans`.
//
// From that the base makes the shape rule (broadcasting), the type rule, both derivative modes and the call operator.
// Operations of several operands return `each{...}` partials, `one` and `none` where those are constant. One whose
// derivative is a selection rather than a product overrides `pull` instead: g times each partial, as selections on g.
#pragma once

#include <cmath>

#include <ricci/graph/leaves.hpp>
#include <ricci/ops/call.hpp>
#include <ricci/ops/wrong_calls.hpp>

namespace ricci {

// A closed interval of operands, the same for each of them: those for which results in double are finite and still
// change. In float the tests sample as much of it as there is.
struct interval {
  double low, high;
};
inline constexpr double largest_number = 1.7976931348623157e308;
inline constexpr interval all_numbers{-largest_number, largest_number}, no_negative_number{0, largest_number};

// Partials (or pulled cotangents) with respect to two or three operands.
template <class A, class B, class C = none_t>
struct each {
  A a;
  B b;
  C c{};
};
template <class A, class B>
each(A, B) -> each<A, B>;
template <class A, class B, class C>
each(A, B, C) -> each<A, B, C>;

namespace ir {

// Only this operand's part of `each`, or the single partial itself.
template <int K, class P>
constexpr auto part(P const& p) {
  if constexpr (requires { p.c; }) {
    if constexpr (K == 0)
      return p.a;
    else if constexpr (K == 1)
      return p.b;
    else
      return p.c;
  } else {
    return p;
  }
}

// g times a partial; nothing where either is.
template <class V, class P>
constexpr V scaled(V g, P const& p) {
  if constexpr (std::is_same_v<P, none_t>)
    return V{};
  else if constexpr (std::is_same_v<P, int>)
    return p == 1 ? g : p == 0 ? V{} : V(g * double(p));
  else
    return g * p;
}
template <class V, class P>
constexpr V as_value(V const&, P const& p) {
  if constexpr (std::is_same_v<P, none_t>)
    return V{};
  else
    return p;
}

// Where an operation is derived that does not say how: it does not compile; interpreted, it is a value_error. One whose
// derivative is zero says that by `none`.
template <class Op, class Mode>
constexpr void no_derivative() {
  if constexpr (Mode::runs)
    core::raise<value_error>(core::text() << Op::name << ": has no derivative of this kind");
  else if constexpr (Op::kind == op_kind::elementwise)
    limits::an_operation_is_derived_that_has_no_partials_or_pull_for_its_number_of_operands();
  else if constexpr (Op::kind == op_kind::call)
    limits::a_call_is_derived_that_has_no_jvp_or_vjp_of_the_form_for_its_number_of_results();
  else
    limits::an_operation_is_derived_that_has_no_jvp_or_vjp();
}

template <class V>
constexpr V sum_of(V a, V b) {
  return !a ? b : !b ? a : V(a + b);
}

// A cotangent that `where` has masked: rest where the condition holds (or does not), else 0. A factor is applied to the
// rest, inside of the selection: what is left out must not become 0 times infinity. (Defined in select.hpp, beside
// `where`.)
template <class V>
struct masked {
  V condition, rest;  // no condition: not masked
  bool holds;
};
template <class V>
constexpr masked<V> masked_of(V ct);
template <class V>
constexpr V with_mask_of(masked<V> const& m, V x);
// One that was masked before it went through views or sums (masked.hpp).
template <class V>
constexpr void keep_masked(V ct, V* made, int n);

// Brings values of several types and shapes to those in which they are operated on; the shape's index. Those before
// `first_numeric` are conditions.
template <class Mode>
constexpr int brought_together(op_facts const* op, int first_numeric, value<Mode>* x, int n, dtype type) {
  auto& g = *x[0].g;
  int shape = x[0].shape_id();
  for (int k = 1; k < n; ++k)
    if (shape == 0) {  // of order 0
      shape = x[k].shape_id();
    } else if (x[k].shape_id() != shape && x[k].shape_id() != 0) {
      graph_context<typename Mode::graph> c{g, op, shape, x[k].shape_id()};
      shape = intern(g, shapes::broadcast(c, g.shapes[shape], x[k].shape()));
    }
  for (int k = 0; k < n; ++k) x[k] = broadcast_to(cast(x[k], k >= first_numeric ? type : dtype::boolean), shape);
  return shape;
}

// Records an elementwise operation of values whose types and shapes may still differ.
template <class Op, class Mode, int N>
constexpr value<Mode> record_elementwise(value<Mode> (&x)[N]) {
  auto& g = *x[0].g;
  auto const& first = g.ins[x[0].id];
  auto const& last = g.ins[x[N - 1].id];
  dtype type = last.type;
  if (first.type != type || N > 2) {
    dtype types[N]{};
    for (int k = Op::first_numeric; k < N; ++k) types[k] = x[k].type();
    type = promote_list(types, N);
  }
  type = Op::operand_type(type);
  if constexpr (requires { Op::on_booleans(x[0], x[N - 1]); })
    if (type == dtype::boolean) return Op::on_booleans(x[0], x[N - 1]);
  if constexpr (!ir::only_moves<Op>)
    if (dtype const t = arithmetic_type(type); t != type) {
      for (int k = Op::first_numeric; k < N; ++k) x[k] = cast(cast(x[k], type), t);
      return cast(record_elementwise<Op>(x), Op::result_type(type));
    }
  bool const alike = N <= 2 && first.type == type && last.type == type && first.shape == last.shape;
  int const shape = alike ? first.shape : brought_together(facts_of<Op>(), Op::first_numeric, x, N, type);
  int operands[N];
  for (int k = 0; k < N; ++k) operands[k] = x[k].id;
  if constexpr (N == 2) put_in_order(facts_of<Op>(), operands);
  return record<Op, Mode>(g, Op::result_type(type), shape, {operands, N});
}

}  // namespace ir

template <class Derived, int Arity>
struct elementwise {
  static_assert(Arity >= 1 && Arity <= 3, "an elementwise operation has one to three operands");
  static constexpr int arity = Arity;
  static constexpr ir::op_kind kind = ir::op_kind::elementwise;
  static constexpr std::uint8_t cost = 4;
  static constexpr bool commutative = false, takes_complex = false;
  static constexpr int first_numeric = 0;  // operands before this one are conditions: true where they are not zero

  // the type in which operands of type t enter; what is defined on floats only takes integers as double
  static constexpr dtype operand_type(dtype t) { return floating_type_for(t); }
  static constexpr dtype result_type(dtype t) { return t; }

  template <class... A>
  requires(sizeof...(A) == Arity && operands<A...> && !value_operands<A...>) RICCI_INLINE constexpr auto operator()(
      A&&... a) const {
    if constexpr (requires { Derived::rejects_booleans; })
      static_assert(promoted_type_of_call<Derived, A...> != dtype::boolean,
                    "conditions have no difference and no negative: != tells where two differ, ! negates one, and "
                    "astype<int> makes numbers of them");
    if constexpr (requires { Derived::takes_integers_alone; })
      static_assert(!is_inexact(promoted_type_of_call<Derived, A...>),
                    "floats have no bits to operate on: this operation is for integers and conditions");
    if constexpr (Derived::first_numeric == 1) (void)sizeof(wrong::condition_first<A...>);
    return call_operation<Derived>(no_attributes{}, static_cast<A&&>(a)...);
  }
  template <class... A>
  requires(sizeof...(A) == Arity && value_operands<A...>) constexpr value_of_call<A...> operator()(
      A const&... a) const {
    return record_values<Derived>(no_attributes{}, a...);
  }
  template <class... A>
  requires(sizeof...(A) == Arity && (has_axis_names<A> || ...)) constexpr auto operator()(A const&... a) const {
    return applied_by_name(Derived{}, a...);
  }
  template <class... A>
  requires(sizeof...(A) == Arity && (wrong::Container<A> || ...)) constexpr double operator()(A const&...) const {
    return sizeof(wrong::container_as_tensor<void(A...)>);
  }
  template <class... A>
  requires(sizeof...(A) != Arity && sizeof...(A) > 0 && operands<A...>) constexpr wrong::result operator()(
      A const&...) const {
    (void)sizeof(wrong::number_of_operands<Derived, Arity, int(sizeof...(A))>);
    return {};
  }

  template <class Context, class... Shapes>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& first, Shapes const&... rest) {
    shape_t s = first;
    ((s = shapes::broadcast(c, s, rest)), ...);
    return s;
  }
  template <class First, class... Rest>
  static constexpr dtype type_of_result(First first, Rest... rest) {
    if constexpr (Derived::first_numeric == 1)
      return type_of_numeric(rest...);
    else
      return type_of_numeric(first, rest...);
  }
  template <class Mode, class... V>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> first, V... rest) {
    ir::value<Mode> x[] = {first, rest...};
    return ir::record_elementwise<Derived>(x);
  }

  // both derivative modes, from `partials` or `pull`
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    return jvp(at, t, std::make_integer_sequence<int, Arity>{});
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    constexpr std::make_integer_sequence<int, Arity> all{};
    if constexpr (!has_rule<V>(all)) {
      ir::no_derivative<Derived, typename V::mode>();
    } else {
      auto const m = ir::masked_of(ct);
      if (!m.condition) {
        vjp(at, ct, out, all);
        return ir::keep_masked(ct, out, Arity);
      }
      vjp(at, m.rest, out);
      for (int k = 0; k < Arity; ++k)
        if (out[k]) out[k] = out[k].id == m.rest.id ? ct : ir::with_mask_of(m, out[k]);
    }
  }

 private:
  template <class... T>
  static constexpr dtype type_of_numeric(T... t) {
    return Derived::result_type(Derived::operand_type(promote_all(t...)));
  }
  template <class V, int... K>
  static constexpr bool has_rule(std::integer_sequence<int, K...>) {
    return requires(ir::application<V> const& at) { Derived::pull(at.y, at.y, at.operand(K)...); }
    || requires(ir::application<V> const& at) { Derived::partials(at.y, at.operand(K)...); };
  }
  template <class V, int... K>
  static constexpr V jvp(ir::application<V> const& at, V const* t, std::integer_sequence<int, K...>) {
    V r{};
    if constexpr (requires { Derived::pull(at.y, at.y, at.operand(K)...); }) {
      ((t[K] ? void(r = ir::sum_of(r, ir::as_value(at.y, ir::part<K>(Derived::pull(t[K], at.y, at.operand(K)...)))))
             : void()),
       ...);
    } else if constexpr (requires { Derived::partials(at.y, at.operand(K)...); }) {
      auto const p = Derived::partials(at.y, at.operand(K)...);
      ((t[K] ? void(r = ir::sum_of(r, ir::scaled(t[K], ir::part<K>(p)))) : void()), ...);
    } else {
      ir::no_derivative<Derived, typename V::mode>();
    }
    return r;
  }
  template <class V, int... K>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out, std::integer_sequence<int, K...>) {
    if constexpr (requires { Derived::pull(at.y, at.y, at.operand(K)...); }) {
      auto const p = Derived::pull(ct, at.y, at.operand(K)...);
      ((out[K] = ir::as_value(ct, ir::part<K>(p))), ...);
    } else {
      auto const p = Derived::partials(at.y, at.operand(K)...);
      ((out[K] = ir::scaled(ct, ir::part<K>(p))), ...);
    }
  }
};

}  // namespace ricci
