// Folds: calls that walk along an axis with a state, which each element changes. A *scan* gives a result at every step,
// before the element there (exclusive) or with it (inclusive); a reduction gives one at the end, and its state may be
// any small struct.
#pragma once

#include <ricci/ops/core_call.hpp>

namespace ricci {

enum class fold_gives : std::uint8_t { before, after, last };

// Derived has `start<T>()`, the state before the first of the elements, which are of type T; `next(state, i, x...)`,
// the state after element i of each operand; and, if that is no number, `result(state)`. A reduction has `join(a, b)`,
// the state after both stretches, b behind a, so that several are walked through at once. Attribute of a scan, behind
// the axis: whether it runs backwards; elements are counted as they come.
template <class Derived, int Arity, fold_gives What>
struct fold_along_axis : axis_call {
  static constexpr int arity = Arity, attributes = What == fold_gives::last ? 0 : 1;
  static constexpr fold_gives gives = What;
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
    for (index_t i = 0; i < n; ++i) {
      if constexpr (What == fold_gives::last) {
        h = Derived::next(h, i, x(i)...);
      } else {
        index_t const at = c.attributes[0] != 0 ? n - 1 - i : i;
        auto const next = Derived::next(h, i, x(at)...);
        y(at) = Derived::result(What == fold_gives::after ? next : h);
        h = next;
      }
    }
    if constexpr (What == fold_gives::last) y() = Derived::result(h);
  }

  // A scan of operands of one shape and type.
  template <class V, class... Rest>
  static constexpr V over(int axis, bool backwards, V first, Rest... rest) requires(What != fold_gives::last) {
    if (dtype const t = arithmetic_type(first.type()); t != first.type())
      return ir::cast(over(axis, backwards, ir::cast(first, t), ir::cast(rest, t)...), first.type());
    int const operands[] = {first.id, rest.id...};
    index_t const how[] = {axis, backwards};
    shape_t const shape = first.shape();
    return ir::call<Derived, typename V::mode>(*first.g, first.type(), &shape, {operands, Arity}, {how, 2});
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

}  // namespace ricci
