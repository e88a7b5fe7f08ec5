// Products of several matrices, and of one with itself:
//
//   multi_dot(a, b, c, ...)       the product of 2 to 8 matrices in the order of the fewest multiplications, as far as
//                                 extents are known in types; the first and the last may be vectors
//   matrix_power(a, rc::known<n>) (..., n, n) -> (..., n, n): n - 1 products or fewer; with n < 0 those of the inverse
//
// and under the names of the array API what `rc::` has, too: matmul, tensordot, vecdot, outer, cross, matrix_transpose,
// diagonal, trace.
#pragma once

#include <ricci/linalg/inverse.hpp>
#include <ricci/ops/einsum.hpp>
#include <ricci/ops/products.hpp>

namespace ricci::linalg {

using ricci::cross;
using ricci::diagonal;
using ricci::matmul;
using ricci::matrix_transpose;
using ricci::outer;
using ricci::tensordot;
using ricci::trace;
using ricci::vecdot;

// Subscripts of a chain of n operands: "ab,bc,cd->ad", without the first or the last letter where there is a vector.
struct chain_of_letters {
  char text[40]{};
  std::size_t length = 0;
  constexpr chain_of_letters(int n, bool row, bool column) {
    auto const put = [this](char c) { text[length++] = c; };
    for (int k = 0; k < n; ++k) {
      if (k > 0) put(',');
      if (k > 0 || !row) put(static_cast<char>('a' + k));
      if (k + 1 < n || !column) put(static_cast<char>('b' + k));
    }
    put('-'), put('>');
    if (!row) put('a');
    if (!column) put(static_cast<char>('a' + n));
  }
};
template <int N, bool Row, bool Column, class = std::make_index_sequence<chain_of_letters(N, Row, Column).length>>
struct chain;
template <int N, bool Row, bool Column, std::size_t... K>
struct chain<N, Row, Column, std::index_sequence<K...>> {
  using subscripts = written<chain_of_letters(N, Row, Column).text[K]...>;
};
template <class Written>
struct multi_dot_t : contraction_by_subscripts<multi_dot_t<Written>, Written> {
  static constexpr auto name = "multi_dot";
};
struct multi_dot_function {
  template <class First, class... Rest>
  requires tensor_operands<First, Rest...> RICCI_INLINE constexpr auto operator()(First&& first, Rest&&... rest) const {
    constexpr int n = 1 + int(sizeof...(Rest));
    static_assert(n >= 2 && n <= 8, "multi_dot: of 2 to 8 matrices");
    constexpr int orders[] = {rank_of<First>, rank_of<Rest>...};
    static_assert((orders[0] == 1 || orders[0] == 2) && (orders[n - 1] == 1 || orders[n - 1] == 2),
                  "multi_dot: the first and the last operand are vectors or matrices");
    using subscripts = typename chain<n, orders[0] == 1, orders[n - 1] == 1>::subscripts;
    return call_operation<multi_dot_t<subscripts>>(no_attributes{}, static_cast<First&&>(first),
                                                   static_cast<Rest&&>(rest)...);
  }
};
inline constexpr multi_dot_function multi_dot{};

struct matrix_power_t : formula_of_one<matrix_power_t> {
  static constexpr auto name = "matrix_power";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype t) { return floating_matrix(t); }
  template <class X, index_t N>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, std::integral_constant<index_t, N> n) const {
    return call(static_cast<X&&>(x), axis<>, n);
  }
  template <class X>
  requires operands<X>
  constexpr void operator()(X const&, int) const {
    static_assert(!operands<X>, "matrix_power: the exponent is named in its type: rc::known<3>");
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const&, shape_t const& x) {
    if (x.rank < 2) return c.fail(), x;
    c.same(x.extent[x.rank - 1], x.extent[x.rank - 2]);
    return x;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int shape) {
    dtype const type = type_of_result(x.type());
    x = ir::broadcast_to(ir::cast(x, arithmetic_type(type)), shape);
    index_t n = a.numbers[0];
    V y{};
    for (V square = n < 0 ? inv_t::record(no_attributes{}, x) : x; n != 0; n /= 2) {
      if (n % 2 != 0) y = y ? product(y, square) : square;
      if (n / 2 != 0) square = product(square, square);
    }
    return ir::cast(y ? y : unit_like(x), type);
  }
};
inline constexpr matrix_power_t matrix_power{};

}  // namespace ricci::linalg
