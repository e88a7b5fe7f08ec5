// Tensors of other libraries in one process, without a copy, by DLPack 1 (https://dmlc.github.io/dlpack/latest):
//
//   auto x = rc::from_dlpack<float, 2>(managed);           // a view, which keeps the memory alive
//   auto* m = rc::to_dlpack<rc::dlpack::versioned>(y);     // for somebody else, who calls its deleter in the end
//
// Both take the structs of DLPack's own header as well, DLManagedTensor and DLManagedTensorVersioned: those below have
// the same members and the same layout, for programs that do not have it.
#pragma once

#include <ricci/ricci.hpp>

namespace ricci {

namespace dlpack {

struct device {
  std::int32_t device_type, device_id;  // 1: the host; 3: memory of the host that is pinned for CUDA
};
struct data_type {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct tensor {
  void* data;
  dlpack::device device;
  std::int32_t ndim;
  data_type dtype;
  std::int64_t *shape, *strides;  // in elements; no strides: row-major order
  std::uint64_t byte_offset;
};
struct unversioned {
  tensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(unversioned*);
};
struct versioned {
  struct {
    std::uint32_t major, minor;
  } version;
  void* manager_ctx;
  void (*deleter)(versioned*);
  std::uint64_t flags;  // 1: read only; 2: a copy
  tensor dl_tensor;
};

inline constexpr std::uint64_t read_only = 1, is_copied = 2;

// DLPack's own structs, or those above.
template <class M>
concept Managed = requires(M& m) {
  m.dl_tensor.byte_offset;
  m.manager_ctx;
  m.deleter(&m);
};
template <class M>
inline constexpr bool has_flags = requires(M& m) {
  m.flags;
  m.version.major;
};

// How DLPack names an element type.
template <class T>
constexpr data_type type_of_elements() {
  // DLDataTypeCode of each number_kind: kDLInt 0, kDLUInt 1, kDLFloat 2, kDLBfloat 4, kDLComplex 5, kDLBool 6
  constexpr std::uint8_t codes[] = {0, 6, 1, 0, std::numeric_limits<T>::digits == 8 ? 4 : 2, 5};
  return {codes[int(kind_of(dtype_of<T>))], sizeof(T) * 8, 1};
}

// An owner that calls the deleter of somebody else's tensor when the last view is gone.
template <class M>
core::shared_buffer owner_of(M* m) {
  core::shared_buffer owner(sizeof m);
  __builtin_memcpy(owner.data(), &m, sizeof m);
  owner.header().release = [](core::block_header& block) {
    M* of_block;
    __builtin_memcpy(&of_block, core::elements_of(block), sizeof of_block);
    if (of_block->deleter) of_block->deleter(of_block);
  };
  return owner;
}

// The type of that name, `none` where there is none.
inline dtype type_named(auto const& t) {
  dtype found = dtype::none;
  [&]<class... T>(type_list<T...>) {
    auto const is = [&](data_type const& x) { return t.code == x.code && t.bits == x.bits && t.lanes == 1; };
    ((is(type_of_elements<T>()) ? void(found = dtype_of<T>) : void()), ...);
  }(element_types{});
  return found;
}

inline namespace RICCI_ABI {

// Elements that are not written if they are `Constant`.
template <bool Constant, Managed M>
void check_memory(M const& m) {
  if constexpr (dlpack::has_flags<M>) {
    if (m.version.major > 1)
      core::raise<value_error>(core::text()
                               << "from_dlpack: version " << index_t(m.version.major) << " of DLPack, not 1");
    if (!Constant && (m.flags & dlpack::read_only) != 0)
      core::raise<value_error>(core::text() << "from_dlpack: the memory is read only: name its elements const");
  }
  if (int const where = int(m.dl_tensor.device.device_type); where != 1 && where != 3)
    core::raise<context_error>(core::text() << "from_dlpack: memory of DLPack's device type " << index_t(where)
                                            << ", which is not the host's");
}
template <Managed M>
char* elements_of(M const& m, std::size_t alignment) {
  auto* const p = static_cast<char*>(m.dl_tensor.data) + m.dl_tensor.byte_offset;
  if (reinterpret_cast<std::uintptr_t>(p) % alignment != 0)
    core::raise<value_error>(core::text() << "from_dlpack: the elements are not aligned");
  return p;
}

}  // namespace RICCI_ABI

// What is handed out, with all that it points to.
template <class M, int Rank>
struct handed_out {
  M managed{};
  core::shared_buffer owner;
  std::int64_t shape[Rank > 0 ? Rank : 1]{}, strides[Rank > 0 ? Rank : 1]{};
};

}  // namespace dlpack

inline namespace RICCI_ABI {

// The tensor in `m` as a view of order Rank, all extents values, to which m belongs from now on: its deleter is called
// when the last view or expression that looks at it is gone. T is the element type; `T const` gives a view that cannot
// be written, and takes what is marked as read only. Raises, and leaves m to the caller: shape_error for another order,
// value_error for another element type, a version later than 1, memory that is read only or not aligned,
// context_error for memory that is not the host's.
template <class T, int Rank, dlpack::Managed M>
requires Element<std::remove_const_t<T>>
auto from_dlpack(M* m) {
  using E = dynamic_extents<Rank>;
  auto const& t = m->dl_tensor;
  constexpr auto wanted = dlpack::type_of_elements<std::remove_const_t<T>>();
  dlpack::check_memory<std::is_const_v<T>>(*m);
  if (t.ndim != Rank)
    core::raise<shape_error>(core::text() << "from_dlpack: a tensor of order " << index_t(t.ndim) << ", not " << Rank);
  if (t.dtype.code != wanted.code || t.dtype.bits != wanted.bits || t.dtype.lanes != 1)
    core::raise<value_error>(core::text()
                             << "from_dlpack: elements of DLPack's type code " << index_t(t.dtype.code) << " with "
                             << index_t(t.dtype.bits) << " bits are not " << name_of(dtype_of<std::remove_const_t<T>>));
  expr::extent_storage<E> extents;
  for (int k = 0; k < Rank; ++k) extents.set(k, t.shape[k]);
  (void)core::bytes_of(extents.data(), Rank, sizeof(T));
  auto strides = expr::row_major_strides<Rank>(extents);
  if (t.strides)
    for (int k = 0; k < Rank; ++k) strides.values[k] = t.strides[k];
  auto* const p = dlpack::elements_of(*m, alignof(T));
  return view<T, E, layout::strided>(reinterpret_cast<T*>(p), extents, strides, dlpack::owner_of(m));
}

// The same as an `rc::any_tensor` of the type and order that m says, `rc::from_dlpack<rc::any_tensor>(m)` (with
// <ricci/any_tensor.hpp>): it shares elements in row-major order, of others it is a copy.
template <class X, dlpack::Managed M>
requires is_any_tensor<X> X from_dlpack(M* m) {
  auto const& t = m->dl_tensor;
  dlpack::check_memory<true>(*m);
  dtype const type = dlpack::type_named(t.dtype);
  if (type == dtype::none)
    core::raise<value_error>(core::text() << "from_dlpack: no element type is DLPack's type code "
                                          << index_t(t.dtype.code) << " with " << index_t(t.dtype.bits) << " bits");
  shape_t const shape = X::shape_of(t.shape, index_t(t.ndim));
  (void)core::bytes_of(shape.extent, shape.rank, size_of(type));
  index_t strides[max_rank]{}, n = 1;
  for (int k = shape.rank - 1; k >= 0; --k) strides[k] = t.strides ? t.strides[k] : n, n *= shape.extent[k];
  std::size_t alignment = 1;
  with_type(type, [&](auto zero) { alignment = alignof(decltype(zero)); });
  void const* const p = dlpack::elements_of(*m, alignment);
  auto const owner = dlpack::owner_of(m);
  auto& release = owner.header().release;
  auto const releases = release;
  release = nullptr;  // until nothing can fail any more
  auto x = X::strided(owner, p, type, shape, strides);
  release = releases;
  return x;
}

// x for somebody else, who calls the deleter of the result in the end. Tensors and views that keep their memory alive
// are handed out where they lie, others (small static tensors, expressions, constant ones as DLManagedTensor, which
// cannot say so) as a copy.
template <dlpack::Managed M, class X>
requires Tensor<X> M* to_dlpack(X&& x) {
  using value = std::remove_cvref_t<X>;
  constexpr bool lies_there = requires {
    requires value::shared;
    x.stride_values();
    x.owner();
  };
  static_assert(storage::memory_of<value>() == expr::host_memory,
                "DLPack is given tensors of the host: rc::copy(x, rc::cpu{}) brings x there");
  if constexpr (requires { x.as_view(); }) {  // x.T(), rc::flip(x) ... of what may be written
    return to_dlpack<M>(x.as_view());
  } else if constexpr (!lies_there) {
    static_assert(!std::is_same_v<value, ndarray<value_type_of<X>, rank_of<X>>>);
    auto* const m = to_dlpack<M>(ndarray<value_type_of<X>, rank_of<X>>(x));
    if constexpr (dlpack::has_flags<M>) m->flags |= dlpack::is_copied;
    return m;
  } else if constexpr (std::is_const_v<std::remove_pointer_t<decltype(x.data())>> && !dlpack::has_flags<M>) {
    return to_dlpack<M>(ndarray<value_type_of<X>, rank_of<X>>(x));
  } else {
    constexpr int rank = value::rank;
    using T = typename value::value_type;
    using holder = dlpack::handed_out<M, rank>;
    auto* const out = new holder{};
    out->owner = x.owner();
    auto const strides = x.stride_values();
    for (int k = 0; k < rank; ++k) out->shape[k] = x.extent_values()[k], out->strides[k] = strides.values[k];
    M& m = out->managed;
    constexpr auto type = dlpack::type_of_elements<T>();
    m.dl_tensor.data = const_cast<T*>(x.data());
    m.dl_tensor.device = {};
    m.dl_tensor.device.device_type = static_cast<decltype(m.dl_tensor.device.device_type)>(1);
    m.dl_tensor.ndim = rank;
    m.dl_tensor.dtype.code = type.code;
    m.dl_tensor.dtype.bits = type.bits;
    m.dl_tensor.dtype.lanes = 1;
    m.dl_tensor.shape = out->shape;
    m.dl_tensor.strides = out->strides;
    m.dl_tensor.byte_offset = 0;
    m.manager_ctx = out;
    m.deleter = [](M* self) { delete static_cast<holder*>(self->manager_ctx); };
    if constexpr (dlpack::has_flags<M>) {
      m.version.major = 1;
      m.version.minor = 0;
      m.flags = std::is_const_v<std::remove_pointer_t<decltype(x.data())>> ? dlpack::read_only : 0;
    }
    return &m;
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci
