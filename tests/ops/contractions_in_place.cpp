// Contractions whose letters alternate between the operands: matrices are written where they belong, factors are copied
// where they lie badly. Against loops over all letters.
#include <doctest/doctest.h>

#include <string>

#include "../numbers.hpp"

namespace rc = ricci;

namespace {

constexpr int order_of(char const* s, char end) {
  int n = 0;
  while (s[n] != end) ++n;
  return n;
}
template <class T, int N>
rc::ndarray<T, N> of_letters(char const* letters, rc::index_t const* extent, double rate) {
  rc::index_t shape[N];
  for (int k = 0; k < N; ++k) shape[k] = extent[letters[k] - 'a'];
  auto x = [&]<std::size_t... K>(std::index_sequence<K...>) { return rc::ndarray<T, N>(shape[K]...); }
  (std::make_index_sequence<N>{});
  for (rc::index_t k = 0; k < x.size(); ++k) x.data()[k] = T(rc::index_t(double(k) * rate) % 13 - 6);
  return x;
}
// the element of x at letters `at`
template <class X>
double element(X const& x, char const* letters, rc::index_t const* at) {
  rc::index_t i = 0;
  for (int k = 0; k < X::rank; ++k) i = i * x.shape(k) + at[letters[k] - 'a'];
  return double(x.data()[i]);
}

// Small integers, so that every order of additions gives the same. Letters are the first of the alphabet.
template <class T, rc::pattern Subscripts, std::size_t N>
void agrees(rc::index_t const (&extent)[N]) {
  constexpr char const* text = Subscripts.text;
  constexpr int of_a = order_of(text, ','), of_b = order_of(text + of_a + 1, '-'),
                of_c = order_of(text + of_a + of_b + 3, '\0');
  auto const a = of_letters<T, of_a>(text, extent, 1.7);
  auto const b = of_letters<T, of_b>(text + of_a + 1, extent, 2.3);
  char const* const letters = text + of_a + of_b + 3;
  auto const c = rc::eval(rc::einsum<Subscripts>(a, b));
  auto expected = of_letters<T, of_c>(letters, extent, 0);
  expected = T(0);
  std::string const named = std::string(text) + " at " + std::to_string(extent[0]);
  CAPTURE(named);
  rc::index_t at[N]{}, count = 1;
  for (auto const n : extent) count *= n;
  for (rc::index_t i = 0; i < count; ++i) {
    rc::index_t rest = i;
    for (std::size_t k = N; k-- > 0;) at[k] = rest % extent[k], rest /= extent[k];
    rc::index_t place = 0;
    for (int k = 0; k < of_c; ++k) place = place * c.shape(k) + at[letters[k] - 'a'];
    expected.data()[place] += T(element(a, text, at) * element(b, text + of_a + 1, at));
  }
  CHECK(numbers(c) == numbers(expected));
  // the derivative of its sum with weights, by another contraction
  auto const f = [](auto x, auto y, auto w) { return rc::sum(rc::einsum<Subscripts>(x, y) * w); };
  auto const [da, db] = rc::grad<0, 1>(f)(a, b, expected);
  double along_a = 0, along_b = 0, value = 0;
  for (rc::index_t k = 0; k < a.size(); ++k) along_a += double(a.data()[k]) * double(da.data()[k]);
  for (rc::index_t k = 0; k < b.size(); ++k) along_b += double(b.data()[k]) * double(db.data()[k]);
  for (rc::index_t k = 0; k < c.size(); ++k) value += double(c.data()[k]) * double(c.data()[k]);
  // Euler's theorem: the sum is linear in either operand
  CHECK(along_a == doctest::Approx(value).epsilon(1e-5));
  CHECK(along_b == doctest::Approx(value).epsilon(1e-5));
}

}  // namespace

TEST_CASE("letters of the result that alternate between the operands") {
  agrees<double, "acd,db->abc">({5, 7, 19, 11});
  agrees<float, "acd,db->abc">({40, 18, 17, 33});
  agrees<double, "dbea,ec->abcd">({3, 4, 18, 20, 9});
  agrees<double, "adce,eb->abcd">({3, 17, 4, 20, 9});
  agrees<float, "adce,eb->abcd">({2, 3, 5, 40, 33});
  agrees<float, "gdac,efbg->abcdef">({3, 4, 2, 5, 4, 6, 7});
}
TEST_CASE("factors whose elements lie side by side across the batch") {
  agrees<double, "dca,bd->abc">({18, 5, 17, 9});
  agrees<float, "dca,bd->abc">({1, 1, 1, 1});
  agrees<double, "ce,abed->abcd">({2, 3, 9, 40, 8});
}
TEST_CASE("letters that both have, and extents of nothing") {
  agrees<double, "dace,bde->dabc">({4, 5, 6, 3, 7});
  agrees<double, "dbea,ec->abcd">({3, 4, 18, 20, 0});
  agrees<double, "dbea,ec->abcd">({3, 0, 18, 20, 2});
}
TEST_CASE("static extents") {
  constexpr auto f = [](auto x, auto y) { return rc::einsum<"acd,db->abc">(x, y); };
  rc::tensor<double, 3, 17, 5> const x = rc::sin(rc::reshape(rc::arange<double>(0, 255), rc::shape(3, 17, 5)));
  rc::tensor<double, 5, 16> const y = rc::cos(rc::reshape(rc::arange<double>(0, 80), rc::shape(5, 16)));
  auto const z = rc::fn(f)(x, y);
  static_assert(std::is_same_v<std::remove_const_t<decltype(z)>, rc::tensor<double, 3, 16, 17>>);
  CHECK(numbers(z).near(numbers(rc::interpret(f)(rc::ndarray<double, 3>(x), rc::ndarray<double, 2>(y)))));
  double sum = 0;
  for (rc::index_t d = 0; d < 5; ++d) sum += x(2, 16, d) * y(d, 15);
  CHECK(z(2, 15, 16) == doctest::Approx(sum));
}
TEST_CASE("batches, and second derivatives") {
  auto const square = [](auto x, auto y) { return rc::sum(rc::pow(rc::einsum<"acd,db->abc">(x, y), 2)); };
  rc::ndarray<double, 3> const x = rc::sin(rc::reshape(rc::arange<double>(0, 24), rc::shape(2, 3, 4)));
  rc::ndarray<double, 2> const y = rc::cos(rc::reshape(rc::arange<double>(0, 20), rc::shape(4, 5)));
  CHECK(rc::check_grads(square, x, y, {.order = 2}));
  auto const product = [](auto u, auto v) { return rc::einsum<"acd,db->abc">(u, v); };
  rc::ndarray<double, 4> const several = rc::sin(rc::reshape(rc::arange<double>(0, 72), rc::shape(3, 2, 3, 4)));
  rc::ndarray<double, 3> const others = rc::cos(rc::reshape(rc::arange<double>(0, 60), rc::shape(3, 4, 5)));
  auto const all = rc::vmap(product)(several, others);
  for (rc::index_t k = 0; k < 3; ++k) {
    rc::ndarray<double, 3> const u = several(k);
    rc::ndarray<double, 2> const v = others(k);
    CHECK(numbers(rc::eval(all(k))).near(numbers(rc::eval(product(u, v)))));
  }
}
