// Axes as arguments: `rc::axis<0>`, `rc::axis<0, -1>`, `rc::keepdims`. They are constants, so that shapes stay types; a
// tensor of dynamic extents also takes an axis as a number.
#pragma once

#include <ricci/core/errors.hpp>
#include <ricci/core/pattern.hpp>
#include <ricci/shape/extents.hpp>

namespace ricci {

// An axis, which counts from the last where it is negative, counted from the first; -1: there is none.
constexpr int axis_from_start(index_t axis, int rank) {
  return axis < -rank || axis >= rank ? -1 : static_cast<int>(axis < 0 ? axis + rank : axis);
}

inline namespace RICCI_ABI {

[[noreturn]] RICCI_COLD inline void raise_axis_does_not_exist(char const* asked, index_t axis, int rank) {
  core::raise<index_error>(core::text() << asked << ": axis " << axis << " of a tensor of order " << rank);
}
// The axis that a number names, which counts from the last where it is negative. index_error: there is none.
RICCI_INLINE constexpr int axis_named(char const* asked, index_t axis, int rank) {
  int const from_start = axis_from_start(axis, rank);
  if (from_start < 0) [[unlikely]]
    raise_axis_does_not_exist(asked, axis, rank);
  return from_start;
}

}  // namespace RICCI_ABI

// What `x.T()` asks first, of an x of order Rank.
template <int Rank>
RICCI_INLINE constexpr void require_matrix() {
  static_assert(Rank == 2, "T() is for matrices; permute_dims orders the axes of other tensors");
}

template <index_t... A>
struct axes_t {
  static constexpr int count = sizeof...(A);
};
// The same by names (tensor/named.hpp), each a `written`.
template <class... Names>
struct axis_names {};
// Tensors whose axes have names.
template <class T>
inline constexpr bool has_axis_names = false;

// An axis as a template argument: its number, or its name.
struct axis_item {
  index_t number = 0;
  label name{0, 0, 0, 0};

  constexpr axis_item(index_t n) : number(n) {}
  template <std::size_t N>
  consteval axis_item(char const (&s)[N]) : name(s) {}
  constexpr bool is_name() const { return name.w0 != 0; }
};
template <bool Numbers, axis_item... A>
struct axes_as {
  using type = axes_t<A.number...>;
};
template <axis_item... A>
struct axes_as<false, A...> {
  static_assert((A.is_name() && ...), "axes are named or numbered, not some of them so and some so");
  using type = axis_names<written_name<A.name>...>;
};
template <axis_item... A>
inline constexpr typename axes_as<(!A.is_name() && ...), A...>::type axis{};
// the same, for what takes several lists of them
template <index_t... A>
inline constexpr axes_t<A...> axes{};

struct keepdims_t {};
inline constexpr keepdims_t keepdims{};

// What a reduction is told: its axes (none: all of them) and whether they stay with extent 1.
struct reduction_axes {
  int count;
  index_t axes[max_rank];
  bool keepdims;

  // the axes as bits for an operand of this rank; -1 where they do not exist there
  constexpr int mask(int rank) const { return count == 0 ? (1 << rank) - 1 : axis_mask(axes, count, rank); }
  // the first of them, where they exist
  constexpr int first(int rank) const {
    int k = 0;
    while (!(mask(rank) >> k & 1)) ++k;
    return k;
  }
};

}  // namespace ricci
