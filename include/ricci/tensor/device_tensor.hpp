// Tensors in the memory of the device context. They are made, combined and assigned as those of the host are; their elements are
// read by `item()` of one, or by a copy: `rc::copy(x, rc::cpu{})`.
#pragma once

#include <ricci/exec/device/run.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci {

// Computes on device `index`: CUDA under nvcc, Thrust on this machine's cores under a host compiler.
struct device {
  int index = 0;
};
template <>
inline constexpr bool enable_context<device> = true;

template <class T, class E>
struct device_leaf;
template <class V, class E, layout L>
class device_view;

template <class V, index_t... E>
class device_tensor {
  static_assert(Element<V>, "a tensor holds float, double, bool, int32 or int64 elements");

 public:
  using value_type = V;
  using extents = ricci::extents<E...>;
  static constexpr int rank = sizeof...(E), memory_space = expr::device_memory;
  static constexpr layout memory = layout::row_major;
  static constexpr bool shared = true, whole = true;

  // of static extents: zeros on device 0
  device_tensor() {
    if constexpr (extents::is_static) {
      allocate(extents::value.extent, 0);
      write_elements([n = size()](V* p) { __builtin_memset(static_cast<void*>(p), 0, static_cast<std::size_t>(n) * sizeof(V)); });
    }
  }
  device_tensor(device_tensor const& x) { copy_of(x); }
  device_tensor(device_tensor&&) = default;
  template <Tensor X>
    requires(!std::is_same_v<X, device_tensor>)
  device_tensor(X const& x) {
    static_assert(rank_of<X> == rank, "a tensor is made from a tensor of the same order");
    construct(*this, x);
  }
  template <Arithmetic U>
  device_tensor(U x)
    requires(rank == 0)
  {
    allocate(nullptr, 0);
    write_elements([x](V* p) { *p = static_cast<V>(x); });
  }
  // uninitialised
  struct raw {};
  device_tensor(raw, index_t const* e, int bits) { allocate(e, bits); }

  device_tensor& operator=(device_tensor const& x) {
    if (this != &x) copy_of(x);
    return *this;
  }
  device_tensor& operator=(device_tensor&&) = default;
  template <class X>
    requires operands<X>
  device_tensor& operator=(X const& x) {
    assign(*this, x);
    return *this;
  }
  template <class X>
    requires operands<X>
  device_tensor& operator+=(X const& x) {
    return *this = *this + x;
  }
  template <class X>
    requires operands<X>
  device_tensor& operator-=(X const& x) {
    return *this = *this - x;
  }
  template <class X>
    requires operands<X>
  device_tensor& operator*=(X const& x) {
    return *this = *this * x;
  }
  template <class X>
    requires operands<X>
  device_tensor& operator/=(X const& x) {
    return *this = *this / x;
  }

  index_t shape(int axis) const { return extent_values()[axis < 0 ? axis + rank : axis]; }
  std::array<index_t, std::size_t(rank)> shape() const {
    std::array<index_t, std::size_t(rank)> s{};
    for (int k = 0; k < rank; ++k) s[std::size_t(k)] = extent_values()[k];
    return s;
  }
  index_t size() const {
    index_t n = 1;
    for (int k = 0; k < rank; ++k) n *= extent_values()[k];
    return n;
  }
  // a view
  template <class... I>
  auto operator()(I const&... items) {
    return index_tensor(*this, items...);
  }
  template <class... I>
  auto operator()(I const&... items) const {
    return index_tensor(*this, items...);
  }
  auto T() const {
    static_assert(rank == 2, "T() is for matrices; permute_dims orders the axes of other tensors");
    return matrix_transpose(*this);
  }
  V item() const
    requires(rank == 0)
  {
    V x;
    read_elements(&x);
    return x;
  }
  template <Arithmetic U>
    requires(rank == 0)
  explicit operator U() const {
    return static_cast<U>(item());
  }

  // ---- for the library ----

