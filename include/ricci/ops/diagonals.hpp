// What lies beside a diagonal of matrices: `rc::diagonal(x, 1)`, `rc::trace(x)`, `rc::diag(v)`, `rc::tril(x, -1)`,
// `rc::triu(x)`. Diagonal k consists of the elements x[i, i + k]; k may be known at run time alone, and rc::known<k>
// keeps extents static.
#pragma once

#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/select.hpp>

namespace ricci {

namespace ir {
// x along the diagonals of axes that go together: axis k of x goes along axis axes[k] of the result
template <class Mode>
constexpr value<Mode> diagonals(value<Mode> x, index_t const* axes);
}  // namespace ir

// The instruction behind all diagonals: a view in which several axes are walked along together. Attributes: for each
// axis of the operand that of the result; each of these appears first behind those before.
struct diagonals_t : view_operation<diagonals_t> {
  static constexpr auto name = "diagonals";
  static constexpr bool hands_extents_on = true;
  static constexpr affine_map map(index_t const* axes, shape_t const& x, shape_t const&) {
    affine_map m{};
    m.rank = x.rank;
    for (int k = 0; k < x.rank; ++k) add_term(m, k, static_cast<int>(axes[k]));
    return m;
  }
  template <class V>
  static constexpr V batched(ir::application<V> const& at, V x) {
    index_t axes[max_rank]{};
    for (int k = 0; k + 1 < x.rank(); ++k) axes[k + 1] = at.attr(k) + 1;
    return ir::diagonals(x, axes);
  }
  template <class V>
  static constexpr V again(ir::application<V> const& at, V x) {
    index_t axes[max_rank]{};
    for (int k = 0; k < x.rank(); ++k) axes[k] = at.attr(k);
    return ir::diagonals(x, axes);
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    using Mode = typename V::mode;
    auto& g = *ct.g;
    shape_t const s = at.operand(0).shape();
    shape_t thin = s;
    int first[max_rank]{}, next = 0;
    for (int k = 0; k < s.rank; ++k) {
      if (at.attr(k) == next)
        first[next++] = k;
      else
        thin.extent[k] = 1;
    }
    V y = ir::broadcast_to(ir::reshape(ct, ir::intern(g, thin)), at.operand(0).shape_id());
    auto const along = [&](int axis) {
      shape_t line{s.rank, {}};
      for (int k = 0; k < s.rank; ++k) line.extent[k] = k == axis ? s.extent[k] : 1;
      return ir::reshape(ir::positions<Mode>(g, s.extent[axis]), ir::intern(g, line));
    };
    for (int k = 0; k < s.rank; ++k)
      if (int const f = first[at.attr(k)]; f != k) y = where(along(f) == along(k), y, 0.);
    out[0] = y;
  }
};

namespace ir {

template <class Mode>
constexpr value<Mode> diagonals(value<Mode> x, index_t const* axes) {
  shape_t s{};
  for (int k = 0; k < x.rank(); ++k)
    if (axes[k] == s.rank) s.push(x.shape().extent[k]);
  if (s.rank == x.rank()) return x;
  index_t attributes[max_rank]{};
  for (int k = 0; k < x.rank(); ++k) attributes[k] = axes[k];
  return record<diagonals_t, Mode>(*x.g, x.type(), intern(*x.g, s), {&x.id, 1}, {attributes, x.rank()});
}

}  // namespace ir

// Diagonal k of two axes, the last two where none are named, as the last axis of the result: (..., m, n) -> (..., l).
// It is a view: `diagonal(x) = 1.` where x may be written. Beside the matrix there are no elements.
struct diagonal_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "diagonal";
  static constexpr bool one_to_one = true, of_row_major = false, layout_is_open = true;
  static constexpr dtype type_of_result(dtype t) { return t; }

  template <class X, Numbers N = std::integral_constant<index_t, 0>>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& k = {}) const {
    return (*this)(static_cast<X&&>(x), k, axis<-2, -1>);
  }
  template <class X, Numbers N, index_t Down, index_t Across>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& k, axes_t<Down, Across> axes) const {
    return call_operation<diagonal_t>(attributes_of(axes, k), static_cast<X&&>(x));
  }

  // where the diagonal starts, and how long it is
  struct place {
    index_t row, column, length;
  };
  template <class Context>
  static constexpr place place_of(Context& c, axes_and_numbers const& a, index_t rows, index_t columns) {
    if (!a.are_known) return {0, 0, dyn};
    index_t const k = a.numbers[0], above = shapes::positive_part(c, shapes::negative(c, k)),
                  beside = shapes::positive_part(c, k);
    index_t const length = shapes::smaller(c, shapes::left_of(c, rows, above), shapes::left_of(c, columns, beside));
    return {shapes::smaller(c, above, rows), shapes::smaller(c, beside, columns), length};
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    int const mask = a.mask(x.rank);
    if (mask < 0 || a.count != 1) return c.fail(), x;
    shape_t s = shapes::reduced(x, mask, false);
    s.push(place_of(c, a, x.extent[a.axis(0, x.rank)], x.extent[a.axis(1, x.rank)]).length);
    return s;
  }
  template <int N, int M>
  RICCI_INLINE static constexpr void view(axes_and_numbers const& a, shapes::strided<N> const& x,
                                          shapes::strided<M>& y) {
    shapes::type_context c;
    int const down = a.axis(0, N), across = a.axis(1, N);
    place const p = place_of(c, a, x.extent[down], x.extent[across]);
    y.offset = x.offset + (p.length > 0 ? p.row * x.stride[down] + p.column * x.stride[across] : 0);
    for (int k = 0, i = 0; k < N; ++k)
      if (k != down && k != across) y.set(i++, x.extent[k], x.stride[k]);
    y.set(M - 1, p.length, x.stride[down] + x.stride[across]);
  }

  template <class Mode>
  static constexpr ir::value<Mode> record(axes_and_numbers const& a, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<diagonal_t>(), x.shape_id()};
    int const n = x.rank(), across = a.axis(1, n), down = a.axis(0, n);
    x = ir::move_axis(ir::move_axis(x, across, n - 1), down - (across < down), n - 2);
    place const p = place_of(c, a, x.shape().extent[n - 2], x.shape().extent[n - 1]);
    index_t axes[max_rank]{};
    for (int k = 0; k < n; ++k) axes[k] = k < n - 1 ? k : n - 2;
    return ir::diagonals(ir::stretch(ir::stretch(x, n - 2, p.row, p.length), n - 1, p.column, p.length), axes);
  }
  // a matrix with that diagonal
  template <class V>
  static constexpr V spread(V d) {
    auto& g = *d.g;
    shape_t s = d.shape();
    s.push(s.extent[s.rank - 1]);
    V const k = ir::positions<typename V::mode>(g, s.extent[s.rank - 1]), whole = ir::expand(d, d.rank());
    V const diagonal = where(ir::expand(k, 1) == ir::expand(k, 0), whole, ir::zeros_like(whole));
    return ir::broadcast_to(diagonal, ir::intern(g, s));
  }
};
inline constexpr diagonal_t diagonal{};

