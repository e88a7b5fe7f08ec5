// Convolutions of vectors: `rc::convolve(a, v)`, `rc::correlate(a, v, rc::overlap::same)`. By their sums, which is the
// fastest for filters of up to some hundred numbers.
#pragma once

#include <ricci/ops/complex.hpp>
#include <ricci/ops/core_call.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/reshaping.hpp>

namespace ricci {

// Which sums there are: all in which the two vectors overlap, n + m - 1; as many as the longer vector has, those in the
// middle; or those in which the shorter one lies within the longer one, |n - m| + 1.
namespace overlap {
struct full_t {};
struct same_t {};
struct valid_t {};
inline constexpr auto full = full_t{};
inline constexpr auto same = same_t{};
inline constexpr auto valid = valid_t{};
}  // namespace overlap

// y[i] = sum over j of x[i + shift - j] v[j], where x is 0 outside: any part of the convolution; of the correlation
// with v[m - 1 - j], which is read backwards where it lies. Derivatives of each are parts of the other.
template <bool Correlates>
struct convolution_t : core_call<convolution_t<Correlates>> {
  static constexpr auto name = Correlates ? "correlate" : "convolve";
  static constexpr bool takes_complex = true;
  static constexpr core_signature core{"(n),(m),()->(k)"};
  static constexpr int dense_axes = 1;
  template <class T>
  using types = type_list<T, T, std::int64_t, T>;
  static constexpr index_t operations(index_t const* n) { return 2 * n[2] * (n[0] < n[1] ? n[0] : n[1]); }

  static constexpr char const* refuses(index_t const* n) {
    return n[0] == 0 || n[1] == 0 ? "a vector has no elements" : nullptr;
  }

  // A sum begins at x, whose elements are taken onwards (a correlation) or back, and goes along v, the shorter vector.
  static constexpr int onwards = Correlates ? 1 : -1;
  static constexpr int strip = 64;
  // the sum of `count` products from j on, as many in turn as there are lanes, so that none waits for the one before it
  template <int Lanes, class T>
  RICCI_HD static constexpr T sum_in_lanes(T const* x, T const* v, index_t count, index_t& j) {
    T s[Lanes]{};
    for (index_t const stop = j + count / Lanes * Lanes; j < stop; j += Lanes)
      for (int l = 0; l < Lanes; ++l) s[l] = scalar::add(s[l], scalar::multiply(x[onwards * (j + l)], v[j + l]));
    for (int half = Lanes / 2; half > 0; half /= 2)
      for (int l = 0; l < half; ++l) s[l] = scalar::add(s[l], s[l + half]);
    return s[0];
  }
  // One sum, where these are few, each of many products, or some products are outside.
  template <class T>
  RICCI_HD static constexpr T sum(T const* x, index_t n, T const* v, index_t m, index_t at) {
    constexpr int some = 8, many = RICCI_SMALL_STACK ? 8 : 64;
    index_t const before = Correlates ? -at : at - n + 1, inside = Correlates ? n - at : at + 1;
    index_t j = before > 0 ? before : 0;
    index_t const stop = inside < m ? inside : m;
    T r{};
    if (stop - j >= many) r = sum_in_lanes<many>(x + at, v, stop - j, j);
    if (stop - j >= some) r = scalar::add(r, sum_in_lanes<some>(x + at, v, stop - j, j));
    for (; j < stop; ++j) r = scalar::add(r, scalar::multiply(x[at + onwards * j], v[j]));
    return r;
  }
  // `Count` products of each sum in a strip
  template <int Count, class T>
  RICCI_HD static constexpr void add_few(T const* p, T const* v, T* sums) {
    for (int i = 0; i < strip; ++i) {
      T s = scalar::multiply(p[i], v[0]);
      RICCI_UNROLL(4)
      for (int k = 1; k < Count; ++k) s = scalar::add(s, scalar::multiply(p[i + onwards * k], v[k]));
      sums[i] = scalar::add(sums[i], s);
    }
  }
  // A strip of sums side by side, in which every product is there.
  template <class T>
  RICCI_HD static constexpr void add_products(T const* x, T const* v, index_t m, T* sums) {
    index_t j = 0;
    for (; j + 4 <= m; j += 4) {
      T const *const p = x + onwards * j, a = v[j], b = v[j + 1], c = v[j + 2], d = v[j + 3];
      for (int i = 0; i < strip; ++i) {
        T const ab = scalar::add(scalar::multiply(p[i], a), scalar::multiply(p[i + onwards], b));
        T const cd = scalar::add(scalar::multiply(p[i + 2 * onwards], c), scalar::multiply(p[i + 3 * onwards], d));
        sums[i] = scalar::add(sums[i], scalar::add(ab, cd));
      }
    }
    T const* const p = x + onwards * j;
    if (m - j == 3) add_few<3>(p, v + j, sums);
    if (m - j == 2) add_few<2>(p, v + j, sums);
    if (m - j == 1) add_few<1>(p, v + j, sums);
  }
  RICCI_FN run(auto const& c, auto const& a, auto const& b, auto const& from, auto const& y) {
    using T = std::remove_cvref_t<decltype(y(0))>;
    bool const longer = c.extents[0] >= c.extents[1];
    index_t const n = longer ? c.extents[0] : c.extents[1], m = longer ? c.extents[1] : c.extents[0], k = c.extents[2];
    T const *const x = longer ? a.p : b.p, *const v = longer ? b.p : a.p;
    // sum i begins at x[begin + i]; where b is longer, a moves back along it, so that the last sum comes first
    bool const last_first = Correlates && !longer;
    index_t const begin = !Correlates ? from() : longer ? from() - (m - 1) : n - k - from();
    auto const within = [k](index_t i) RICCI_INLINE_LAMBDA { return i < 0 ? 0 : i < k ? i : k; };
    // those from `first` to `last` have all their products
    index_t const first = within((Correlates ? 0 : m - 1) - begin), stop = within((Correlates ? n - m + 1 : n) - begin),
                  last = stop > first ? stop : first;
    auto const one_by_one = [&](index_t i, index_t to) RICCI_INLINE_LAMBDA {
      for (; i < to; ++i) y(last_first ? k - 1 - i : i) = sum(x, n, v, m, begin + i);
    };
    auto const together = [&](index_t i) RICCI_INLINE_LAMBDA {
      T sums[strip]{};
      add_products(x + begin + i, v, m, sums);
      if (y.stride[0] == 1 && !last_first)
        for (int l = 0; l < strip; ++l) y.p[i + l] = sums[l];
      else
        for (int l = 0; l < strip; ++l) y(last_first ? k - 1 - i - l : i + l) = sums[l];
    };
    one_by_one(0, first);
    index_t i = first;
    for (; last - i >= strip; i += strip) together(i);
    if (i < last && i > first) together(last - strip), i = last;  // some of them once more
    one_by_one(i, k);
  }

