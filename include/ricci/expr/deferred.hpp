// Operands that are looked at in another way only when the expression is evaluated:
//  * `last_axis`: a tensor with the axis that is named at run time moved behind the others;
//  * `foreign_leaf`: a type that is no tensor of ours and has no memory to point to, read element by element.
#pragma once

#include <ricci/expr/reify.hpp>

RICCI_OPTIMIZED
namespace ricci {

inline namespace RICCI_ABI {
template <class X>
struct last_axis {
  using value_type = typename X::value_type;
  using extents = dynamic_extents<X::extents::rank>;
  static constexpr int rank = extents::rank;
  X operand;
  int axis;
};
}  // namespace RICCI_ABI
template <class X>
inline constexpr bool is_native_tensor<last_axis<X>> = true;
template <class X>
RICCI_INLINE constexpr last_axis<X> held(last_axis<X> const& x) {
  return x;
}

inline namespace RICCI_ABI {
template <class F, bool Owned>
struct foreign_leaf {
  using value_type = value_type_of<F>;
  using extents = extents_of<F>;
  static constexpr int rank = extents::rank;
  std::conditional_t<Owned, F, F const*> tensor;
  constexpr F const& get() const {
    if constexpr (Owned)
      return tensor;
    else
      return *tensor;
  }
};
}  // namespace RICCI_ABI
template <class F, bool Owned>
inline constexpr bool is_native_tensor<foreign_leaf<F, Owned>> = true;
template <class F, bool Owned>
RICCI_INLINE constexpr foreign_leaf<F, Owned> held(foreign_leaf<F, Owned> const& x) {
  return x;
}

namespace expr {

template <class X>
struct reified<last_axis<X>> : deferred_argument<typename X::value_type, typename last_axis<X>::extents, false, false> {
  static constexpr int memory = reified<X>::memory;
};
template <class F, bool Owned>
struct reified<foreign_leaf<F, Owned>> : deferred_argument<value_type_of<F>, extents_of<F>, true, true> {};

}  // namespace expr

}  // namespace ricci
RICCI_OPTIMIZED_END
