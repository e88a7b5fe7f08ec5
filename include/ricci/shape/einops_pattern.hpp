// Patterns of einops, "b (h p) c -> b h (p c)" (A. Rogozhnikov, Einops: clear and reliable tensor manipulations with
// Einstein-like notation, 2022): the axes of an operand, those in parentheses merged into one, then those of the
// result. Read into plain data.
#pragma once

#include <ricci/core/pattern.hpp>
#include <ricci/shape/rules.hpp>

namespace ricci::shapes {

// Axes have numbers in the order in which they first stand in a pattern; behind them come those of `...`.
inline constexpr int most_pattern_axes = 2 * max_rank, most_lengths = 3 * max_rank;

// One side: its axes in order, and which axis of the tensor each is a part of.
struct pattern_side {
  int count, groups;
  signed char axis[most_pattern_axes], group[most_pattern_axes];
  int ellipsis;           // place of `...`, -1: none
  bool ellipsis_is_part;  // of an axis with others

  constexpr bool has(int a) const {
    for (int k = 0; k < count; ++k)
      if (axis[k] == a) return true;
    return false;
  }
  // beside `more` axes for `...`
  constexpr pattern_side with_ellipsis(int more) const {
    if (ellipsis < 0) return *this;
    pattern_side s{0, 0, {}, {}, -1, false};
    for (int k = 0; k < count; ++k) {
      int const shift = k > ellipsis && !ellipsis_is_part ? more - 1 : 0;
      int const copies = k == ellipsis ? more : 1;
      for (int e = 0; e < copies; ++e) {
        if (s.count == most_pattern_axes) limits::a_tensor_has_more_than_12_axes();
        s.axis[s.count] = static_cast<signed char>(k == ellipsis ? most_pattern_axes + e : axis[k]);
        s.group[s.count++] = static_cast<signed char>(group[k] + shift + (k == ellipsis && !ellipsis_is_part ? e : 0));
      }
    }
    s.groups = groups + (ellipsis_is_part ? 0 : more - 1);
    return s;
  }
};

enum class pattern_fault {
  none,
  unreadable,  // a character, a parenthesis that has no other, no arrow
  too_many_axes,
  name_twice,
  name_only_left,
  name_only_right,
  order,
  ellipsis,
  length_missing
};
struct pattern_problem {
  pattern_fault fault = pattern_fault::none;
  int place = 0;  // in the pattern
};

struct axes_pattern {
  int count = 0;
  int begin[most_pattern_axes]{}, size[most_pattern_axes]{};  // where they stand
  index_t number[most_pattern_axes]{};                        // of those without a name, else -1
  pattern_side left{0, 0, {}, {}, -1, false}, right = left;
  pattern_problem problem{};
};

// Which axis of a pattern has a name, -1: none.
constexpr int axis_of_name(axes_pattern const& p, char const* text, char const* name, int size) {
  for (int a = 0; a < p.count; ++a) {
    bool same = p.size[a] == size && p.number[a] < 0;
    for (int k = 0; same && k < size; ++k) same = text[p.begin[a] + k] == name[k];
    if (same) return a;
  }
  return -1;
}
constexpr int axis_of_name(axes_pattern const& p, char const* text, label const& name) {
  char characters[32]{};
  std::size_t const n = length_of(name);
  for (std::size_t k = 0; k < n; ++k) characters[k] = name[k];
  return axis_of_name(p, text, characters, static_cast<int>(n));
}

constexpr axes_pattern axes_pattern_in(char const* text) {
  constexpr auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  constexpr auto is_part_of_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
  };
  axes_pattern p;
  pattern_side* side = &p.left;
  bool open = false;
  int i = 0;
  auto const wrong = [&](pattern_fault f) { p.problem = {f, i}; };
  auto const push = [&](int axis) {
    side->axis[side->count] = static_cast<signed char>(axis);
    side->group[side->count++] = static_cast<signed char>(side->groups);
    if (!open) ++side->groups;
  };
  for (; text[i] != '\0'; ++i) {
    char const c = text[i];
    if (c == ' ') continue;
    if (side->count == most_pattern_axes) return wrong(pattern_fault::too_many_axes), p;
    if (c == '(' && !open) {
      open = true;
    } else if (c == ')' && open) {
      open = false, ++side->groups;
    } else if (c == '-' && text[i + 1] == '>' && !open && side == &p.left) {
      side = &p.right, ++i;
    } else if (c == '.' && text[i + 1] == '.' && text[i + 2] == '.' && side->ellipsis < 0) {
      if (open && side == &p.left) return wrong(pattern_fault::ellipsis), p;
      side->ellipsis = side->count, side->ellipsis_is_part = open;
      push(-1), i += 2;
    } else if (is_part_of_name(c)) {
      int n = 1;
      while (is_part_of_name(text[i + n])) ++n;
      index_t number = is_digit(c) ? 0 : -1;
      for (int k = 0; k < n && number >= 0; ++k) {
        if (!is_digit(text[i + k])) return wrong(pattern_fault::unreadable), p;
        number = 10 * number + (text[i + k] - '0');
      }
      int a = number >= 0 ? -1 : axis_of_name(p, text, text + i, n);
      if (a >= 0 && side->has(a)) return wrong(pattern_fault::name_twice), p;
      if (a < 0) {
        if (p.count == most_pattern_axes) return wrong(pattern_fault::too_many_axes), p;
        a = p.count++;
        p.begin[a] = i, p.size[a] = n, p.number[a] = number;
      }
      push(a), i += n - 1;
    } else {
      return wrong(pattern_fault::unreadable), p;
    }
  }
  if (open || side == &p.left) return wrong(pattern_fault::unreadable), p;
  if (p.right.ellipsis >= 0 && p.left.ellipsis < 0) p.problem = {pattern_fault::ellipsis, 0};
  return p;
}

// The lengths of axes that are given beside an operand.
struct axis_lengths {
  bool given[most_lengths];
  index_t value[most_lengths];
};

// The extents of all axes of a pattern beside an operand of extents x.
template <class Context>
constexpr axis_lengths lengths_of(Context& c, axes_pattern const& p, pattern_side const& left, axis_lengths lengths,
                                  shape_t const& x) {
  for (int a = 0; a < p.count; ++a)
    if (p.number[a] >= 0) lengths.given[a] = true, lengths.value[a] = p.number[a];
  for (int g = 0; g < left.groups; ++g) {
    index_t known = 1;
    int open = -1;
    for (int k = 0; k < left.count; ++k) {
      if (left.group[k] != g) continue;
      if (lengths.given[left.axis[k]])
        known = c.times(known, lengths.value[left.axis[k]]);
      else
        open = left.axis[k];
    }
    if (open < 0)
      c.same(x.extent[g], known);
    else
      lengths.given[open] = true, lengths.value[open] = c.divide_exactly(x.extent[g], known);
  }
  return lengths;
}
// the shape of a side whose axes have these lengths
template <class Context>
constexpr shape_t shape_of(Context& c, pattern_side const& s, axis_lengths const& lengths) {
  shape_t r{};
  for (int g = 0; g < s.groups; ++g) {
    index_t e = 1;
    for (int k = 0; k < s.count; ++k)
      if (s.group[k] == g) e = c.times(e, lengths.value[s.axis[k]]);
    r.push(e);
  }
  return r;
}

}  // namespace ricci::shapes
