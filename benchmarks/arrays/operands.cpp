// The operands of all rows.
#include <random>

#include "ricci.hpp"

namespace bench {

arrays& x() {
  static arrays all = [] {
    arrays v;
    std::mt19937 engine(7);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> unit(-1, 1), positive(.5, 10);
    std::uniform_int_distribution<int> integer(-1000, 1000), small(1, 30), byte(0, 255), anywhere(0, int(size) - 1);
    auto const fill = [&](auto& y, auto&& distribution) {
      using T = typename std::remove_cvref_t<decltype(y)>::value_type;
      y = rc::empty<T>(rc::shape(size));
      for (auto& e : y) e = static_cast<T>(distribution(engine));
    };
    fill(v.a, normal), fill(v.b, normal), fill(v.p, positive), fill(v.u, unit);
    fill(v.d, normal), fill(v.e, positive);
    fill(v.i, integer), fill(v.j, small), fill(v.s, byte), fill(v.at, anywhere);
    v.c = v.a > 0.f, v.k = v.b > 0.f;
    v.grid = rc::linspace<float>(-3, 3, 1000);
    auto const square = rc::shape(side, side);
    v.aa = rc::reshape(v.a, square), v.bb = rc::reshape(v.b, square);
    v.pp = rc::reshape(v.p, square), v.cc = rc::reshape(v.c, square);
    return v;
  }();
  return all;
}
operands const& data() {
  static operands const all = [] {
    auto const of = [](auto const& y) { return std::span(y.data(), std::size_t(y.size())); };
    auto const bytes = [](vector<bool> const& y) {
      return std::span(reinterpret_cast<unsigned char const*>(y.data()), std::size_t(y.size()));
    };
    auto const& v = x();
    return operands{of(v.a), of(v.b), of(v.p),  of(v.u),    of(v.d),    of(v.e),   of(v.i),
                    of(v.j), of(v.s), of(v.at), bytes(v.c), bytes(v.k), of(v.grid)};
  }();
  return all;
}

}  // namespace bench
