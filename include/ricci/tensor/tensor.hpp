// The container. `tensor<float, 2, 3>` holds its elements in place, as a C++ array does, up to 64 KiB; larger ones, and
// those with extents that are only known at run time, hold counted memory from the heap. Copies are deep.
#pragma once

#include <ricci/exec/cpu/statement.hpp>
#include <ricci/expr/index.hpp>
#include <ricci/ops/reshaping.hpp>
#include <ricci/shape/axes.hpp>
#include <ricci/tensor/storage.hpp>

RICCI_OPTIMIZED
namespace ricci {

template <class Given, index_t... E>
class tensor : private storage::for_extents<element_t<Given>, extents<E...>> {
  static_assert(
      Element<Given>,
      "a tensor holds numbers of one of the library's element types (rc::dtype lists them), as float, double, "
      "std::complex, bool or std::int32_t");
  using V = element_t<Given>;
  using base = storage::for_extents<V, ricci::extents<E...>>;

 public:
  using value_type = V;
  using extents = ricci::extents<E...>;
  static constexpr int rank = sizeof...(E);
  static constexpr layout memory = layout::row_major;
  static constexpr bool shared = base::is_shared, whole = true;
  using base::data;
  using base::execution;
  // of a random key: another one for number n (random/key.hpp)
  template <class N>
  requires(rank == 0 && std::is_same_v<V, std::uint64_t>) constexpr auto fold(N const& n) const {
    return folded_key(*this, n);
  }
  using base::extent_values;
  using base::owner;

  // ---- making one; elements are zero unless they are given ----

  RICCI_INLINE constexpr tensor() = default;
  RICCI_INLINE constexpr tensor(tensor const&) = default;
  RICCI_INLINE constexpr tensor(tensor&&) = default;
  RICCI_INLINE constexpr ~tensor() = default;

  // from one extent for every axis; value_error where one is negative, shape_error where it is not that of the type
  template <class... N>
  requires(rank > 0 && sizeof...(N) == rank && !extents::is_static && (std::is_integral_v<N> && ...)) RICCI_INLINE
      explicit tensor(N... n) {
    index_t const e[] = {static_cast<index_t>(n)...};
    resize(e, {});
    __builtin_memset(static_cast<void*>(data()), 0, static_cast<std::size_t>(base::buffer.bytes()));
  }
  template <class... N>
  requires(!extents::is_static && sizeof...(N) == rank && (std::is_arithmetic_v<N> && ...) &&
           (std::is_floating_point_v<N> || ...)) explicit tensor(N...) {
    static_assert(sizeof...(N) == 0,
                  "the extents of a tensor are integers: rc::ndarray<double, 2> x(2, 3); elements stand in braces");
  }
  // uninitialised, with extents and execution as given: how functions of the library make their results
  struct raw {};
  RICCI_INLINE tensor(raw, index_t const* e, core::execution how) requires(shared) { base::allocate(e, how); }
  RICCI_INLINE constexpr tensor(raw, index_t const*, core::execution) requires(!shared) {}

  // from elements in (nested) braces; shape_error where they are ragged or not of the type's extents
  RICCI_INLINE constexpr tensor(storage::nested_list<V, rank> list) requires(rank > 0) {
    index_t e[rank > 0 ? rank : 1]{};
    storage::measure<rank>(list, e);
    if constexpr (shared)
      resize(e, {});
    else
      storage::check_extents<extents>(e);
    storage::flatten<rank>(list, e, data());
  }
  // from a number, in every place: so that a record's number by default, `rc::field<Kind, float> rate = 0.1f;`, is one
  // of a batch and of derivatives, too
  template <Arithmetic U>
  RICCI_INLINE constexpr tensor(U x) requires(extents::is_static) {
    static_assert(rank > 0 || !std::is_same_v<V, std::uint64_t> || !is_inexact(dtype_of<U>),
                  "a random key, as a uint64 is one, is made of an integer: rc::random::key(42); of 1.5 the fraction "
                  "would be lost");
    if constexpr (rank == 0)
      *data() = scalar::convert<V>(x);
    else
      for (index_t k = 0; k < extents::size; ++k) data()[k] = scalar::convert<V>(x);
  }
  template <wrong::Container X>
  tensor(X const&, wrong::a_std_vector_becomes_a_tensor_by_rc_asarray = {}) = delete;
  template <ShapeArgument S>
  requires(!Tensor<S>) tensor(S const&, wrong::extents_are_given_one_by_one_and_rc_zeros_takes_a_shape = {})
  = delete;
  template <class... one_extent_for_each_axis>
  requires(!extents::is_static && sizeof...(one_extent_for_each_axis) > 0 &&
           sizeof...(one_extent_for_each_axis) != rank && (wrong::Integer<one_extent_for_each_axis> && ...))  //
      tensor(one_extent_for_each_axis...)
  = delete;
  // from anything that is a tensor
  template <Tensor X>
  requires(!std::is_same_v<X, tensor>) RICCI_INLINE constexpr tensor(X const& x) {
    static_assert(rank_of<X> == rank, "a tensor is made from a tensor of the same order");
    construct(*this, x);
  }

