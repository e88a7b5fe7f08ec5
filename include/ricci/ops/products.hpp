// Products of vectors and what is made of them, as in NumPy, JAX and the array API: `rc::vecdot(a, b)`, `rc::vdot(a,
// b)`, `rc::dot(a, b)`, `rc::outer(a, b)`, `rc::cross(a, b)`. All are formulas of other operations, and derived as
// such. Integers keep their type and wrap. What misfits is a compile error, or at run time a shape_error.
#pragma once

#include <ricci/ops/complex.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/ops/matmul.hpp>

namespace ricci {

// Base by which messages recognise a formula of matrix products.
struct formula_of_products : ir::operation_of_kind<ir::op_kind::contract, 255> {};
template <class Derived>
struct product_of_two : formula_of_products {
  static constexpr dtype type_of_result(dtype a, dtype b) { return matmul_t::type_of_result(a, b); }
  template <class A, class B>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b) const {
    return call_operation<Derived>(no_attributes{}, static_cast<A&&>(a), static_cast<B&&>(b));
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "this function takes two tensors, rc::dot(a, b), and an axis is named by its type, rc::axis<0>, where it takes "
      "one")
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> a, ir::value<Mode> b) {
    dtype const type = type_of_result(a.type(), b.type());
    ir::graph_context<typename Mode::graph> c{*a.g, ir::facts_of<Derived>(), a.shape_id(), b.shape_id()};
    int const shape = ir::intern(*a.g, Derived::shape_of(c, no_attributes{}, a.shape(), b.shape()));
    return Derived::formula(ir::cast(a, type), ir::cast(b, type), shape);
  }
};

// The sum of products along the last axis: (..., k), (..., k) -> (...), what stands before it broadcast. Of complex
// numbers the first operand enters as its conjugate.
struct vecdot_t : product_of_two<vecdot_t> {
  static constexpr auto name = "vecdot";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t a, shape_t b) {
    if (a.rank == 0 || b.rank == 0) return c.fail(), shape_t{};
    c.same(a.extent[a.rank - 1], b.extent[b.rank - 1]);
    --a.rank, --b.rank;
    return shapes::broadcast(c, a, b);
  }
  template <class V>
  static constexpr V formula(V a, V b, int shape) {
    V const terms = is_complex(a.type()) ? V(conj(a) * b) : V(a * b);
    V const y = sum_t::record(reduction_axes{1, {-1}, false}, terms);
    return ir::reshape(ir::cast(y, a.type()), shape);
  }
};

// The sum of products of all elements of two tensors of one shape: a number. Of complex ones the first enters as its
// conjugate, as in vecdot.
struct vdot_t : product_of_two<vdot_t> {
  static constexpr auto name = "vdot";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, shape_t const& b) {
    if (a.rank != b.rank) return c.fail(), shape_t{};
    for (int k = 0; k < a.rank; ++k) c.same(a.extent[k], b.extent[k]);
    return {};
  }
  template <class V>
  static constexpr V formula(V a, V b, int) {
    V const terms = is_complex(a.type()) ? V(conj(a) * b) : V(a * b);
    return ir::cast(sum_t::record(reduction_axes{}, terms), a.type());
  }
};

// NumPy's dot: the sum over the last axis of a and the last but one of b, (i..., k), (j..., k, n) -> (i..., j..., n);
// of vectors and matrices that is matmul, and with a number it is a product.
struct dot_t : product_of_two<dot_t> {
  static constexpr auto name = "dot";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t a, shape_t const& b) {
    if (a.rank == 0) return b;
    if (b.rank == 0) return a;
    int const summed = b.rank == 1 ? 0 : b.rank - 2;
    c.same(a.extent[a.rank - 1], b.extent[summed]);
    --a.rank;
    if (a.rank + b.rank - 1 > max_rank) return c.fail(), shape_t{};
    for (int k = 0; k < b.rank; ++k)
      if (k != summed) a.push(b.extent[k]);
    return a;
  }
  template <class V>
  static constexpr V formula(V a, V b, int shape) {
    if (a.rank() == 0 || b.rank() == 0) return a * b;
    if (b.rank() <= 2) return matmul_t::record(no_attributes{}, a, b);
    auto& g = *a.g;
    V const columns = ir::move_axis(b, b.rank() - 2, 0);
    index_t const k = columns.shape().extent[0];
    index_t rows = 1, n = 1;
    for (int d = 0; d + 1 < a.rank(); ++d) rows = ir::times(g, rows, a.shape().extent[d]);
    for (int d = 1; d < b.rank(); ++d) n = ir::times(g, n, columns.shape().extent[d]);
    V const left = ir::reshape(a, ir::intern(g, shape_t{2, {rows, k}}));
    V const right = ir::reshape(columns, ir::intern(g, shape_t{2, {k, n}}));
    dtype const sums = matmul_t::type_of_sums(a.type());
    return ir::cast(ir::reshape(matmul_t::product(ir::cast(left, sums), ir::cast(right, sums)), shape), a.type());
  }
};

