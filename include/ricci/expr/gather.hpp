// `a(rows)` and `a(a > 2.f)` of tensors in memory: lazy where they are read, and assignable.
#pragma once

#include <ricci/expr/index.hpp>
#include <ricci/expr/reify.hpp>
#include <ricci/ops/gather.hpp>
#include <ricci/shape/axes.hpp>

RICCI_OPTIMIZED
namespace ricci {
inline namespace RICCI_ABI {

// An index that has to outlive the call: small tensors in place are copied.
template <class I>
RICCI_INLINE constexpr auto held_index(I const& index) {
  if constexpr (requires {
                  requires !I::shared && I::whole;
                  index.extent_values();
                })
    return I(index);
  else
    return held(index);
}

// Rows of a view along an axis, in the order that an index tensor gives.
template <class View, int Axis, class Index>
class gathered : public node<take_t, along_axis<Axis>, View, Index> {
  using base = node<take_t, along_axis<Axis>, View, Index>;

 public:
  RICCI_INLINE constexpr gathered(View const& v, Index const& index) : base(along_axis<Axis>{}, v, index) {}
  constexpr gathered(gathered const&) = default;

  template <class X>
  requires operands<X>
  constexpr gathered& operator=(X const& x) {
    assign_rows<Axis>(expr::operand<0>(this->operands()), expr::operand<1>(this->operands()), x);
    return *this;
  }
  constexpr gathered& operator=(gathered const& x) { return *this = static_cast<base const&>(x); }
};

}  // namespace RICCI_ABI

template <class View, int Axis, class Index>
inline constexpr bool is_native_tensor<gathered<View, Axis, Index>> = true;
template <class View, int Axis, class Index>
inline constexpr bool is_expression<gathered<View, Axis, Index>> = true;
namespace expr {
template <class View, int Axis, class Index>
struct reified<gathered<View, Axis, Index>> : reified<node<take_t, along_axis<Axis>, View, Index>> {};
}  // namespace expr

inline namespace RICCI_ABI {

template <class X, class... Items>
requires RowItems<Items...>
constexpr auto index_tensor(X& x, Items const&... items) {
  constexpr int axis_number = shapes::gathered_axis<typename X::extents, Items...>();
  auto const part = index_tensor(x, shapes::basic_item(items)...);
  auto const index = held_index(shapes::tensor_item(items...));
  return gathered<std::remove_const_t<decltype(part)>, axis_number, std::remove_const_t<decltype(index)>>(part, index);
}

// The parts of a view where a mask of its leading axes is true, in row-major order: (count, rest...), of order 1 where
// the mask has all axes. What that needs of containers stands in tensor/masked.hpp.
template <class View, class Mask>
class masked {
  struct shape_in_type {
    static constexpr shape_t value = [] {
      shape_t s{1, {dyn}};
      for (int k = rank_of<Mask>; k < View::rank; ++k) s.push(View::extents::extent(k));
      return s;
    }();
  };

 public:
  using value_type = typename View::value_type;
  using extents = extents_of_shape<shape_in_type>;
  static constexpr int rank = extents::rank;

  constexpr masked(View const& v, Mask const& m) : view_(v), mask_(m) {}
  masked(masked const&) = default;

  // a number, or what is broadcast to the parts
  template <class X>
  requires operands<X> masked const& operator=(X const& x) const {
    assign_masked(view_, mask_, x);
    return *this;
  }
  masked const& operator=(masked const& x) const { return *this = eval(x); }

  index_t shape(int axis) const {
    int const k = axis_named("shape", axis, rank);
    return k > 0 ? view_.shape(k + rank_of<Mask> - 1) : static_cast<index_t>(sum(astype<std::int64_t>(mask_)).item());
  }
  std::array<index_t, std::size_t(rank)> shape() const { return shape_of_expression(*this); }
  View const& whole() const { return view_; }
  Mask const& mask() const { return mask_; }

 private:
  View view_;
  Mask mask_;
};

}  // namespace RICCI_ABI

template <class View, class Mask>
inline constexpr bool is_native_tensor<masked<View, Mask>> = true;
template <class View, class Mask>
RICCI_INLINE constexpr masked<View, Mask> held(masked<View, Mask> const& x) {
  return x;
}
namespace expr {
template <class View, class Mask>
struct reified<masked<View, Mask>> {
  static constexpr int arguments = 1, slots = 0, deferred = 1, memory = host_memory;
  template <class Mode>
  static constexpr ir::value<Mode> value(reifier<Mode>& r) {
    return r.template argument<typename View::value_type, typename masked<View, Mask>::extents>(true, true);
  }
};
}  // namespace expr

inline namespace RICCI_ABI {

template <class X, MaskIndex Mask>
constexpr auto index_tensor(X& x, Mask const& mask) {
  (void)sizeof(shapes::mask_fits<rank_of<Mask>, X::rank>);
  auto const whole = index_tensor(x);
  auto const held_mask = held_index(mask);
  return masked<std::remove_const_t<decltype(whole)>, std::remove_const_t<decltype(held_mask)>>(whole, held_mask);
}

}  // namespace RICCI_ABI
}  // namespace ricci
RICCI_OPTIMIZED_END
