// Sums of products by subscripts, `rc::einsum<"ij, jk -> ik">(a, b)`, and by numbers of axes, `rc::tensordot(a, b,
// rc::axes<1>, rc::axes<0>)`. Both are formulas of products of matrices.
#pragma once

#include <ricci/core/pattern.hpp>
#include <ricci/ops/contraction.hpp>

namespace ricci {

namespace shapes {

// What misfits is told by the name of one of these, with the subscripts, and the letter or character, behind it.
template <pattern Subscripts, int Place, char Character>
struct einsum_has_a_character_without_meaning {
  static_assert(Place < 0,
                "einsum: subscripts are letters, `...`, commas and one `->`, as in \"bij, bjk -> bik\" (subscripts, "
                "place and character: see the type above)");
};
template <pattern Subscripts, char Letter>
struct einsum_result_has_a_letter_that_no_operand_has {
  static_assert(Letter == 0, "einsum: the result has a letter that no operand has (see the type above)");
};
template <pattern Subscripts, char Letter>
struct einsum_result_has_a_letter_twice {
  static_assert(Letter == 0, "einsum: the result has a letter twice (see the type above)");
};
template <pattern Subscripts>
struct einsum_has_more_than_12_axes {
  static_assert(sizeof(Subscripts) == 0, "einsum: a tensor has at most 12 axes");
};
template <pattern Subscripts, int Named, int Given>
struct einsum_names_another_number_of_operands {
  static_assert(Named == Given, "einsum: there are not as many operands as subscripts (see the type above)");
};
template <pattern Subscripts, int Operand, index_t Letters, index_t Order>
struct einsum_operand_has_another_order {
  static_assert(Operand < 0,
                "einsum: an operand has another order than its subscripts have letters (subscripts, which operand, "
                "letters and order: see the type above)");
};
template <pattern Subscripts>
struct einsum_result_lacks_the_axes_of_ellipsis {
  static_assert(sizeof(Subscripts) == 0, "einsum: `...` stands for axes of operands, and the result has no `...`");
};
template <pattern Subscripts, char Letter, index_t A, index_t B>
struct einsum_letter_has_two_extents {
  static_assert(A == B, "einsum: axes of one letter have one extent (subscripts, letter, extents: see the type above)");
};

template <class Written>
inline constexpr auto subscripts_of = subscripts_in<operands_in(Written::text)>(Written::text);

// What is wrong with operands of such extents. Where one's are not known, they are looked at when it is called.
template <class Written, class... E>
constexpr subscript_problem problem_of_einsum() {
  return subscripts_of<Written>.problem;
}
template <class Written, class... E>
requires requires { (E::rank + ...); }
constexpr subscript_problem problem_of_einsum() {
  subscript_problem p = subscripts_of<Written>.problem;
  if (p.fault != subscript_fault::none) return p;
  shape_t const shape[] = {E::value...};
  int const ranks[] = {E::rank...};
  auto const c = subscripts_of<Written>.of(ranks, p);
  if (p.fault != subscript_fault::none) return p;
  index_t extent[64]{};
  auto const meet = [&](int letter, int, int k, index_t a, index_t b) {
    type_context t;
    index_t const e = met(t, letter, a, b);
    if (t.failed && p.fault == subscript_fault::none) p = {subscript_fault::extents, k, 0, letter, a, b};
    return e;
  };
  extents_of_letters(c, shape, extent, meet);
  return p;
}
// Where there is another number of operands than the subscripts name, no other rule is asked.
template <class Written, int Given>
inline constexpr bool einsum_has_its_operands = operands_in(Written::text) == Given
                                                || subscripts_of<Written>.problem.fault != subscript_fault::none;
template <class Written, class... E>
constexpr bool einsum_is_understood() {
  constexpr auto& text = shown_as<Written>::value;
  constexpr subscript_problem p = problem_of_einsum<Written, E...>();
  constexpr char letter = character_of(p.letter);
  if constexpr (p.fault == subscript_fault::character)
    (void)sizeof(einsum_has_a_character_without_meaning<text, p.place, Written::text[p.place]>);
  else if constexpr (p.fault == subscript_fault::letter_unknown)
    (void)sizeof(einsum_result_has_a_letter_that_no_operand_has<text, letter>);
  else if constexpr (p.fault == subscript_fault::letter_repeated)
    (void)sizeof(einsum_result_has_a_letter_twice<text, letter>);
  else if constexpr (p.fault == subscript_fault::axes)
    (void)sizeof(einsum_has_more_than_12_axes<text>);
  else if constexpr (p.fault == subscript_fault::order)
    (void)sizeof(einsum_operand_has_another_order<text, p.operand, p.first, p.second>);
  else if constexpr (p.fault == subscript_fault::ellipsis)
    (void)sizeof(einsum_result_lacks_the_axes_of_ellipsis<text>);
  else if constexpr (p.fault == subscript_fault::extents)
    (void)sizeof(einsum_letter_has_two_extents<text, letter, p.first, p.second>);
  return true;
}

}  // namespace shapes

// What is recorded by letters. Derived has `letters_of(attributes, ranks...)`.
template <class Derived>
struct contraction_by_letters : ir::operation_of_kind<ir::op_kind::contract, 255> {
  template <class Context, class Attributes, class... Shapes>
  static constexpr shape_t shape_of(Context& c, Attributes const& a, Shapes const&... s) {
    shape_t const shape[] = {s...};
    auto const letters = Derived::letters_of(a, s.rank...);
    index_t extent[64]{};
    return shapes::contracted(letters, shape, extent,
                              [&](int letter, int, int, index_t x, index_t y) { return shapes::met(c, letter, x, y); });
  }
  template <class Mode, class Attributes, class... V>
  static constexpr ir::value<Mode> record(Attributes const& a, ir::value<Mode> first, V... rest) {
    ir::value<Mode> const x[] = {first, rest...};
    dtype const type = Derived::type_of_result(first.type(), rest.type()...);
    return ir::contracted<Derived>(Derived::letters_of(a, first.rank(), rest.rank()...), x, type);
  }
};

// Any number of operands. Extents of one letter that differ, and operands of another order than their subscripts, are a
// compile error or a shape_error. A letter that stands twice in an operand is its diagonal; what the result does not
// have is summed over; `...` are axes that broadcast; without `->` the result has the letters that stand once, in the
// order of the alphabet. Several are multiplied two by two, in the order that takes fewest multiplications by the
// extents that are known where it is recorded; others count as 64. Types are those of matmul; sums of integers keep
// their type and wrap.
template <class Derived, class Written>
struct contraction_by_subscripts : contraction_by_letters<Derived> {
  static constexpr auto& subscripts = shapes::subscripts_of<Written>;

  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    return promote_all(t...);
  }
  template <class... R>
  static constexpr auto letters_of(no_attributes, R... ranks) {
    int const rank[] = {ranks...};
    shapes::subscript_problem checked;
    return subscripts.of(rank, checked);
  }
  template <class... R>
  static constexpr bool fits_orders(no_attributes, R... ranks) {
    int const rank[] = {ranks...};
    shapes::subscript_problem p;
    (void)subscripts.of(rank, p);
    return p.fault == shapes::subscript_fault::none;
  }
};
template <class Written>
struct einsum_t : contraction_by_subscripts<einsum_t<Written>, Written> {
  static constexpr auto name = "einsum";
  template <class... A>
  requires tensor_operands<A...> RICCI_INLINE constexpr auto operator()(A&&... a) const {
    constexpr int given = int(sizeof...(A));
    if constexpr (!shapes::einsum_has_its_operands<Written, given>) {
      constexpr int named = shapes::operands_in(Written::text);
      (void)sizeof(shapes::einsum_names_another_number_of_operands<shown_as<Written>::value, named, given>);
      return wrong::result{};
    } else {
      static_assert(shapes::einsum_is_understood<Written, typename operand_extents<std::remove_cvref_t<A>>::type...>());
      return call_operation<einsum_t>(no_attributes{}, static_cast<A&&>(a)...);
    }
  }
};
template <pattern Subscripts>
inline constexpr einsum_t<written_as<Subscripts>> einsum{};