// Every element of a with every one of b: (m,), (n,) -> (m, n). Other orders are a compile error.
struct outer_t : product_of_two<outer_t> {
  static constexpr auto name = "outer";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, shape_t const& b) {
    if (a.rank != 1 || b.rank != 1) return c.fail(), shape_t{};
    return {2, {a.extent[0], b.extent[0]}};
  }
  template <class V>
  static constexpr V formula(V a, V b, int) {
    return ir::expand(a, 1) * b;
  }
};

// The sums of products along the last axis of both: (i..., k), (j..., k) -> (i..., j...); with a number a product.
struct inner_t : product_of_two<inner_t> {
  static constexpr auto name = "inner";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes a, shape_t const& x, shape_t y) {
    if (y.rank > 1) {
      index_t const last = y.extent[y.rank - 1];
      y.extent[y.rank - 1] = y.extent[y.rank - 2], y.extent[y.rank - 2] = last;
    }
    return dot_t::shape_of(c, a, x, y);
  }
  template <class V>
  static constexpr V formula(V a, V b, int shape) {
    return dot_t::formula(a, b.rank() > 1 ? ir::transposed(b) : b, shape);
  }
};

// The blocks a[i, ...] b, side by side along each axis: (m,), (n,) -> (m n,). The lower order has leading axes of
// extent 1.
struct kron_t : product_of_two<kron_t> {
  static constexpr auto name = "kron";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& a, shape_t const& b) {
    shape_t s = a.rank < b.rank ? b : a;
    shape_t const& other = a.rank < b.rank ? a : b;
    if (2 * s.rank > max_rank) return c.fail(), shape_t{};
    for (int k = 1; k <= other.rank; ++k)
      s.extent[s.rank - k] = c.times(s.extent[s.rank - k], other.extent[other.rank - k]);
    return s;
  }
  template <class V>
  static constexpr V formula(V a, V b, int shape) {
    auto const beside = [&](V x, bool first) {  // each axis and one of extent 1
      shape_t s{};
      for (int k = x.g->shapes[shape].rank; k > 0; --k) {
        index_t const n = k <= x.rank() ? x.shape().extent[x.rank() - k] : 1;
        s.push(first ? n : 1), s.push(first ? 1 : n);
      }
      return ir::reshape(x, ir::intern(*x.g, s));
    };
    return ir::reshape(V(beside(a, true) * beside(b, false)), shape);
  }
};

// The vector that is perpendicular to both: (..., 3), (..., 3) -> (..., 3), or along another axis of both, counted in
// the result.
struct cross_t : formula_of_products {
  static constexpr auto name = "cross";
  static constexpr dtype type_of_result(dtype a, dtype b) { return numeric_type_for(promote(a, b)); }
  template <class A, class B>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b) const {
    return (*this)(static_cast<A&&>(a), static_cast<B&&>(b), axis<-1>);
  }
  template <class A, class B, index_t Axis>
  requires tensor_operands<A, B> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, axes_t<Axis>) const {
    return call_operation<cross_t>(along_axis<Axis>{}, static_cast<A&&>(a), static_cast<B&&>(b));
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, index_t axis, shape_t const& a, shape_t const& b) {
    int const rank = a.rank > b.rank ? a.rank : b.rank, from_end = int(axis < 0 ? axis : axis - rank);
    if (from_end >= 0 || from_end + a.rank < 0 || from_end + b.rank < 0) return c.fail(), shape_t{};
    c.same(a.extent[from_end + a.rank], 3), c.same(b.extent[from_end + b.rank], 3);
    shape_t s = shapes::broadcast(c, a, b);
    s.extent[from_end + rank] = 3;
    return s;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(index_t axis, ir::value<Mode> a, ir::value<Mode> b) {
    using V = ir::value<Mode>;
    auto& g = *a.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<cross_t>(), a.shape_id(), b.shape_id()};
    shape_t const s = shape_of(c, axis, a.shape(), b.shape());
    int const shape = ir::intern(g, s), at = axis_from_start(axis, s.rank);
    dtype const type = type_of_result(a.type(), b.type());
    a = ir::broadcast_to(ir::cast(a, type), shape), b = ir::broadcast_to(ir::cast(b, type), shape);
    auto const component = [&](V x, int k) { return ir::stretch(x, at, k % 3, 1); };
    V r[3]{};
    for (int k = 0; k < 3; ++k)
      r[k] = component(a, k + 1) * component(b, k + 2) - component(a, k + 2) * component(b, k + 1);
    return concat_t::joined(r, 3, at, shape);
  }
};

inline constexpr vecdot_t vecdot{};
inline constexpr vdot_t vdot{};
inline constexpr dot_t dot{};
inline constexpr outer_t outer{};
inline constexpr cross_t cross{};
inline constexpr inner_t inner{};
inline constexpr kron_t kron{};

}  // namespace ricci
