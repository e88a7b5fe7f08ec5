// Fixed capacities: at the limit and one past it (docs/limits.md).
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>
#include <string>

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

template <int Levels>
constexpr auto halved(auto const& p) {
  constexpr rc::index_t n = std::remove_cvref_t<decltype(p)>::extents::extent(0);
  auto const q = p(rc::range<0, n, 2>()) * .5 + p(rc::range<1, n, 2>());
  if constexpr (Levels == 1)
    return q;
  else
    return halved<Levels - 1>(q);
}
template <int Levels>
constexpr auto blurred(auto const& p) {
  constexpr rc::index_t n = std::remove_cvref_t<decltype(p)>::extents::extent(0);
  constexpr auto low = rc::range<0, n - 1>();
  constexpr auto high = rc::range<1, n>();
  auto const q = p(low, low) + p(high, low) + p(low, high) * 2. + p(high, high);
  if constexpr (Levels == 1)
    return q;
  else
    return blurred<Levels - 1>(q);
}

}  // namespace

TEST_CASE("bug1: more strided operands than there are wide tiles") {
  auto const x = numbered(rc::ndarray<float, 2>(37, 320));
  auto const shifted = [&]<int N>(std::integral_constant<int, N>, int step) {
    return rc::eval(sum_of<N>([&](int k) { return float(k + 1) * x(rc::all, rc::range(k, 270 + k, step)); }));
  };
  for (int const step : {1, 2}) {
    CAPTURE(step);
    CHECK(is_sum_of(shifted(std::integral_constant<int, 20>{}, step), x, 20, step));
  }
}
TEST_CASE("bug1b: the same in a function, static and dynamic") {
  auto const f = [](auto const& x) {
    return sum_of<12>([&](int k) { return float(k + 1) * x(rc::all, rc::range(k, k + 200, 2)); });
  };
  auto const s = numbered(rc::tensor<float, 18, 220>());
  auto const d = numbered(rc::ndarray<float, 2>(18, 220));
  CHECK(is_sum_of(rc::fn(f)(s), s, 12, 2));
  CHECK(is_sum_of(rc::fn(f)(d), d, 12, 2));
  CHECK(is_sum_of(rc::eval(f(s)), s, 12, 2));
}
TEST_CASE("bug1d: a function of 41 elements, batched") {
  auto const x = numbered(rc::ndarray<float, 2>(300, 41));
  auto const f = [](auto row) { return sum_of<41>([&](int k) { return float(k + 1) * row(k); }); };
  rc::ndarray<float, 1> const y = rc::vmap(f)(x);
  CHECK(is_sum_of(rc::eval(rc::reshape(y, rc::shape(300, 1))), x, 41, 0));
}

namespace {

template <class T, int N>
constexpr auto numbers = [] {
  rc::tensor<T, N> t;
  for (int k = 0; k < N; ++k) t(k) = T(k % 97) / T(8);
  return t;
}();

}  // namespace

TEST_CASE("bug2: constants of any size in a traced function") {
  rc::tensor<float, 65> const x = rc::linspace<float>(-1, 1, 65);
  auto const f = [](auto v) { return rc::sum(v * v * numbers<float, 65>); };
  CHECK(rc::abs(rc::fn(f)(x) - rc::interpret(f)(x)) < 1e-3f);
  CHECK(rc::all(rc::grad(f)(x) == 2.f * x * numbers<float, 65>));
  rc::tensor<float, 3, 65> const rows = rc::stack(x, 2.f * x, x + 1.f);
  auto const g = rc::vmap(rc::grad(f))(rows);
  CHECK(rc::all(rc::abs(g - 2.f * rows * numbers<float, 65>) <= 1e-5f));
  // a table is looked up, and is a result
  auto const look_up = [](auto at) { return std::pair(rc::take(numbers<double, 1000>, at), numbers<int, 5> + 1); };
  rc::tensor<std::int64_t, 3> const at{1, 500, 999};
  auto const [found, table] = rc::fn(look_up)(at);
  CHECK(rc::all(found == rc::tensor<double, 3>{1 / 8., 15 / 8., 29 / 8.}));
  CHECK(rc::all(table == numbers<int, 5> + 1));
}
TEST_CASE("64 tensors are joined") {
  auto const joined = [](auto v) {
    return [&]<rc::index_t... K>(std::integer_sequence<rc::index_t, K...>) { return rc::stack(v(63 - K)...); }
    (std::make_integer_sequence<rc::index_t, 64>{});
  };
  rc::tensor<float, 64> const x = rc::linspace<float>(0, 63, 64);
  CHECK(rc::all(rc::fn(joined)(x) == 63.f - x));
}
TEST_CASE("texts that are too long are cut, and say so") {
  rc::core::text t;
  for (int k = 0; k < 100; ++k) t << "12345";
  CHECK(std::string(t.c_str()).size() == rc::core::text::capacity - 1);
  CHECK(std::string(t.c_str()).substr(240) == "1234...");
}

TEST_CASE("11: values that are read in several places") {
  rc::tensor<double, 4> const x{0.5, 0.7, 0.2, 0.1};
  auto const chain = [](auto p) {
    for (int k = 0; k < 14; ++k) p = rc::abs(p * 1.5 - (0.25 + k));
    return p(rc::range<0, 3>()) * p(rc::range<1, 4>());
  };
  CHECK(rc::all(rc::fn(chain)(x) == rc::interpret(chain)(x)));
  auto const near = [](auto const& a, auto const& b) { return rc::all(rc::abs(a - b) <= 1e-12 * rc::abs(b)); };
  // an element of the result is made from 2^9 elements of the argument
  auto const y = rc::eval(rc::linspace<double>(-1, 1, 1024));
  rc::tensor<double, 1024> const line = y;
  auto const tree = [](auto p) { return halved<9>(p); };
  CHECK(near(rc::fn(tree)(line), rc::interpret(tree)(line)));
  // each level reads four neighbours; a product is added to them, and what is stored goes on
  rc::tensor<double, 12, 12> const picture = rc::reshape(line(rc::range<0, 144>()), rc::extents<12, 12>{});
  auto const blur = [](auto a) {
    auto const p = blurred<4>(a);
    auto const q = rc::matmul(p, p) + p;
    return std::tuple(q, rc::exp(q * 1e-9) + p, rc::sum(p, rc::axis<0>));
  };
  auto const [q, r, s] = rc::fn(blur)(picture);
  auto const [iq, ir, is] = rc::interpret(blur)(picture);
  CHECK(near(q, iq));
  CHECK(near(r, ir));
  CHECK(near(s, is));
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