  // the address on the device, which only the device may read
  V* data() { return reinterpret_cast<V*>(exec::device_block_of(buffer_).memory); }
  V const* data() const { return reinterpret_cast<V const*>(exec::device_block_of(buffer_).memory); }
  expr::block_extents<extents> extent_values() const { return {buffer_.header().extents}; }
  expr::stride_storage<rank> stride_values() const { return expr::row_major_strides<rank>(extent_values()); }
  static constexpr index_t const* stride_data() { return nullptr; }
  core::shared_buffer const& owner() const { return buffer_; }
  int threads() const { return buffer_.header().threads; }
  int device_index() const { return exec::device_block_of(buffer_).device; }
  void adopt(core::shared_buffer&& memory_of_it, index_t const* e, int) {
    for (int k = 0; k < rank; ++k) memory_of_it.header().extents[k] = e[k];
    memory_of_it.header().threads = exec::device_bit(exec::device_block_of(memory_of_it).device);
    buffer_ = static_cast<core::shared_buffer&&>(memory_of_it);
  }
  // write(p) fills memory of the host, which is brought here
  template <class Write>
  void write_elements(Write const& write) {
    index_t const bytes = size() * index_t(sizeof(V));
    core::shared_buffer const host(bytes);
    write(reinterpret_cast<V*>(host.data()));
    exec::device_backend::copy_in(device_index(), data(), host.data(), bytes);
  }
  void read_elements(V* to) const { exec::device_backend::copy_out(device_index(), to, data(), size() * index_t(sizeof(V))); }

 private:
  core::shared_buffer buffer_;

  void allocate(index_t const* e, int bits) {
    index_t n = sizeof(V);
    for (int k = 0; k < rank; ++k) n *= e[k];
    adopt(exec::allocate_on_device(n, bits), e, bits);
  }
  void copy_of(device_tensor const& x) {
    auto const e = x.extent_values();
    index_t extents_of_x[rank > 0 ? rank : 1]{};
    for (int k = 0; k < rank; ++k) extents_of_x[k] = e[k];
    allocate(extents_of_x, x.threads());
    exec::device_backend::copy_within(device_index(), data(), x.data(), size() * index_t(sizeof(V)));
  }
};
template <class T, index_t... E>
inline constexpr bool is_native_tensor<device_tensor<T, E...>> = true;

// Part of a tensor of the device.
template <class V, class E, layout L>
class device_view {
 public:
  using value_type = std::remove_const_t<V>;
  using extents = E;
  static constexpr int rank = E::rank, memory_space = expr::device_memory;
  static constexpr layout memory = L;
  static constexpr bool shared = true;

  device_view(V* p, expr::extent_storage<E> const& e, expr::stride_storage<rank> const& s, core::shared_buffer owner, int bits)
      : p_(p), extents_(e), strides_(s), owner_(static_cast<core::shared_buffer&&>(owner)), bits_(bits) {}
  device_view(device_view const&) = default;

  device_view& operator=(device_view const& x) {
    assign(*this, x);
    return *this;
  }
  template <class X>
    requires operands<X>
  device_view& operator=(X const& x) {
    assign(*this, x);
    return *this;
  }
  template <class X>
    requires operands<X>
  device_view& operator+=(X const& x) {
    return *this = *this + x;
  }
  template <class X>
    requires operands<X>
  device_view& operator-=(X const& x) {
    return *this = *this - x;
  }
  template <class X>
    requires operands<X>
  device_view& operator*=(X const& x) {
    return *this = *this * x;
  }
  template <class X>
    requires operands<X>
  device_view& operator/=(X const& x) {
    return *this = *this / x;
  }

  index_t shape(int axis) const { return extents_[axis < 0 ? axis + rank : axis]; }
  index_t size() const {
    index_t n = 1;
    for (int k = 0; k < rank; ++k) n *= extents_[k];
    return n;
  }
  template <class... I>
  auto operator()(I const&... items) const {
    return index_tensor(*this, items...);
  }
  auto T() const { return matrix_transpose(*this); }
  value_type item() const
    requires(rank == 0)
  {
    value_type x;
    exec::device_backend::copy_out(exec::device_of(bits_), &x, p_, sizeof x);
    return x;
  }
  template <Arithmetic U>
    requires(rank == 0)
  explicit operator U() const {
    return static_cast<U>(item());
  }

  V* data() const { return p_; }
  expr::extent_storage<E> const& extent_values() const { return extents_; }
  expr::stride_storage<rank> stride_values() const { return strides_; }
  index_t const* stride_data() const { return L == layout::row_major ? nullptr : strides_.data(); }
  core::shared_buffer const& owner() const { return owner_; }
  int threads() const { return bits_; }