  // ---- assignment: in place where the shape stays, else in new memory ----

  RICCI_INLINE constexpr tensor& operator=(tensor const& x) & {
    if constexpr (!shared) {
      // a few elements may stay in registers
      constexpr bool few = !RICCI_UNOPTIMIZED && extents::size * index_t(sizeof(V)) <= 32;
      if (!few && !__builtin_is_constant_evaluated())
        __builtin_memmove(data(), x.data(), sizeof(V) * std::size_t(extents::size));
      else
        for (index_t k = 0; k < extents::size; ++k) data()[k] = x.data()[k];
    } else if (this != &x) {
      assign(*this, x);
    }
    return *this;
  }
  RICCI_INLINE constexpr tensor& operator=(tensor&& x) & {
    if constexpr (!shared)
      return *this = static_cast<tensor const&>(x);
    else
      base::operator=(static_cast<base&&>(x));
    return *this;
  }
  template <class X>
  requires operands<X> RICCI_INLINE constexpr tensor& operator=(X const& x) & {
    assign(*this, x);
    return *this;
  }
  // What is assigned to a temporary, as the row that `(x + y)(0) = 1.` computes, is seen by nobody.
  template <class X>
  requires operands<X>
  constexpr void operator=(X const&) && {
    static_assert(
        always_false<X>,
        "a temporary is assigned to, which nobody would see: what is computed, as x + y, its parts, and parts "
        "of x(rows), have no memory that stays");
  }

  // ---- shape ----

  // an extent; a negative axis counts from the last, and index_error where there is no such axis
  RICCI_INLINE constexpr index_t shape(index_t axis) const { return extent_values()[axis_named("shape", axis, rank)]; }
  RICCI_INLINE constexpr shape_values<rank> shape() const {
    shape_values<rank> s{};
    for (int k = 0; k < rank; ++k) s[std::size_t(k)] = extent_values()[k];
    return s;
  }
  RICCI_INLINE constexpr index_t size() const {
    index_t n = 1;
    for (int k = 0; k < rank; ++k) n *= extent_values()[k];
    return n;
  }
  // of every axis, in elements
  RICCI_INLINE constexpr std::array<index_t, std::size_t(rank)> strides() const {
    std::array<index_t, std::size_t(rank)> s{};
    auto const from = stride_values();
    for (int k = 0; k < rank; ++k) s[std::size_t(k)] = from.values[k];
    return s;
  }
  RICCI_INLINE constexpr expr::stride_storage<rank> stride_values() const {
    return expr::row_major_strides<rank>(extent_values());
  }
  static constexpr index_t const* stride_data() { return nullptr; }

  // ---- elements ----

  template <class... I>
  requires(sizeof...(I) == rank && (std::is_integral_v<I> && ...)) RICCI_INLINE constexpr V& operator()(I... i) & {
    return base::first()[expr::element_offset_in<RICCI_CHECKED>(*this, i...)];
  }
  template <class... I>
  requires(sizeof...(I) == rank && (std::is_integral_v<I> && ...)) RICCI_INLINE constexpr V const& operator()(
      I... i) const& {
    return base::first()[expr::element_offset_in<RICCI_CHECKED>(*this, i...)];
  }
  // of a temporary, whose elements go with it
  template <class... I>
  requires(sizeof...(I) == rank && (std::is_integral_v<I> && ...)) RICCI_INLINE constexpr V operator()(I... i) const&& {
    return base::first()[expr::element_offset_in<RICCI_CHECKED>(*this, i...)];
  }
  // the same, always checked: index_error
  template <class... I>
  requires(sizeof...(I) == rank && (std::is_integral_v<I> && ...)) RICCI_INLINE constexpr V& at(I... i) & {
    return data()[expr::element_offset_in<true>(*this, i...)];
  }
  template <class... I>
  requires(sizeof...(I) == rank && (std::is_integral_v<I> && ...)) RICCI_INLINE constexpr V const& at(I... i) const& {
    return data()[expr::element_offset_in<true>(*this, i...)];
  }
  template <class... I>
  requires(sizeof...(I) == rank && (std::is_integral_v<I> && ...)) RICCI_INLINE constexpr V at(I... i) const&& {
    return data()[expr::element_offset_in<true>(*this, i...)];
  }
  // views: integers, all, range, slice, newaxis, ellipsis, an integer tensor; those of elements in place are bound to
  // this object, and of a temporary in place they are values
  template <class... I>
  requires(!shared && !(sizeof...(I) == rank && (std::is_integral_v<I> && ...))) RICCI_INLINE constexpr auto operator()(
      I const&... items) &
      RICCI_LIFETIMEBOUND {
    return index_tensor(*this, items...);
  }
  template <class... I>
  requires(!shared && !(sizeof...(I) == rank && (std::is_integral_v<I> && ...))) RICCI_INLINE constexpr auto operator()(
      I const&... items) const& RICCI_LIFETIMEBOUND {
    return index_tensor(*this, items...);
  }
  template <class... I>
  requires(!shared && !(sizeof...(I) == rank && (std::is_integral_v<I> && ...))) RICCI_INLINE constexpr auto operator()(
      I const&... items) const&& {
    return eval(index_tensor(*this, items...));
  }
  template <class... I>
  requires(shared && !(sizeof...(I) == rank && (std::is_integral_v<I> && ...))) RICCI_INLINE constexpr auto operator()(
      I const&... items) {
    return index_tensor(*this, items...);
  }
  template <class... I>
  requires(shared && !(sizeof...(I) == rank && (std::is_integral_v<I> && ...))) RICCI_INLINE constexpr auto operator()(
      I const&... items) const {
    return index_tensor(*this, items...);
  }
  template <class I>
  wrong::parts_are_named_in_parentheses operator[](I&&) const = delete;  // x(0), x(0, 1), x(rc::all, 0)
  // of order 2: the axes exchanged, lazily; like any view it can be indexed and assigned; a temporary in place moves
  // into the expression
  template <class X = tensor>
  requires(!X::shared) RICCI_INLINE constexpr auto T() & RICCI_LIFETIMEBOUND {
    require_matrix<rank>();
    return matrix_transpose(*this);
  }
  template <class X = tensor>
  requires(X::shared) RICCI_INLINE constexpr auto T() {
    require_matrix<rank>();
    return matrix_transpose(*this);
  }
  template <class X = tensor>
  requires(!X::shared) RICCI_INLINE constexpr auto T() const& RICCI_LIFETIMEBOUND {
    require_matrix<rank>();
    return matrix_transpose(*this);
  }
  template <class X = tensor>
  requires(!X::shared) RICCI_INLINE constexpr auto T() const&& {
    require_matrix<rank>();
    return matrix_transpose(static_cast<tensor const&&>(*this));
  }
  template <class X = tensor>
  requires(X::shared) RICCI_INLINE constexpr auto T() const {
    require_matrix<rank>();
    return matrix_transpose(*this);
  }

