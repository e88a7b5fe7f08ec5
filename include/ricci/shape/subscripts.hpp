// Subscripts as numpy.einsum has them, "ij,jk->ik": a letter for each axis of each operand, then those of the result.
// Axes of one letter have one extent; what the result does not have is summed over. Read into plain data.
#pragma once

#include <cstdint>

#include <ricci/shape/rules.hpp>

namespace ricci::shapes {

// Letters are numbers in the order of the alphabet, capitals first; behind them those of the axes for which `...`
// stands, the last axis first.
inline constexpr int axes_of_ellipsis = 52;
constexpr int letter_of(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  return -1;
}
constexpr char character_of(int letter) {
  return static_cast<char>(letter < 0 || letter >= axes_of_ellipsis ? '.'
                           : letter < 26                            ? 'A' + letter
                                                                    : 'a' + (letter - 26));
}

using letter_set = std::uint64_t;
constexpr letter_set set_of(int letter) { return letter_set(1) << letter; }
constexpr bool has(letter_set s, int letter) { return s >> letter & 1; }

// The letters of the axes of a tensor, in order.
struct letters {
  int count;
  signed char at[max_rank];

  constexpr int operator[](int axis) const { return at[axis]; }
  constexpr void push(int letter) {
    if (count == max_rank) limits::a_tensor_has_more_than_12_axes();
    at[count++] = static_cast<signed char>(letter);
  }
  constexpr letter_set set() const {
    letter_set s = 0;
    for (int k = 0; k < count; ++k) s |= set_of(at[k]);
    return s;
  }
  constexpr int axis_of(int letter) const {
    for (int k = 0; k < count; ++k)
      if (at[k] == letter) return k;
    return -1;
  }
};

// What is wrong with subscripts, or with what they are for.
enum class subscript_fault {
  none,
  character,        // one that has no meaning
  axes,             // more than a tensor has
  letter_unknown,   // in the result, in no operand
  letter_repeated,  // in the result
  order,            // an operand of another order
  ellipsis,         // axes for which `...` stands, and no `...` in the result
  extents           // of one letter
};
struct subscript_problem {
  subscript_fault fault = subscript_fault::none;
  int operand = 0, place = 0;  // of a character
  int letter = -1;
  index_t first = 0, second = 0;  // extents, orders
};

// The letters of operands and result.
template <int N>
struct contraction {
  letters operand[N], result;
};

// As they are written: where `...` stands before the orders of operands are known.
struct subscript {
  letters named{};
  int ellipsis = -1;  // before which of them, -1: none
};
template <int N>
struct subscripts {
  subscript operand[N]{}, result{};
  subscript_problem problem{};

  // beside operands of these orders
  constexpr contraction<N> of(int const* ranks, subscript_problem& wrong) const {
    contraction<N> c{};
    int longest = 0;
    for (int k = 0; k < N; ++k) {
      int const rest = ranks[k] - operand[k].named.count;
      if (rest < 0 || (rest > 0 && operand[k].ellipsis < 0)) {
        wrong = {subscript_fault::order, k, 0, -1, operand[k].named.count, ranks[k]};
        return c;
      }
      longest = rest > longest ? rest : longest;
      c.operand[k] = resolved(operand[k], rest);
    }
    if (longest > 0 && result.ellipsis < 0)
      wrong.fault = subscript_fault::ellipsis;
    else if (longest + result.named.count > max_rank)
      wrong.fault = subscript_fault::axes;
    else
      c.result = resolved(result, result.ellipsis < 0 ? 0 : longest);
    return c;
  }

 private:
  static constexpr letters resolved(subscript const& s, int rest) {
    letters r{};
    for (int k = 0; k <= s.named.count; ++k) {
      if (k == s.ellipsis)
        for (int e = rest; e-- > 0;) r.push(axes_of_ellipsis + e);
      if (k < s.named.count) r.push(s.named[k]);
    }
    return r;
  }
};

constexpr int operands_in(char const* text) {
  int n = 1;
  for (; *text != '\0'; ++text) n += *text == ',';
  return n;
}

// Reads subscripts; spaces have no meaning. Without `->` the result has `...` and then the letters that occur once, in
// the order of the alphabet.
template <int N>
constexpr subscripts<N> subscripts_in(char const* text) {
  subscripts<N> s{};
  int count[axes_of_ellipsis]{}, k = 0;
  bool arrow = false, ellipsis = false;
  for (int i = 0; text[i] != '\0'; ++i) {
    auto const wrong = [&](subscript_fault f) { s.problem = {f, k, i, letter_of(text[i])}; };
    auto& part = arrow ? s.result : s.operand[k];
    int const letter = letter_of(text[i]);
    if (text[i] == ' ') continue;
    if (letter >= 0) {
      if (part.named.count == max_rank) return wrong(subscript_fault::axes), s;
      if (arrow && count[letter] == 0) return wrong(subscript_fault::letter_unknown), s;
      if (arrow && part.named.axis_of(letter) >= 0) return wrong(subscript_fault::letter_repeated), s;
      part.named.push(letter);
      if (!arrow) ++count[letter];
    } else if (text[i] == ',' && !arrow) {
      ++k;
    } else if (text[i] == '-' && text[i + 1] == '>' && !arrow) {
      arrow = true, ++i;
    } else if (text[i] == '.' && text[i + 1] == '.' && text[i + 2] == '.' && part.ellipsis < 0) {
      part.ellipsis = part.named.count, ellipsis = true, i += 2;
    } else {
      return wrong(subscript_fault::character), s;
    }
  }
  if (arrow) return s;
  if (ellipsis) s.result.ellipsis = 0;
  for (int letter = 0; letter < axes_of_ellipsis; ++letter) {
    if (count[letter] != 1) continue;
    if (s.result.named.count == max_rank) return s.problem.fault = subscript_fault::axes, s;
    s.result.named.push(letter);
  }
  return s;
}

// The extents of all letters of operands. `meet(letter, j, k, a, b)` gives that of one which operand j has with extent
// a and operand k with extent b. Axes of `...` may be broadcast, those of letters are equal.
template <int N, class Meet>
constexpr void extents_of_letters(contraction<N> const& c, shape_t const* shapes, index_t* extent, Meet const& meet) {
  int owner[64]{};
  letter_set seen = 0;
  for (int k = 0; k < N; ++k)
    for (int d = 0; d < c.operand[k].count; ++d) {
      int const letter = c.operand[k][d];
      index_t const e = shapes[k].extent[d];
      extent[letter] = has(seen, letter) ? meet(letter, owner[letter], k, extent[letter], e) : e;
      if (!has(seen, letter)) owner[letter] = k;
      seen |= set_of(letter);
    }
}
template <class Context>
constexpr index_t met(Context& c, int letter, index_t a, index_t b) {
  return letter >= axes_of_ellipsis ? c.broadcast(a, b) : c.same(a, b);
}
// the shape of the result
template <int N, class Meet>
constexpr shape_t contracted(contraction<N> const& c, shape_t const* shapes, index_t* extent, Meet const& meet) {
  extents_of_letters(c, shapes, extent, meet);
  shape_t s{};
  for (int k = 0; k < c.result.count; ++k) s.push(extent[c.result[k]]);
  return s;
}

}  // namespace ricci::shapes
