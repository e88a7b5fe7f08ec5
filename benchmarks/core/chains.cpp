// Fused elementwise chains and their gradients. The limit is the faster of two hand-written loops at -O3: a plain one
// over the functions of <cmath>, which g++ vectorises for arithmetic but not for exp, tanh and log1p; and one over SIMD
// batches with the very functions that ricci uses, which is what a library can reach at best.
#include <algorithm>
#include <cmath>
#include <ricci/ricci.hpp>

#include "peers.hpp"
#include "timing.hpp"

namespace rc = ricci;

namespace bench {
namespace {

using array = rc::ndarray<float, 1>;
using array16 = rc::tensor<float, 16>;

// one chain in four tongues
struct linear {
  static constexpr char const* name = "2x+z*x-z/3";
  static constexpr auto with_ricci = [](auto const& x, auto const& z) { return 2.f * x + z * x - z / 3.f; };
  static constexpr auto with_eigen = [](auto const& x, auto const& z) { return 2.f * x + z * x - z / 3.f; };
  static float plain(float x, float z) { return 2.f * x + z * x - z / 3.f; }
  static auto batch(auto x, auto z) { return decltype(x)(2.f) * x + z * x - z / decltype(x)(3.f); }
};
struct bell {
  static constexpr char const* name = "exp(-x*x)*tanh(z)";
  static constexpr auto with_ricci = [](auto const& x, auto const& z) { return rc::exp(-x * x) * rc::tanh(z); };
  static constexpr auto with_eigen = [](auto const& x, auto const& z) { return (-x * x).exp() * z.tanh(); };
  static float plain(float x, float z) { return std::exp(-x * x) * std::tanh(z); }
  static auto batch(auto x, auto z) { return exp(-x * x) * tanh(z); }
};
struct softplus {
  static constexpr char const* name = "log1p(exp(x))";
  static constexpr auto with_ricci = [](auto const& x, auto const&) { return rc::log1p(rc::exp(x)); };
  static constexpr auto with_eigen = [](auto const& x, auto const&) { return x.exp().log1p(); };
  static float plain(float x, float) { return std::log1p(std::exp(x)); }
  static auto batch(auto x, auto) { return log1p(exp(x)); }
};

template <class Chain, class X>
[[gnu::noinline]] void ricci_chain(X& y, X const& x, X const& z) {
  y = Chain::with_ricci(x, z);
}
template <class Chain>
inline constexpr auto total = [](auto x, auto z) { return rc::sum(Chain::with_ricci(x, z)); };
template <class Chain, class X>
[[gnu::noinline]] void ricci_gradient(X& dx, X const& x, X const& z) {
  rc::grad(total<Chain>).into(dx)(x, z);
}
template <class Chain, class X>
[[gnu::noinline]] void ricci_gradients(X& dx, X& dz, X const& x, X const& z) {
  rc::grad<0, 1>(total<Chain>).into(dx, dz)(x, z);
}
template <class Chain>
[[gnu::noinline]] void plain_loop(float* __restrict y, float const* x, float const* z, long n) {
  for (long i = 0; i < n; ++i) y[i] = Chain::plain(x[i], z[i]);
}
template <class Chain>
[[gnu::noinline]] void batch_loop(float* y, float const* x, float const* z, long n) {
  long i = 0;
#if RICCI_HAS_XSIMD
  using P = rc::simd::pack<float>;
  for (; i + P::size <= n; i += P::size) P(Chain::batch(P::load(x + i), P::load(z + i))).store(y + i);
#endif
  for (; i < n; ++i) y[i] = Chain::plain(x[i], z[i]);
}
#if BENCH_EIGEN
template <class Chain, class X>
[[gnu::noinline]] void eigen_chain(X& y, X const& x, X const& z) {
  y = Chain::with_eigen(x, z);
}
#endif

void fill(float* x, float* z, long n) {
  for (long i = 0; i < n; ++i) x[i] = -2.f + 4.f * float(i % 997) / 997.f, z[i] = -3.f + 6.f * float(i % 1009) / 1009.f;
}

template <class Chain, class X, class Peer>
void chain_rows(std::string const& name, X& x, X& z, X& y, Peer const& with_eigen) {
  long const n = x.size();
  X w = y;
  fill(x.data(), z.data(), n);
  auto const chain = [&] { ricci_chain<Chain>(y, x, z), touch(y.data()); };
  auto const plain = [&] { plain_loop<Chain>(y.data(), x.data(), z.data(), n), touch(y.data()); };
  auto const batch = [&] { batch_loop<Chain>(y.data(), x.data(), z.data(), n), touch(y.data()); };
  if (wanted(name)) {
    auto const t = race(chain, with_eigen, plain, batch);
    times(name, t[0], faster(t[0], BENCH_EIGEN ? t[1] : absent, 1), {std::min(t[2], t[3]) / t[0], 0.97});
  }
  auto const times_chain = [&](std::string const& what, double gradient, double value) {
    row(what, time_text(gradient), nothing(), {value / gradient, 0.5});
  };
  if (wanted("d/dx " + name)) {
    auto const t = race(chain, [&] { ricci_gradient<Chain>(w, x, z), touch(w.data()); });
    times_chain("d/dx " + name, t[1], t[0]);
  }
  if constexpr (!std::is_same_v<Chain, softplus>)
    if (wanted("d/dx, d/dz " + name)) {
      auto const t = race(chain, [&] { ricci_gradients<Chain>(w, y, x, z), touch(w.data()); });
      times_chain("d/dx, d/dz " + name, t[1], t[0]);
    }
}

template <class Chain>
void all_sizes() {
  section(Chain::name, "Eigen", "hand, value");
  {
    array16 x{}, y{}, z{};
#if BENCH_EIGEN
    using fixed = Eigen::Array<float, 16, 1>;
    fixed ex, ey, ez;
    fill(ex.data(), ez.data(), 16);
    auto const peer = [&] { eigen_chain<Chain>(ey, ex, ez), touch(ey.data()); };
#else
    auto const peer = [] {};
#endif
    chain_rows<Chain>(std::string(Chain::name) + ", static 16", x, z, y, peer);
  }
  for (long n : {16L, 4000L, 100000L, 16000000L}) {
    array x(n), y(n), z(n);
#if BENCH_EIGEN
    Eigen::Map<Eigen::ArrayXf, Eigen::Aligned64> ex(x.data(), n), ey(y.data(), n), ez(z.data(), n);
    auto const peer = [&] { eigen_chain<Chain>(ey, ex, ez), touch(ey.data()); };
#else
    auto const peer = [] {};
#endif
    char size[32];
    std::snprintf(size, sizeof size, ", %.3g", double(n));
    chain_rows<Chain>(Chain::name + std::string(size), x, z, y, peer);
  }
}

}  // namespace

void chains() {
  all_sizes<linear>();
  all_sizes<bell>();
  all_sizes<softplus>();
}

}  // namespace bench
