// Arithmetic on extents inside a graph. Numbers are folded; symbolic dimensions are kept as small expressions, each
// once, and two that are found to be equal (an inner extent of a product, say) become one, with a check before the
// graph runs.
#pragma once

#include <ricci/core/bytes.hpp>
#include <ricci/graph/graph.hpp>
#include <ricci/shape/rules.hpp>

namespace ricci::ir {

// the extent that `d` is known to equal: a number where one is known
template <class G>
constexpr index_t found(G const& g, index_t d) {
  while (is_symbolic(d) && g.dim_alias[dim_index(d)] != 0) d = g.dim_alias[dim_index(d)] - 1;
  return d;
}
// the same; numbers, which most are, without a call
template <class G>
constexpr index_t find(G const& g, index_t d) {
  return d >= 0 ? d : found(g, d);
}

// a shape by what is known of its extents by now
template <class G>
constexpr shape_t find(G const& g, shape_t s) {
  for (int k = 0; k < s.rank; ++k) s.extent[k] = find(g, s.extent[k]);
  return s;
}

// What a view shows.
template <class G>
constexpr affine_map map_of(G const& g, int v) {
  auto const& i = g.ins[v];
  return i.op->map(i.attrs > 0 ? &g.attributes[i.attr] : nullptr, find(g, g.shape(g.in(v, 0))), find(g, g.shape(v)));
}

// Where operand k lies in what is assembled.
template <class G>
constexpr part_map part_of(G const& g, int v, int k) {
  auto const& i = g.ins[v];
  return i.op->part(i.attrs > 0 ? &g.attributes[i.attr] : nullptr, find(g, g.shape(g.in(v, k))), k);
}

// From here on a and b are one: a number if one of them is, else the dimension that was there first.
template <class G>
constexpr index_t unify(G& g, index_t a, index_t b) {
  a = find(g, a), b = find(g, b);
  if (a == b || (!is_symbolic(a) && !is_symbolic(b))) return a;
  if (!is_symbolic(a) || (is_symbolic(b) && a < b)) return unify(g, b, a);
  g.dim_alias[dim_index(a)] = b + 1;
  return b;
}

template <class G>
constexpr index_t dim(G& g, dim_op op, index_t a, index_t b) {
  for (int i = g.dim_count - 1; i >= 0; --i)
    if (g.dims[i].op == op && g.dims[i].a == a && g.dims[i].b == b) return find(g, dim_id(i));
  G::storage::reserve(g.dims, g.dim_count + 1);
  G::storage::reserve(g.dim_alias, g.dim_count + 1);
  g.dims[g.dim_count] = {op, a, b};
  g.dim_alias[g.dim_count] = 0;
  return dim_id(g.dim_count++);
}

template <class G>
constexpr index_t times(G& g, index_t a, index_t b) {
  a = find(g, a), b = find(g, b);
  if (!is_symbolic(a) && !is_symbolic(b)) return core::product_of_extents(a, b);
  if (a == 1 || b == 0) return b;
  if (b == 1 || a == 0) return a;
  return a < b ? dim(g, dim_op::times, a, b) : dim(g, dim_op::times, b, a);
}
template <class G>
constexpr index_t plus(G& g, index_t a, index_t b) {
  a = find(g, a), b = find(g, b);
  if (!is_symbolic(a) && !is_symbolic(b)) return core::sum_of_extents(a, b);
  if (a == 0) return b;
  if (b == 0) return a;
  return a < b ? dim(g, dim_op::plus, a, b) : dim(g, dim_op::plus, b, a);
}
template <class G>
constexpr index_t minus(G& g, index_t a, index_t b) {
  b = find(g, b);
  return plus(g, a, is_symbolic(b) ? times(g, b, -1) : -b);
}
// How many elements each of b rows has, of a elements in all: a / b, where it is known that b is not 0, or an error
// when it runs.
template <class G>
constexpr index_t elements_of_each(G& g, index_t a, index_t b) {
  a = find(g, a), b = find(g, b);
  if (a == b) return 1;
  if (is_symbolic(a) && g.dims[dim_index(a)].op == dim_op::times) {
    auto const& product = g.dims[dim_index(a)];
    if (find(g, product.a) == b) return find(g, product.b);
    if (find(g, product.b) == b) return find(g, product.a);
  }
  if (b == 1) return a;
  return is_symbolic(a) || is_symbolic(b) ? dim(g, dim_op::divide, a, b) : core::quotient_of_extents(a, b);
}
// The quotient of integers, 0 over 0: so of n / n nobody knows before it runs.
template <class G>
constexpr index_t divide(G& g, index_t a, index_t b) {
  a = find(g, a), b = find(g, b);
  if (is_symbolic(b)) return dim(g, dim_op::divide, a, b);
  return b == 0 ? 0 : elements_of_each(g, a, b);
}
template <class G>
constexpr index_t remainder(G& g, index_t a, index_t b) {
  a = find(g, a), b = find(g, b);
  if (a == b || b == 1) return 0;
  if (!is_symbolic(a) && !is_symbolic(b)) return core::remainder_of_extents(a, b);
  return dim(g, dim_op::remainder, a, b);
}
// the extent of an axis to which axes of extents a and b are broadcast
template <class G>
constexpr index_t broadcast(G& g, index_t a, index_t b) {
  a = find(g, a), b = find(g, b);
  if (a == b || b == 1) return a;
  if (a == 1 || (is_symbolic(a) && !is_symbolic(b))) return b;
  if (!is_symbolic(a)) return a;
  return a < b ? dim(g, dim_op::broadcast, a, b) : dim(g, dim_op::broadcast, b, a);
}
// Whether extent d was broadcast from extent x, among others: then it is x, or x is 1.
template <class G>
constexpr bool is_broadcast_from(G const& g, index_t d, index_t x) {
  d = find(g, d);
  if (d == x) return true;
  if (!is_symbolic(d) || g.dims[dim_index(d)].op != dim_op::broadcast) return false;
  return is_broadcast_from(g, g.dims[dim_index(d)].a, x) || is_broadcast_from(g, g.dims[dim_index(d)].b, x);
}
// What lies on an axis of that extent is read with this stride, or from this start: 0 where the extent is 1, since the
// axis may be broadcast then. This is the one rule of broadcasting that shows at run time.
template <class G>
constexpr index_t unless_one(G& g, index_t extent, index_t stride) {
  extent = find(g, extent), stride = find(g, stride);
  if (extent == 1 || stride == 0) return 0;
  if (extent >= 0) return stride;
  return dim(g, dim_op::unless_one, extent, stride);
}

template <class G>
constexpr index_t length(G& g, index_t d) {
  d = find(g, d);
  return is_symbolic(d) ? dim(g, dim_op::length, d, 0) : d > 0 ? d : 0;
}

// What a dimension of that kind is, made of a and b: a number or a dimension that is there where it can be. One that is
// given is made of nothing.
template <class G>
constexpr index_t made_of(G& g, dim_op op, index_t a, index_t b) {
  switch (op) {
    case dim_op::argument:
    case dim_op::stride:
    case dim_op::slot:
    case dim_op::iteration:
      break;
    case dim_op::plus:
      return plus(g, a, b);
    case dim_op::times:
      return times(g, a, b);
    case dim_op::divide:
      return divide(g, a, b);
    case dim_op::remainder:
      return remainder(g, a, b);
    case dim_op::broadcast:
      return broadcast(g, a, b);
    case dim_op::length:
      return length(g, a);
    case dim_op::unless_one:
      return unless_one(g, a, b);
  }
  __builtin_unreachable();
}

RICCI_INLINE constexpr bool same_name(char const* a, char const* b) {
  for (; *a != 0 && *a == *b; ++a) ++b;
  return *a == *b;
}
// In whose name an error is reported: the formula that is being recorded, unless it asks itself or there is none; then
// the operation.
template <class G>
constexpr asker asker_in(G const& g, op_facts const* op, int left = 0, int right = -1) {
  auto const& by = g.formula;
  if (by.op->id == 0 || (op->id != 0 && same_name(op->name, by.op->name))) return {op, {left, right}};
  return by.shapes[0] < 0 ? asker{by.op, {left, right}} : by;
}

// What is said where b elements of an axis of extent a are wanted by an operation, or by an index, which has none. Also
// said when a graph runs, so it is inlined (core/abi.hpp).
RICCI_INLINE constexpr core::text too_few_elements(op_facts const* op, index_t a, index_t b) {
  core::text t;
  t << (op->id != 0 ? op->name : "an index") << (op->id != 0 ? ": needs " : " names ") << b
    << " elements of an axis with extent " << a;
  return t;
}
// One check more: what runs when the graph does (exec/dims.hpp).
template <class G>
constexpr void add_check(G& g, check const& c) {
  G::storage::reserve(g.checks, g.check_count + 1);
  g.checks[g.check_count++] = c;
}
// b elements of an axis of extent a are going to be named: checked when the graph runs. Of several such checks on one
// axis the furthest is kept.
template <class G>
constexpr void require_reach(G& g, index_t a, index_t b, op_facts const* op = no_asker) {
  op = asker_in(g, op).op;
  for (int k = 0; k < g.check_count; ++k) {
    auto& c = g.checks[k];
    if (c.kind != check_kind::reaches || c.a != a || (c.b != b && (is_symbolic(b) || is_symbolic(c.b)))) continue;
    if (c.b < b) c.b = b, c.op = op;
    return;
  }
  add_check(g, {check_kind::reaches, a, b, op, {0, 0}});
}

// An index or range starts or stops at a: not before its axis, which is checked when the graph runs.
template <class G>
constexpr void require_begin(G& g, index_t a) {
  for (int k = 0; k < g.check_count; ++k)
    if (g.checks[k].kind == check_kind::begins && g.checks[k].a == a) return;
  add_check(g, {check_kind::begins, a, 0, no_asker, {0, 0}});
}

// whether d is the same or more than 0, whatever the operands are
template <class G>
constexpr bool is_never_negative(G const& g, index_t d) {
  d = find(g, d);
  if (!is_symbolic(d)) return d >= 0;
  auto const& e = g.dims[dim_index(d)];
  switch (e.op) {
    case dim_op::argument:
    case dim_op::length:
    case dim_op::broadcast:
    case dim_op::iteration:
      return true;
    case dim_op::times:
    case dim_op::plus:
    case dim_op::divide:
    case dim_op::remainder:
      return is_never_negative(g, e.a) && is_never_negative(g, e.b);
    case dim_op::unless_one:
      return is_never_negative(g, e.b);
    case dim_op::slot:
    case dim_op::stride:
      return false;
  }
  __builtin_unreachable();
}
// The extents of a graph as a context for the shape rules (shape/rules.hpp). It knows who asks, so that a disagreement
// can be reported with the operation's name and its operands' shapes.
template <class G>
struct graph_context {
  G& g;
  op_facts const* op;
  int left = 0, right = -1;  // shapes of the operands
  bool failed = false;

