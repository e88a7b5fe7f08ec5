// Reductions of all elements and along each axis, cumulative ones, statistics.
#include "ricci.hpp"

namespace bench {
namespace {

// f(state, element) over each column or row of a matrix of 1000 x 1000
template <class T, class X, class F>
contestant columns(X const* p, T start, F f) {
  auto const y = std::make_shared<std::vector<T>>(std::size_t(side));
  return loop([=] {
    T* const to = y->data();
    for (long k = 0; k < side; ++k) to[k] = start;
    for (long i = 0; i < side; ++i)
      for (long k = 0; k < side; ++k) to[k] = f(to[k], p[i * side + k]);
    return y.get();
  });
}
template <class T, class X, class F>
contestant rows_of(X const* p, long count, T start, F f) {
  auto const y = std::make_shared<std::vector<T>>(std::size_t(count));
  long const n = size / count;
  return loop([=] {
    for (long i = 0; i < count; ++i) {
      T s = start;
      for (long k = 0; k < n; ++k) s = f(s, p[i * n + k]);
      (*y)[std::size_t(i)] = s;
    }
    return y.get();
  });
}

}  // namespace

void reductions() {
  auto& v = x();
  auto const &a = v.a, &p = v.p, &b = v.b;
  auto const &aa = v.aa, &pp = v.pp;
  auto const& o = data();
  float const *const fa = o.a.data(), *const fp = o.p.data(), *const fb = o.b.data();
  auto const add = [](auto s, auto e) { return s + e; };
  auto const more = [](auto s, auto e) { return e > s ? e : s; };
  auto const line = [](char const* name, auto r, char const* n, auto... more_peers) {
    contest(name, size, ricci(r), peers(numpy(n), more_peers...));
  };
  line(
      "sum", [&] { return rc::sum(p); }, "np.sum(p)");
  line(
      "sum, axis 0", [&] { return rc::sum(aa, rc::axis<0>); }, "np.sum(aa, 0)", columns(fa, 0.f, add));
  line(
      "sum, axis 1", [&] { return rc::sum(aa, rc::axis<1>); }, "np.sum(aa, 1)");
  line(
      "sum of the transpose, axis 0", [&] { return rc::sum(aa.T(), rc::axis<0>); }, "np.sum(aa.T, 0)");
  line(
      "sum, float64", [&] { return rc::sum(v.e); }, "np.sum(e)");
  line(
      "sum, int32", [&] { return rc::sum(v.i); }, "np.sum(i)", rows_of(o.i.data(), 1, std::int64_t(0), add));
  line(
      "sum, bool", [&] { return rc::sum(v.c); }, "np.sum(c)", rows_of(o.c.data(), 1, std::int64_t(0), add));
  line(
      "prod, float64", [&] { return rc::prod(1. + 1e-6 * v.d); }, "np.prod(1 + 1e-6 * d)");
  line(
      "mean", [&] { return rc::mean(p); }, "np.mean(p)");
  line(
      "mean, axis 0", [&] { return rc::mean(aa, rc::axis<0>); }, "np.mean(aa, 0)");
  line(
      "var", [&] { return rc::var(p); }, "np.var(p)");
  line(
      "var, axis 0", [&] { return rc::var(aa, rc::axis<0>); }, "np.var(aa, 0)");
  line(
      "std, axis 1", [&] { return rc::std(aa, rc::axis<1>); }, "np.std(aa, 1)");
  line(
      "max", [&] { return rc::max(a); }, "np.max(a)");
  line(
      "max, axis 0", [&] { return rc::max(aa, rc::axis<0>); }, "np.max(aa, 0)", columns(fa, -1e30f, more));
  line(
      "min, axis 1", [&] { return rc::min(aa, rc::axis<1>); }, "np.min(aa, 1)");
  line(
      "max, int32", [&] { return rc::max(v.i); }, "np.max(i)", rows_of(o.i.data(), 1, -100000, more));
  line(
      "ptp", [&] { return rc::ptp(a); }, "np.ptp(a)");
  line(
      "argmax", [&] { return rc::argmax(a); }, "np.argmax(a)");
  line(
      "argmin, axis 0", [&] { return rc::argmin(aa, rc::axis<0>); }, "np.argmin(aa, 0)");
  line(
      "argmax, axis 1", [&] { return rc::argmax(aa, rc::axis<1>); }, "np.argmax(aa, 1)");
  line(
      "argmax, int32", [&] { return rc::argmax(v.i); }, "np.argmax(i)");
  line(
      "all", [&] { return rc::all(p); }, "np.all(p)");
  line(
      "any of a mask, none true", [&] { return rc::any(p < 0.f); }, "np.any(p < 0)");
  line(
      "all, axis 0", [&] { return rc::all(v.cc, rc::axis<0>); }, "np.all(cc, 0)");
  line(
      "count_nonzero", [&] { return rc::count_nonzero(a); }, "np.count_nonzero(a)");
  line(
      "count_nonzero, bool", [&] { return rc::count_nonzero(v.c); }, "np.count_nonzero(c)");
  line(
      "cumulative_sum", [&] { return rc::cumulative_sum(a); }, "np.cumsum(a, out=o)");
  line(
      "cumulative_sum, axis 0", [&] { return rc::cumulative_sum(aa, rc::axis<0>); }, "np.cumsum(aa, 0)");
  line(
      "cumulative_sum, axis 1", [&] { return rc::cumulative_sum(aa, rc::axis<1>); }, "np.cumsum(aa, 1)");
  line(
      "cumulative_prod", [&] { return rc::cumulative_prod(1.f + 1e-6f * a); }, "np.cumprod(1 + np.float32(1e-6) * a)");
  line(
      "cumulative_max", [&] { return rc::cumulative_max(a); }, "np.maximum.accumulate(a)");
  line(
      "nansum", [&] { return rc::nansum(p); }, "np.nansum(p)");
  line(
      "nanmax", [&] { return rc::nanmax(a); }, "np.nanmax(a)");
  line(
      "nanmean, axis 1", [&] { return rc::nanmean(pp, rc::axis<1>); }, "np.nanmean(pp, 1)");
  line(
      "norm", [&] { return rc::norm(a); }, "np.linalg.norm(a)");
  line(
      "average", [&] { return rc::average(a, p); }, "np.average(a, weights=p)");
  line(
      "cov of 1000 x 1000", [&] { return rc::cov(aa); }, "np.cov(aa, dtype='f4')");
  line(
      "corrcoef of 1000 x 1000", [&] { return rc::corrcoef(aa); }, "np.corrcoef(aa, dtype='f4')");
  line(
      "logsumexp", [&] { return rc::logsumexp(a); }, "np.log(np.sum(np.exp(a - np.max(a)))) + np.max(a)");
  line(
      "softmax, axis 1", [&] { return rc::softmax(aa); },
      "(lambda t: t / t.sum(1, keepdims=True))(np.exp(aa - aa.max(1, keepdims=True)))");
  line(
      "trapezoid", [&] { return rc::trapezoid(p, .1f); }, "np.trapezoid(p, dx=.1)",
      rows_of(fp, 1, 0.f, [](float s, float e) { return s + .1f * e; }));
  line(
      "gradient", [&] { return rc::gradient(a, .1f); }, "np.gradient(a, .1)");
  line(
      "gradient, axis 0", [&] { return rc::gradient(aa, .1f, rc::axis<0>); }, "np.gradient(aa, .1, axis=0)");
  line(
      "diff", [&] { return rc::diff(a); }, "np.diff(a)",
      loop_of<float>([=](long k) { return fa[k + 1] - fa[k]; }, size - 1));
  line(
      "diff, axis 0", [&] { return rc::diff(aa, rc::axis<0>); }, "np.diff(aa, axis=0)");
  line(
      "allclose", [&] { return rc::allclose(a, a); }, "np.allclose(a, a)");
  line(
      "array_equal", [&] { return rc::array_equal(a, a); }, "np.array_equal(a, a)");
  line(
      "isclose", [&] { return rc::isclose(a, b); }, "np.isclose(a, b)",
      loop_of<unsigned char>([=](long k) { return std::abs(fa[k] - fb[k]) <= 1e-8f + 1e-5f * std::abs(fb[k]); }));
}

}  // namespace bench
