// Element types: promotion by NumPy 2's table, weak scalars, and what other arithmetic types enter as.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

namespace rc = ricci;
using rc::dtype;

namespace {

constexpr dtype b = dtype::boolean, c = dtype::uint8, i = dtype::int32, u = dtype::uint32, l = dtype::int64,
                h = dtype::float16, f = dtype::float32, d = dtype::float64, z = dtype::complex64, w = dtype::complex128;
constexpr dtype types[] = {b, c, i, u, l, h, f, d, z, w};
constexpr int count = rc::element_types::size;
// rows and columns in the order above
constexpr dtype numpy[count][count] = {
    {b, c, i, u, l, h, f, d, z, w},  //
    {c, c, i, u, l, h, f, d, z, w},  //
    {i, i, i, l, l, d, d, d, w, w},  //
    {u, u, l, u, l, d, d, d, w, w},  //
    {l, l, l, l, l, d, d, d, w, w},  //
    {h, h, d, d, d, h, f, d, z, w},  //
    {f, f, d, d, d, f, f, d, z, w},  //
    {d, d, d, d, d, d, d, d, w, w},  //
    {z, z, w, w, w, z, z, w, z, w},  //
    {w, w, w, w, w, w, w, w, w, w},
};

constexpr bool promotes_like_numpy() {
  for (int r = 0; r < count; ++r)
    for (int k = 0; k < count; ++k)
      if (rc::promote(types[r], types[k]) != numpy[r][k]) return false;
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
static_assert(rc::promote_weak(b, i) == i && rc::promote_weak(b, b) == b && rc::promote_weak(i, b) == i);

template <class T, class U>
constexpr bool enters_as = std::is_same_v<rc::element_t<T>, U>;
static_assert(enters_as<float, float> && enters_as<double, double> && enters_as<long double, double>);
static_assert(enters_as<bool, bool> && enters_as<char, std::int32_t> && enters_as<unsigned char, std::uint8_t>);
static_assert(enters_as<short, std::int32_t> && enters_as<int, std::int32_t> && enters_as<unsigned, std::uint32_t>);
static_assert(enters_as<unsigned short, std::int32_t> && enters_as<signed char, std::int32_t>);
static_assert(enters_as<long, std::int64_t> && enters_as<long long, std::int64_t> &&
              enters_as<std::size_t, std::int64_t>);

static_assert(rc::Element<bool> && rc::Element<std::int64_t> && !rc::Element<char> && !rc::Element<long double>);
static_assert(std::is_same_v<rc::type_of<dtype::int32>, std::int32_t> && rc::dtype_of<double> == d);
// enumerators and C++ types are in one order
static_assert(rc::dtype_of<bool> == dtype::boolean && rc::dtype_of<std::uint8_t> == dtype::uint8 &&
              rc::dtype_of<std::int32_t> == dtype::int32 && rc::dtype_of<std::uint32_t> == dtype::uint32 &&
              rc::dtype_of<std::int64_t> == dtype::int64 && rc::dtype_of<rc::float16> == dtype::float16 &&
              rc::dtype_of<float> == dtype::float32 && rc::dtype_of<double> == dtype::float64 &&
              rc::dtype_of<std::complex<float>> == dtype::complex64 &&
              rc::dtype_of<std::complex<double>> == dtype::complex128 &&
              int(dtype::complex128) == rc::element_types::size);

// literals: all digits, in one form
template <class T>
constexpr bool holds(T x) {
  auto const bits = rc::core::literal_bits(x);
  return rc::core::literal_as<T>(bits) == x && rc::core::literal_number(bits, rc::dtype_of<T>) == double(x);
}
static_assert(holds(true) && holds(std::uint8_t(255)) && holds(std::uint32_t(0xffffffff)) && holds(-7) && holds(.1f) &&
              holds(rc::float16(.1)));
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
    for (int k = 0; k < count; ++k) {
      CAPTURE(rc::name_of(types[r]));
      CAPTURE(rc::name_of(types[k]));
      CHECK(rc::promote(types[r], types[k]) == numpy[r][k]);
      CHECK(rc::promote(types[k], types[r]) == numpy[r][k]);
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
