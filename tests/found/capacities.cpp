// Fixed capacities: at the limit and one past it (docs/limits.md).
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>

namespace rc = ricci;

namespace {

// a + b + c ..., of f(0), f(1), ...
template <int N>
constexpr auto sum_of(auto const& f) {
  return [&]<int... K>(std::integer_sequence<int, K...>) { return (f(K) + ...); }
  (std::make_integer_sequence<int, N>{});
}
auto numbered(auto x) {
  for (rc::index_t i = 0; i < x.shape(0); ++i)
    for (rc::index_t k = 0; k < x.shape(1); ++k) x(i, k) = float((i * 7 + k * 3) % 11);
  return x;
}
// whether y(i, k) is the sum of k' + 1 times x(i, step k + k')
bool is_sum_of(auto const& y, auto const& x, int count, int step) {
  bool right = true;
  for (rc::index_t i = 0; i < y.shape(0); ++i)
    for (rc::index_t k = 0; k < y.shape(1); ++k) {
      float sum = 0;
      for (int n = 0; n < count; ++n) sum += float(n + 1) * x(i, step * k + n);
      right = right && y(i, k) == sum;
    }
  return right;
}

}  // namespace

TEST_CASE("bug1: more strided operands than there are wide tiles") {
  auto const x = numbered(rc::ndarray<float, 2>(37, 320));
  auto const shifted = [&]<int N>(std::integral_constant<int, N>, int step) {
    return rc::eval(sum_of<N>([&](int k) { return float(k + 1) * x(rc::all, rc::range(k, 270 + k, step)); }));
  };
  for (int const step : {1, 2}) {
    CAPTURE(step);
    CHECK(is_sum_of(shifted(std::integral_constant<int, 9>{}, step), x, 9, step));
    CHECK(is_sum_of(shifted(std::integral_constant<int, 40>{}, step), x, 40, step));
  }
}
TEST_CASE("bug1b: the same in a function, static and dynamic") {
  auto const f = [](auto const& x) {
    return sum_of<20>([&](int k) { return float(k + 1) * x(rc::all, rc::range(k, k + 200, 2)); });
  };
  auto const s = numbered(rc::tensor<float, 18, 220>());
  auto const d = numbered(rc::ndarray<float, 2>(18, 220));
  CHECK(is_sum_of(rc::fn(f)(s), s, 20, 2));
  CHECK(is_sum_of(rc::fn(f)(d), d, 20, 2));
  CHECK(is_sum_of(rc::eval(f(s)), s, 20, 2));
}
TEST_CASE("bug1d: a function of 41 elements, batched") {
  auto const x = numbered(rc::ndarray<float, 2>(300, 41));
  auto const f = [](auto row) { return sum_of<41>([&](int k) { return float(k + 1) * row(k); }); };
  rc::ndarray<float, 1> const y = rc::vmap(f)(x);
  CHECK(is_sum_of(rc::eval(rc::reshape(y, rc::shape(300, 1))), x, 41, 0));
}

namespace {

template <class Kind>
using number = rc::field<Kind, float>;
#define EIGHT(x) number<Kind> x##0, x##1, x##2, x##3, x##4, x##5, x##6, x##7;
template <class Kind = rc::values>
struct record_of_64 {
  EIGHT(a) EIGHT(b) EIGHT(c) EIGHT(d) EIGHT(e) EIGHT(f) EIGHT(g) EIGHT(h)
};
#undef EIGHT

}  // namespace

TEST_CASE("a record of 64 members") {
  record_of_64<> r{};
  r.a1 = 2, r.h7 = 3;
  auto const f = [](auto p) { return p.a1 * p.h7; };
  CHECK(rc::fn(f)(r) == 6);
}
