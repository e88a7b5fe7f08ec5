// Elementwise chains of one pass, from the first-level cache to memory.
#include <ricci/ricci.hpp>

#include "table.hpp"

namespace rc = ricci;

namespace bench {
namespace {

using array = rc::ndarray<float, 1>;

struct linear {
  static constexpr char const* name = "2x+z*x-z/3";
  static constexpr char const* python = "2 * x + z * x - z / 3";
  static auto of(auto const& x, auto const& z) { return 2.f * x + z * x - z / 3.f; }
  static auto with_ricci(auto const& x, auto const& z) { return of(x, z); }
};
struct bell {
  static constexpr char const *name = "exp(-x*x)*tanh(z)", *python = "torch.exp(-x * x) * torch.tanh(z)";
  static auto of(auto const& x, auto const& z) { return exp(-x * x) * tanh(z); }
  static auto with_ricci(auto const& x, auto const& z) { return rc::exp(-x * x) * rc::tanh(z); }
};

template <class Chain>
[[gnu::noinline]] void by_hand(float* __restrict y, float const* x, float const* z, long n) {
  long i = 0;
#if RICCI_HAS_XSIMD
  using P = rc::simd::pack<float>;
  if constexpr (std::is_same_v<Chain, bell>) {
    for (; i + P::size <= n; i += P::size) P(Chain::of(P::load(x + i), P::load(z + i))).store(y + i);
  }
#endif
  for (; i < n; ++i)
    if constexpr (std::is_same_v<Chain, bell>)
      y[i] = std::exp(-x[i] * x[i]) * std::tanh(z[i]);
    else
      y[i] = Chain::of(x[i], z[i]);
}

template <class Chain>
void chain(long n, goals g) {
  std::string const name = std::string(Chain::name) + ", " + std::to_string(n);
  if (!wanted(name)) return;
  array const x = with_noise(array(n), 1), z = with_noise(array(n), 2);
  array y(n), h(n);
  bind("x", x), bind("z", z);
  auto all = together({contestant_of("loop", [&] { return by_hand<Chain>(h.data(), x.data(), z.data(), n), &h; })},
                      python("torch", "x z", Chain::python));
  std::string text = Chain::python;
  for (std::size_t at; (at = text.find("torch.")) != std::string::npos;) text.replace(at, 6, "jnp.");
  all = together(all, python("jax", "x z", text.c_str()));
#if BENCH_EIGEN
  Eigen::Map<Eigen::ArrayXf const> const ex(x.data(), n), ez(z.data(), n);
  Eigen::ArrayXf e(n);
  all.push_back({"Eigen", [&] { e = Chain::of(ex, ez), touch(e.data()); },
                 [&] { return e = Chain::of(ex, ez), numbers(e.data(), e.data() + n); }});
#endif
  contest(name, {work::bytes, 12. * double(n)}, g,
          contestant_of("ricci", [&] { return y = Chain::with_ricci(x, z), &y; }), all);
}

}  // namespace

void streams() {
  title("chains of floats");
  for (long n : {4000L, 100000L, 16000000L}) chain<linear>(n, {});
  for (long n : {4000L, 100000L, 16000000L}) chain<bell>(n, {});
}

}  // namespace bench
