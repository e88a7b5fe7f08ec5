// Forms in which operands are given to a function: `part`, a view of any strides and order; `owner`, a tensor of
// static, mixed or dynamic extents; `lazy`, an expression of such; and, for elementwise functions, values of any type
// and order in the interpreter. A function is a line: name, arguments and spelling as text, the function, and by its
// name it gets one form of each kind of extents, other types and orders than its neighbours: that all functions had all
// of them would take compilers hours.
#pragma once

#include <ricci/any_tensor.hpp>

#include "given.hpp"

namespace oracle {

template <index_t... E>
using ext = rc::extents<E...>;
inline constexpr index_t dyn = rc::dyn;

template <class T, class E>
rc::tensor_with<T, E> tensor_of(array const& a) {
  using X = rc::tensor_with<T, E>;
  X x(typename X::raw{}, a.extent, {});
  T const* const from = reinterpret_cast<T const*>(a.first);
  T* const to = x.data();
  a.for_each([&](index_t offset, index_t k) { to[k] = from[offset]; });
  return x;
}
template <class E>
std::string extents_text(char kind, rc::dtype t) {
  std::string s = {kind, ':'};
  s += rc::name_of(t);
  s += ':';
  for (int k = 0; k < E::rank; ++k) s += (k ? "," : "") + (E::extent(k) < 0 ? "?" : std::to_string(E::extent(k)));
  return s;
}

template <class T, int R>
struct part {
  static constexpr int rank = R;
  static std::string text() { return extents_text<rc::dynamic_extents<R>>('v', rc::dtype_of<T>); }
  struct held {
    rc::view<T, rc::dynamic_extents<R>> x;
    explicit held(array const& a) : x(made(a)) {}
    static auto made(array const& a) {
      rc::expr::extent_storage<rc::dynamic_extents<R>> e;
      rc::expr::stride_storage<R> s;
      for (int k = 0; k < R; ++k) e.set(k, a.extent[k]), s.values[k] = a.stride[k];
      return rc::view<T, rc::dynamic_extents<R>>(reinterpret_cast<T*>(a.first), e, s);
    }
    auto const& operand() const { return x; }
  };
};
template <class T, class E>
struct owner {
  static constexpr int rank = E::rank;
  static std::string text() { return extents_text<E>('t', rc::dtype_of<T>); }
  struct held {
    rc::tensor_with<T, E> x;
    explicit held(array const& a) : x(tensor_of<T, E>(a)) {}
    auto const& operand() const { return x; }
  };
};
// minus (of conditions not) what is stored, which is that of the operand: exact for every type
template <class T, class E>
struct lazy {
  static constexpr int rank = E::rank;
  static std::string text() { return extents_text<E>('l', rc::dtype_of<T>); }
  struct held {
    rc::tensor_with<T, E> x;
    explicit held(array const& a) : x(tensor_of<T, E>(a)) {
      for (index_t k = 0, n = x.size(); k < n; ++k)
        if constexpr (std::is_same_v<T, bool>)
          x.data()[k] = !x.data()[k];
        else
          x.data()[k] = static_cast<T>(-x.data()[k]);
    }
    auto operand() const {
      if constexpr (std::is_same_v<T, bool>)
        return rc::logical_not(x);
      else
        return rc::negative(x);
    }
  };
};

// ---- results ----

template <class X>
void keep(given& c, X const& x) {
  c.results.push_back({rc::dtype_of<typename X::value_type>, X::rank, x.extent_values().data(), x.data()});
}
// compares the value of what a function returned: of one thing, or of a tuple or array of them
template <class X>
void compare(given& c, char const* way, X const& x) {
  if constexpr (rc::Arithmetic<X>) {
    rc::dtype const t = rc::dtype_of<X>;
    c.results.push_back({t, 0, nullptr, &x});
    c.compare(way);
  } else if constexpr (requires { std::tuple_size<X>::value; }) {
    auto const value = [](auto const& each) {
      if constexpr (rc::is_any_tensor<std::remove_cvref_t<decltype(each)>>)
        return each;
      else
        return rc::eval(each);
    };
    auto const all = std::apply([&](auto const&... each) { return std::tuple{value(each)...}; }, x);
    std::apply([&](auto const&... each) { (keep(c, each), ...); }, all);
    c.compare(way);
  } else {
    auto const& y = rc::eval(x);
    keep(c, y);
    c.compare(way);
  }
}

// ---- functions on forms ----

using numbers = index_t const*;

template <class F, class... X>
auto called(numbers n, X const&... x) {
  if constexpr (requires { F{}(n, x...); })
    return F{}(n, x...);
  else
    return F{}(x...);
}
// the same on tensors whose type and order are known at run time alone
inline rc::any_tensor any_of(array const& a) {
  rc::any_tensor x = rc::empty(a.type, std::vector(a.extent, a.extent + a.rank));
  std::size_t const size = std::size_t(rc::size_of(a.type));
  a.for_each([&](index_t offset, index_t k) {
    std::memcpy(x.raw_data() + std::size_t(k) * size, a.first + offset * index_t(size), size);
  });
  return x;
}
inline void keep(given& c, rc::any_tensor const& x) {
  c.results.push_back({x.dtype(), x.order(), x.shape().extent, x.data()});
}
inline void compare(given& c, char const* way, rc::any_tensor const& x) {
  keep(c, x);
  c.compare(way);
}
inline void compare(given& c, char const* way, std::vector<rc::any_tensor> const& all) {
  for (auto const& x : all) keep(c, x);
  c.compare(way);
}
template <class F, std::size_t... I>
void run_any(given& c, std::index_sequence<I...>) {
  if constexpr (sizeof...(I) > 0) compare(c, "any_tensor", called<F>(c.numbers.data(), any_of(c.operands[I])...));
}

template <class F, bool Interpreted, class... Form>
void run(given& c) {
  run_any<F>(c, std::index_sequence_for<Form...>{});
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    auto const with = [&](auto const&... held) {
      numbers const n = c.numbers.data();
      compare(c, "compiled", called<F>(n, held.operand()...));
      if constexpr (Interpreted)
        compare(c, "interpreted",
                rc::interpret([n](auto const&... x) { return called<F>(n, x...); })(held.operand()...));
    };
    with(typename Form::held(c.operands[I])...);
  }
  (std::index_sequence_for<Form...>{});
}
// elementwise functions on values of any type and order
template <class F, int N>
void run_values(given& c) {
  using V = rc::ir::value<rc::ir::eager>;
  rc::ir::eager_graph g;
  V x[N];
  for (int k = 0; k < N; ++k) {
    array const& a = c.operands[std::size_t(k)];
    rc::shape_t shape{};
    for (int d = 0; d < a.rank; ++d) shape.push(a.extent[d]);
    x[k] = rc::ir::argument<rc::ir::eager>(g, a.type, shape, k);
    rc::with_type(a.type, [&](auto zero) {
      using T = decltype(zero);
      T* const to = g.allocate<T>(x[k].id);
      a.for_each([&](index_t offset, index_t n) { to[n] = reinterpret_cast<T const*>(a.first)[offset]; });
    });
  }
  V const y = [&]<std::size_t... I>(std::index_sequence<I...>) { return F{}(x[I]...); }
  (std::make_index_sequence<N>{});
  rc::with_type(y.type(), [&](auto zero) {
    c.results.push_back({y.type(), y.rank(), y.shape().extent, g.elements<decltype(zero)>(y.id)});
  });
  c.compare("interpreted");
  run_any<F>(c, std::make_index_sequence<std::size_t(N)>{});
}

