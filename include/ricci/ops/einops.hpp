// `rc::einops::rearrange`, `reduce` and `repeat` by a pattern that the compiler reads: formulas of reshape,
// permute_dims, broadcast_to and reductions.
//
//   rc::einops::rearrange<"b (h p) (w q) c -> b (h w) (p q c)">(images, rc::length<"p">(2), rc::length<"q">(3));
//   rc::einops::reduce<"b (h 2) (w 2) c -> b h w c", rc::max>(images);
//   rc::einops::repeat<"i j -> j (i 3)">(x);
//
// Axes in parentheses are parts of one, the last of which runs fastest; numbers are axes without a name; `...` are axes
// that stay. One length of each group follows from the operand; lengths that do
// not divide its extent are a compile error or a shape_error.
#pragma once

#include <ricci/ops/join.hpp>
#include <ricci/shape/einops_problems.hpp>
#include <ricci/shape/shape_argument.hpp>

namespace ricci {

// The length of a named axis: `rc::length<"p", 2>` in the type, `rc::length<"p">(n)` as a value.
template <label Name>
struct length_value {
  static constexpr label name = Name;
  static constexpr bool is_static = false;
  index_t n;
};
template <label Name, index_t... N>
struct length_t {
  static_assert(sizeof...(N) == 1, "rc::length<\"p\"> is called with a length, or has it: rc::length<\"p\", 2>");
  static constexpr label name = Name;
  static constexpr bool is_static = true;
  static constexpr index_t n = (N + ...);
};
template <label Name>
struct length_t<Name> {
  template <Extent N>
  constexpr length_value<Name> operator()(N n) const {
    return {shapes::extent_value(n)};
  }
  template <class T, T N>
  constexpr length_t<Name, index_t(N)> operator()(std::integral_constant<T, N>) const {
    return {};
  }
};
template <label Name, index_t... N>
inline constexpr length_t<Name, N...> length{};

namespace shapes {

// The lengths that are given, as attributes.
template <class Written, class... L>
struct lengths_given {
  static constexpr int slots = ((L::is_static ? 0 : 1) + ... + 0);
  index_t values[sizeof...(L) + 1];

  constexpr explicit lengths_given(L const&... l) : values{l.n..., 0} {}
  template <class Of>
  static constexpr axis_lengths collected(Of const& of) {
    axis_lengths r{};
    int k = 0;
    [[maybe_unused]] auto const put = [&](int a, bool is_static, index_t n) {
      if (a < 0) return;
      r.given[a] = true, r.value[a] = of(k++, is_static, n);
    };
    (put(axis_of_name(axes_pattern_of<Written>, Written::text, L::name), L::is_static, static_length<L>()), ...);
    return r;
  }
  template <class One>
  static constexpr index_t static_length() {
    if constexpr (One::is_static)
      return One::n;
    else
      return dyn;
  }
  static constexpr axis_lengths typed() {
    return collected([](int, bool, index_t n) { return n; });
  }
  constexpr axis_lengths lowered() const {
    return collected([this](int k, bool, index_t) { return values[k]; });
  }
  template <class Reifier>
  static constexpr axis_lengths reified(Reifier& r) {
    return collected([&](int, bool is_static, index_t n) { return is_static ? n : r.slot(); });
  }
  constexpr void bind(index_t* to, int& count) const {
    int k = 0;
    ((L::is_static ? void(++k) : void(to[count++] = values[k++])), ...);
  }
};

}  // namespace shapes

namespace einops {

// Derived says what it does with axes that only the operand has: `without(x, mask)`.
template <class Derived, class Written>
struct rearrangement : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr bool loses_axes = false, makes_axes = false;
  static constexpr auto& axes = shapes::axes_pattern_of<Written>;
  static constexpr dtype type_of_result(dtype t) { return t; }

