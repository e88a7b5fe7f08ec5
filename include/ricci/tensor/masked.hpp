// Elements named by a mask: read into a tensor of order 1, and written.
#pragma once

#include <ricci/expr/gather.hpp>
#include <ricci/tensor/deferred.hpp>

namespace ricci {

namespace storage {
inline namespace RICCI_ABI {

template <class View, class Mask>
auto mask_of(View const& v, Mask const& mask) {
  static_assert(
      !requires { View::memory_space; },
      "on the device the elements that a mask names cannot be read or be given a tensor, for their number is known "
      "too late: rc::where chooses between tensors, and rc::copy brings them to the host");
  auto const m = eval_dynamic(mask);
  for (int k = 0; k < View::rank; ++k)
    if (m.shape(k) != v.shape(k))
      core::raise<shape_error>(((core::text() << "a mask of shape ").shape(m.extent_values().data(), View::rank)
                                << " for a tensor of shape ")
                                   .shape(v.extent_values().data(), View::rank));
  return m;
}
// f(element) for those elements of v where m is true
template <class View, class M, class F>
void for_each_masked(View const& v, M const& m, F const& f) {
  auto const strides = v.stride_values();
  index_t at[View::rank > 0 ? View::rank : 1]{};
  auto* p = v.data();
  bool const* chosen = m.data();
  for (index_t n = v.size(); n > 0; --n) {
    if (*chosen++) f(*p);
    for (int k = View::rank - 1; k >= 0; --k) {
      p += strides.values[k];
      if (++at[k] < v.shape(k)) break;
      p -= at[k] * strides.values[k];
      at[k] = 0;
    }
  }
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

template <class View, class Mask, class X>
void assign_masked(View const& v, Mask const& mask, X const& x) {
  using T = typename View::value_type;
  if constexpr (std::is_const_v<std::remove_pointer_t<decltype(v.data())>>)
    assign(v, x);  // which says that it is read only
  else if constexpr (requires { View::memory_space; } && (std::is_arithmetic_v<X> || requires {
                       requires rank_of<X>
                       == 0;
                     })) {
    assign(v, where(mask, x, v));
  } else if constexpr (std::is_arithmetic_v<X>) {
    storage::for_each_masked(v, storage::mask_of(v, mask), [&, number = scalar::convert<T>(x)](T& to) { to = number; });
  } else if constexpr (rank_of<X> == 0) {
    assign_masked(v, mask, static_cast<value_type_of<X>>(eval_dynamic(x).item()));
  } else {
    static_assert(rank_of<X> == 1, "the elements that a mask names are assigned a number, or a tensor of order 1");
    auto const values = eval_dynamic(astype<T>(x));
    auto const m = storage::mask_of(v, mask);
    index_t count = 0;
    for (bool const chosen : m) count += chosen;
    if (count != values.shape(0))
      core::raise<shape_error>(core::text()
                               << "a mask names " << count << " elements, and " << values.shape(0) << " are assigned");
    T const* from = values.data();
    storage::for_each_masked(v, m, [&](T& to) { to = *from++; });
  }
}

}  // namespace RICCI_ABI

namespace expr {

template <int A, class B, class View, class Mask>
void bind(B& b, masked<View, Mask> const& x) {
  using T = typename View::value_type;
  auto& d = b.deferred[b.deferred_count++];
  auto const m = storage::mask_of(x.whole(), x.mask());
  d.extents[0] = 0;
  for (bool const chosen : m) d.extents[0] += chosen;
  d.buffer = core::shared_buffer(core::bytes_of(d.extents, 1, sizeof(T)));
  T* to = reinterpret_cast<T*>(d.buffer.data());
  storage::for_each_masked(x.whole(), m, [&](T const& from) { *to++ = from; });
  b.operands[A] = {d.buffer.data(), d.extents, nullptr};
}

}  // namespace expr

}  // namespace ricci
