// The shape rules that operations share, written once over a *context*, which knows what two extents are to each other:
// `type_context` compares the extents of types, and a graph's context (graph/dims.hpp) those of symbolic dimensions.
#pragma once

#include <ricci/core/errors.hpp>
#include <ricci/shape/shape.hpp>

namespace ricci::shapes {

inline namespace RICCI_ABI {

// shape_error: shapes do not go together in what has that name.
[[noreturn]] RICCI_COLD inline void raise_misfit(char const* name, shape_t const* shapes, int n) {
  core::text t;
  t << name << ":";
  for (int k = 0; k < n; ++k) (t << " ").shape(shapes[k].extent, shapes[k].rank);
  core::raise<shape_error>(t);
}
[[noreturn]] RICCI_COLD inline void raise_misfit(char const* name, shape_t const& x, shape_t const& to) {
  shape_t const both[] = {x, to};
  raise_misfit(name, both, 2);
}

}  // namespace RICCI_ABI

// The extents of a type: numbers, `dyn`, packed names.
struct type_context {
  bool failed = false;

  // NumPy's rule for one axis; what may be 1 at run time loses against a number, and against a name stays unknown
  constexpr index_t broadcast(index_t a, index_t b) {
    if (a == b || b == 1) return a;
    if (a == 1) return b;
    if (a >= 0 && b >= 0) return failed = true, a;
    if (a >= 0) return a;
    if (b >= 0) return b;
    return dyn;
  }
  // two extents that have to be equal; the one that says more
  constexpr index_t same(index_t a, index_t b) {
    if (a >= 0 && b >= 0 && a != b) failed = true;
    if (a >= 0) return a;
    if (b >= 0) return b;
    return a == dyn ? b : a;
  }
  // the extent of an axis when `from` is broadcast to `to`
  constexpr index_t broadcast_to(index_t to, index_t from) {
    if (to >= 0 && from >= 0 && from != to && from != 1) failed = true;
    return to;
  }
  constexpr index_t times(index_t a, index_t b) { return a >= 0 && b >= 0 ? a * b : a == 1 ? b : b == 1 ? a : dyn; }
  constexpr index_t plus(index_t a, index_t b) { return a >= 0 && b >= 0 ? a + b : dyn; }
  // not below 0, or it is an error
  constexpr index_t minus(index_t a, index_t b) {
    if (a >= 0 && b >= 0) return failed = failed || a < b, a - b;
    return b == 0 ? a : dyn;
  }
  // The extent that makes `whole` elements out of `part`, as for a reshape with one unknown extent. Where `part` is 0
  // it could be any: an error, as in NumPy.
  constexpr index_t divide_exactly(index_t whole, index_t part) {
    if (part == 0) return failed = true, whole;
    if (whole < 0 || part < 0) return part == 1 ? whole : dyn;
    if (whole % part != 0) return failed = true, whole;
    return whole / part;
  }
  constexpr void fail() { failed = true; }
};

template <class Context>
constexpr shape_t broadcast(Context& c, shape_t const& a, shape_t const& b) {
  shape_t const& longer = a.rank < b.rank ? b : a;
  shape_t const& shorter = a.rank < b.rank ? a : b;
  shape_t r = longer;
  for (int i = 0, off = longer.rank - shorter.rank; i < shorter.rank; ++i)
    r.extent[i + off] = c.broadcast(longer.extent[i + off], shorter.extent[i]);
  return r;
}

// the shape without the axes in `mask`, or with 1 in their place
constexpr shape_t reduced(shape_t const& s, int mask, bool keepdims) {
  shape_t r{};
  for (int i = 0; i < s.rank; ++i) {
    if (!(mask >> i & 1))
      r.push(s.extent[i]);
    else if (keepdims)
      r.push(1);
  }
  return r;
}

// (..., m, k) x (..., k, n) -> (..., m, n), with one-dimensional operands as NumPy's matmul takes them
template <class Context>
constexpr shape_t matmul(Context& c, shape_t a, shape_t b) {
  if (a.rank == 0 || b.rank == 0) return c.fail(), shape_t{};
  bool const row = a.rank == 1, column = b.rank == 1;
  index_t const m = row ? 1 : a.extent[a.rank - 2], k = a.extent[a.rank - 1];
  index_t const k2 = b.extent[column ? 0 : b.rank - 2], n = column ? 1 : b.extent[b.rank - 1];
  c.same(k, k2);
  a.rank = row ? 0 : a.rank - 2;
  b.rank = column ? 0 : b.rank - 2;
  shape_t r = broadcast(c, a, b);
  if (!row) r.push(m);
  if (!column) r.push(n);
  return r;
}

// Whether a tensor of extents From may turn out to have extents To, or to be broadcast to them: false where the types
// already show that it cannot.
template <class To, class From>
constexpr bool may_be_equal() {
  type_context c;
  if (To::rank != From::rank) return false;
  for (int k = 0; k < To::rank; ++k) c.same(To::extent(k), From::extent(k));
  return !c.failed;
}
template <class To, class From>
constexpr bool may_be_broadcast() {
  type_context c;
  if (To::rank < From::rank) return false;
  for (int k = 0; k < From::rank; ++k) c.broadcast_to(To::extent(k + To::rank - From::rank), From::extent(k));
  return !c.failed;
}

template <class Context>
constexpr index_t size(Context& c, shape_t const& s) {
  index_t n = 1;
  for (int i = 0; i < s.rank; ++i) n = c.times(n, s.extent[i]);
  return n;
}

// `to` with its one `dyn` replaced by what is left of the elements of `from`
template <class Context>
constexpr shape_t reshape(Context& c, shape_t const& from, shape_t to) {
  index_t known = 1;
  int open = -1;
  for (int i = 0; i < to.rank; ++i) {
    if (to.extent[i] == dyn && open < 0)
      open = i;
    else
      known = c.times(known, to.extent[i]);
  }
  index_t const whole = size(c, from);
  if (open >= 0)
    to.extent[open] = c.divide_exactly(whole, known);
  else
    c.same(whole, known);
  return to;
}

}  // namespace ricci::shapes
