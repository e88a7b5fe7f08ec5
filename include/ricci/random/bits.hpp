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