  constexpr void require(check_kind kind, index_t a, index_t b) {
    for (int k = g.check_count - 1; k >= 0; --k)
      if (g.checks[k].kind == kind && g.checks[k].a == a && g.checks[k].b == b) return;
    asker const by = asker_in(g, op, left, right);
    add_check(g, {kind, a, b, by.op, {by.shapes[0], by.shapes[1]}});
  }
  // from here on a and b are one
  constexpr index_t unify(index_t a, index_t b) { return ir::unify(g, a, b); }
  constexpr index_t same(index_t a, index_t b) {
    a = find(g, a), b = find(g, b);
    if (a == b) return a;
    if (!is_symbolic(a) && !is_symbolic(b)) return fail(), a;
    require(check_kind::equal, a, b);
    return unify(a, b);
  }
  constexpr index_t broadcast(index_t a, index_t b) {
    a = find(g, a), b = find(g, b);
    if (a == b || b == 1) return a;
    if (a == 1) return b;
    if (!is_symbolic(a) && !is_symbolic(b)) return fail(), a;
    if (is_broadcast_from(g, a, b)) return a;
    if (is_broadcast_from(g, b, a)) return b;
    if (is_symbolic(b) && (!is_symbolic(a) || b < a))
      require(check_kind::broadcastable, b, a);
    else
      require(check_kind::broadcastable, a, b);
    return ir::broadcast(g, a, b);
  }
  constexpr index_t broadcast_to(index_t to, index_t from) {
    to = find(g, to), from = find(g, from);
    if (to == from || from == 1) return to;
    if (!is_symbolic(to) && !is_symbolic(from)) return fail(), to;
    if (is_broadcast_from(g, to, from)) return to;
    require(check_kind::broadcasts_to, to, from);
    return is_symbolic(from) ? to : unify(to, from);  // a number other than 1 stays what it is
  }
  constexpr index_t times(index_t a, index_t b) { return ir::times(g, a, b); }
  constexpr index_t plus(index_t a, index_t b) { return ir::plus(g, a, b); }
  constexpr index_t minus(index_t a, index_t b) {
    a = find(g, a), b = find(g, b);
    if (!is_symbolic(a) && !is_symbolic(b) && a < b) return fail(), a;
    return ir::minus(g, a, b);
  }
  constexpr index_t divide_exactly(index_t whole, index_t part) {
    whole = find(g, whole), part = find(g, part);
    if (!is_symbolic(part) && part <= 0) return fail(), whole;
    if (whole >= 0 && part > 0 && whole % part != 0) return fail(), whole;
    if (is_symbolic(part)) require(check_kind::positive, part, 1);
    index_t const rest = ir::elements_of_each(g, whole, part);
    if (is_symbolic(rest) && part != 1) require(check_kind::equal, whole, ir::times(g, rest, part));
    return rest;
  }
  // Extents that are known do not go together. Where nobody is named, whoever asks looks at `failed`.
  constexpr void fail() {
    failed = true;
    if (op->id == 0) return;
    if constexpr (G::storage::merges) {
      limits::shapes_in_a_traced_function_do_not_go_together();
    } else {
      asker const by = asker_in(g, op, left, right);
      core::text t;
      t << by.op->name << ':';
      for (int const k : by.shapes)
        if (k >= 0) (t << ' ').shape(g.shapes[k].extent, g.shapes[k].rank);
      core::raise<shape_error>(t);
    }
  }
};

// the index of a shape in the graph's table
template <class G>
constexpr int intern(G& g, shape_t s) {
  for (int i = 0; i < s.rank; ++i)
    if (s.extent[i] < 0) s.extent[i] = found(g, s.extent[i]);
  for (int i = g.shape_count - 1; i >= 0; --i)
    if (g.shapes[i] == s) return i;
  G::storage::reserve(g.shapes, g.shape_count + 1);
  g.shapes[g.shape_count] = s;
  return g.shape_count++;
}

// The index of a shape that is asked for, whose extents may come from any arithmetic: they are checked when the graph
// runs, as those of tensors are where their memory is had, since what is fused has none. Some are above 0.
template <class G>
constexpr int requested(G& g, shape_t const& s, op_facts const* op = no_asker, index_t least = 0) {
  op = asker_in(g, op).op;
  for (int k = 0; k < s.rank; ++k) {
    index_t const d = find(g, s.extent[k]);
    if (is_symbolic(d) ? least == 0 && is_never_negative(g, d) : d >= least) continue;
    if constexpr (!G::storage::merges) {
      if (least > 0) core::raise_length(d, op->name);
      (void)core::bytes_of(s.extent, s.rank, 1, op->name);
    }
    bool known = false;
    for (int i = 0; i < g.check_count; ++i)
      known = known || (g.checks[i].kind == check_kind::extent && g.checks[i].a == d && g.checks[i].b >= least);
    if (known) continue;
    add_check(g, {check_kind::extent, d, least, op, {0, 0}});
  }
  return intern(g, s);
}

// whether two shapes are the same by now: extents may have been found equal since they were recorded
template <class G>
constexpr bool same_shape(G const& g, int a, int b) {
  if (a == b) return true;
  auto const &x = g.shapes[a], &y = g.shapes[b];
  if (x.rank != y.rank) return false;
  for (int i = 0; i < x.rank; ++i)
    if (find(g, x.extent[i]) != find(g, y.extent[i])) return false;
  return true;
}

}  // namespace ricci::ir
