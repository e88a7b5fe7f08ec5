// Element types: what a tensor may hold, what two of them promote to, and how they are named in messages.
#pragma once

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <utility>

#include <ricci/core/bfloat16.hpp>
#include <ricci/core/float16.hpp>

RICCI_OPTIMIZED
namespace ricci {

using index_t = std::int64_t;

// No index, bound or shift is as far from 0 as this. Among the numbers below -most_index are those that stand for
// extents of a graph.
inline constexpr index_t most_index = index_t(1) << 61;

// An integer as an index or axis; an unsigned one that index_t does not hold is its largest number, which is one of no
// axis and does not count from an end.
template <class I>
constexpr index_t to_index(I i) {
  if constexpr (I(-1) > I(0) && sizeof(I) == sizeof(index_t))
    return i >> 63 ? index_t(~std::uint64_t(0) >> 1) : static_cast<index_t>(i);
  else
    return static_cast<index_t>(i);
}

// An element type as a value, for the graph. `none` is no element type.
enum class dtype : std::uint8_t {
  none,
  boolean,
  int8,
  uint8,
  int16,
  uint16,
  int32,
  uint32,
  int64,
  uint64,
  float16,
  bfloat16,
  float32,
  float64,
  complex64,
  complex128
};

// The C++ types of all dtypes but none, in their order, and how messages name them. This is the list of element types:
// kinds, sizes, promotion, limits, dispatch, literals, the registers of kernels and the values of interpreted functions
// follow from it (docs/operations.md, "An element type").
template <class... T>
struct type_list {
  static constexpr int size = sizeof...(T);
};
using element_types =
    type_list<bool, std::int8_t, std::uint8_t, std::int16_t, std::uint16_t, std::int32_t, std::uint32_t, std::int64_t,
              std::uint64_t, float16, bfloat16, float, double, std::complex<float>, std::complex<double>>;
inline constexpr char const* element_names[] = {"none",    "bool",    "int8",      "uint8",     "int16",   "uint16",
                                                "int32",   "uint32",  "int64",     "uint64",    "float16", "bfloat16",
                                                "float32", "float64", "complex64", "complex128"};
static_assert(sizeof element_names / sizeof element_names[0] == element_types::size + 1);

// What numbers of a type are. Of two kinds the later one holds the numbers of the earlier ones, with or without a sign.
enum class number_kind : std::uint8_t { none, boolean, unsigned_integer, signed_integer, floating, complex };

namespace types {

template <class T, class List>
inline constexpr bool is_in = false;
template <class T, class... U>
inline constexpr bool is_in<T, type_list<U...>> = (std::is_same_v<T, U> || ...);
// its place in the list, from 1; 0 where it is not there
template <class T, class... U>
constexpr int number_of(type_list<U...>) {
  int n = 0, found = 0;
  ((++n, found = std::is_same_v<T, U> ? n : found), ...);
  return found;
}
// and what stands at a place: declarations alone, which compilers find without a walk along the list
template <int N, class T>
struct place {};
template <class Numbers, class List>
struct places;
template <int... N, class... T>
struct places<std::integer_sequence<int, N...>, type_list<T...>> : place<N + 1, T>... {};
template <int N, class T>
std::type_identity<T> at(place<N, T> const*);
template <int N, class List>
using nth =
    typename decltype(at<N>(static_cast<places<std::make_integer_sequence<int, List::size>, List>*>(nullptr)))::type;

// What a complex number is made of; of others, themselves.
template <class T>
struct component {
  using type = T;
};
template <class T>
struct component<std::complex<T>> {
  using type = T;
};
template <class T>
inline constexpr bool is_complex = !std::is_same_v<T, typename component<T>::type>;
template <class T>
inline constexpr number_kind kind = std::is_same_v<T, bool>               ? number_kind::boolean
                                    : is_complex<T>                       ? number_kind::complex
                                    : !std::numeric_limits<T>::is_integer ? number_kind::floating
                                    : std::is_unsigned_v<T>               ? number_kind::unsigned_integer
                                                                          : number_kind::signed_integer;
struct facts {
  number_kind kind;
  std::uint8_t size;
  std::int16_t least_exponent, greatest_exponent;
  dtype computed_as, component;
};
// The type in which numbers of T are computed: that of the registers of kernels and of sums.
template <class T>
struct computed {
  using type = T;
};
template <class T>
requires requires { typename T::computed_as; }
struct computed<T> {
  using type = typename T::computed_as;
};
template <class List>
struct table_of;
template <class... T>
struct table_of<type_list<T...>> {
  static constexpr facts at[sizeof...(T) + 1] = {
      {},
      {kind<T>, sizeof(T), std::numeric_limits<T>::min_exponent - 1, std::numeric_limits<T>::max_exponent - 1,
       static_cast<dtype>(number_of<typename computed<T>::type>(element_types{})),
       static_cast<dtype>(number_of<typename component<T>::type>(element_types{}))}...};
  static constexpr int sizes = (int(sizeof(T)) | ...);  // which are powers of two, as bits
};
// the types of a kind, as bits: passes ask for it at every instruction
constexpr std::uint32_t all_of(number_kind kind) {
  std::uint32_t bits = 0;
  for (int k = 1; k <= element_types::size; ++k)
    if (table_of<element_types>::at[k].kind == kind) bits |= std::uint32_t(1) << k;
  return bits;
}
inline constexpr std::uint32_t floating = all_of(number_kind::floating), complex_numbers = all_of(number_kind::complex),
                               integers = all_of(number_kind::signed_integer) | all_of(number_kind::unsigned_integer);
constexpr facts const& facts_of(dtype t) { return table_of<element_types>::at[int(t)]; }

}  // namespace types

// Where std::int32_t is long, as in C libraries for bare machines, `tensor<int, 2>` is meant to work, too: it holds
// std::int32_t, and one of unsigned std::uint32_t.
template <class T>
using same_integer = std::conditional_t<std::is_same_v<T, int>, std::int32_t,
                                        std::conditional_t<std::is_same_v<T, unsigned>, std::uint32_t, T>>;
template <class T>
inline constexpr dtype dtype_of = static_cast<dtype>(types::number_of<same_integer<T>>(element_types{}));

// The C++ type of a dtype: `type_of<dtype::float32>` is float.
template <dtype D>
struct type_of_dtype;
template <dtype D>
requires(D != dtype::none) struct type_of_dtype<D> {
  using type = types::nth<int(D), element_types>;
};
template <dtype D>
using type_of = typename type_of_dtype<D>::type;

template <class T>
using computed_t = typename types::computed<T>::type;
template <class T>
using component_t = typename types::component<T>::type;
template <class T>
inline constexpr bool is_complex_number = types::is_complex<T>;

// The sizes of elements, powers of two, as bits; and the largest of them.
inline constexpr int element_sizes = types::table_of<element_types>::sizes,
                     largest_element = int(std::bit_floor(unsigned(element_sizes)));

inline namespace RICCI_ABI {

constexpr number_kind kind_of(dtype t) { return types::facts_of(t).kind; }
constexpr bool is_floating(dtype t) { return types::floating >> int(t) & 1; }  // and real
constexpr bool is_complex(dtype t) { return types::complex_numbers >> int(t) & 1; }
// What has derivatives: floats and complex numbers.
constexpr bool is_inexact(dtype t) { return (types::floating | types::complex_numbers) >> int(t) & 1; }
constexpr bool is_integer(dtype t) { return types::integers >> int(t) & 1; }
constexpr int size_of(dtype t) { return types::facts_of(t).size; }
// The type in which numbers of a type are computed: operations record a conversion to it and back.
constexpr dtype arithmetic_type(dtype t) { return types::facts_of(t).computed_as; }
// The type of the two numbers that make a complex one; of others, their own.
constexpr dtype component_type(dtype t) { return types::facts_of(t).component; }
// Of a floating type, whether SIMD registers hold it.
constexpr bool has_packs(dtype t) { return is_floating(t) && arithmetic_type(t) == t; }
// The powers of two that the first digits of normal numbers stand for, of a floating type.
constexpr int least_exponent(dtype t) { return types::facts_of(t).least_exponent; }
constexpr int greatest_exponent(dtype t) { return types::facts_of(t).greatest_exponent; }
constexpr char const* name_of(dtype t) { return element_names[int(t)]; }

// f(T{}) with the C++ type of t, which is not none
template <class F, class... T>
constexpr void with_type(dtype t, F const& f, type_list<T...>) {
  if (!((t == dtype_of<T> && (f(T{}), true)) || ...)) __builtin_unreachable();
}
template <class F>
constexpr void with_type(dtype t, F const& f) {
  with_type(t, f, element_types{});
}

// The smallest type of that kind with at least so many bytes; none where there is none.
constexpr dtype smallest_of(number_kind kind, int bytes) {
  dtype found = dtype::none;
  for (int k = 1; k <= element_types::size; ++k) {
    auto const t = static_cast<dtype>(k);
    if (kind_of(t) == kind && size_of(t) >= bytes && (found == dtype::none || size_of(t) < size_of(found))) found = t;
  }
  return found;
}
// The same, or the largest of the kind.
constexpr dtype nearest_of(number_kind kind, int bytes) {
  for (; bytes > 0; bytes /= 2)
    if (dtype const t = smallest_of(kind, bytes); t != dtype::none) return t;
  return dtype::none;
}

// The complex type with components of a floating type, or with larger ones where there is none.
constexpr dtype complex_type(dtype component) { return smallest_of(number_kind::complex, 2 * size_of(component)); }

// NumPy 2's promotion of two tensors. What has a sign holds numbers without one where it is twice as large, and so does
// a float with those of an integer; where no type is as large, integers meet in the largest float. (The array API
// leaves open what an integer and a float give.) Two floats of one size meet in the next larger one, as ml_dtypes has
// it. What meets complex numbers promotes with their components.
constexpr dtype promote(dtype a, dtype b) {
  if (a == b || b == dtype::none) return a;
  if (kind_of(a) > kind_of(b)) return promote(b, a);
  if (a == dtype::none || kind_of(a) == number_kind::boolean) return b;
  if (kind_of(a) == kind_of(b) && size_of(a) != size_of(b)) return size_of(a) > size_of(b) ? a : b;
  if (is_complex(b)) return complex_type(promote(a, component_type(b)));
  if (is_floating(b) && 2 * size_of(a) <= size_of(b)) return b;
  int const bytes = 2 * size_of(a) > size_of(b) ? 2 * size_of(a) : size_of(b);
  dtype const t = smallest_of(kind_of(b), bytes);
  return t != dtype::none ? t : nearest_of(number_kind::floating, bytes);
}
// Of several tensors. Those of the highest kind come first, as in NumPy, so that the order of the operands does not
// matter: an int8 and a uint8 need not meet in an int16 before they meet a float16, which holds the numbers of both.
constexpr dtype promote_list(dtype const* types, int n) {
  auto highest = number_kind::none;
  for (int k = 0; k < n; ++k)
    if (kind_of(types[k]) > highest) highest = kind_of(types[k]);
  dtype r = dtype::none;
  for (bool const high : {true, false})
    for (int k = 0; k < n; ++k)
      if ((kind_of(types[k]) == highest) == high) r = promote(r, types[k]);
  return r;
}
template <class... T>
constexpr dtype promote_all(T... t) {
  if constexpr (sizeof...(T) <= 2) {
    dtype r = dtype::none;
    ((r = promote(r, t)), ...);
    return r;
  } else {
    dtype const types[] = {t...};
    return promote_list(types, int(sizeof...(T)));
  }
}
// A C++ scalar of type `s` beside a tensor of type `t` is weak: it changes the kind of the result but never its width.
constexpr dtype promote_weak(dtype t, dtype s) {
  bool const same_kind = is_integer(t) && is_integer(s);
  if (is_complex(s) && is_floating(t)) return complex_type(t);
  return same_kind || kind_of(t) >= kind_of(s) ? t : s;
}

// What numbers of a type become where it is not enough: a float, the largest of their kind for sums, and an integer
// where conditions are counted with.
constexpr dtype floating_type_for(dtype t) { return is_inexact(t) ? t : dtype::float64; }
constexpr dtype type_of_sum(dtype t) {
  return is_inexact(t) ? t : kind_of(t) == number_kind::unsigned_integer ? dtype::uint64 : dtype::int64;
}
constexpr dtype numeric_type_for(dtype t) { return t == dtype::boolean ? dtype::int32 : t; }

}  // namespace RICCI_ABI

// A C++ arithmetic type that is not an element type itself (char, long long) enters as the one of its kind and size, or
// where there is none, as the largest.
template <class T>
struct element_of {
  using type = type_of<dtype_of<T> != dtype::none ? dtype_of<T>
                                                  : nearest_of(std::is_floating_point_v<T> ? number_kind::floating
                                                               : std::is_unsigned_v<T> ? number_kind::unsigned_integer
                                                                                       : number_kind::signed_integer,
                                                               int(sizeof(T)))>;
};
template <class T>
using element_t = typename element_of<T>::type;
// whether memory of such elements is what kernels take it for
template <class T>
inline constexpr bool is_stored = std::is_same_v<T, element_t<T>>;

template <class T>
concept Element = dtype_of<T>
!= dtype::none;
// A number of C++. Of classes and enumerations, for which operators ask wherever two are compared, std::is_arithmetic_v
// instantiates nine templates to say no.
template <class T, bool Never = __is_class(T) || __is_enum(T)>
inline constexpr bool is_builtin_number = std::is_arithmetic_v<T>;
template <class T>
inline constexpr bool is_builtin_number<T, true> = false;
// A number of C++, or of an element type that C++ does not know. (No enumerators are compared: the operators of tensors
// ask for this.)
template <class T>
inline constexpr bool is_arithmetic = is_builtin_number<T> || types::is_in<T, element_types>;
template <class T>
concept Arithmetic = is_arithmetic<T>;

}  // namespace ricci
RICCI_OPTIMIZED_END
