// Keys and bits: known answers of Random123, streams of JAX, and that numbers depend on their key and place alone.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/random.hpp>

#include "../numbers.hpp"
#include "../raised.hpp"
#include "tables.hpp"

namespace rc = ricci;
using rc::random::philox4x32, rc::random::philox_block, rc::random::threefry2x32, rc::random::threefry_block;
using u32 = std::uint32_t;
using u64 = std::uint64_t;

// Random123's kat_vectors
static_assert(philox_block({{0, 0, 0, 0}}, 0, 0) == philox4x32{{0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}});
static_assert(philox_block({{~0u, ~0u, ~0u, ~0u}}, ~0u, ~0u) ==
              philox4x32{{0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}});
static_assert(philox_block({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, 0xa4093822, 0x299f31d0) ==
              philox4x32{{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}});
static_assert(threefry_block({{0, 0}}, 0, 0) == threefry2x32{{0x6b200159, 0x99ba4efe}});
static_assert(threefry_block({{~0u, ~0u}}, ~0u, ~0u) == threefry2x32{{0x1cb996fc, 0xbb002be7}});
static_assert(threefry_block({{0x243f6a88, 0x85a308d3}}, 0x13198a2e, 0x03707344) ==
              threefry2x32{{0xc4923a9c, 0x483df7a0}});

namespace {

template <class X, class T, std::size_t N>
bool equal(X const& x, T const (&expected)[N]) {
  if (x.size() != rc::index_t(N)) return false;
  for (std::size_t k = 0; k < N; ++k)
    if (static_cast<T>(x.data()[k]) != expected[k]) return false;
  return true;
}

}  // namespace

TEST_CASE("JAX's streams") {
  auto const root = rc::random::threefry(42);
  auto const keys = rc::random::split<3>(root);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(keys[k](0) == tables::split[2 * k]);
    CHECK(keys[k](1) == tables::split[2 * k + 1]);
  }
  CHECK(equal(rc::random::fold_in(root, 123456789), tables::folded));
  CHECK(equal(rc::eval(rc::random::bits<std::uint8_t>(root, rc::shape(7))), tables::bits_8));
  CHECK(equal(rc::eval(rc::random::bits<std::uint16_t>(root, rc::shape(7))), tables::bits_16));
  CHECK(equal(rc::eval(rc::random::bits<u32>(root, rc::shape(7))), tables::bits_32));
  CHECK(equal(rc::eval(rc::random::bits<u64>(root, rc::extents<7>{})), tables::bits_64));
  CHECK(equal(rc::eval(rc::random::uniform<float>(root, rc::shape(2, 3))), tables::uniform_float));
  CHECK(equal(rc::eval(rc::random::uniform<double>(root, rc::extents<2, 3>{})), tables::uniform_double));
}
TEST_CASE("words in their order, in rows and one by one, by several threads, in views") {
  rc::random::key const key(0x123456789abcdef0u);
  rc::index_t const n = 70003;
  rc::ndarray<u32, 1> const words = rc::random::bits<u32>(key, rc::shape(n));
  rc::ndarray<u64, 1> const wide = rc::random::bits<u64>(key, rc::shape(n));
  bool narrow_right = true, wide_right = true;
  for (rc::index_t k = 0; k < n; ++k) {
    auto const block = philox_block(u64(key), u64(k) / 4), half = philox_block(u64(key), u64(k) / 2);
    narrow_right = narrow_right && words(k) == block.word[k % 4];
    auto const* const w = half.word + 2 * (k % 2);
    wide_right = wide_right && wide(k) == (w[0] | u64(w[1]) << 32);
  }
  CHECK(narrow_right);
  CHECK(wide_right);
  auto const threaded = rc::eval(rc::random::bits<u32>(key, rc::shape(n)), rc::cpu{.threads = 3});
  CHECK(bool(rc::all(threaded == words)));
  // shorter ones are the beginning, other shapes the same in row-major order
  CHECK(bool(rc::all(rc::random::bits<u32>(key, rc::shape(101)) == words(rc::range(0, 101)))));
  CHECK(bool(rc::all(rc::random::bits<u32>(key, rc::shape(7, 10000)) ==
                     rc::reshape(words(rc::range(0, 70000)), rc::shape(7, 10000)))));
  rc::ndarray<u32, 2> columns = rc::zeros<u32>(rc::shape(100, 3));
  columns(rc::all, 1) = rc::random::bits<u32>(key, rc::shape(100));
  CHECK(bool(rc::all(columns(rc::all, 1) == words(rc::range(0, 100)))));
  CHECK(rc::eval(rc::random::bits<u32>(key, rc::shape(0, 3))).size() == 0);
}
TEST_CASE("long rows, which are made where they are read") {
  rc::random::key const key(11);
  rc::index_t const n = 50001;
  rc::ndarray<float, 1> const u = rc::random::uniform<float>(key, rc::shape(n)),
                              a = rc::random::uniform<float>(key, rc::shape(n)) + 1.f;
  rc::ndarray<u32, 1> const words = rc::random::bits<u32>(key, rc::shape(n));
  bool right = true;
  for (rc::index_t k = 0; k < n; ++k) right = right && u(k) == float(words(k) >> 8) * 0x1p-24f && a(k) == u(k) + 1.f;
  CHECK(right);
  auto const sum = float(rc::sum(rc::random::uniform<float>(key, rc::shape(n))));
  CHECK(sum == float(rc::sum(u)));
  CHECK(sum == float(rc::eval(rc::sum(rc::random::uniform<float>(key, rc::shape(n))), rc::cpu{.threads = 3})));
  CHECK(bool(rc::all(u == rc::eval(rc::random::uniform<float>(key, rc::shape(n)), rc::cpu{.threads = 3}))));
  // under a key that is computed in the same function, whose place is free afterwards; read twice; two rows at once
  auto const f = [](auto k, auto x) {
    auto const [first, second] = rc::random::split(k);
    auto const b = rc::random::uniform<float>(first, rc::shape_of(x));
    return std::tuple(x + b, rc::sum(b * x), b * rc::random::uniform<float>(second, rc::shape_of(x)));
  };
  auto const g = [](auto k, auto x) {
    return x * rc::random::uniform<float>(rc::random::fold_in(k, 0), rc::shape_of(x));
  };
  auto const [first, second] = rc::random::split(key);
  rc::ndarray<float, 1> const b = rc::random::uniform<float>(first, rc::shape(n)),
                              c = rc::random::uniform<float>(second, rc::shape(n));
  auto const [y, s, z] = rc::fn(f)(key, u);
  CHECK(bool(rc::all(y == u + b)));
  CHECK(float(s) == doctest::Approx(float(rc::sum(b * u))));
  CHECK(bool(rc::all(z == b * c)));
  CHECK(bool(rc::all(rc::fn(g)(key, u) == u * b)));
  // in a loop, where the key changes
  auto const walk = [](auto k, auto x) {
    return rc::fori_loop(
        0, 3,
        [=](auto i, auto h) {
          return 0.5f * h + rc::random::uniform<float>(rc::random::fold_in(k, i), rc::shape_of(h));
        },
        x);
  };
  rc::ndarray<float, 1> h = u;
  for (int k = 0; k < 3; ++k) h = 0.5f * h + rc::random::uniform<float>(rc::random::fold_in(key, k), rc::shape(n));
  CHECK(bool(rc::all(rc::fn(walk)(key, u) == h)));
  rc::tensor<float, 20000> const fixed = rc::random::uniform<float>(key, rc::extents<20000>{});
  CHECK(bool(rc::all(fixed == u(rc::range(0, 20000)))));
}
TEST_CASE("a row that is made once, added up and written in one pass") {
  auto const sum_and_row = [](auto x, auto key) {
    auto const u = rc::random::uniform<float>(key, rc::shape(x.shape(0)));
    return std::pair(rc::sum(rc::square(x * u)), 2.f * x * rc::square(u));
  };
  auto const key = rc::random::key(7);
  for (rc::index_t const n : {5, 1000, 20000}) {
    rc::ndarray<float, 1> x(n);
    for (rc::index_t k = 0; k < n; ++k) x(k) = float(k % 17) - 8;
    auto const [sum, row] = rc::fn(sum_and_row)(x, key);
    auto const [sum_by_itself, row_by_itself] = rc::interpret(sum_and_row)(x, key);
    CHECK(std::abs(sum.item() - sum_by_itself.item()) <= 1e-5f * sum_by_itself.item());
    CHECK(rc::array_equal(row, row_by_itself));
  }
}

