// What einops says of a pattern that does not fit its operand, or cannot be read: a compile error that names what is
// wrong, with the pattern and the place in it.
#pragma once

#include <ricci/core/pattern.hpp>
#include <ricci/shape/einops_pattern.hpp>

namespace ricci::shapes {

template <class Written>
inline constexpr axes_pattern axes_pattern_of = axes_pattern_in(Written::text);

// A misfit is reported by the name of one of these types; its arguments are the pattern, the place and the text from
// there on.
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
struct einops_has_two_lengths_of_one_axis {
  static_assert(sizeof(Pattern) == 0, "einops: two lengths are given of one axis (see the type above)");
};
template <pattern Pattern>
struct einops_ellipsis_is_misplaced {
  static_assert(sizeof(Pattern) == 0,
                "einops: `...` stands for whole axes of the operand, outside of parentheses, and on both sides (see "
                "the type above)");
};

// What is wrong with a pattern beside an operand of order `rank`, where the lengths of some axes are given. reduce may
// lose axes, repeat may make them.
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
// True, or an error: of operation Op with a pattern, for an operand of that order and lengths L of axes.
template <class Op, class Written, int Rank, class... L>
constexpr bool pattern_is_understood() {
  constexpr auto& p = axes_pattern_of<Written>;
  constexpr auto& text = shown_as<Written>::value;
  constexpr bool lengths_have_axes = ((axis_of_name(p, Written::text, L::name) >= 0) && ...);
  constexpr bool lengths_differ_in_axes = [] {
    bool given[most_pattern_axes]{}, twice = false;
    [[maybe_unused]] auto const mark = [&](int a) {
      if (a >= 0) twice = twice || given[a], given[a] = true;
    };
    (mark(axis_of_name(p, Written::text, L::name)), ...);
    return !twice;
  }();
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
  using where = shown_as<typename part_of_written<Written, begin, std::make_index_sequence<size>>::type>;
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
  else if constexpr (!lengths_differ_in_axes)
    (void)sizeof(einops_has_two_lengths_of_one_axis<text>);
  return true;
}

}  // namespace ricci::shapes
