// What a tensor is made of: elements in place, as in a C++ array, up to 64 KiB of static extents; else counted memory.
#pragma once

#include <initializer_list>

#include <ricci/exec/context.hpp>
#include <ricci/expr/leaf.hpp>

RICCI_OPTIMIZED
namespace ricci::storage {

inline constexpr index_t most_in_place = 65536;

template <class T, class E>
inline constexpr bool is_in_place = E::is_static&& E::size* index_t(sizeof(T)) <= most_in_place;

// Alignment follows from the size alone: types are the same for every instruction set.
template <class T, index_t N>
inline constexpr std::size_t alignment = [] {
  std::size_t a = alignof(T);
  while (a < 64 && 2 * a <= std::size_t(N) * sizeof(T)) a *= 2;
  return a;
}();

template <class T, class E>
struct in_place {
  static constexpr bool is_shared = false;
  static constexpr index_t count = E::size;
  alignas(alignment<T, count>) T elements[count > 0 ? std::size_t(count) : 1]{};

  constexpr T* data() { return elements; }
  constexpr T const* data() const { return elements; }
  constexpr T* first() { return elements; }
  constexpr T const* first() const { return elements; }
  static constexpr expr::extent_storage<E> extent_values() { return {}; }
  static constexpr core::no_buffer owner() { return {}; }
  static constexpr core::execution execution() { return {}; }
};

inline namespace RICCI_ABI {

// whether several axes have one name, and so one extent
template <class E>
constexpr bool repeats_names() {
  for (int k = 0; k < E::rank; ++k)
    for (int i = 0; i < k; ++i)
      if (is_named(E::extent(k)) && E::extent(k) == E::extent(i)) return true;
  return false;
}
template <class E>
void check_names(index_t const* e) {
  for (int k = 0; k < E::rank; ++k)
    for (int i = 0; i < k; ++i)
      if (is_named(E::extent(k)) && E::extent(k) == E::extent(i) && e[k] != e[i])
        core::raise<shape_error>(
            (core::text() << "a tensor whose axes " << i << " and " << k << " have one name cannot have shape ")
                .shape(e, E::rank));
}

// Extents that a caller gave are those of the type.
template <class E>
constexpr void check_extents(index_t const* e) {
  for (int k = 0; k < E::rank; ++k)
    if (E::extent(k) >= 0 && e[k] != E::extent(k))
      core::raise<shape_error>(
          (core::text() << "a tensor with extent " << E::extent(k) << " at axis " << k << " cannot have shape ")
              .shape(e, E::rank));
}
// Whether there are shapes of this order that its type cannot have; one of them is a shape_error.
template <class E>
inline constexpr bool is_restricted = [] {
  for (int k = 0; k < E::rank; ++k)
    if (E::extent(k) >= 0) return true;
  return repeats_names<E>();
}();
template <class E>
void check_shape(index_t const* e) {
  check_extents<E>(e);
  if constexpr (repeats_names<E>()) check_names<E>(e);
}

}  // namespace RICCI_ABI

template <class T, class E>
struct RICCI_DESCRIBED on_heap {
  static constexpr bool is_shared = true;
  static_assert(sizeof(core::heap_memory < E::is_static ? E::size * index_t(sizeof(T)) : core::unknown_bytes >) > 0);
  core::shared_buffer buffer;

  RICCI_INLINE on_heap() {
    if constexpr (E::is_static) make_zeros();
  }
  RICCI_INLINE on_heap(on_heap const& other) : buffer(other.owner().bytes()) {
    core::shared_buffer const& from = other.owner();
    for (int k = 0; k < E::rank; ++k) buffer.header().extents[k] = from.header().extents[k];
    buffer.header().how = from.header().how;
    __builtin_memcpy(buffer.data(), from.data(), static_cast<std::size_t>(buffer.bytes()));
  }
  RICCI_INLINE on_heap(on_heap&&) noexcept = default;
  RICCI_INLINE on_heap& operator=(on_heap&& other) {
    if (this == &other) return *this;
    core::block_header& from = other.owner().header();
    if (is_looked_at(from.extents)) [[unlikely]] {
      replace(static_cast<core::shared_buffer&&>(other.buffer), from.extents, from.how);
    } else if constexpr (E::is_static) {
      // exchanged: extents in the type want memory of what was moved from, too
      core::shared_buffer mine(static_cast<core::shared_buffer&&>(buffer));
      buffer = static_cast<core::shared_buffer&&>(other.buffer);
      other.buffer = static_cast<core::shared_buffer&&>(mine);
    } else {
      buffer = static_cast<core::shared_buffer&&>(other.buffer);
    }
    return *this;
  }
  RICCI_INLINE ~on_heap() = default;