  template <class V>
  static constexpr V over(V a, V b, V shift, index_t n) {
    auto& g = *a.g;
    shape_t shapes[] = {a.shape(), b.shape()};
    index_t const lengths[] = {shapes[0].extent[--shapes[0].rank], shapes[1].extent[--shapes[1].rank]};
    ir::graph_context<typename V::graph_type> c{g, ir::facts_of<convolution_t>(), a.shape_id(), b.shape_id()};
    shape_t const batch = shapes::broadcast(c, shapes[0], shapes[1]);
    int operands[3]{};
    for (int k = 0; k < 2; ++k) {
      shape_t s = batch;
      s.push(lengths[k]);
      operands[k] = ir::broadcast_to(k == 0 ? a : b, ir::intern(g, s)).id;
    }
    operands[2] = ir::broadcast_to(shift, ir::intern(g, batch)).id;
    shape_t result = batch;
    result.push(n);
    return ir::call<convolution_t, typename V::mode>(g, a.type(), &result, {operands, 3}, {});
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    index_t const n = at.y.shape().extent[at.y.rank() - 1];
    return ir::sum_of(t[0] ? over(t[0], at.operand(1), at.operand(2), n) : V{},
                      t[1] ? over(at.operand(0), t[1], at.operand(2), n) : V{});
  }
  // The cotangent of x is ct correlated with v (for a correlation: convolved with v); that of v is ct correlated with x
  // (for a correlation: x correlated with ct).
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    using other_t = convolution_t<!Correlates>;
    auto& g = *ct.g;
    auto const last = [](V x) { return x.shape().extent[x.rank() - 1]; };
    auto const number = [&](index_t n) { return ir::number<typename V::mode>(g, n, dtype::int64); };
    index_t const n = last(at.operand(0)), m = last(at.operand(1));
    out[0] = other_t::over(ct, at.operand(1), V(number(ir::plus(g, m, -1)) - at.operand(2)), n);
    if constexpr (Correlates)
      out[1] = over(at.operand(0), ct, V(at.operand(2) + number(ir::minus(g, last(ct), m))), m);
    else
      out[1] = other_t::over(ct, at.operand(0), V(number(ir::plus(g, n, -1)) - at.operand(2)), m);
  }
};

