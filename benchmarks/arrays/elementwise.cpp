// Arithmetic, comparisons, bits, rounding: what is limited by memory.
#include "ricci.hpp"

namespace bench {

void elementwise() {
  auto& v = x();
  auto const &a = v.a, &b = v.b, &p = v.p, &u = v.u;
  auto const &i = v.i, &j = v.j;
  auto const &d = v.d, &e = v.e;
  auto const &c = v.c, &m = v.k;
  auto const& o = data();
  float const *const fa = o.a.data(), *const fb = o.b.data(), *const fp = o.p.data(), *const fu = o.u.data();
  std::int32_t const *const ni = o.i.data(), *const nj = o.j.data();
  double const *const dd = o.d.data(), *const de = o.e.data();
  unsigned char const *const lc = o.c.data(), *const lm = o.k.data();
  using B = unsigned char;
  using I = std::int32_t;
  // of float: name, ricci, NumPy, loop
  auto const line = [](char const* name, auto type, auto r, char const* n, auto l) {
    contest(name, size, ricci(r), peers(numpy(n), loop_of<decltype(type)>(l)));
  };
  line(
      "add", float{}, [&] { return a + b; }, "np.add(a, b, out=o)", [=](long k) { return fa[k] + fb[k]; });
  line(
      "subtract", float{}, [&] { return a - b; }, "np.subtract(a, b, out=o)", [=](long k) { return fa[k] - fb[k]; });
  line(
      "multiply", float{}, [&] { return a * b; }, "np.multiply(a, b, out=o)", [=](long k) { return fa[k] * fb[k]; });
  line(
      "divide", float{}, [&] { return a / p; }, "np.divide(a, p, out=o)", [=](long k) { return fa[k] / fp[k]; });
  line(
      "2 * a + b", float{}, [&] { return 2 * a + b; }, "2 * a + b", [=](long k) { return 2 * fa[k] + fb[k]; });
  line(
      "add, float64", double{}, [&] { return d + e; }, "np.add(d, e, out=D)", [=](long k) { return dd[k] + de[k]; });
  line(
      "add, int32", I{}, [&] { return i + j; }, "np.add(i, j, out=I)", [=](long k) { return ni[k] + nj[k]; });
  line(
      "multiply, int32", I{}, [&] { return i * j; }, "np.multiply(i, j, out=I)", [=](long k) { return ni[k] * nj[k]; });
  line(
      "floor_divide, int32", I{}, [&] { return rc::floor_divide(i, j); }, "np.floor_divide(i, j, out=I)",
      [=](long k) { return ni[k] / nj[k] - (ni[k] % nj[k] < 0); });
  line(
      "floor_divide(i, 8), int32", I{}, [&] { return rc::floor_divide(i, 8); }, "np.floor_divide(i, 8, out=I)",
      [=](long k) { return ni[k] >> 3; });
  line(
      "remainder, int32", I{}, [&] { return rc::remainder(i, j); }, "np.remainder(i, j, out=I)",
      [=](long k) {
        I const r = ni[k] % nj[k];
        return r < 0 ? r + nj[k] : r;
      });
  line(
      "floor_divide", float{}, [&] { return rc::floor_divide(a, p); }, "np.floor_divide(a, p, out=o)",
      [=](long k) { return std::floor(fa[k] / fp[k]); });
  line(
      "remainder", float{}, [&] { return rc::remainder(a, p); }, "np.remainder(a, p, out=o)",
      [=](long k) {
        float const r = std::fmod(fa[k], fp[k]);
        return r < 0 ? r + fp[k] : r;
      });
  line(
      "abs", float{}, [&] { return rc::abs(a); }, "np.abs(a, out=o)", [=](long k) { return std::abs(fa[k]); });
  line(
      "negative", float{}, [&] { return -a; }, "np.negative(a, out=o)", [=](long k) { return -fa[k]; });
  line(
      "positive", float{}, [&] { return rc::positive(a); }, "np.positive(a, out=o)", [=](long k) { return fa[k]; });
  line(
      "square", float{}, [&] { return rc::square(a); }, "np.square(a, out=o)", [=](long k) { return fa[k] * fa[k]; });
  line(
      "sqrt", float{}, [&] { return rc::sqrt(p); }, "np.sqrt(p, out=o)", [=](long k) { return std::sqrt(fp[k]); });
  line(
      "reciprocal", float{}, [&] { return rc::reciprocal(p); }, "np.reciprocal(p, out=o)",
      [=](long k) { return 1 / fp[k]; });
  line(
      "sign", float{}, [&] { return rc::sign(a); }, "np.sign(a, out=o)",
      [=](long k) { return float(fa[k] > 0) - float(fa[k] < 0); });
  line(
      "signbit", B{}, [&] { return rc::signbit(a); }, "np.signbit(a, out=K)",
      [=](long k) { return std::signbit(fa[k]); });
  line(
      "copysign", float{}, [&] { return rc::copysign(a, b); }, "np.copysign(a, b, out=o)",
      [=](long k) { return std::copysign(fa[k], fb[k]); });
  line(
      "maximum", float{}, [&] { return rc::maximum(a, b); }, "np.maximum(a, b, out=o)",
      [=](long k) { return fa[k] > fb[k] ? fa[k] : fb[k]; });
  line(
      "minimum", float{}, [&] { return rc::minimum(a, b); }, "np.minimum(a, b, out=o)",
      [=](long k) { return fa[k] < fb[k] ? fa[k] : fb[k]; });
  line(
      "clip", float{}, [&] { return rc::clip(a, -.5f, .5f); }, "np.clip(a, -.5, .5, out=o)",
      [=](long k) { return fa[k] < -.5f  ? -.5f
                           : fa[k] > .5f ? .5f
                                         : fa[k]; });
  line(
      "where", float{}, [&] { return rc::where(c, a, b); }, "np.where(c, a, b)",
      [=](long k) { return lc[k] ? fa[k] : fb[k]; });
  line(
      "where(a > b, a, 0)", float{}, [&] { return rc::where(a > b, a, 0.f); }, "np.where(a > b, a, np.float32(0))",
      [=](long k) { return fa[k] > fb[k] ? fa[k] : 0; });
  line(
      "less", B{}, [&] { return a < b; }, "np.less(a, b, out=K)", [=](long k) { return fa[k] < fb[k]; });
  line(
      "equal", B{}, [&] { return a == b; }, "np.equal(a, b, out=K)", [=](long k) { return fa[k] == fb[k]; });
  line(
      "greater_equal, int32", B{}, [&] { return i >= j; }, "np.greater_equal(i, j, out=K)",
      [=](long k) { return ni[k] >= nj[k]; });
  line(
      "less, float64", B{}, [&] { return d < e; }, "np.less(d, e, out=K)", [=](long k) { return dd[k] < de[k]; });
  line(
      "logical_and", B{}, [&] { return c & m; }, "np.logical_and(c, k, out=K)", [=](long k) { return lc[k] & lm[k]; });
  line(
      "logical_xor", B{}, [&] { return rc::logical_xor(c, m); }, "np.logical_xor(c, k, out=K)",
      [=](long k) { return lc[k] ^ lm[k]; });
  line(
      "logical_not", B{}, [&] { return !c; }, "np.logical_not(c, out=K)", [=](long k) { return lc[k] ^ 1; });
  line(
      "isnan", B{}, [&] { return rc::isnan(a); }, "np.isnan(a, out=K)", [=](long k) { return fa[k] != fa[k]; });
  line(
      "isfinite", B{}, [&] { return rc::isfinite(a); }, "np.isfinite(a, out=K)",
      [=](long k) { return std::abs(fa[k]) <= 3.4028235e38f; });
  line(
      "isinf", B{}, [&] { return rc::isinf(a); }, "np.isinf(a, out=K)",
      [=](long k) { return std::abs(fa[k]) > 3.4028235e38f; });
  line(
      "bitwise_and, int32", I{}, [&] { return i & j; }, "np.bitwise_and(i, j, out=I)",
      [=](long k) { return ni[k] & nj[k]; });
  line(
      "bitwise_invert, int32", I{}, [&] { return ~i; }, "np.invert(i, out=I)", [=](long k) { return ~ni[k]; });
  line(
      "bitwise_left_shift, int32", I{}, [&] { return i << j; }, "np.left_shift(i, j, out=I)",
      [=](long k) { return int(unsigned(ni[k]) << nj[k]); });
  line(
      "bitwise_right_shift, int32", I{}, [&] { return i >> j; }, "np.right_shift(i, j, out=I)",
      [=](long k) { return ni[k] >> nj[k]; });
  line(
      "floor", float{}, [&] { return rc::floor(a); }, "np.floor(a, out=o)", [=](long k) { return std::floor(fa[k]); });
  line(
      "ceil", float{}, [&] { return rc::ceil(a); }, "np.ceil(a, out=o)", [=](long k) { return std::ceil(fa[k]); });
  line(
      "trunc", float{}, [&] { return rc::trunc(a); }, "np.trunc(a, out=o)", [=](long k) { return std::trunc(fa[k]); });
  line(
      "round", float{}, [&] { return rc::round(a); }, "np.rint(a, out=o)",
      [=](long k) { return std::nearbyint(fa[k]); });
  line(
      "nextafter", float{}, [&] { return rc::nextafter(a, b); }, "np.nextafter(a, b, out=o)",
      [=](long k) { return std::nextafter(fa[k], fb[k]); });
  line(
      "hypot", float{}, [&] { return rc::hypot(a, b); }, "np.hypot(a, b, out=o)",
      [=](long k) { return std::hypot(fa[k], fb[k]); });
  line(
      "astype float32 to float64", double{}, [&] { return rc::astype<double>(a); }, "a.astype('f8')",
      [=](long k) { return fa[k]; });
  line(
      "astype float64 to float32", float{}, [&] { return rc::astype<float>(d); }, "d.astype('f4')",
      [=](long k) { return dd[k]; });
  line(
      "astype int32 to float32", float{}, [&] { return rc::astype<float>(i); }, "i.astype('f4')",
      [=](long k) { return ni[k]; });
  line(
      "astype float32 to int32", I{}, [&] { return rc::astype<I>(u); }, "u.astype('i4')",
      [=](long k) { return I(fu[k]); });
  line(
      "astype bool to float32", float{}, [&] { return rc::astype<float>(c); }, "c.astype('f4')",
      [=](long k) { return lc[k]; });
  line(
      "astype float32 to bool", B{}, [&] { return rc::astype<bool>(a); }, "a.astype('?')",
      [=](long k) { return fa[k] != 0; });
}

}  // namespace bench
