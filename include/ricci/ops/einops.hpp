// `rc::einops::rearrange`, `reduce` and `repeat` by a pattern that the compiler reads: formulas of reshape,
// permute_dims, broadcast_to and reductions.
//
//   rc::einops::rearrange<"b (h p) (w q) c -> b (h w) (p q c)">(images, rc::length<"p">(2), rc::length<"q">(3));
//   rc::einops::reduce<"b (h 2) (w 2) c -> b h w c", rc::max>(images);
//   rc::einops::repeat<"i j -> j (i 3)">(x);
//
// Axes in parentheses are parts of one, the last of which runs fastest; numbers are axes without a name; `...` are axes
// that stay. One length of each group follows from the operand.
#pragma once

#include <ricci/core/pattern.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/shape/einops_pattern.hpp>
#include <ricci/shape/shape_argument.hpp>

namespace ricci {

// The length of a named axis: `rc::length<"p", 2>` in the type, `rc::length<"p">(n)` as a value.
template <label Name>
struct length_value {
  static constexpr label name = Name;
  static constexpr bool is_static = false;
  index_t n;
};
template <label Name, index_t... N>
struct length_t {
  static_assert(sizeof...(N) == 1, "rc::length<\"p\"> is called with a length, or has it: rc::length<\"p\", 2>");
  static constexpr label name = Name;
  static constexpr bool is_static = true;
  static constexpr index_t n = (N + ...);
};
template <label Name>
struct length_t<Name> {
  template <Extent N>
  constexpr length_value<Name> operator()(N n) const {
    return {shapes::extent_value(n)};
  }
  template <class T, T N>
  constexpr length_t<Name, index_t(N)> operator()(std::integral_constant<T, N>) const {
    return {};
  }
};
template <label Name, index_t... N>
inline constexpr length_t<Name, N...> length{};

namespace shapes {

template <class Written>
inline constexpr axes_pattern axes_pattern_of = axes_pattern_in(Written::text);

// What misfits is told by the name of one of these, with the pattern and the place in it, from which on its text is
// shown.
template <pattern Pattern, int Place, pattern From>
struct einops_pattern_cannot_be_read {
  static_assert(Place < 0,
                "einops: a pattern has names, numbers, `...`, pairs of parentheses and one `->` (pattern, place and "
                "what stands there: see the type above)");
};
template <pattern Pattern, int Place, pattern Axis>
struct einops_axis_stands_twice_on_one_side {
  static_assert(Place < 0, "einops: an axis stands twice on one side (pattern, place, axis: see the type above)");
};
template <pattern Pattern, int Place, pattern Axis>
struct einops_axis_is_lost {
  static_assert(
      Place < 0,
      "einops: an axis of the operand is not in the result: only reduce leaves axes out (see the type above)");
};
template <pattern Pattern, int Place, pattern Axis>
struct einops_axis_is_new {
  static_assert(Place < 0,
                "einops: an axis of the result is not in the operand: only repeat makes axes (see the type above)");
};
template <pattern Pattern, int Place, pattern Axis>
struct einops_axis_needs_a_length {
  static_assert(Place < 0,
                "einops: the length of an axis is not known: give it, as rc::length<\"p\">(2) (see the type above)");
};
template <pattern Pattern, int Axes, int Order>
struct einops_operand_has_another_order {
  static_assert(
      Axes == Order && Axes != Order,
      "einops: the operand has another order than the pattern says (pattern, axes, order: see the type above)");
};
template <pattern Pattern>
struct einops_has_a_length_of_no_axis {
  static_assert(sizeof(Pattern) == 0,
                "einops: a length is given of an axis that the pattern does not have (see the type above)");
};
template <pattern Pattern>
struct einops_ellipsis_is_misplaced {
  static_assert(sizeof(Pattern) == 0,
                "einops: `...` stands for whole axes of the operand, outside of parentheses, and on both sides (see "
                "the type above)");
};

template <bool LosesAxes, bool MakesAxes>
constexpr pattern_problem problem_of_pattern(axes_pattern const& p, bool const* given, int rank) {
  if (p.problem.fault != pattern_fault::none) return p.problem;
  int const rest = rank - p.left.groups + (p.left.ellipsis >= 0);
  if (rest < 0 || (rest > 0 && p.left.ellipsis < 0)) return {pattern_fault::order};
  if (rest > 0 && p.right.ellipsis < 0 && !LosesAxes) return {pattern_fault::ellipsis};
  for (int a = 0; a < p.count; ++a) {
    bool const left = p.left.has(a), right = p.right.has(a);
    if (!LosesAxes && left && !right && p.number[a] != 1) return {pattern_fault::name_only_left, a};
    if (!left && right && p.number[a] != 1) {
      if (!MakesAxes) return {pattern_fault::name_only_right, a};
      if (p.number[a] < 0 && !given[a]) return {pattern_fault::length_missing, a};
    }
  }
  for (int g = 0; g < p.left.groups; ++g) {
    int open = 0;
    for (int k = 0; k < p.left.count; ++k) {
      int const a = p.left.axis[k];
      if (p.left.group[k] == g && a >= 0 && p.number[a] < 0 && !given[a] && ++open > 1)
        return {pattern_fault::length_missing, a};
    }
  }
  return {};
}
// a part of a text, for messages
template <class Written, int Begin, int Size, class = std::make_integer_sequence<int, Size>>
struct part_of_text;
template <class Written, int Begin, int Size, int... K>
struct part_of_text<Written, Begin, Size, std::integer_sequence<int, K...>> {
  static constexpr pattern<Size + 1> value{{Written::text[Begin + K]..., '\0'}};
};
template <class Op, class Written, int Rank, class... L>
constexpr bool pattern_is_understood() {
  constexpr auto& p = axes_pattern_of<Written>;
  constexpr auto& text = shown_as<Written>::value;
  constexpr bool lengths_have_axes = ((axis_of_name(p, Written::text, L::name) >= 0) && ...);
  constexpr pattern_problem found = [] {
    bool given[most_pattern_axes]{};
    [[maybe_unused]] auto const mark = [&](int a) {
      if (a >= 0) given[a] = true;
    };
    (mark(axis_of_name(p, Written::text, L::name)), ...);
    return problem_of_pattern<Op::loses_axes, Op::makes_axes>(p, given, Rank);
  }();
  constexpr bool of_text = found.fault == pattern_fault::unreadable || found.fault == pattern_fault::too_many_axes ||
                           found.fault == pattern_fault::name_twice;
  constexpr int begin = of_text ? found.place : p.begin[found.place];
  constexpr int size = of_text ? int(sizeof(text.text)) - 1 - begin : p.size[found.place];
  using where = part_of_text<Written, begin, size>;
  if constexpr (of_text && found.fault != pattern_fault::name_twice)
    (void)sizeof(einops_pattern_cannot_be_read<text, begin, where::value>);
  else if constexpr (found.fault == pattern_fault::name_twice)
    (void)sizeof(einops_axis_stands_twice_on_one_side<text, begin, where::value>);
  else if constexpr (found.fault == pattern_fault::name_only_left)
    (void)sizeof(einops_axis_is_lost<text, begin, where::value>);
  else if constexpr (found.fault == pattern_fault::name_only_right)
    (void)sizeof(einops_axis_is_new<text, begin, where::value>);
  else if constexpr (found.fault == pattern_fault::length_missing)
    (void)sizeof(einops_axis_needs_a_length<text, begin, where::value>);
  else if constexpr (found.fault == pattern_fault::order)
    (void)sizeof(einops_operand_has_another_order<text, p.left.groups, Rank>);
  else if constexpr (found.fault == pattern_fault::ellipsis)
    (void)sizeof(einops_ellipsis_is_misplaced<text>);
  else if constexpr (!lengths_have_axes)
    (void)sizeof(einops_has_a_length_of_no_axis<text>);
  return true;
}

// The lengths that are given, as attributes.
template <class Written, class... L>
struct lengths_given {
  static constexpr int slots = ((L::is_static ? 0 : 1) + ... + 0);
  index_t values[sizeof...(L) + 1];