  // For single elements, of which only RICCI_CHECKED asks whether they are there: a branch would keep loops over them
  // from being vectorised.
  RICCI_INLINE T* first() { return reinterpret_cast<T*>((RICCI_CHECKED ? owner() : buffer).data()); }
  RICCI_INLINE T const* first() const { return reinterpret_cast<T const*>((RICCI_CHECKED ? owner() : buffer).data()); }
  RICCI_INLINE T* data() { return reinterpret_cast<T*>(owner().data()); }
  RICCI_INLINE T const* data() const { return reinterpret_cast<T const*>(owner().data()); }
  RICCI_INLINE expr::block_extents<E> extent_values() const { return {buffer.header().extents}; }
  // What became part of a new tensor has no memory. That is an empty tensor where an extent is a value; where all are
  // in the type, it has zeros of its own as soon as it may be written. Where it is only read, which several threads may
  // do, it stays as it is, and all of its type read the same zeros.
  RICCI_INLINE core::shared_buffer const& owner() const {
    if constexpr (E::is_static)
      if (buffer.bytes() == 0) [[unlikely]]
        return zeros_of_all();
    return buffer;
  }
  RICCI_INLINE core::shared_buffer const& owner() {
    if constexpr (E::is_static)
      if (buffer.bytes() == 0) [[unlikely]]
        make_zeros();
    return buffer;
  }
  RICCI_INLINE core::execution execution() const { return buffer.header().how.on_host(); }

  // memory for those extents, uninitialised
  RICCI_INLINE void allocate(index_t const* e, core::execution how) {
    adopt(core::shared_buffer(core::bytes_of(e, E::rank, sizeof(T))), e, how);
  }
  RICCI_NOINLINE void make_zeros() requires(E::is_static) {
    allocate(E::value.extent, {});
    __builtin_memset(buffer.data(), 0, static_cast<std::size_t>(buffer.bytes()));
  }
  RICCI_NOINLINE static core::shared_buffer const& zeros_of_all() requires(E::is_static) {
    static on_heap const zeros;
    return zeros.buffer;
  }
  RICCI_INLINE void adopt(core::shared_buffer&& fresh, index_t const* e, core::execution how) {
    if constexpr (repeats_names<E>()) check_names<E>(e);
    for (int k = 0; k < E::rank; ++k) fresh.header().extents[k] = e[k];
    fresh.header().how = how;
    buffer = static_cast<core::shared_buffer&&>(fresh);
  }
  // whether views or expressions share memory for those extents
  RICCI_INLINE bool is_looked_at(index_t const* e) const {
    bool looked_at = buffer.use_count() > 1 && buffer.bytes() > 0;
    for (int k = 0; k < E::rank; ++k) looked_at = looked_at && buffer.header().extents[k] == e[k];
    return looked_at;
  }
  // Another value, which was computed in memory of its own: those who look at this tensor see it, too, where the shape
  // stays; else the memory is theirs from now on.
  RICCI_INLINE void replace(core::shared_buffer&& fresh, index_t const* e, core::execution how) {
    if (!is_looked_at(e)) [[likely]]
      return adopt(static_cast<core::shared_buffer&&>(fresh), e, how);
    __builtin_memcpy(buffer.data(), fresh.data(), static_cast<std::size_t>(buffer.bytes()));
    buffer.header().how = how;
    fresh = core::shared_buffer();
  }
};

template <class T, class E>
using for_extents = std::conditional_t<is_in_place<T, E>, in_place<T, E>, on_heap<T, E>>;

inline namespace RICCI_ABI {

// ---- nested braces: rank levels of initializer lists ----

template <class T, int Rank>
struct nested {
  using type = std::initializer_list<typename nested<T, Rank - 1>::type>;
};
template <class T>
struct nested<T, 0> {
  using type = T;
};
template <class T, int Rank>
using nested_list = typename nested<T, (Rank > 0 ? Rank : 1)>::type;

template <int Rank, class List>
constexpr void measure(List const& list, index_t* extents) {
  extents[0] = static_cast<index_t>(list.size());
  if constexpr (Rank > 1) {
    for (int k = 1; k < Rank; ++k) extents[k] = 0;
    if (list.size() > 0) measure<Rank - 1>(*list.begin(), extents + 1);
  }
}
// The elements of a list. g++ 12 with AVX-512 writes {1, 1, 1, 1} where it folds the copy of {1, 1, 1, 0}, a constant
// of 32 bytes that ends in zeros and whose other elements are equal (std::vector's, too); it is not told what it
// copies.
template <class T>
constexpr T const* elements_of(std::initializer_list<T> const& list) {
  T const* from = list.begin();
#if defined __AVX512VL__ && !defined __clang__ && __GNUC__ < 13
  if (!__builtin_is_constant_evaluated() && list.size() * sizeof(T) % 32 == 0) asm("" : "+r"(from));
#endif
  return from;
}
template <int Rank, class T, class List>
constexpr T* flatten(List const& list, index_t const* extents, T* to) {
  if (static_cast<index_t>(list.size()) != extents[0])
    core::raise<shape_error>(core::text() << "ragged braces: " << index_t(list.size()) << " elements where "
                                          << extents[0] << " are meant");
  auto const* const from = elements_of(list);
  for (index_t k = 0; k < extents[0]; ++k) {
    if constexpr (Rank > 1)
      to = flatten<Rank - 1>(from[k], extents + 1, to);
    else
      *to++ = from[k];
  }
  return to;
}

}  // namespace RICCI_ABI
}  // namespace ricci::storage
RICCI_OPTIMIZED_END
