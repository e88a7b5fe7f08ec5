// Folds: calls that walk along an axis with a state, which each element changes. A *scan* gives a result at every step,
// before the element there (exclusive) or with it (inclusive); a reduction gives one at the end, and its state may be
// any small struct.
#pragma once

#include <ricci/ops/core_call.hpp>

namespace ricci {

enum class fold_gives : std::uint8_t { before, after, last };

// Derived has `start<T>()`, the state before the first of the elements, which are of type T; `next(state, i, x...)`,
// the state after element i of each operand; and, if that is no number, `result(state)`. A reduction has `join(a, b)`,
// the state after both stretches, b behind a, so that several are walked through at once: each begins with `start`, so
// `join(start, b)` is b; a scan may have one, where its state is one of the elements' type. Attribute of a scan, behind the axis: whether it runs backwards; elements are counted as they
// come.
template <class Derived, int Arity, fold_gives What>
struct fold_along_axis : axis_call {
  static constexpr int arity = Arity, attributes = What == fold_gives::last ? 0 : 1;
  static constexpr fold_gives gives = What;
  static constexpr scan_kind scan = What == fold_gives::before  ? scan_kind::before
                                    : What == fold_gives::after ? scan_kind::with
                                                                : scan_kind::none;
  static constexpr core_signature core = What == fold_gives::last ? "(n)->()"
                                         : Arity == 0             ? "->(n)"
                                         : Arity == 1             ? "(n)->(n)"
                                                                  : "(n),(n)->(n)";
  static_assert(What == fold_gives::last ? Arity == 1 : Arity <= 2, "a reduction has one operand, a scan two at most");

  RICCI_FN result(auto h) { return h; }
  RICCI_FN run(auto const& c, auto y) requires(Arity == 0) { walk(c, y); }
  RICCI_FN run(auto const& c, auto x, auto y) requires(Arity == 1) { walk(c, y, x); }
  RICCI_FN run(auto const& c, auto a, auto b, auto y) requires(Arity == 2) { walk(c, y, a, b); }
  template <class C, class Y, class... X>
  RICCI_HD static constexpr void walk(C const& c, Y const& y, X const&... x) {
    using T = std::remove_cvref_t<decltype(first_of(x..., y)(0))>;
    index_t const n = c.extents[0];
    auto h = Derived::template start<T>();
    using H = decltype(h);
    using R = std::remove_cvref_t<decltype(*y.p)>;
    for (index_t i = 0; i < n; ++i) {
      if constexpr (What == fold_gives::last) {
        h = static_cast<H>(Derived::next(h, i, x(i)...));
      } else {
        index_t const at = c.attributes[0] != 0 ? n - 1 - i : i;
        auto const next = static_cast<H>(Derived::next(h, i, x(at)...));
        y(at) = static_cast<R>(Derived::result(What == fold_gives::after ? next : h));
        h = next;
      }
    }
    if constexpr (What == fold_gives::last) y() = static_cast<R>(Derived::result(h));
  }

  // A scan; two operands are broadcast to one shape, whose axis it is, and promoted to one type.
  template <class V, class... Rest>
  static constexpr V over(int axis, bool backwards, V first, Rest... rest) requires(What != fold_gives::last) {
    auto& g = *first.g;
    constexpr int given = 1 + sizeof...(Rest);
    V x[] = {first, rest...};
    dtype const type = promote_all(first.type(), rest.type()...);
    dtype const computed = arithmetic_type(type);
    int const shape = ir::brought_together(ir::facts_of<Derived>(), 0, x, given, computed);
    int operands[given]{};
    for (int k = 0; k < Arity; ++k) operands[k] = x[k].id;
    index_t const how[] = {axis, backwards};
    shape_t const of_result = g.shapes[shape];
    V const y = ir::call<Derived, typename V::mode>(g, computed, &of_result, {operands, Arity}, {how, 2});
    return computed == type ? y : ir::cast(y, type);
  }
  // a reduction
  template <class V>
  static constexpr V over(int axis, V x) requires(What == fold_gives::last) {
    if (dtype const t = arithmetic_type(x.type()); t != x.type())
      return ir::cast(over(axis, ir::cast(x, t)), calls::type_of_array<Derived>(x.type(), 1));
    shape_t const shape = shapes::reduced(x.shape(), 1 << axis, false);
    index_t const along = axis;
    return ir::call<Derived, typename V::mode>(*x.g, x.type(), &shape, {&x.id, 1}, {&along, 1});
  }

 private:
  template <class A, class... B>
  RICCI_HD static constexpr A const& first_of(A const& a, B const&...) {
    return a;
  }
};

// A fold of one operand that is called as `f(x, axis<0>)`, along the last axis where none is named.
template <class Derived, fold_gives What>
struct unary_fold : fold_along_axis<Derived, 1, What>, takes_one_axis<Derived> {
  static constexpr dtype type_of_result(dtype t) { return calls::type_of_array<Derived>(Derived::operand_type(t), 1); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t const& x) {
    shape_t const s = takes_one_axis<Derived>::shape_of(c, a, x);
    return What == fold_gives::last ? shapes::reduced(s, a.mask(s.rank), false) : s;
  }
  template <class V>
  static constexpr V along(int axis, V x) {
    x = ir::cast(x, Derived::operand_type(x.type()));
    if constexpr (What == fold_gives::last)
      return Derived::over(axis, x);
    else
      return Derived::over(axis, false, x);
  }
};

}  // namespace ricci
