// `a(1, rc::all, rc::range(0, 6, 2))` of a tensor of run-time order: another one, which shares the memory of the first
// where its elements lie there in row-major order, one behind the other, and else has a copy.
#pragma once

#include <ricci/any/tensor.hpp>
#include <ricci/expr/index.hpp>

namespace ricci {
inline namespace RICCI_ABI {

// index_error: more axes are named than there are, or an item lies outside its axis.
template <IndexItem... Items>
any_tensor any_tensor::operator()(Items const&... items) const {
  static_assert(shapes::ellipses<Items...> <= 1, "an index may hold one ellipsis");
  constexpr int named = shapes::named_axes<Items...>;
  if (type_ == ricci::dtype::none) core::raise<value_error>(core::text() << "an any_tensor that holds nothing");
  int const unnamed = order() - named;
  if (unnamed < 0)
    core::raise<index_error>(core::text()
                             << "an index names " << named << " axes of a tensor of order " << shape_.rank);
  constexpr int integers = (int(std::is_integral_v<Items>) + ... + 0),
                fresh = (int(std::is_same_v<Items, newaxis_t>) + ... + 0);
  if (order() - integers + fresh > max_rank) limits::a_tensor_has_more_than_12_axes();
  expr::number_selection at{shape_.extent};
  int axis = 0;
  auto const whole = [&] { at.s.take(0, 1, shape_.extent[axis], true), ++axis; };
  auto const rest = [&] {
    for (int k = 0; k < unnamed; ++k) whole();
  };
  auto const take = [&](auto const& item) {
    using item_type = std::remove_cvref_t<decltype(item)>;
    if constexpr (std::is_same_v<item_type, ellipsis_t>)
      rest();
    else if constexpr (std::is_same_v<item_type, newaxis_t>)
      at.s.source[at.s.rank_out++] = -1;
    else if constexpr (shapes::is_whole<item_type>)
      whole();
    else
      at.one(item, axis), ++axis;
  };
  (take(items), ...);
  if (shapes::ellipses<Items...> == 0) rest();
  index_t strides[max_rank]{}, step = 1, offset = 0;
  for (int k = order() - 1; k >= 0; --k) strides[k] = step, step *= shape_.extent[k];
  for (int k = 0; k < order(); ++k) offset += at.s.start[k] * strides[k];
  shape_t s{};
  index_t of_result[max_rank]{};
  for (int k = 0; k < at.s.rank_out; ++k) {
    int const source = at.s.source[k];
    of_result[k] = source < 0 ? 0 : strides[source] * at.s.step[source];
    s.push(source < 0 ? 1 : at.s.length[source]);
  }
  return strided(owner_, static_cast<char const*>(data_) + offset * size_of(type_), type_, s, of_result);
}

}  // namespace RICCI_ABI
}  // namespace ricci