// Which axes of two operands are summed over together.
struct paired_axes {
  int count;
  index_t a[max_rank], b[max_rank];
};
template <class A, class B>
struct summed_axes;
template <index_t... A, index_t... B>
struct summed_axes<axes_t<A...>, axes_t<B...>> : constant_attributes<summed_axes<axes_t<A...>, axes_t<B...>>> {
  static_assert(sizeof...(A) == sizeof...(B), "tensordot sums over as many axes of one operand as of the other");
  static constexpr paired_axes all{sizeof...(A), {A...}, {B...}};
  static constexpr paired_axes typed() { return all; }
};

// The sum over pairs of axes: axis a[k] of the first operand together with axis b[k] of the second. What is left of the
// first comes before what is left of the second. Extents of a pair that differ are a compile error or a shape_error.
// Types are those of matmul.
struct tensordot_t : contraction_by_letters<tensordot_t> {
  static constexpr auto name = "tensordot";
  static constexpr dtype type_of_result(dtype a, dtype b) { return matmul_t::type_of_result(a, b); }

  template <class Context>
  static constexpr shape_t shape_of(Context& c, paired_axes const& p, shape_t const& a, shape_t const& b) {
    if (axis_mask(p.a, p.count, a.rank) < 0 || axis_mask(p.b, p.count, b.rank) < 0 ||
        a.rank + b.rank - 2 * p.count > max_rank)
      return c.fail(), shape_t{};
    return contraction_by_letters::shape_of(c, p, a, b);
  }
  static constexpr shapes::contraction<2> letters_of(paired_axes const& p, int a, int b) {
    shapes::contraction<2> c{};
    for (int k = 0; k < a; ++k) c.operand[0].push(k);
    for (int k = 0; k < b; ++k) c.operand[1].push(max_rank + k);
    for (int k = 0; k < p.count; ++k)
      c.operand[1].at[p.b[k] < 0 ? p.b[k] + b : p.b[k]] = static_cast<signed char>(p.a[k] < 0 ? p.a[k] + a : p.a[k]);
    for (int k = 0; k < a; ++k)
      if (c.operand[1].axis_of(k) < 0) c.result.push(k);
    for (int k = 0; k < b; ++k)
      if (c.operand[1][k] >= max_rank) c.result.push(c.operand[1][k]);
    return c;
  }
};
template <class A, class B, index_t... OfA, index_t... OfB>
requires tensor_operands<A, B> RICCI_INLINE constexpr auto tensordot(A&& a, B&& b, axes_t<OfA...>, axes_t<OfB...>) {
  return call_operation<tensordot_t>(summed_axes<axes_t<OfA...>, axes_t<OfB...>>{}, static_cast<A&&>(a),
                                     static_cast<B&&>(b));
}
// over the last `Count` axes of a and the first of b, in their order
template <int Count = 2, class A, class B>
requires tensor_operands<A, B> RICCI_INLINE constexpr auto tensordot(A&& a, B&& b) {
  static_assert(Count >= 0 && Count <= max_rank, "tensordot sums over 0 to 12 axes");
  return [&]<index_t... K>(std::integer_sequence<index_t, K...>) {
    return tensordot(static_cast<A&&>(a), static_cast<B&&>(b), axes_t<(K - Count)...>{}, axes_t<K...>{});
  }
  (std::make_integer_sequence<index_t, Count>{});
}

}  // namespace ricci