 private:
  V* p_;
  expr::extent_storage<E> extents_;
  expr::stride_storage<rank> strides_;
  core::shared_buffer owner_;
  int bits_;
};
template <class T, class E, layout L>
inline constexpr bool is_native_tensor<device_view<T, E, L>> = true;

// ---- how expressions hold them ----

template <class T, class E>
struct device_leaf {
  using value_type = T;
  using extents = E;
  static constexpr int rank = E::rank, memory_space = expr::device_memory;
  static constexpr layout memory = layout::row_major;
  static constexpr bool shared = true, whole = true;
  core::shared_buffer buffer;

  T const* data() const { return reinterpret_cast<T const*>(exec::device_block_of(buffer).memory); }
  expr::block_extents<E> extent_values() const { return {buffer.header().extents}; }
  expr::stride_storage<rank> stride_values() const { return expr::row_major_strides<rank>(extent_values()); }
  static constexpr index_t const* stride_data() { return nullptr; }
  core::shared_buffer const& owner() const { return buffer; }
  int threads() const { return buffer.header().threads; }
  index_t shape(int axis) const { return extent_values()[axis]; }
};
template <class T, class E>
inline constexpr bool is_native_tensor<device_leaf<T, E>> = true;

template <class T, index_t... E>
device_leaf<T, extents<E...>> held(device_tensor<T, E...> const& x) {
  return {x.owner()};
}
template <class T, class E>
device_leaf<T, E> held(device_leaf<T, E> const& x) {
  return x;
}
template <class T, class E, layout L>
device_view<T const, E, L> held(device_view<T, E, L> const& x) {
  return {x.data(), x.extent_values(), x.stride_values(), x.owner(), x.threads()};
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
  b.threads |= x.threads();
}
template <int A, class B, class T, class E, layout L>
void bind(B& b, device_view<T, E, L> const& x) {
  b.operands[A] = {reinterpret_cast<char*>(const_cast<std::remove_const_t<T>*>(x.data())), x.extent_values().data(), x.stride_data()};
  b.threads |= x.threads();
}

}  // namespace expr

