// xtensor's side of rows, by their names.
#include "contest.hpp"
#if __has_include(<xtensor/xtensor.hpp>)
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>
#include <xtensor/xsort.hpp>
#include <xtensor/xtensor.hpp>
#endif

namespace bench {

void add_xtensor() {
#if __has_include(<xtensor/xtensor.hpp>)
  using row = xt::xtensor<float, 1>;
  using matrix = xt::xtensor<float, 2>;
  auto const& o = data();
  auto const of = [](std::span<float const> v) {
    return row(xt::adapt(v.data(), size, xt::no_ownership(), std::array<std::size_t, 1>{size}));
  };
  static row const a = of(o.a), b = of(o.b), p = of(o.p);
  static matrix const aa = xt::adapt(o.a.data(), size, xt::no_ownership(), std::array<std::size_t, 2>{side, side});
  auto const into = [](auto name, auto f) {
    add_peer(name, contestant_of("xtensor", [f] {
               static row y = xt::zeros<float>({size});
               xt::noalias(y) = f();
               return &y;
             }));
  };
  into("add", [] { return a + b; });
  into("2 * a + b", [] { return 2.f * a + b; });
  into("exp", [] { return xt::exp(a); });
  into("sin", [] { return xt::sin(a); });
  into("tanh", [] { return xt::tanh(a); });
  into("maximum", [] { return xt::maximum(a, b); });
  into("sort", [] { return xt::sort(a); });
  into("cumulative_sum", [] { return xt::cumsum(a); });
  into("flip", [] { return xt::flip(a, 0); });
  auto const number = [](auto name, auto f) {
    add_peer(name, contestant_of("xtensor", [f] {
               static float r;
               r = float(f());
               return &r;
             }));
  };
  number("sum", [] { return xt::sum(p, xt::evaluation_strategy::immediate)(); });
  number("max", [] { return xt::amax(a, xt::evaluation_strategy::immediate)(); });
  auto const vector = [](auto name, auto f) {
    add_peer(name, contestant_of("xtensor", [f] {
               static row r;
               r = f();
               return &r;
             }));
  };
  vector("sum, axis 0", [] { return xt::sum(aa, {0}, xt::evaluation_strategy::immediate); });
  vector("sum, axis 1", [] { return xt::sum(aa, {1}, xt::evaluation_strategy::immediate); });
#endif
}

}  // namespace bench
