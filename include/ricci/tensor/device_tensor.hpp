// Tensors in the memory of the device context. They are made, combined and assigned as those of the host are; their
// elements are read by `item()` of one, or by a copy: `rc::copy(x, rc::cpu{})`.
#pragma once

#include <ricci/tensor/on_device.hpp>
#include <ricci/tensor/sequences.hpp>

namespace ricci {

inline namespace RICCI_DEVICE_ABI {

// Computes on device `index`: CUDA under nvcc, Thrust on this machine's cores under a host compiler.
struct device {
  int index = 0;
};

}  // namespace RICCI_DEVICE_ABI
template <>
inline constexpr bool enable_context<device> = true;

inline namespace RICCI_DEVICE_ABI {

// element k is f(k)
template <class V, class F>
struct fill_element {
  F f;
  V* p;
  RICCI_HD void operator()(index_t k) const { p[k] = scalar::convert<V>(f(k)); }
};

template <class V, index_t... E>
class device_tensor : public on_device<device_tensor<V, E...>, V, extents<E...>> {
  static_assert(
      Element<V>,
      "a tensor holds numbers of one of the library's element types (rc::dtype lists them), as float, double, "
      "std::complex, bool or std::int32_t");
  using base = on_device<device_tensor, V, ricci::extents<E...>>;

 public:
  using extents = ricci::extents<E...>;
  using base::rank, base::size;
  static constexpr layout memory = layout::row_major;
  static constexpr bool whole = true;

  // of static extents: zeros on device 0, which has no memory before somebody looks at it
  device_tensor() = default;
  device_tensor(device_tensor const& x) { copy_of(x); }
  device_tensor(device_tensor&&) = default;
  template <Tensor X>
  requires(!std::is_same_v<X, device_tensor>) device_tensor(X const& x) {
    static_assert(rank_of<X> == rank, "a tensor is made from a tensor of the same order");
    construct(*this, x);
  }
  template <Arithmetic U>
  device_tensor(U x) requires(rank == 0) {
    allocate(nullptr, {});
    fill_elements(storage::same_number<U>{x});
  }
  // uninitialised
  struct raw {};
  device_tensor(raw, index_t const* e, core::execution how) { allocate(e, how); }

  device_tensor& operator=(device_tensor const& x) {
    if (this == &x) return *this;
    if (fits(x.owner()))
      copy_elements(x);
    else
      copy_of(x);
    return *this;
  }
  device_tensor& operator=(device_tensor&& x) {
    if (this == &x) return *this;
    if (fits(x.owner()) && buffer_.use_count() > 1)
      copy_elements(x);  // for those who look at it
    else
      buffer_ = static_cast<core::shared_buffer&&>(x.buffer_);
    return *this;
  }
  template <class X>
  requires operands<X> device_tensor& operator=(X const& x) {
    assign(*this, x);
    return *this;
  }
  V item() const requires(rank == 0) {
    V x;
    read_elements(&x);
    return x;
  }
  // ---- for the library ----

  // the address on the device, which only the device may read
  V* data() { return reinterpret_cast<V*>(exec::device_block_of(owner()).memory); }
  V const* data() const { return reinterpret_cast<V const*>(exec::device_block_of(owner()).memory); }
  expr::block_extents<extents> extent_values() const { return {owner().header().extents}; }
  expr::stride_storage<rank> stride_values() const { return expr::row_major_strides<rank>(extent_values()); }
  static constexpr index_t const* stride_data() { return nullptr; }
  // what was moved from is empty, or zeros where all extents are in the type, as tensors of the host
  core::shared_buffer const& owner() const {
    if constexpr (extents::is_static)
      if (!buffer_.is_made()) make_zeros();
    return buffer_;
  }
  core::execution execution() const { return owner().header().how; }
  int device_index() const { return exec::device_block_of(owner()).device; }
  void adopt(core::shared_buffer&& memory_of_it, index_t const* e, core::execution) {
    if constexpr (storage::repeats_names<extents>()) storage::check_names<extents>(e);
    for (int k = 0; k < rank; ++k) memory_of_it.header().extents[k] = e[k];
    memory_of_it.header().how = exec::on_device_number(exec::device_block_of(memory_of_it).device);
    buffer_ = static_cast<core::shared_buffer&&>(memory_of_it);
  }
  // another value, which those who look at this tensor see, too, where the shape stays
  void replace(core::shared_buffer&& memory_of_it, index_t const* e, core::execution how) {
    device_tensor fresh(nothing{});
    fresh.adopt(static_cast<core::shared_buffer&&>(memory_of_it), e, how);
    *this = static_cast<device_tensor&&>(fresh);
  }
  // write(p) fills memory of the host, which is brought here
  template <class Write>
  void write_elements(Write const& write) {
    index_t const bytes = bytes_of_elements();
    core::shared_buffer const host(bytes);
    write(reinterpret_cast<V*>(host.data()));
    exec::device_backend::copy_in(device_index(), data(), host.data(), bytes);
  }
  // computed there: copies from the host are left to numbers that are on it
  template <storage::RunsAnywhere F>
  void fill_elements(F const& f) {
    exec::device_backend::for_each_index(device_index(), size(), fill_element<V, F>{f, data()});
  }
  void read_elements(V* to) const {
    if (size() > 0) exec::device_backend::copy_out(device_index(), to, data(), bytes_of_elements());
  }

 private:
  mutable core::shared_buffer buffer_;  // of static zeros that nobody has looked at yet: none

  struct nothing {};
  explicit device_tensor(nothing) {}

  index_t bytes_of_elements() const { return size() * index_t(sizeof(V)); }
  void allocate(index_t const* e, core::execution how) {
    adopt(exec::allocate_on_device(core::bytes_of(e, rank, sizeof(V)), how), e, how);
  }
  void make_zeros() const requires(extents::is_static) {
    device_tensor zeros(raw{}, extents::value.extent, {});
    exec::device_backend::clear(zeros.device_index(), zeros.data(), zeros.bytes_of_elements());
    buffer_.make_once(static_cast<core::shared_buffer&&>(zeros.buffer_));
  }
  // whether memory on the same device, for the same extents, is here
  bool fits(core::shared_buffer const& other) const {
    bool same = buffer_.bytes() > 0 && other.bytes() > 0 && buffer_.header().how == other.header().how;
    for (int k = 0; k < rank; ++k) same = same && buffer_.header().extents[k] == other.header().extents[k];
    return same;
  }
  void copy_elements(device_tensor const& x) {
    exec::device_backend::copy_within(device_index(), data(), x.data(), bytes_of_elements());
  }
  void copy_of(device_tensor const& x) {
    auto const e = x.extent_values();
    index_t extents_of_x[rank > 0 ? rank : 1]{};
    for (int k = 0; k < rank; ++k) extents_of_x[k] = e[k];
    allocate(extents_of_x, x.execution());
    if (size() > 0) copy_elements(x);
  }
};

}  // namespace RICCI_DEVICE_ABI

template <class T, index_t... E>
inline constexpr bool is_native_tensor<device_tensor<T, E...>> = true;

}  // namespace ricci