// ---- which forms ----

// Types that are given by turns.
template <class... T>
using types = rc::type_list<T...>;
template <unsigned K, class List>
using turn = rc::types::nth<int(K % unsigned(List::size)) + 1, List>;

template <class... Form>
struct forms {};
// where shapes depend on elements, where nothing is computed, and where `values` are interpreted already
template <class... Form>
struct only_compiled {};

template <class F, bool Interpreted, class... Form>
void add_form(entry& e) {
  std::string text;
  ((text += (text.empty() ? "" : " ") + Form::text()), ...);
  e.forms.push_back({text, run<F, Interpreted, Form...>});
}
template <class F, class... Form>
void add_forms(entry& e, forms<Form...>) {
  add_form<F, true, Form...>(e);
}
template <class F, class... Form>
void add_forms(entry& e, only_compiled<Form...>) {
  add_form<F, false, Form...>(e);
}
template <int N, class List>
struct values {};
template <class F, int N, class... T>
void add_forms(entry& e, values<N, types<T...>>) {
  std::string one = "a", text;
  ((one += (one == "a" ? ":" : "|") + std::string(rc::name_of(rc::dtype_of<T>))), ...);
  for (int k = 0; k < N; ++k) text += (k ? " " : "") + one;
  e.forms.push_back({text, run_values<F, N>});
}
template <class... Forms, class F>
void add(registry& to, char const* name, char const* arguments, char const* spelling, F) {
  entry e{to.file, name, arguments, spelling, {}};
  (add_forms<F>(e, Forms{}), ...);
  to.entries.push_back(static_cast<entry&&>(e));
}