  template <class X, class... L>
  requires tensor_operands<X> RICCI_INLINE constexpr auto operator()(X&& x, L const&... lengths) const {
    using E = typename operand_extents<std::remove_cvref_t<X>>::type;
    // (what the axes must be where the order is told later: those of the pattern, and none for `...`)
    constexpr int rank = [] {
      if constexpr (level_of<X> == operand_level::any)
        return axes.left.groups - (axes.left.ellipsis >= 0);
      else
        return E::rank;
    }();
    static_assert(shapes::pattern_is_understood<Derived, Written, rank, L...>());
    return call_operation<Derived>(shapes::lengths_given<Written, L...>(lengths...), static_cast<X&&>(x));
  }
  static constexpr bool fits_orders(shapes::axis_lengths const& given, int rank) {
    return shapes::problem_of_pattern<Derived::loses_axes, Derived::makes_axes>(axes, given.given, rank).fault ==
           shapes::pattern_fault::none;
  }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, shapes::axis_lengths const& given, shape_t const& x) {
    int const more = x.rank - axes.left.groups + 1;
    auto const left = axes.left.with_ellipsis(more);
    return shapes::shape_of(c, axes.right.with_ellipsis(more), shapes::lengths_of(c, axes, left, given, x));
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(shapes::axis_lengths const& given, ir::value<Mode> x) {
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<Derived>(), x.shape_id()};
    int const more = x.rank() - axes.left.groups + 1;
    auto const left = axes.left.with_ellipsis(more), right = axes.right.with_ellipsis(more);
    auto const lengths = shapes::lengths_of(c, axes, left, given, x.shape());
    shape_t parts{}, thin{}, full{};
    int gone = 0, n = 0;
    index_t order[max_rank]{};
    for (int k = 0; k < left.count; ++k) {
      parts.push(lengths.value[left.axis[k]]);
      if (!right.has(left.axis[k])) gone |= 1 << k;
    }
    for (int k = 0; k < right.count; ++k) {
      int from = -1;
      for (int j = 0, kept = 0; j < left.count; ++j) {
        if (left.axis[j] == right.axis[k]) from = kept;
        kept += !(gone >> j & 1);
      }
      if (from >= 0) order[n++] = from;
      full.push(lengths.value[right.axis[k]]);
      thin.push(from >= 0 ? full.extent[k] : 1);
    }
    ir::value<Mode> y = ir::reshape(x, ir::requested(g, parts));
    if (gone != 0) y = Derived::without(y, gone);
    y = ir::reshape(ir::permute(y, order, n), ir::intern(g, thin));
    y = ir::broadcast_to(y, ir::requested(g, full));
    return ir::reshape(y, ir::requested(g, shapes::shape_of(c, right, lengths)));
  }
  // what is lost elsewhere than in `reduce` has extent 1
  template <class V>
  static constexpr V without(V x, int mask) {
    return ir::reshape(x, ir::intern(*x.g, shapes::reduced(x.shape(), mask, false)));
  }
};

template <class Written>
struct rearrange_t : rearrangement<rearrange_t<Written>, Written> {
  static constexpr auto name = "rearrange";
};
template <class Written>
struct repeat_t : rearrangement<repeat_t<Written>, Written> {
  static constexpr auto name = "repeat";
  static constexpr bool makes_axes = true;
};
// By a reduction of the library: `rc::sum`, `rc::mean`, `rc::max` ...
template <class Written, class Reduction>
struct reduce_t : rearrangement<reduce_t<Written, Reduction>, Written> {
  static constexpr auto name = "reduce";
  static constexpr bool loses_axes = true;
  static constexpr dtype type_of_result(dtype t) { return Reduction::type_of_result(t); }
  template <class Mode>
  static constexpr ir::value<Mode> record(shapes::axis_lengths const& given, ir::value<Mode> x) {
    dtype const type = type_of_result(x.type());
    return ir::cast(rearrangement<reduce_t, Written>::record(given, x), type);
  }
  template <class V>
  static constexpr V without(V x, int mask) {
    reduction_axes a{0, {}, false};
    for (int k = 0; k < x.rank(); ++k)
      if (mask >> k & 1) a.axes[a.count++] = k;
    return Reduction::record(a, x);
  }
};

template <pattern P>
inline constexpr rearrange_t<written_as<P>> rearrange{};
template <pattern P>
inline constexpr repeat_t<written_as<P>> repeat{};
template <pattern P, auto Reduction>
inline constexpr reduce_t<written_as<P>, std::remove_cvref_t<decltype(Reduction)>> reduce{};

}  // namespace einops

}  // namespace ricci
