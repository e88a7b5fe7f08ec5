// `auto [values, indices] = rc::top_k(x, 3)`.
#pragma once

#include <utility>

#include <ricci/ops/top_k.hpp>
#include <ricci/tensor/create.hpp>
#include <ricci/tensor/searching.hpp>

namespace ricci {
inline namespace RICCI_ABI {

// The k greatest elements along the last axis, the greatest first, and where they are, int64: (..., n) -> (..., k). k:
// a number, or rc::extents<3>{}, by which the type knows it. Of equal ones the first; NaN is greater than every number.
// A pair of tensors, computed at once, and of symbols in a traced function. Fewer elements than k are a compile error
// or a value_error.
template <class X, class K>
requires(Tensor<X> && (Extent<K> || shapes::is_extents<K>)) constexpr auto top_k(X const& x, K const& k) {
  auto const& v = storage::now(x);
  auto const indices = storage::now(call_operation<top_k_indices_t>(target_shape(storage::shape_of_length(k), v), v));
  return std::pair{storage::now(call_operation<elements_of_rows_t>(no_attributes{}, v, indices)), indices};
}
template <class Given = void>
constexpr std::pair<wrong::result, wrong::result> top_k(wrong::argument = {}, wrong::argument = {},
                                                        wrong::argument = {}, wrong::argument = {}) {
  static_assert(always_false<Given>,
                "top_k takes a tensor and how many elements of each row are wanted, an integer: rc::top_k(x, 3); the "
                "rows are the last axis");
  return {};
}

}  // namespace RICCI_ABI
}  // namespace ricci