  constexpr explicit lengths_given(L const&... l) : values{l.n..., 0} {}
  template <class Of>
  static constexpr axis_lengths collected(Of const& of) {
    axis_lengths r{};
    int k = 0;
    [[maybe_unused]] auto const put = [&](int a, bool is_static, index_t n) {
      if (a < 0) return;
      r.given[a] = true, r.value[a] = of(k++, is_static, n);
    };
    (put(axis_of_name(axes_pattern_of<Written>, Written::text, L::name), L::is_static, static_length<L>()), ...);
    return r;
  }
  template <class One>
  static constexpr index_t static_length() {
    if constexpr (One::is_static)
      return One::n;
    else
      return dyn;
  }
  static constexpr axis_lengths typed() {
    return collected([](int, bool, index_t n) { return n; });
  }
  constexpr axis_lengths lowered() const {
    return collected([this](int k, bool, index_t) { return values[k]; });
  }
  template <class Reifier>
  static constexpr axis_lengths reified(Reifier& r) {
    return collected([&](int, bool is_static, index_t n) { return is_static ? n : r.slot(); });
  }
  constexpr void bind(index_t* to, int& count) const {
    int k = 0;
    ((L::is_static ? void(++k) : void(to[count++] = values[k++])), ...);
  }
};

}  // namespace shapes

namespace einops {

// Derived says what it does with axes that only the operand has: `without(x, mask)`.
template <class Derived, class Written>
struct rearrangement : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr bool loses_axes = false, makes_axes = false;
  static constexpr auto& axes = shapes::axes_pattern_of<Written>;
  static constexpr dtype type_of_result(dtype t) { return t; }

