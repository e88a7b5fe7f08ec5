// The matrix product, with batch dimensions broadcast, as NumPy's matmul: (..., m, k) x (..., k, n) -> (..., m, n); an
// operand of one dimension is a row on the left and a column on the right, and that axis is dropped from the result.
// Inner extents that differ are a compile error or a shape_error. Of conditions the product is a condition: whether two
// of them hold together somewhere.
#pragma once

#include <ricci/ops/reduce.hpp>

namespace ricci {

// `rc::result<T>`: the element type in which a product is computed, and given.
template <class T>
struct result_t {};
template <class T>
requires Element<T>
inline constexpr result_t<T> result{};

struct matmul_t : ir::operation_of_kind<ir::op_kind::contract, 255> {
  static constexpr auto name = "matmul";
  static constexpr dtype operand_type(dtype t) { return numeric_type_for(t); }
  static constexpr dtype type_of_result(dtype a, dtype b) { return promote(a, b); }
  // in which products are added for a result of type t: conditions are counted
  static constexpr dtype type_of_sums(dtype t) { return arithmetic_type(operand_type(t)); }

  template <class A, class B>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b) const {
    return call_operation<matmul_t>(no_attributes{}, static_cast<A&&>(a), static_cast<B&&>(b));
  }
  // The operands enter as T, in which sums are added: `rc::matmul(a, b, rc::result<std::int32_t>)` of bytes wraps late.
  template <class A, class B, class T>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, result_t<T>) const {
    return (*this)(astype<T>(static_cast<A&&>(a)), astype<T>(static_cast<B&&>(b)));
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "matmul takes two tensors, rc::matmul(a, b), and behind them, if it is wanted, the type of the "
      "sums, rc::result<double>; of more, rc::linalg::multi_dot or rc::einsum are")
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, shape_t const& b) {
    return shapes::matmul(c, a, b);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> a, ir::value<Mode> b);

  // of matrices with equal batch dimensions, as an instruction has them
  template <class V>
  static constexpr V product(V a, V b) {
    shape_t s = a.shape();
    s.extent[s.rank - 1] = b.shape().extent[s.rank - 1];
    int const operands[] = {a.id, b.id};
    return ir::record<matmul_t, typename V::mode>(*a.g, a.type(), ir::intern(*a.g, s), {operands, 2});
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    auto const a = at.operand(0), b = at.operand(1);
    return ir::sum_of(t[0] ? product(t[0], b) : V{}, t[1] ? product(a, t[1]) : V{});
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    auto const a = at.operand(0), b = at.operand(1);
    out[0] = product(ct, ir::transposed(b));
    out[1] = product(ir::transposed(a), ct);
  }
};
inline constexpr matmul_t matmul{};

template <class Mode>
constexpr ir::value<Mode> matmul_t::record(no_attributes, ir::value<Mode> a, ir::value<Mode> b) {
  auto& g = *a.g;
  dtype const result_type = type_of_result(a.type(), b.type()), type = type_of_sums(result_type);
  a = ir::cast(a, type), b = ir::cast(b, type);
  ir::graph_context<typename Mode::graph> c{g, ir::facts_of<matmul_t>(), a.shape_id(), b.shape_id()};
  int const result = ir::intern(g, shapes::matmul(c, a.shape(), b.shape()));
  auto const with = [&](ir::value<Mode> x, shape_t s) { return ir::reshape(x, ir::intern(g, s)); };
  if (a.rank() == 1) a = with(a, {2, {1, a.shape().extent[0]}});
  if (b.rank() == 1) b = with(b, {2, {b.shape().extent[0], 1}});
  shape_t sa = a.shape(), sb = b.shape();
  if (sb.rank == 2 && sa.rank > 2) {  // one right operand for the whole batch: a single, taller product
    index_t rows = 1;
    for (int k = 0; k + 1 < sa.rank; ++k) rows = ir::times(g, rows, sa.extent[k]);
    a = with(a, {2, {rows, sa.extent[sa.rank - 1]}});
  } else if (sa.rank > 2 || sb.rank > 2) {
    shape_t batch_a = sa, batch_b = sb;
    batch_a.rank -= 2, batch_b.rank -= 2;
    shape_t const batch = shapes::broadcast(c, batch_a, batch_b);
    auto const broadcast = [&](ir::value<Mode> x, shape_t const& s) {
      shape_t full = batch;
      full.push(s.extent[s.rank - 2]);
      full.push(s.extent[s.rank - 1]);
      return ir::broadcast_to(x, ir::intern(g, full));
    };
    a = broadcast(a, sa), b = broadcast(b, sb);
  }
  return ir::cast(ir::reshape(product(a, b), result), result_type);
}

}  // namespace ricci
