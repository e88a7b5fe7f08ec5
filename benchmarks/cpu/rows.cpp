// Sums, extrema and scans of matrices of 1024 x 1024 floats; and what is normalised by row or column.
#include <algorithm>
#include <memory>

#include <ricci/ricci.hpp>

#include "table.hpp"

namespace rc = ricci;

namespace bench {
namespace {

constexpr long n = 1024;
constexpr double cell = double(n * n);
using matrix = rc::ndarray<float, 2>;
using vector = rc::ndarray<float, 1>;

// beside torch and jax
std::vector<contestant> nets(char const* names, char const* torch, char const* jax) {
  return together(python("torch", names, torch), python("jax", names, jax));
}

#if RICCI_HAS_XSIMD
using P = rc::simd::pack<float>;
P larger(P x, P y) { return select(x > y, x, y); }
float total(P p) {
  float x[P::size], s = 0;
  p.store(x);
  for (float const e : x) s += e;
  return s;
}
float greatest(P p) {
  float x[P::size], s = -std::numeric_limits<float>::infinity();
  p.store(x);
  for (float const e : x) s = std::max(s, e);
  return s;
}
[[gnu::noinline]] void softmax_by_hand(matrix& y, matrix const& x) {
  for (long i = 0; i < n; ++i) {
    float const* const a = x.data() + i * n;
    float* const b = y.data() + i * n;
    P m0 = P::load(a), m1 = m0;
    for (long j = 0; j < n; j += 2 * P::size)
      m0 = larger(m0, P::load(a + j)), m1 = larger(m1, P::load(a + j + P::size));
    P const m(greatest(larger(m0, m1)));
    P s0(0.f), s1(0.f);
    for (long j = 0; j < n; j += 2 * P::size) {
      P const e0 = exp(P::load(a + j) - m), e1 = exp(P::load(a + j + P::size) - m);
      s0 = s0 + e0, s1 = s1 + e1;
      e0.store(b + j), e1.store(b + j + P::size);
    }
    P const r(1 / total(s0 + s1));
    for (long j = 0; j < n; j += P::size) P(P::load(b + j) * r).store(b + j);
  }
}
[[gnu::noinline]] void layer_norm_by_hand(matrix& y, matrix const& x, vector const& g, vector const& b) {
  for (long i = 0; i < n; ++i) {
    float const* const a = x.data() + i * n;
    P s0(0.f), s1(0.f), q0(0.f), q1(0.f);
    for (long j = 0; j < n; j += 2 * P::size) s0 = s0 + P::load(a + j), s1 = s1 + P::load(a + j + P::size);
    float const mean = total(s0 + s1) / float(n);
    for (long j = 0; j < n; j += 2 * P::size) {
      P const d0 = P::load(a + j) - P(mean), d1 = P::load(a + j + P::size) - P(mean);
      q0 = rc::simd::fma(d0, d0, q0), q1 = rc::simd::fma(d1, d1, q1);
    }
    P const r(1 / std::sqrt(total(q0 + q1) / float(n) + 1e-5f)), m(mean);
    for (long j = 0; j < n; j += P::size)
      P((P::load(a + j) - m) * r * P::load(g.data() + j) + P::load(b.data() + j)).store(y.data() + i * n + j);
  }
}
#endif

constexpr auto layer_norm = [](auto x, auto g, auto b) {
  auto const d = x - rc::mean(x, rc::axis<1>, rc::keepdims);
  return d * rc::rsqrt(rc::mean(rc::square(d), rc::axis<1>, rc::keepdims) + 1e-5f) * g + b;
};

template <class Y, class F>
contestant ricci(Y& y, F f) {
  return contestant_of("ricci", [&y, f] { return y = f(), &y; });
}

}  // namespace

void reductions_of_rows() {
  matrix const a = with_noise(matrix(n, n), 1), b = with_noise(matrix(n, n), 2);
  vector const g = with_noise(vector(n), 3), c = with_noise(vector(n), 4);
  bind("a", a), bind("b", b), bind("g", g), bind("c", c);
  matrix y(n, n);
  vector v(n);
  rc::ndarray<rc::index_t, 1> at(n);
  rc::ndarray<float, 0> s;
  work const one{work::bytes, 4 * cell}, two{work::bytes, 8 * cell};
  auto const eigen = [&]([[maybe_unused]] auto f) -> std::vector<contestant> {
#if BENCH_EIGEN
    auto const m = std::make_shared<Eigen::Map<Eigen::Array<float, -1, -1, Eigen::RowMajor> const>>(a.data(), n, n);
    auto const r = std::make_shared<Eigen::ArrayXf>();
    return {{"Eigen", [=] { f(*r, *m), touch(r->data()); },
             [=] { return f(*r, *m), numbers(r->data(), r->data() + r->size()); }}};
#else
    return {};
#endif
  };

  title("1024 x 1024 floats");
  contest("sum", one, {}, ricci(s, [&] { return rc::sum(a); }),
          together(nets("a", "a.sum()", "a.sum()"), python("numpy", "a", "a.sum()"),
                   eigen([](auto& r, auto& m) { r.resize(1), r[0] = m.sum(); })));
  contest("sum, axis 0", one, {}, ricci(v, [&] { return rc::sum(a, rc::axis<0>); }),
          together(nets("a", "a.sum(0)", "a.sum(0)"), eigen([](auto& r, auto& m) { r = m.colwise().sum(); })));
  contest("sum, axis 1", one, {}, ricci(v, [&] { return rc::sum(a, rc::axis<1>); }),
          together(nets("a", "a.sum(1)", "a.sum(1)"), eigen([](auto& r, auto& m) { r = m.rowwise().sum(); })));
  contest("sum((a - b)^2)", two, {}, ricci(s, [&] { return rc::sum(rc::square(a - b)); }),
          nets("a b", "((a - b) ** 2).sum()", "((a - b) ** 2).sum()"));
  contest("max, axis 1", one, {}, ricci(v, [&] { return rc::max(a, rc::axis<1>); }),
          together(nets("a", "a.amax(1)", "a.max(1)"), eigen([](auto& r, auto& m) { r = m.rowwise().maxCoeff(); })));
  contest("argmax, axis 1", one, {}, ricci(at, [&] { return rc::argmax(a, rc::axis<1>); }),
          together(nets("a", "a.argmax(1)", "a.argmax(1)"), python("numpy", "a", "a.argmax(1)")));
  contest("var, axis 1", one, {}, ricci(v, [&] { return rc::var(a, rc::axis<1>); }),
          nets("a", "a.var(1, correction=0)", "a.var(1)"));
  contest("cumulative_sum, axis 1", two, {}, ricci(y, [&] { return rc::cumulative_sum(a, rc::axis<1>); }),
          together(nets("a", "a.cumsum(1)", "a.cumsum(1)"), python("numpy", "a", "a.cumsum(1)")));

  title("normalised, 1024 x 1024 floats");
  std::vector<contestant> hand_softmax, hand_norm;
#if RICCI_HAS_XSIMD
  matrix h(n, n), hn(n, n);
  hand_softmax = {contestant_of("loop", [&] { return softmax_by_hand(h, a), &h; })};
  hand_norm = {contestant_of("loop", [&] { return layer_norm_by_hand(hn, a, g, c), &hn; })};
#endif
  auto const softmaxes = together(nets("a", "torch.softmax(a, 1)", "jax.nn.softmax(a, 1)"),
                                  python("onnxruntime", "a", "Softmax axis=1"), hand_softmax);
  contest("softmax of rows", two, {}, ricci(y, [&] { return rc::softmax(a, rc::axis<1>); }), softmaxes);
  matrix fy(n, n);
  auto softmax = rc::fn([](auto x) { return rc::softmax(x, rc::axis<1>); });
  contest("softmax of rows, a function", two, {}, contestant_of("ricci", [&] { return softmax.into(fy)(a), &fy; }),
          softmaxes);
  contest(
      "softmax of columns", two, {}, ricci(y, [&] { return rc::softmax(a, rc::axis<0>); }),
      together(nets("a", "torch.softmax(a, 0)", "jax.nn.softmax(a, 0)"), python("onnxruntime", "a", "Softmax axis=0")));
  contest("logsumexp of rows", one, {}, ricci(v, [&] { return rc::logsumexp(a, rc::axis<1>); }),
          nets("a", "torch.logsumexp(a, 1)", "jax.nn.logsumexp(a, 1)"));
  auto const norms =
      together(nets("a g c", "torch.nn.functional.layer_norm(a, (1024,), g, c)",
                    "(a - a.mean(1, keepdims=True)) * jax.lax.rsqrt(a.var(1, keepdims=True) + 1e-5) * g + c"),
               python("onnxruntime", "a g c", "LayerNormalization axis=1"), hand_norm);
  contest("layer norm of rows", two, {}, ricci(y, [&] { return layer_norm(a, g, c); }), norms);
  auto norm = rc::fn(layer_norm);
  contest("layer norm of rows, a function", two, {},
          contestant_of("ricci", [&] { return norm.into(fy)(a, g, c), &fy; }), norms);
}

}  // namespace bench