  RICCI_INLINE constexpr V* begin() { return data(); }
  RICCI_INLINE constexpr V* end() { return data() + size(); }
  RICCI_INLINE constexpr V const* begin() const { return data(); }
  RICCI_INLINE constexpr V const* end() const { return data() + size(); }

  RICCI_INLINE constexpr V item() const requires(rank == 0) { return *data(); }
  template <Arithmetic U>
  requires(rank == 0) RICCI_INLINE constexpr explicit operator U() const { return scalar::convert<U>(*data()); }

  // ---- for the library ----

  // new memory for those extents, uninitialised
  RICCI_INLINE void resize(index_t const* e, core::execution how) {
    storage::check_extents<extents>(e);
    base::allocate(e, how);
  }
  RICCI_INLINE void adopt(core::shared_buffer&& memory_of_it, index_t const* e, core::execution how) {
    base::adopt(static_cast<core::shared_buffer&&>(memory_of_it), e, how);
  }
  RICCI_INLINE void replace(core::shared_buffer&& memory_of_it, index_t const* e, core::execution how) {
    base::replace(static_cast<core::shared_buffer&&>(memory_of_it), e, how);
  }
};

template <class T, index_t... E>
inline constexpr bool is_native_tensor<tensor<T, E...>> = true;

namespace storage {
template <template <class, index_t...> class Tensor, class T, class E>
struct tensor_of;
template <template <class, index_t...> class Tensor, class T, index_t... E>
struct tensor_of<Tensor, T, extents<E...>> {
  using type = Tensor<T, E...>;
};
template <template <class, index_t...> class Tensor, class T>
struct tensor_of<Tensor, T, weak_extents> {
  using type = Tensor<T>;
};
}  // namespace storage
template <class T, class E>
using tensor_with = typename storage::tensor_of<tensor, T, E>::type;

namespace storage {

// Tensors that own their memory, by the space where it lies; that of the device context is specialised in
// tensor/device_assign.hpp.
template <int Memory>
struct tensors_in {
  static_assert(Memory != (expr::host_memory | expr::device_memory),
                "operands lie in different memory spaces: rc::copy(x, context) makes a copy of x in the space of "
                "another context");
  template <class T, class E>
  using type = tensor_with<T, E>;
  using context = exec::default_context;
};
// The space of a tensor or expression.
template <class X>
constexpr int memory_of() {
  if constexpr (is_expression<X>)
    return expr::reified<X>::memory == 0 ? expr::host_memory : expr::reified<X>::memory;
  else if constexpr (requires { X::memory_space; })
    return X::memory_space;
  else
    return expr::host_memory;
}
template <class T, class E, class X>
using tensor_beside = typename tensors_in<memory_of<X>()>::template type<T, E>;

}  // namespace storage
// of order Rank, all extents values
template <class T, int Rank>
using ndarray = tensor_with<T, dynamic_extents<Rank>>;

}  // namespace ricci
RICCI_OPTIMIZED_END
