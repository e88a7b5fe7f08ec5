// Arrays on their way between files and tensors: what a type asks of one, order of bytes and axes, and the tensor that
// takes over the memory into which a file was read.
#pragma once

#include <bit>

#include <ricci/core/any_element.hpp>
#include <ricci/io/sink.hpp>
#include <ricci/tensor/searching.hpp>

namespace ricci::files {
inline namespace RICCI_ABI {

// An array that is written: row-major, with elements of the machine's order of bytes.
struct array_view {
  dtype type;
  shape_t shape;
  void const* data;
  index_t bytes() const { return size_of(shape) * size_of(type); }
};
struct named_array {
  std::string name;
  array_view array;
};

// What a type asks of an array; extents that are left open are negative, equal where they are named alike.
struct expectation {
  dtype type = dtype::none;  // none: any
  bool any_shape = true;
  shape_t shape{};

  RICCI_COLD bool fits(shape_t const& found) const {
    if (any_shape) return true;
    if (found.rank != shape.rank) return false;
    for (int k = 0; k < shape.rank; ++k) {
      if (shape[k] >= 0 && shape[k] != found[k]) return false;
      for (int i = 0; i < k; ++i)
        if (is_named(shape[k]) && shape[i] == shape[k] && found[i] != found[k]) return false;
    }
    return true;
  }
  // An error where an array of that type and shape is another one; `what` is empty or what messages call it.
  RICCI_COLD void check(std::string_view file, std::string_view what, dtype found, shape_t const& extents) const {
    if (type != dtype::none && type != found) {
      message m(file);
      if (!what.empty()) m << what << ": ";
      (m << "elements are " << found << " and shape " << extents << ", not " << type << " as asked for").raise();
    }
    if (!fits(extents)) {
      message m(file);
      if (!what.empty()) m << what << ": ";
      ((m << "the shape is " << extents << ", not ").extents(shape) << " as asked for").raise();
    }
  }
};

// The bytes of an array; an error where there are more than there can be. As in NumPy extents that are not 0 count even
// where another one is.
RICCI_COLD inline index_t checked_bytes(std::string_view file, index_t offset, dtype type, shape_t const& shape) {
  index_t bytes = size_of(type);
  bool empty = false, wrong = false;
  for (int k = 0; k < shape.rank; ++k) {
    empty = empty || shape[k] == 0;
    wrong = wrong || shape[k] < 0 || (shape[k] > 0 && __builtin_mul_overflow(bytes, shape[k], &bytes));
  }
  if (wrong || bytes > core::most_bytes)
    (message(file, offset) << "an array of shape " << shape << " is larger than memory can be").raise();
  return empty ? 0 : bytes;
}

// ---- the order of bytes ----

template <class Word>
void reverse_words(char* p, index_t n) {
  for (index_t k = 0; k < n; ++k, p += sizeof(Word)) {
    Word w;
    __builtin_memcpy(&w, p, sizeof w);
    if constexpr (sizeof w == 2)
      w = __builtin_bswap16(w);
    else if constexpr (sizeof w == 4)
      w = __builtin_bswap32(w);
    else
      w = __builtin_bswap64(w);
    __builtin_memcpy(p, &w, sizeof w);
  }
}
// The bytes of n elements the other way round, those of complex numbers by component.
inline void reverse_bytes(char* p, index_t n, dtype type) {
  dtype const part = component_type(type);
  index_t const parts = n * (size_of(type) / size_of(part));
  if (size_of(part) == 2) reverse_words<std::uint16_t>(p, parts);
  if (size_of(part) == 4) reverse_words<std::uint32_t>(p, parts);
  if (size_of(part) == 8) reverse_words<std::uint64_t>(p, parts);
}
// Bytes that are to be bools, of which C++ knows two: what is not 0 is true.
inline void normalise_bools(char* p, index_t n) {
  for (index_t k = 0; k < n; ++k) p[k] = p[k] != 0;
}

// ---- the order of axes ----

// Elements of column-major order into row-major order, in tiles of the first and the last axis.
template <int Size>
void from_column_major(char const* from, char* to, shape_t const& shape) {
  constexpr index_t tile = 32;
  int const last = shape.rank - 1;
  index_t in[max_rank], out[max_rank], n = 1;
  for (int k = 0; k <= last; ++k) in[k] = n, n *= shape[k];
  n = 1;
  for (int k = last; k >= 0; --k) out[k] = n, n *= shape[k];
  index_t at[max_rank]{}, a = 0, b = 0;
  while (true) {
    for (index_t i0 = 0; i0 < shape[0]; i0 += tile)
      for (index_t j0 = 0; j0 < shape[last]; j0 += tile)
        for (index_t i = i0; i < shape[0] && i < i0 + tile; ++i)
          for (index_t j = j0; j < shape[last] && j < j0 + tile; ++j)
            __builtin_memcpy(to + (b + i * out[0] + j) * Size, from + (a + i + j * in[last]) * Size, Size);
    int k = last - 1;
    for (; k > 0; --k) {
      a += in[k], b += out[k];
      if (++at[k] < shape[k]) break;
      a -= in[k] * shape[k], b -= out[k] * shape[k], at[k] = 0;
    }
    if (k <= 0) return;
  }
}
inline core::shared_buffer to_row_major(core::shared_buffer const& from, dtype type, shape_t const& shape) {
  core::shared_buffer to(from.bytes());
  if (from.bytes() == 0) return to;
  core::with_size_of(type, [&](auto element) { from_column_major<sizeof element>(from.data(), to.data(), shape); });
  return to;
}
// whether both orders are one: at most one axis is longer than 1
inline bool is_in_both_orders(shape_t const& shape) {
  int longer = 0;
  for (int k = 0; k < shape.rank; ++k) longer += shape[k] != 1;
  return longer <= 1 || size_of(shape) == 0;
}

inline any_tensor array_of(core::shared_buffer&& memory, dtype type, shape_t const& shape) {
  void const* const p = memory.data();
  return any_tensor(static_cast<core::shared_buffer&&>(memory), p, type, shape);
}

}  // namespace RICCI_ABI

// ---- types ----

// A tensor that owns its elements, which is what can be loaded.
template <class T>
inline constexpr bool is_owned = false;
template <class T, index_t... E>
inline constexpr bool is_owned<tensor<T, E...>> = true;
template <class T>
concept Owned = is_owned<T>;

inline namespace RICCI_ABI {

template <class T>
constexpr expectation expected_of() {
  if constexpr (is_any_tensor<T>)
    return {};
  else if constexpr (Arithmetic<T>)
    return {dtype_of<element_t<T>>, false, {}};
  else
    return {dtype_of<typename T::value_type>, false, T::extents::value};
}

// The memory of an array, which is of nothing else: a copy of its elements where others lie there or use it, too.
RICCI_COLD inline core::shared_buffer own_memory(any_tensor&& a) {
  core::shared_buffer memory = a.owner();
  void const* const data = a.data();
  index_t const bytes = a.bytes();
  a = any_tensor();
  if (data == memory.data() && memory.bytes() == bytes && memory.use_count() == 1 && memory.header().release == nullptr)
    return memory;
  core::shared_buffer own(bytes);
  if (bytes > 0) __builtin_memcpy(own.data(), data, std::size_t(bytes));
  return own;
}
// The array, whose type and shape are those of T, as a T: it takes over the memory where T may lie there.
template <class T>
RICCI_COLD T taken(any_tensor&& a) {
  if constexpr (is_any_tensor<T>) {
    return static_cast<any_tensor&&>(a);
  } else if constexpr (Arithmetic<T>) {
    return static_cast<T>(a.item<element_t<T>>());
  } else {
    T t;
    if constexpr (T::shared) {
      shape_t const shape = a.shape();
      t.adopt(own_memory(static_cast<any_tensor&&>(a)), shape.extent, {});
    } else if (a.bytes() > 0) {
      __builtin_memcpy(static_cast<void*>(t.data()), a.data(), std::size_t(a.bytes()));
    }
    return t;
  }
}

// Something that is written as one array, alive as long as this is: a tensor or expression, of the device a copy on the
// host, an any_tensor or a number.
template <class X>
auto with_rows(X const& x, auto const& use) {
  if constexpr (is_any_tensor<X>) {
    if (x.dtype() == dtype::none) core::raise<value_error>(core::text() << "save: the any_tensor holds nothing");
    return use(array_view{x.dtype(), x.shape(), x.data()});
  } else if constexpr (Arithmetic<X>) {
    auto const element = static_cast<element_t<X>>(x);
    return use(array_view{dtype_of<element_t<X>>, {}, &element});
  } else {
    static_assert(!is_symbol<X>, "save writes elements, which a traced function does not know");
    if constexpr (storage::memory_of<X>() != expr::host_memory) {
      return with_rows(copy(x, cpu{}), use);
    } else {
      auto const& v = storage::stored_value(x);
      shape_t shape{};
      for (int k = 0; k < rank_of<X>; ++k) shape.push(v.shape(k));
      return use(array_view{dtype_of<value_type_of<X>>, shape, v.data()});
    }
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::files
