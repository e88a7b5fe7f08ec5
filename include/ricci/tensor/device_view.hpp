// Parts of tensors of the device, and how expressions hold both.
#pragma once

#include <ricci/tensor/device_tensor.hpp>

namespace ricci {

inline namespace RICCI_DEVICE_ABI {

// Part of a tensor of the device.
template <class V, class E, layout L>
class device_view : public on_device<device_view<V, E, L>, std::remove_const_t<V>, E> {
  using base = on_device<device_view, std::remove_const_t<V>, E>;

 public:
  using base::rank;
  using typename base::value_type;
  static constexpr layout memory = L;

  device_view(V* p, expr::extent_storage<E> const& e, expr::stride_storage<rank> const& s, core::shared_buffer owner,
              core::execution how)
      : p_(p), extents_(e), strides_(s), owner_(static_cast<core::shared_buffer&&>(owner)), how_(how) {}
  device_view(device_view const&) = default;

  device_view& operator=(device_view const& x) {
    assign(*this, x);
    return *this;
  }
  template <class X>
  requires operands<X> device_view& operator=(X const& x) {
    assign(*this, x);
    return *this;
  }
  value_type item() const requires(rank == 0) {
    value_type x;
    exec::device_backend::copy_out(exec::device_of(how_), &x, p_, sizeof x);
    return x;
  }
  V* data() const { return p_; }
  expr::extent_storage<E> const& extent_values() const { return extents_; }
  expr::stride_storage<rank> stride_values() const { return strides_; }
  index_t const* stride_data() const { return L == layout::row_major ? nullptr : strides_.data(); }
  core::shared_buffer const& owner() const { return owner_; }
  core::execution execution() const { return how_; }

 private:
  V* p_;
  expr::extent_storage<E> extents_;
  expr::stride_storage<rank> strides_;
  core::shared_buffer owner_;
  core::execution how_;
};

}  // namespace RICCI_DEVICE_ABI

template <class T, class E, layout L>
inline constexpr bool is_native_tensor<device_view<T, E, L>> = true;

// ---- how expressions hold them ----

inline namespace RICCI_DEVICE_ABI {

template <class T, class E>
struct device_leaf {
  using value_type = T;
  using extents = E;
  static constexpr int rank = E::rank, memory_space = expr::device_memory;
  static constexpr layout memory = layout::row_major;
  static constexpr bool shared = true, whole = true;
  core::shared_buffer buffer;

  explicit device_leaf(core::shared_buffer const& b) : buffer(b) {}
  device_leaf(device_leaf const&) = default;

  T const* data() const { return reinterpret_cast<T const*>(exec::device_block_of(buffer).memory); }
  expr::block_extents<E> extent_values() const { return {buffer.header().extents}; }
  expr::stride_storage<rank> stride_values() const { return expr::row_major_strides<rank>(extent_values()); }
  static constexpr index_t const* stride_data() { return nullptr; }
  core::shared_buffer const& owner() const { return buffer; }
  core::execution execution() const { return buffer.header().how; }
  index_t shape(int axis) const { return extent_values()[axis]; }
};

}  // namespace RICCI_DEVICE_ABI

template <class T, class E>
inline constexpr bool is_native_tensor<device_leaf<T, E>> = true;

template <class T, index_t... E>
device_leaf<T, extents<E...>> held(device_tensor<T, E...> const& x) {
  return device_leaf<T, extents<E...>>(x.owner());
}
template <class T, class E>
device_leaf<T, E> held(device_leaf<T, E> const& x) {
  return x;
}
template <class T, class E, layout L>
device_view<T const, E, L> held(device_view<T, E, L> const& x) {
  return {x.data(), x.extent_values(), x.stride_values(), x.owner(), x.execution()};
}

namespace expr {

template <class T, class E>
struct reified<device_leaf<T, E>> : reified<shared_leaf<T, E>> {
  static constexpr int memory = device_memory;
};
template <class T, class E, layout L>
struct reified<device_view<T, E, L>> : reified<view<T, E, L>> {
  static constexpr int memory = device_memory;
};
template <>
struct views_in<device_memory> {
  template <class T, class E, layout L>
  using type = device_view<T, E, L>;
};
template <int A, class B, class T, class E>
void bind(B& b, device_leaf<T, E> const& x) {
  b.operands[A] = {reinterpret_cast<char*>(const_cast<T*>(x.data())), x.buffer.header().extents, nullptr};
  b.how = core::joined(b.how, x.execution());
}
template <int A, class B, class T, class E, layout L>
void bind(B& b, device_view<T, E, L> const& x) {
  b.operands[A] = {reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(x.data())), x.extent_values().data(),
                   x.stride_data()};
  b.how = core::joined(b.how, x.execution());
}

}  // namespace expr

}  // namespace ricci
