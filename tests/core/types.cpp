// Element types: promotion by NumPy 2's table, weak scalars, and what other arithmetic types enter as.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

namespace rc = ricci;
using rc::dtype;

namespace {

constexpr dtype b = dtype::boolean, k = dtype::int8, c = dtype::uint8, s = dtype::int16, v = dtype::uint16,
                i = dtype::int32, u = dtype::uint32, l = dtype::int64, q = dtype::uint64, h = dtype::float16,
                g = dtype::bfloat16, f = dtype::float32, d = dtype::float64, z = dtype::complex64,
                w = dtype::complex128;
constexpr dtype types[] = {b, k, c, s, v, i, u, l, q, h, g, f, d, z, w};
constexpr int count = rc::element_types::size;
// Rows and columns in the order above. Of bfloat16 it is ml_dtypes'; where that has no answer (float16, integers of two
// bytes and more), as for float16, and both halves meet in float32.
constexpr dtype numpy[count][count] = {
    {b, k, c, s, v, i, u, l, q, h, g, f, d, z, w},  //
    {k, k, s, s, i, i, l, l, d, h, g, f, d, z, w},  //
    {c, s, c, s, v, i, u, l, q, h, g, f, d, z, w},  //
    {s, s, s, s, i, i, l, l, d, f, f, f, d, z, w},  //
    {v, i, v, i, v, i, u, l, q, f, f, f, d, z, w},  //
    {i, i, i, i, i, i, l, l, d, d, d, d, d, w, w},  //
    {u, l, u, l, u, l, u, l, q, d, d, d, d, w, w},  //
    {l, l, l, l, l, l, l, l, d, d, d, d, d, w, w},  //
    {q, d, q, d, q, d, q, d, q, d, d, d, d, w, w},  //
    {h, h, h, f, f, d, d, d, d, h, f, f, d, z, w},  //
    {g, g, g, f, f, d, d, d, d, f, g, f, d, z, w},  //
    {f, f, f, f, f, d, d, d, d, f, f, f, d, z, w},  //
    {d, d, d, d, d, d, d, d, d, d, d, d, d, w, w},  //
    {z, z, z, z, z, w, w, w, w, z, z, z, w, z, w},  //
    {w, w, w, w, w, w, w, w, w, w, w, w, w, w, w},  //
};

constexpr bool promotes_like_numpy() {
  for (int r = 0; r < count; ++r)
    for (int n = 0; n < count; ++n)
      if (rc::promote(types[r], types[n]) != numpy[r][n]) return false;
  return true;
}
static_assert(promotes_like_numpy());

// a scalar changes the kind of a tensor but never its width
static_assert(rc::promote_weak(f, d) == f && rc::promote_weak(f, l) == f && rc::promote_weak(d, f) == d);
static_assert(rc::promote_weak(i, l) == i && rc::promote_weak(l, i) == l && rc::promote_weak(i, d) == d);
static_assert(rc::promote_weak(c, l) == c && rc::promote_weak(i, u) == i && rc::promote_weak(u, i) == u);
static_assert(rc::promote_weak(c, f) == f && rc::promote_weak(f, u) == f && rc::promote_weak(b, u) == u);
static_assert(rc::promote_weak(f, w) == z && rc::promote_weak(d, z) == w && rc::promote_weak(z, w) == z);
static_assert(rc::promote_weak(w, f) == w && rc::promote_weak(z, l) == z && rc::promote_weak(h, w) == z);
static_assert(rc::promote_weak(k, l) == k && rc::promote_weak(q, i) == q && rc::promote_weak(g, d) == g);
static_assert(rc::promote_weak(g, w) == z && rc::promote_weak(l, q) == l && rc::promote_weak(g, h) == g);
// sums of integers are of 64 bits, with their sign or without
static_assert(rc::type_of_sum(v) == q && rc::type_of_sum(s) == l && rc::type_of_sum(b) == l && rc::type_of_sum(g) == g);
static_assert(rc::promote_weak(b, i) == i && rc::promote_weak(b, b) == b && rc::promote_weak(i, b) == i);

template <class T, class U>
constexpr bool enters_as = std::is_same_v<rc::element_t<T>, U>;
static_assert(enters_as<float, float> && enters_as<double, double> && enters_as<long double, double>);
static_assert(enters_as<bool, bool> && enters_as<char, std::int8_t> && enters_as<unsigned char, std::uint8_t>);
static_assert(enters_as<short, std::int16_t> && enters_as<int, std::int32_t> && enters_as<unsigned, std::uint32_t>);
static_assert(enters_as<unsigned short, std::uint16_t> && enters_as<signed char, std::int8_t>);
static_assert(enters_as<long, std::int64_t> && enters_as<long long, std::int64_t> &&
              enters_as<std::size_t, std::uint64_t> && enters_as<unsigned long long, std::uint64_t>);

static_assert(rc::Element<bool> && rc::Element<std::int64_t> && !rc::Element<char> && !rc::Element<long double>);
static_assert(std::is_same_v<rc::type_of<dtype::int32>, std::int32_t> && rc::dtype_of<double> == d);
// enumerators and C++ types are in one order
static_assert(rc::dtype_of<bool> == dtype::boolean && rc::dtype_of<std::uint8_t> == dtype::uint8 &&
              rc::dtype_of<std::int8_t> == dtype::int8 && rc::dtype_of<std::int16_t> == dtype::int16 &&
              rc::dtype_of<std::uint16_t> == dtype::uint16 && rc::dtype_of<std::uint64_t> == dtype::uint64 &&
              rc::dtype_of<std::int32_t> == dtype::int32 && rc::dtype_of<std::uint32_t> == dtype::uint32 &&
              rc::dtype_of<std::int64_t> == dtype::int64 && rc::dtype_of<rc::float16> == dtype::float16 &&
              rc::dtype_of<rc::bfloat16> == dtype::bfloat16 && rc::dtype_of<float> == dtype::float32 &&
              rc::dtype_of<double> == dtype::float64 && rc::dtype_of<std::complex<float>> == dtype::complex64 &&
              rc::dtype_of<std::complex<double>> == dtype::complex128 &&
              int(dtype::complex128) == rc::element_types::size);

// literals: all digits, in one form
template <class T>
constexpr bool holds(T x) {
  auto const bits = rc::core::literal_bits(x);
  return rc::core::literal_as<T>(bits) == x && rc::core::literal_number(bits, rc::dtype_of<T>) == double(x);
}
static_assert(holds(true) && holds(std::uint8_t(255)) && holds(std::uint32_t(0xffffffff)) && holds(-7) && holds(.1f) &&
              holds(rc::float16(.1)) && holds(rc::bfloat16(.1)) && holds(std::int8_t(-128)) &&
              holds(~std::uint64_t(0)) && holds(std::int16_t(-300)) && holds(std::uint16_t(65535)));
static_assert(holds(-(std::int64_t(1) << 62) - 1) && holds(std::numeric_limits<double>::denorm_min()));
// (an integer of another type wraps, a float becomes the nearest end)
static_assert(rc::core::literal_bits(rc::index_t(-1), c) == 255 && rc::core::literal_bits(rc::index_t(300), c) == 44);
static_assert(rc::core::literal_bits(300., c) == 255 && rc::core::literal_bits(-1., u) == 0);

// and so do the results of operators on tensors
template <class A, class B>
using sum_type = typename decltype(std::declval<A const&>() + std::declval<B const&>())::value_type;
template <class T>
using two = rc::tensor<T, 2>;
static_assert(std::is_same_v<sum_type<two<float>, two<double>>, double>);
static_assert(std::is_same_v<sum_type<two<float>, two<std::int32_t>>, double>);
static_assert(std::is_same_v<sum_type<two<bool>, two<std::int32_t>>, std::int32_t>);
static_assert(std::is_same_v<sum_type<two<std::int32_t>, two<std::int64_t>>, std::int64_t>);
static_assert(std::is_same_v<sum_type<two<float>, double>, float>);
static_assert(std::is_same_v<sum_type<two<float>, int>, float>);
static_assert(std::is_same_v<sum_type<two<std::int32_t>, double>, double>);
static_assert(std::is_same_v<sum_type<two<std::int32_t>, long>, std::int32_t>);
static_assert(std::is_same_v<sum_type<double, two<float>>, float>);
// a tensor of order 0 is a tensor, not a scalar: it promotes
static_assert(std::is_same_v<sum_type<two<float>, rc::tensor<double>>, double>);

}  // namespace