// Lists of element types.
using i4 = std::int32_t;
using c4 = std::complex<float>;
using c8 = std::complex<double>;
using i1 = std::int8_t;
using i2 = std::int16_t;
using u2 = std::uint16_t;
using u8 = std::uint64_t;
using floats = types<float, double, rc::float16, rc::bfloat16>;
using floats_and_complex = types<float, double, rc::float16, c4, rc::bfloat16, c8>;
using numbers_of_reals =
    types<float, i4, double, std::uint8_t, i2, std::int64_t, std::uint32_t, rc::float16, u8, i1, u2, rc::bfloat16>;
using signed_numbers = types<float, i4, double, std::int64_t, i1, rc::float16, c4, i2, c8, rc::bfloat16>;
using complex_numbers = types<c4, c8>;
using numbers_of_all = types<float, i4, double, u2, std::uint8_t, std::int64_t, i1, std::uint32_t, rc::float16, u8, c4,
                             i2, c8, rc::bfloat16>;
using all_types = types<bool, float, i4, i1, double, std::uint8_t, u2, std::int64_t, std::uint32_t, i2, rc::float16, c4,
                        u8, c8, rc::bfloat16>;
using real_types = types<bool, float, i4, i1, double, std::uint8_t, u2, std::int64_t, std::uint32_t, i2, rc::float16,
                         u8, rc::bfloat16>;
using integers = types<i4, u8, std::uint8_t, std::int64_t, i2, std::uint32_t, u2, i1>;
using booleans = types<bool>;

// a number by which names take turns
constexpr unsigned number_of(char const* s) {
  unsigned h = 2166136261u;
  for (; *s; ++s) h = (h ^ static_cast<unsigned char>(*s)) * 16777619u;
  return h >> 8;
}
template <rc::label Name>
inline constexpr auto name_text = [] {
  std::array<char, 33> s{};
  for (std::size_t k = 0; k < 32; ++k) s[k] = Name[k];
  return s;
}();
template <rc::label Name>
inline constexpr unsigned turn_of = number_of(name_text<Name>.data());

using static_shapes =
    types<ext<2, 3>, ext<5>, ext<2, 1, 3>, ext<>, ext<2, 2, 1, 2>, ext<0, 3>, ext<1, 2, 1, 2, 2>, ext<17>>;
using mixed_shapes = types<ext<dyn, 3>, ext<2, dyn>, ext<dyn, 2, dyn>, ext<2, dyn, 1>, ext<dyn, 2, 1, dyn>>;
// of order 1 and 2 at least, without empty ones
using static_rows = types<ext<2, 3>, ext<5>, ext<2, 1, 3>, ext<2, 2, 1, 2>, ext<17>, ext<1, 2, 1, 2, 2>>;
using static_matrices = types<ext<2, 3>, ext<2, 1, 3>, ext<2, 2, 1, 2>, ext<3, 4>, ext<1, 2, 1, 2, 2>>;

// A function of one operand of order Least at least. Arguments of the same function take turns by Number.
template <rc::label Name, class List, int Least = 0, int Number = 0, bool Interpreted = true, class F>
void of_one(registry& to, char const* arguments, char const* spelling, F f) {
  constexpr unsigned k = turn_of<Name> + Number;
  using part_of = part<turn<k, List>, Least + int(k % unsigned(6 - Least))>;
  using known =
      turn<k / 3 + Number,
           std::conditional_t<Least == 0, static_shapes, std::conditional_t<Least == 1, static_rows, static_matrices>>>;
  using lazy_mixed = lazy<turn<k / 7 + 1, List>, turn<k / 5 + Number, mixed_shapes>>;
  using known_owner = owner<turn<k / 7 + 2, List>, known>;
  if constexpr (Interpreted)
    add<forms<part_of>, forms<lazy_mixed>, forms<known_owner>>(to, name_text<Name>.data(), arguments, spelling, f);
  else
    add<only_compiled<part_of>, only_compiled<lazy_mixed>, only_compiled<known_owner>>(to, name_text<Name>.data(),
                                                                                       arguments, spelling, f);
}

}  // namespace oracle
