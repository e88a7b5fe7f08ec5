// Random bits of a shape: `rc::random::bits<std::uint32_t>(key, rc::shape(1000, 100))`, lazy. What else is random is a
// formula of them, which fuses with what reads it.
#pragma once

#include <ricci/ops/told.hpp>
#include <ricci/random/key.hpp>

namespace ricci::random {

// The words of a call, in a shape.
template <class Words, class W>
struct words_of_shape_t : formula_of_one<words_of_shape_t<Words, W>> {
  static constexpr auto name = "random::bits";
  static constexpr dtype type_of_result(dtype) { return dtype_of<W>; }
  template <class Context>
  static constexpr shape_t shape_of(Context&, axes_and_numbers const& a, shape_t const&) {
    shape_t s{a.count, {}};
    for (int k = 0; k < a.count; ++k) s.extent[k] = a.are_known ? a.numbers[k] : dyn;
    return s;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const&, V x, int shape) {
    auto& g = *x.g;
    ir::graph_context<typename V::graph_type> c{g, ir::facts_of<words_of_shape_t>(), shape};
    shape_t const row{1, {shapes::size(c, g.shapes[shape])}};
    dtype const type = Words::operand_type(dtype::none);
    return ir::reshape(ir::call<Words, typename V::mode>(g, type, &row, {&x.id, 1}, {}), shape);
  }
};

// Words of W = std::uint32_t or std::uint64_t. The expression has a copy of the key.
template <class W, Key K, ShapeArgument S>
constexpr auto words(K const& from, S const& shape) {
  if constexpr (PhiloxKey<K>)
    return words_of_shape_t<philox_words_t<W>, W>::call(K(from), axes_t<>{}, shape);
  else
    return words_of_shape_t<threefry_words_t<W>, W>::call(K(from), axes_t<>{}, shape);
}
// A parameter of a distribution in an element type: a number, or an expression that holds what it is given as other
// expressions do.
template <class T, class A>
constexpr auto parameter(A&& a) {
  if constexpr (Arithmetic<std::remove_cvref_t<A>>)
    return static_cast<T>(a);
  else
    return astype<T>(static_cast<A&&>(a));
}

// Whether extents of a shape are symbols of a traced function.
template <ShapeArgument S>
constexpr bool is_symbolic_shape() {
  if constexpr (shapes::is_extents<S>)
    return false;
  else
    return S::is_symbolic;
}
// The static extent of an axis of a shape, -1 where its type does not say it.
template <ShapeArgument S, int Axis>
constexpr index_t known_extent() {
  if constexpr (shapes::is_extents<S>)
    return S::value.extent[Axis];
  else
    return -1;
}
template <int Axis, int More, class A, ShapeArgument S>
constexpr void expect_extent(char const* name, A const& a, S const& shape) {
  constexpr index_t from = extents_of<A>::value.extent[Axis], to = known_extent<S, Axis + More>();
  if constexpr (from >= 0 && to >= 0) {
    static_assert(from == 1 || from == to,
                  "a parameter of random numbers is broadcast to their shape, which has to have its extents: others "
                  "would share a number");
  } else if constexpr (requires { index_t(a.shape(Axis)); }) {
    index_t const n = a.shape(Axis);
    index_t wanted = to;
    if constexpr (to < 0) wanted = shape.values[Axis + More];
    if (n != 1 && n != wanted)
      core::raise<shape_error>(core::text() << name << ": an axis of a parameter has " << n
                                            << " elements, and that of the shape " << wanted);
  }
}
template <int More, class A, ShapeArgument S, std::size_t... K>
constexpr void expect_extents(char const* name, A const& a, S const& shape, std::index_sequence<K...>) {
  (expect_extent<int(K), More>(name, a, shape), ...);
}
// The same of a distribution of that name, each of whose elements has words of its own: a compile error or a
// shape_error where the parameter has axes or extents that the shape has not, as its elements would share them.
template <class T, class A, ShapeArgument S>
constexpr auto parameter(char const* name, A&& a, S const& shape) {
  using X = std::remove_cvref_t<A>;
  constexpr int rank = [] {
    if constexpr (Tensor<X>) return rank_of<X>;
    return 0;
  }();
  if constexpr (rank == 0) {
    return parameter<T>(static_cast<A&&>(a));
  } else {
    auto const to = shapes::argument(shape);
    using To = std::remove_cvref_t<decltype(to)>;
    constexpr int more = To::rank - rank;
    static_assert(more >= 0,
                  "a parameter of random numbers is broadcast to their shape, which has to have its axes: others would "
                  "share a number");
    constexpr bool is_symbol = !requires { index_t(a.shape(0)); };
    if constexpr (more >= 0 && (is_symbol || is_symbolic_shape<To>())) {  // its extents show when it runs
      return broadcast_to(parameter<T>(static_cast<A&&>(a)), shape);
    } else {
      if constexpr (more >= 0) expect_extents<more>(name, a, to, std::make_index_sequence<std::size_t(rank)>{});
      return parameter<T>(static_cast<A&&>(a));
    }
  }
}

// Random bits as unsigned integers of 8 to 64 bits, each value equally likely.
template <class T, Key K, ShapeArgument S>
constexpr auto bits(K const& from, S const& shape) {
  static_assert(std::is_unsigned_v<T> && !std::is_same_v<T, bool>, "random::bits<T> makes unsigned integers");
  if constexpr (sizeof(T) >= 4)
    return words<T>(from, shape);
  else
    return astype<T>(words<std::uint32_t>(from, shape));
}

}  // namespace ricci::random