TEST_CASE("the promotion table holds at run time, and does not depend on the order") {
  for (int r = 0; r < count; ++r)
    for (int n = 0; n < count; ++n) {
      CAPTURE(rc::name_of(types[r]));
      CAPTURE(rc::name_of(types[n]));
      CHECK(rc::promote(types[r], types[n]) == numpy[r][n]);
      CHECK(rc::promote(types[n], types[r]) == numpy[r][n]);
    }
}

TEST_CASE("element types have sizes and names") {
  CHECK(rc::size_of(dtype::boolean) == 1);
  CHECK(rc::size_of(dtype::uint8) == 1);
  CHECK(rc::size_of(dtype::int64) == 8);
  CHECK(rc::size_of(dtype::float32) == 4);
  CHECK(std::string(rc::name_of(dtype::float64)) == "float64");
  CHECK(rc::is_floating(dtype::float32));
  CHECK_FALSE(rc::is_floating(dtype::int64));
  CHECK(rc::is_integer(dtype::int32));
  CHECK(rc::is_integer(dtype::uint32));
  CHECK(rc::least_exponent(dtype::float32) == -126);
  CHECK(rc::greatest_exponent(dtype::float16) == 15);
  CHECK(rc::arithmetic_type(dtype::float16) == dtype::float32);
  CHECK(rc::greatest_exponent(dtype::float64) == 1023);
  CHECK(rc::largest_element == 16);
  CHECK_FALSE(rc::is_integer(dtype::boolean));
}