namespace storage {

template <class T, class E>
struct device_tensor_of;
template <class T, index_t... E>
struct device_tensor_of<T, extents<E...>> {
  using type = device_tensor<T, E...>;
};
template <class T>
struct device_tensor_of<T, weak_extents> {
  using type = device_tensor<T>;
};
template <>
struct tensors_in<expr::device_memory> {
  template <class T, class E>
  using type = typename device_tensor_of<T, E>::type;
};
template <>
struct maker<device> {
  static constexpr int memory = expr::device_memory;
  template <class T, class E>
  using type = typename device_tensor_of<T, E>::type;
  static int execution(device const& d) {
    if (d.index < 0 || d.index >= exec::device_backend::device_count())
      core::raise<context_error>(core::text() << "there is no device:" << d.index << " here, but " << exec::device_backend::device_count());
    return exec::device_bit(d.index);
  }
  template <class X>
  static auto evaluated(X const& x, device const& context) {
    using R = type<value_type_of<X>, extents_of<X>>;
    int const bits = execution(context);
    if constexpr (memory_of<X>() == expr::device_memory) {
      R here(ricci::eval(x));
      if (here.threads() == bits) return here;
      R there(typename R::raw{}, here.extent_values().data(), bits);
      there.write_elements([&](auto* p) { here.read_elements(p); });
      return there;
    } else {
      auto const& elements = ricci::eval(x);
      R there(typename R::raw{}, elements.extent_values().data(), bits);
      exec::device_backend::copy_in(there.device_index(), there.data(), elements.data(), there.size() * index_t(sizeof(value_type_of<X>)));
      return there;
    }
  }
};

// Evaluates e as elements of type T into t.
template <class T, class Target, exec::fit Fit, bool Dense, exec::target_kind Kind, class E, class X>
void evaluate_on_device(E const& e, X& t) {
  static_assert((expr::reified<E>::memory & ~expr::device_memory) == 0,
                "an operand lies in another memory space than the result: rc::copy(x, context) makes a copy of x in the space of a context");
  using memory = exec::executor<expr::device_memory>;
  expr::binder<E> b;
  expr::bind<0>(b, e);
  if constexpr (Kind != exec::target_kind::fresh) b.threads |= t.threads();
  operand_ref target{};
  if constexpr (Kind != exec::target_kind::fresh)
    target = {reinterpret_cast<char*>(const_cast<T*>(t.data())), t.extent_values().data(), t.stride_data()};
  b.operands[b.arguments] = target;
  auto const run = [&]<class P>(std::type_identity<P>) {
    exec::point_at_numbers<P>(b);
    index_t dims[exec::dim_room<P>]{};
    if (!exec::resolve_dims<P>(b.operands, b.slots, dims)) return false;
    auto const& tables = exec::tables_of_statement<P, expr::binder<E>::arguments>::value;
    shape_t const& shape = tables.dims.shapes[tables.output_shape];
    constexpr int rank = X::rank;
    index_t extents[rank > 0 ? rank : 1]{}, bytes = sizeof(T);
    bool same = Kind != exec::target_kind::fresh;
    for (int k = 0; k < rank; ++k) {
      bytes *= extents[k] = exec::resolve(shape.extent[k], dims);
      same = same && target.extents[k] == extents[k];
    }
    constexpr bool whole = Kind != exec::target_kind::part;
    if (!same && !whole)
      core::raise<shape_error>(((core::text() << "assignment: ").shape(target.extents, rank) << ' ').shape(extents, rank));
    if (same && exec::may_write(tables, b.operands, target, rank, sizeof(T), whole)) {
      memory::template run<P>(dims, b.operands, &target, b.threads);
    } else if constexpr (whole) {
      core::shared_buffer fresh = memory::allocate(bytes, b.threads);
      operand_ref const out{memory::data(fresh), extents, nullptr};
      memory::template run<P>(dims, b.operands, &out, b.threads);
      t.adopt(static_cast<core::shared_buffer&&>(fresh), extents, b.threads);
    } else {
      // a view that is read while it is written: by way of a tensor
      t = tensors_in<expr::device_memory>::type<T, Target>(eval(e));
    }
    return true;
  };
  if (run(std::type_identity<exec::statement<E, T, Target, Fit, Dense, true>>{})) return;
  if constexpr (exec::statement<E, T, Target, Fit, Dense, true>::assumes) run(std::type_identity<exec::statement<E, T, Target, Fit, Dense, false>>{});
}

}  // namespace storage

template <class T, index_t... E, class X>
void construct(device_tensor<T, E...>& t, X const& x) {
  (void)sizeof(storage::assigned<extents<E...>, extents_of<X>>);
  auto const& e = storage::operand_for(x, std::type_identity<T>{});
  storage::evaluate_on_device<T, extents<E...>, exec::fit::exact, true, exec::target_kind::fresh, std::remove_cvref_t<decltype(e)>>(e, t);
}
template <class T, index_t... E, class X>
void assign(device_tensor<T, E...>& t, X const& x) {
  auto const& e = storage::operand_for(x, std::type_identity<T>{});
  using held_type = std::remove_cvref_t<decltype(e)>;
  if constexpr (std::is_arithmetic_v<X>) {
    storage::evaluate_on_device<T, extents<E...>, exec::fit::stretched, true, exec::target_kind::existing, held_type>(e, t);
  } else {
    static_assert(rank_of<X> == sizeof...(E), "a tensor is assigned a tensor of the same order, or a number");
    (void)sizeof(storage::assigned<extents<E...>, extents_of<X>>);
    storage::evaluate_on_device<T, extents<E...>, exec::fit::exact, true, exec::target_kind::existing, held_type>(e, t);
  }
}
template <class T, class E, layout L, class X>
void assign(device_view<T, E, L> const& v, X const& x) {
  auto const& e = storage::operand_for(x, std::type_identity<T>{});
  if constexpr (!std::is_arithmetic_v<X>) (void)sizeof(storage::assigned_to_view<E, extents_of<X>>);
  storage::evaluate_on_device<T, E, exec::fit::stretched, L == layout::row_major, exec::target_kind::part, std::remove_cvref_t<decltype(e)>>(
      e, const_cast<device_view<T, E, L>&>(v));
}

}  // namespace ricci