TEST_CASE("compiled, interpreted, constant, batched, in a loop") {
  rc::random::key const key(7);
  constexpr auto at_compile_time = [] {
    rc::random::key k(7);
    rc::tensor<u64, 3> x = rc::random::bits<u64>(k, rc::extents<3>{});
    return x;
  }();
  rc::tensor<u64, 3> const x = rc::random::bits<u64>(key, rc::extents<3>{});
  CHECK(bool(rc::all(x == at_compile_time)));
  auto const f = [](auto k, auto like) { return rc::random::normal<double>(k, rc::shape_of(like)); };
  rc::ndarray<double, 2> const like = rc::zeros<double>(rc::shape(3, 5));
  rc::ndarray<double, 2> const y = rc::random::normal<double>(key, rc::shape(3, 5));
  CHECK(numbers(rc::fn(f)(key, like)).near(numbers(y), 1e-15));
  CHECK(numbers(rc::interpret(f)(key, like)).near(numbers(y), 1e-15));
  CHECK(numbers(rc::fn(f)(key, rc::tensor<double, 3, 5>())).near(numbers(y), 1e-15));
  rc::tensor<u64, 2> const two{7, 8};
  auto const rows = rc::vmap([](auto k) { return rc::random::bits<u64>(k, rc::extents<3>{}); })(two);
  CHECK(bool(rc::all(rows(0) == x)));
  CHECK(bool(rc::all(rows(1) == rc::random::bits<u64>(rc::random::key(8), rc::extents<3>{}))));
  // a key for each iteration, from its number
  auto const walk = rc::fn([](auto k, auto steps) {
    return std::get<1>(rc::scan(
        [=](auto s, auto step) {
          auto const next = s + rc::random::normal<double>(rc::random::fold_in(k, step), rc::extents<>{});
          return std::pair(next, next);
        },
        0., steps));
  })(key, rc::tensor<std::int64_t, 3>{0, 1, 2});
  double sum = 0;
  for (int step = 0; step < 3; ++step) {
    sum += double(rc::random::normal<double>(rc::random::fold_in(key, step), rc::extents<>{}));
    CHECK(walk(step) == doctest::Approx(sum));
  }
}
TEST_CASE("keys that are made from a key") {
  rc::random::key const root(42);
  auto const [a, b] = rc::random::split(root);
  CHECK(u64(a) != u64(b));
  CHECK(u64(b) == u64(rc::random::fold_in(root, 1)));
  auto const folded = rc::random::fold_in(root, rc::tensor<int, 3>{0, 1, 2});
  CHECK(u64(folded(0)) == u64(a));
  CHECK(u64(folded(1)) == u64(b));
  auto const [c, d] = rc::fn([](auto k) { return rc::random::split(k); })(root);
  CHECK(u64(c) == u64(a));
  CHECK(u64(d) == u64(b));
  // no block of its own numbers
  rc::ndarray<u64, 1> const own = rc::random::bits<u64>(root, rc::shape(1000));
  CHECK_FALSE(bool(rc::any(own == u64(a))));
}
TEST_CASE("a generator") {
  rc::random::generator one(7), other(7);
  auto const first = one.normal<float>(rc::shape(3)), second = one.normal<float>(rc::shape(3));
  CHECK(numbers(first) == numbers(other.normal<float>(rc::shape(3))));
  CHECK_FALSE(numbers(first) == numbers(second));
  CHECK(numbers(second) ==
        numbers(rc::eval(rc::random::normal<float>(rc::random::fold_in(rc::random::key(7), 1), rc::shape(3)))));
  CHECK(one.choice(5, rc::shape(5), rc::random::without_replacement).size() == 5);
}
TEST_CASE("orders and choices") {
  rc::random::key const key(3);
  rc::tensor<int, 4, 2> const deck{{1, 2}, {3, 4}, {5, 6}, {7, 8}};
  auto const order = rc::eval(rc::random::permutation(key, rc::extents<4>{}));
  CHECK(numbers(rc::eval(rc::sort(order))) == numbers{0, 1, 2, 3});
  auto const shuffled = rc::eval(rc::random::permutation(key, deck));
  for (int k = 0; k < 4; ++k) CHECK(shuffled(k, 1) == 2 * (order(k) + 1));
  // all orders of three
  rc::ndarray<std::int64_t, 2> const orders = rc::vmap([](auto k) { return rc::random::permutation(k, 3); })(
      rc::eval(rc::random::fold_in(key, rc::arange<std::int64_t>(6000))));
  int counts[9] = {};
  for (int k = 0; k < 6000; ++k) ++counts[3 * orders(k, 0) + orders(k, 1)];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      if (i == j)
        CHECK(counts[3 * i + j] == 0);
      else
        CHECK(std::abs(counts[3 * i + j] - 1000) < 120);
  auto const distinct = rc::eval(rc::random::choice(key, 10, rc::shape(10), rc::random::without_replacement));
  CHECK(int(rc::sum(distinct)) == 45);
  rc::tensor<double, 4> const weights{0, 3, 0, 1};
  auto const picks = rc::eval(rc::random::choice(key, 4, rc::shape(20000), weights));
  CHECK(double(rc::mean(rc::astype<double>(picks == 1))) == doctest::Approx(0.75).epsilon(0.02));
  CHECK(double(rc::mean(rc::astype<double>(picks == 3))) == doctest::Approx(0.25).epsilon(0.05));
  auto const both = rc::eval(rc::random::choice(key, 4, rc::shape(2), rc::random::without_replacement, weights));
  CHECK(int(rc::sum(both)) == 4);
}
TEST_CASE("what is refused") {
  rc::random::key const key(3);
  CHECK(raised([&] { (void)rc::random::randint<int>(key, rc::shape(3), 5, 5); }) ==
        "value_error: random::randint: low is 5, high 5, and has to be above it");
  CHECK(raised([&] { (void)rc::eval(rc::random::choice(key, 3, rc::shape(4), rc::random::without_replacement)); }) ==
        "index_error: random::choice without replacement: needs 4 elements of an axis with extent 3");
  CHECK(raised([&] { (void)rc::random::choice(key, 0, rc::shape(3)); }) ==
        "value_error: random::choice: elements to choose from are expected, not 0");
  CHECK(raised([&] { (void)rc::random::truncated_normal<float>(key, 2., 1., rc::shape(3)); }) ==
        "value_error: random::truncated_normal: low has to be a number that is not above high");
  CHECK(raised([&] { (void)rc::eval(rc::random::bits<u32>(key, rc::shape(3, -2))); }).substr(0, 11) == "value_error");
  CHECK(raised([&] { (void)rc::random::ball<double>(key, 3, 0., rc::shape(4)); }) ==
        "value_error: random::ball: p has to be above 0");
}