  template <class X, class... L>
  requires tensor_operands<X> RICCI_INLINE constexpr auto operator()(X&& x, L const&... lengths) const {
    using E = typename operand_extents<std::remove_cvref_t<X>>::type;
    static_assert(shapes::pattern_is_understood<Derived, Written, E::rank, L...>());
    return call_operation<Derived>(shapes::lengths_given<Written, L...>(lengths...), static_cast<X&&>(x));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, shapes::axis_lengths const& given, shape_t const& x) {
    int const more = x.rank - axes.left.groups + 1;
    auto const left = axes.left.with_ellipsis(more);
    return shapes::shape_of(c, axes.right.with_ellipsis(more), shapes::lengths_of(c, axes, left, given, x));
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(shapes::axis_lengths const& given, ir::value<Mode> x) {
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<Derived>(), x.shape_id(), x.shape_id()};
    int const more = x.rank() - axes.left.groups + 1;
    auto const left = axes.left.with_ellipsis(more), right = axes.right.with_ellipsis(more);
    auto const lengths = shapes::lengths_of(c, axes, left, given, x.shape());
    shape_t parts{}, thin{}, full{};
    int gone = 0, n = 0;
    index_t order[max_rank]{};
    for (int k = 0; k < left.count; ++k) {
      parts.push(lengths.value[left.axis[k]]);
      if (!right.has(left.axis[k])) gone |= 1 << k;
    }
    for (int k = 0; k < right.count; ++k) {
      int from = -1;
      for (int j = 0, kept = 0; j < left.count; ++j) {
        if (left.axis[j] == right.axis[k]) from = kept;
        kept += !(gone >> j & 1);
      }
      if (from >= 0) order[n++] = from;
      full.push(lengths.value[right.axis[k]]);
      thin.push(from >= 0 ? full.extent[k] : 1);
    }
    ir::value<Mode> y = ir::reshape(x, ir::requested(g, parts));
    if (gone != 0) y = Derived::without(y, gone);
    y = ir::reshape(ir::permute(y, order, n), ir::intern(g, thin));
    y = ir::broadcast_to(y, ir::requested(g, full));
    return ir::reshape(y, ir::requested(g, shapes::shape_of(c, right, lengths)));
  }
  // what is lost elsewhere than in `reduce` has extent 1
  template <class V>
  static constexpr V without(V x, int mask) {
    return ir::reshape(x, ir::intern(*x.g, shapes::reduced(x.shape(), mask, false)));
  }
};

template <class Written>
struct rearrange_t : rearrangement<rearrange_t<Written>, Written> {
  static constexpr auto name = "rearrange";
};
template <class Written>
struct repeat_t : rearrangement<repeat_t<Written>, Written> {
  static constexpr auto name = "repeat";
  static constexpr bool makes_axes = true;
};
// By a reduction of the library: `rc::sum`, `rc::mean`, `rc::max` ...
template <class Written, class Reduction>
struct reduce_t : rearrangement<reduce_t<Written, Reduction>, Written> {
  static constexpr auto name = "reduce";
  static constexpr bool loses_axes = true;
  static constexpr dtype type_of_result(dtype t) { return Reduction::type_of_result(t); }
  template <class Mode>
  static constexpr ir::value<Mode> record(shapes::axis_lengths const& given, ir::value<Mode> x) {
    dtype const type = type_of_result(x.type());
    return ir::cast(rearrangement<reduce_t, Written>::record(given, x), type);
  }
  template <class V>
  static constexpr V without(V x, int mask) {
    reduction_axes a{0, {}, false};
    for (int k = 0; k < x.rank(); ++k)
      if (mask >> k & 1) a.axes[a.count++] = k;
    return Reduction::record(a, x);
  }
};

template <pattern P>
inline constexpr rearrange_t<written_as<P>> rearrange{};
template <pattern P>
inline constexpr repeat_t<written_as<P>> repeat{};
template <pattern P, auto Reduction>
inline constexpr reduce_t<written_as<P>, std::remove_cv_t<decltype(Reduction)>> reduce{};

}  // namespace einops

}  // namespace ricci