// Along the last axes; the axes before them broadcast.
template <bool Correlates, class Which>
struct convolution_of_two {
  static constexpr auto name = Correlates ? "correlate" : "convolve";
  static constexpr bool takes_complex = true;
  static constexpr dtype type_of_result(dtype a, dtype b) { return promote(a, b); }

  // the larger and the smaller of two extents, as the context knows them
  template <class Context>
  static constexpr index_t larger(Context& c, index_t a, index_t b) {
    if (a >= 0 && b >= 0) return a < b ? b : a;
    if (a == b) return a;
    if constexpr (requires { c.g; })
      return ir::plus(c.g, b, ir::length(c.g, ir::minus(c.g, a, b)));
    else
      return dyn;
  }
  template <class Context>
  static constexpr index_t length(Context& c, index_t n, index_t m) {
    if constexpr (std::is_same_v<Which, overlap::full_t>) return c.minus(c.plus(n, m), 1);
    index_t const more = larger(c, n, m);
    if constexpr (std::is_same_v<Which, overlap::same_t>) return more;
    return c.plus(c.minus(more, c.minus(c.plus(n, m), more)), 1);
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t a, shape_t b) {
    if (a.rank == 0 || b.rank == 0) return c.fail(), shape_t{};
    index_t const n = a.extent[--a.rank], m = b.extent[--b.rank];
    if (n == 0 || m == 0) return c.fail(), shape_t{};
    shape_t s = shapes::broadcast(c, a, b);
    s.push(length(c, n, m));
    return s;
  }
  // element i of the result is element i + shift of the full one
  template <class Context>
  static constexpr index_t shift_of(Context& c, index_t n, index_t m) {
    [[maybe_unused]] auto& g = c.g;
    index_t shift = 0;
    if constexpr (!std::is_same_v<Which, overlap::full_t>) {
      index_t const more = larger(c, n, m), fewer = ir::minus(g, ir::plus(g, n, m), more);
      shift = ir::plus(g, fewer, -1);
      if constexpr (std::is_same_v<Which, overlap::same_t>) {
        // a shorter vector is correlated with a longer one as the longer one is with it, backwards
        if constexpr (Correlates) {
          index_t const shorter = ir::length(g, ir::minus(g, m, n));
          shift = ir::plus(g, shift, ir::minus(g, shorter, ir::length(g, ir::plus(g, shorter, -1))));
        }
        shift = ir::divide(g, shift, 2);
      }
    }
    return shift;
  }
  template <class V>
  static constexpr V record(no_attributes, V a, V b) {
    auto& g = *a.g;
    dtype const type = type_of_result(a.type(), b.type()), computed = arithmetic_type(numeric_type_for(type));
    using convolution = convolution_t<Correlates>;
    ir::graph_context<typename V::mode::graph> c{g, ir::facts_of<convolution>(), a.shape_id(), b.shape_id()};
    shape_t const s = shape_of(c, no_attributes{}, a.shape(), b.shape());
    a = ir::cast(ir::cast(a, type), computed), b = ir::cast(ir::cast(b, type), computed);
    index_t const n = a.shape().extent[a.rank() - 1], m = b.shape().extent[b.rank() - 1];
    index_t const shift = shift_of(c, n, m);
    if (Correlates && is_complex(type)) b = conj(b);
    V const from = ir::number<typename V::mode>(g, shift, dtype::int64);
    return ir::cast(convolution::over(a, b, from, s.extent[s.rank - 1]), type);
  }
};

// (..., n), (..., m) -> (..., n + m - 1), or what `rc::overlap` says: the sums of products of a with v backwards.
// Integers keep their type and wrap. Of vectors without elements there is none: a value_error, or a compile error.
template <bool Correlates, class Usual>
struct convolution_function {
  template <class A, class V>
  requires tensor_operands<A, V> RICCI_INLINE constexpr auto operator()(A&& a, V&& v) const {
    return (*this)(static_cast<A&&>(a), static_cast<V&&>(v), Usual{});
  }
  template <class A, class V, class Which>
  requires tensor_operands<A, V> RICCI_INLINE constexpr auto operator()(A&& a, V&& v, Which) const {
    return call_operation<convolution_of_two<Correlates, Which>>(no_attributes{}, static_cast<A&&>(a),
                                                                 static_cast<V&&>(v));
  }
};
struct convolve_t : convolution_function<false, overlap::full_t> {};
// The sums of products of a with v (its conjugate) as it slides along: those in which it lies within a, or a within it,
// or what `rc::overlap` says.
struct correlate_t : convolution_function<true, overlap::valid_t> {};
inline constexpr convolve_t convolve{};
inline constexpr correlate_t correlate{};

}  // namespace ricci
