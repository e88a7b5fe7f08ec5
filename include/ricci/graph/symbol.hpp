// What a traced function receives in place of its arguments: typed by element type and extents, never by how it came
// about; that stands in the graph. So a loop over layers is a plain loop, and every layer's value has the same type.
#pragma once

#include <array>

#include <ricci/core/scalar.hpp>
#include <ricci/core/wrong_argument.hpp>
#include <ricci/graph/hooks.hpp>
#include <ricci/graph/symbolic_extent.hpp>
#include <ricci/graph/value.hpp>
#include <ricci/shape/axes.hpp>
#include <ricci/shape/concepts.hpp>

namespace ricci {

template <class T>
inline constexpr bool is_symbol = false;

// What x[0] is said to give, of tensors, views, expressions and symbols: compilers print it.
namespace wrong {
struct parts_are_named_in_parentheses;
}

template <class V, class E, class Mode = ir::traced>
class symbol;

// The number that a symbol has by default in every place, as `rc::field<Kind, float> rate = 0.1f;` in a record, which
// has axes in batches and derivatives: a literal of the first graph that asks for it, where no argument has taken its
// place.
template <class V, bool Number>
struct number_by_default {};
template <class V>
struct number_by_default<V, true> {
  V number{};
};

// (a function by itself: nvcc takes no such lambda in the class)
template <class Symbol, int... K>
constexpr auto all_extents(Symbol const& x, std::integer_sequence<int, K...>) {
  return std::array<decltype(x.shape(0)), sizeof...(K)>{x.shape(K)...};
}

template <class V, class E, class Mode>
class symbol : public number_by_default<V, E::is_static> {
 public:
  using value_type = V;
  using extents = E;
  using mode = Mode;
  static constexpr int rank = E::rank;

  ir::value<Mode> v;

  constexpr symbol() = default;
  constexpr explicit symbol(ir::value<Mode> value) : v(value) {}
  template <Arithmetic U>
  requires(E::is_static) constexpr symbol(U x) : number_by_default<V, true>{static_cast<V>(x)} {}
  // As tensors do, symbols convert between kinds of extents; those that the type names are checked.
  template <class F>
  requires(!std::is_same_v<E, F> && shapes::may_be_equal<E, F>()) constexpr symbol(symbol<V, F, Mode> const& x)
      : v(ir::with_extents(x.v, E::value, ir::value<Mode>{})) {}
  constexpr symbol(symbol const&) = default;
  constexpr symbol& operator=(symbol const&) & = default;
  // The name is bound to x: to its elements converted to V, or, where x is a number, to that in every place.
  template <class X>
  constexpr auto& operator=(X const& x) & {
    if constexpr (Arithmetic<X> && E::is_static)
      if (v.g == nullptr) return *this = symbol(x);
    v = rebound(*this, x);
    return *this;
  }
  // What has no name is nobody's to assign to: of a view of a view, say, nothing would be seen in what it shows.
  template <class X>
  constexpr void operator=(X const&) && {
    static_assert(always_false<X>,
                  "a traced function assigns to names and to their parts, as h = ... and h(0) = ...: this is a part of "
                  "a part, or of a view, or a value without a name");
  }

  // an extent: a number where the type knows it, else a symbolic dimension
  constexpr auto shape(int axis) const {
    int const k = axis_named("shape", axis, rank);
    if constexpr (E::is_static)
      return known_extent<Mode>{v.g, E::extent(k)};
    else
      return symbolic_dim<Mode>{v.g, ir::find(*v.g, v.shape().extent[k])};
  }
  // all of them
  constexpr auto shape() const { return all_extents(*this, std::make_integer_sequence<int, rank>{}); }
  // how many elements
  constexpr auto size() const {
    if constexpr (E::is_static) {
      return known_extent<Mode>{v.g, E::size};
    } else {
      index_t n = 1;
      for (int k = 0; k < rank; ++k) n = ir::times(*v.g, n, v.shape().extent[k]);
      return symbolic_dim<Mode>{v.g, n};
    }
  }
  template <class I>
  wrong::parts_are_named_in_parentheses operator[](I&&) const = delete;  // x(0), x(0, 1), x(rc::all, 0)
  template <class... I>
  constexpr auto operator()(I const&... indices) & {
    return index_symbol(*this, as_index(indices)...);
  }
  template <class... I>
  constexpr auto operator()(I const&... indices) const& {
    return index_symbol(*this, as_index(indices)...);
  }

  // `for (auto e : x)` of what has no elements yet
  template <class U = void>
  constexpr V const* begin() const {
    static_assert(always_false<U>,
                  "a traced function does not go over elements: it computes with all of them at once, x(k) is one, and "
                  "rc::scan goes along the first axis");
    return nullptr;
  }
  template <class U = void>
  constexpr V const* end() const {
    return nullptr;
  }
  // of order 2: the axes exchanged
  constexpr auto T() const {
    require_matrix<rank>();
    return transposed_symbol(*this);
  }

  // An interpreted function may look at its values; a traced one has none yet.
  template <class U = void>
  constexpr explicit operator bool() const {
    static_assert(
        Mode::runs || always_false<U>,
        "a traced function cannot branch on a value, which is only known when it runs: use ricci::where to choose "
        "element by element");
    return item() != V(0);
  }
  template <Arithmetic U>
  requires(!std::is_same_v<U, bool>) constexpr explicit operator U() const {
    static_assert(
        Mode::runs || always_false<U>,
        "a traced function cannot read a value, which is only known when it runs: compute with the symbol itself, "
        "and choose by ricci::where");
    return scalar::convert<U>(item());
  }
  template <class U = void>
  constexpr V item() const {
    static_assert(
        Mode::runs || always_false<U>,
        "a traced function cannot read a value, which is only known when it runs: compute with the symbol itself, "
        "and choose by ricci::where");
    if constexpr (Mode::runs)
      return first_element(v, V{});
    else
      return V{};
  }
};

template <class T, class E, class Mode>
inline constexpr bool is_symbol<symbol<T, E, Mode>> = true;
template <class T, class E, class Mode>
inline constexpr bool is_native_tensor<symbol<T, E, Mode>> = true;

template <class T>
inline constexpr bool is_weak = false;
template <class T, class Mode>
inline constexpr bool is_weak<symbol<T, weak_extents, Mode>> = true;
template <class Mode>
inline constexpr bool is_weak<symbolic_dim<Mode>> = true;
template <class Mode>
inline constexpr bool is_weak<known_extent<Mode>> = true;

}  // namespace ricci