// The sum over a diagonal of the last two axes: (..., m, n) -> (...). Integers are summed in int64, conditions counted.
struct trace_t : formula_of_one<trace_t> {
  static constexpr auto name = "trace";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype t) { return type_of_sum(t); }
  template <class X, Numbers N = std::integral_constant<index_t, 0>>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& k = {}) const {
    return call(static_cast<X&&>(x), axis<-2, -1>, k);
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    if (x.rank < 2 || a.count != 1) return c.fail(), shape_t{};
    return shapes::reduced(x, a.mask(x.rank), false);
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int) {
    return sum_t::record(reduction_axes{1, {-1}, false}, diagonal_t::record(a, x));
  }
};
inline constexpr trace_t trace{};

// A vector as diagonal k of a square matrix, which is zero elsewhere: (n,) -> (n + |k|, n + |k|).
struct diagonal_matrix_t : formula_of_one<diagonal_matrix_t> {
  static constexpr auto name = "diag";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    if (x.rank != 1 || a.count != 1) return c.fail(), x;
    index_t const n = c.plus(x.extent[0], a.are_known ? shapes::magnitude(c, a.numbers[0]) : dyn);
    return {2, {n, n}};
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int shape) {
    auto& g = *x.g;
    ir::graph_context<typename V::graph_type> c{g, ir::no_asker, 0, 0};
    index_t const k = a.numbers[0];
    index_t const starts[] = {shapes::positive_part(c, shapes::negative(c, k)), shapes::positive_part(c, k)};
    index_t const steps[] = {1, 1};
    V const zeros = ir::literal<typename V::mode>(g, 0, x.type(), shape);
    return ir::update_slice(zeros, diagonal_t::spread(x), starts, steps);
  }
};
// `rc::diag(v, k)`: that of a vector; of a matrix its diagonal k.
struct diag_function {
  template <class X, Numbers N = std::integral_constant<index_t, 0>>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& k = {}) const {
    if constexpr (level_of<X> == operand_level::any) {
      return x.order() == 2 ? diagonal(x, k) : diagonal_matrix_t::call(x, axis<>, k);
    } else {
      static_assert(rank_of<X> == 1 || rank_of<X> == 2,
                    "diag is for vectors and matrices; diagonal is for higher orders");
      if constexpr (rank_of<X> == 1)
        return diagonal_matrix_t::call(static_cast<X&&>(x), axis<>, k);
      else
        return diagonal(static_cast<X&&>(x), k);
    }
  }
};
inline constexpr diag_function diag{};

// The elements on and below (above) diagonal k of the last two axes; the others are zero. The shape stays.
template <class Derived>
struct triangle : formula_of_one<Derived> {
  template <class X, Numbers N = std::integral_constant<index_t, 0>>
  requires operands<X> RICCI_INLINE constexpr auto operator()(X&& x, N const& k = {}) const {
    return formula_of_one<Derived>::call(static_cast<X&&>(x), axis<-2, -1>, k);
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "tril and triu take a tensor, and which diagonal, an integer, 0 where none is given: rc::tril(x, -1)")
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t const& x) {
    if (x.rank < 2 || a.count != 1) c.fail();
    return x;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int) {
    using Mode = typename V::mode;
    auto& g = *x.g;
    V const row = ir::positions<Mode>(g, x.shape().extent[x.rank() - 2]),
            column = ir::positions<Mode>(g, x.shape().extent[x.rank() - 1]);
    V const limit = ir::expand(V(row + ir::number<Mode>(g, a.numbers[0], dtype::int64)), 1);
    return where(Derived::keeps(limit, ir::expand(column, 0)), x, ir::zeros_like(x));
  }
};
struct tril_t : triangle<tril_t> {
  static constexpr auto name = "tril";
  template <class V>
  static constexpr V keeps(V limit, V column) {
    return column <= limit;
  }
};
struct triu_t : triangle<triu_t> {
  static constexpr auto name = "triu";
  template <class V>
  static constexpr V keeps(V limit, V column) {
    return column >= limit;
  }
};
inline constexpr tril_t tril{};
inline constexpr triu_t triu{};

}  // namespace ricci
