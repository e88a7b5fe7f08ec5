// Cores of a batch side by side: as many as a SIMD register has lanes are computed at once, one in each, by an
// operation that has a `run_in_lanes` beside its `run`. Its arrays are rows of packs, of which each holds one element
// of all these cores; they are transposed from memory and back.
#pragma once

#include <ricci/exec/core_call.hpp>
#include <ricci/exec/cpu/more_math.hpp>
#include <ricci/exec/cpu/short_cores.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// bytes of packs on the stack for what is read and written of cores side by side
inline constexpr index_t lanes_scratch = 33792;

template <class Op, class T, class = std::make_integer_sequence<int, Op::core.arrays()>>
struct cores_in_lanes;

#if RICCI_HAS_XSIMD && !RICCI_SMALL_STACK && (defined(__GNUC__) || defined(__clang__))

// What an operation computes with there.
template <class T>
struct numbers_in_lanes {
  using number = simd::pack<T>;
  using condition = simd::mask<T>;
  using element = T;
  static constexpr index_t lanes = number::size;

  RICCI_INLINE static number select(condition m, number a, number b) { return simd::select(m, a, b); }
  RICCI_INLINE static bool is_any(condition m) { return simd::any_of(m); }
  RICCI_INLINE static number magnitude(number x) { return simd::abs(x); }
  RICCI_INLINE static number square_root(number x) { return simd::sqrt(x); }
  RICCI_INLINE static number logarithm(number x) { return simd::log(x); }
  RICCI_INLINE static condition all() { return number(T(0)) == number(T(0)); }
  // c - a b
  RICCI_INLINE static number less_product(number c, number a, number b) {
#if defined(__AVX512F__)
    if constexpr (sizeof(T) == 4)
      return typename number::batch(_mm512_fnmadd_ps(a.v, b.v, c.v));
    else
      return typename number::batch(_mm512_fnmadd_pd(a.v, b.v, c.v));
#else
    return xsimd::fnma(a.v, b.v, c.v);
#endif
  }
};

template <class Op, class T>
constexpr bool has_cores_in_lanes() {
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>) return requires {
      requires Op::runs_in_lanes;
    };
  else
    return false;
}

// The elements of n cores that lie `distance` bytes apart, each in one piece, to packs; further lanes repeat the last.
template <class T>
RICCI_INLINE void dense_cores_to_lanes(T* to, char const* p, index_t distance, index_t n, index_t elements) {
  using P = simd::pack<T>;
  constexpr int width = P::size;
  T const* from[width];
  RICCI_UNROLL(16)
  for (int l = 0; l < width; ++l) from[l] = reinterpret_cast<T const*>(p + (l < n ? l : n - 1) * distance);
  auto const block = [&](index_t e, index_t count) RICCI_INLINE_LAMBDA {
    P x[width];
    RICCI_UNROLL(16)
    for (int l = 0; l < width; ++l) x[l] = count == width ? P::load(from[l] + e) : simd::load_first(from[l] + e, count);
    transpose_registers(x);
    RICCI_UNROLL(16)
    for (int l = 0; l < width; ++l)
      if (count == width || l < count) x[l].store(to + (e + l) * width);
  };
  if (elements < width) return block(0, elements);
  index_t e = 0;
  for (; e + width <= elements; e += width) block(e, width);
  if (e < elements) block(elements - width, width);  // some of them once more
}
template <class T>
RICCI_INLINE void lanes_to_dense_cores(T const* from, char* p, index_t distance, index_t n, index_t elements) {
  using P = simd::pack<T>;
  constexpr int width = P::size;
  auto const block = [&](index_t e, index_t count) RICCI_INLINE_LAMBDA {
    P x[width];
    RICCI_UNROLL(16)
    for (int l = 0; l < width; ++l) x[l] = count == width || l < count ? P::load(from + (e + l) * width) : P(T(0));
    transpose_registers(x);
    RICCI_UNROLL(16)
    for (int l = 0; l < width; ++l) {
      if (l >= n) continue;
      T* const to = reinterpret_cast<T*>(p + l * distance) + e;
      if (count == width)
        x[l].store(to);
      else
        simd::store_first(x[l], to, count);
    }
  };
  if (elements < width) return block(0, elements);
  index_t e = 0;
  for (; e + width <= elements; e += width) block(e, width);
  if (e < elements) block(elements - width, width);
}

// the same, compiled once for all that does not know how many elements there are
template <class T>
RICCI_NOINLINE void any_cores_to_lanes(T* to, char const* p, index_t distance, index_t n, index_t elements) {
  dense_cores_to_lanes(to, p, distance, n, elements);
}
template <class T>
RICCI_NOINLINE void lanes_to_any_cores(T const* from, char* p, index_t distance, index_t n, index_t elements) {
  lanes_to_dense_cores(from, p, distance, n, elements);
}
// The rows of a core where they lie anyhow: extents, and how far it is from one to the next, in bytes.
struct rows_of_core {
  index_t rows, columns, from_row, from_column;
  RICCI_INLINE bool are_dense(index_t size) const {
    return (columns == 1 || from_column == size) && (rows == 1 || from_row == columns * size);
  }
  // whether a core is one element, and they lie side by side
  RICCI_INLINE bool are_numbers(index_t size, index_t distance) const {
    return rows * columns == 1 && (distance == size || distance == 0);
  }
};
template <class T, class E>
RICCI_NOINLINE void strided_cores_to_lanes(T* to, char const* p, rows_of_core r, index_t distance, index_t n) {
  constexpr int width = simd::pack<T>::size;
  for (index_t i = 0; i < r.rows; ++i)
    for (index_t j = 0; j < r.columns; ++j, to += width) {
      char const* const from = p + i * r.from_row + j * r.from_column;
      if (std::is_same_v<E, T> && n == width && distance == sizeof(T))
        simd::pack<T>::load(reinterpret_cast<T const*>(from)).store(to);
      else
        for (index_t l = 0; l < width; ++l)
          to[l] = static_cast<T>(*reinterpret_cast<E const*>(from + (l < n ? l : n - 1) * distance));
    }
}
template <class T, class E>
RICCI_NOINLINE void lanes_to_strided_cores(T const* from, char* p, rows_of_core r, index_t distance, index_t n) {
  constexpr int width = simd::pack<T>::size;
  for (index_t i = 0; i < r.rows; ++i)
    for (index_t j = 0; j < r.columns; ++j, from += width) {
      char* const to = p + i * r.from_row + j * r.from_column;
      if (std::is_same_v<E, T> && n == width && distance == sizeof(T))
        simd::pack<T>::load(from).store(reinterpret_cast<T*>(to));
      else
        for (index_t l = 0; l < n; ++l) *reinterpret_cast<E*>(to + l * distance) = static_cast<E>(from[l]);
    }
}
// Some cores of few elements that are known.
template <class T, index_t Elements>
RICCI_NOINLINE void some_cores_to_lanes(T* to, char const* p, index_t distance, index_t n) {
  dense_cores_to_lanes(to, p, distance, n, Elements);
}
template <class T, index_t Elements>
RICCI_NOINLINE void lanes_to_some_cores(T const* from, char* p, index_t distance, index_t n) {
  lanes_to_dense_cores(from, p, distance, n, Elements);
}

// What an array's cores have in lanes: of few elements that are known in place, so that they may stay in registers;
// else at `p`.
template <index_t Elements>
inline constexpr bool is_short = Elements > 0 && Elements <= most_short_elements;
template <class P, int Slot, index_t Elements>
struct array_in_lanes {
  P x[Elements];
  RICCI_INLINE P* data() { return x; }
  RICCI_INLINE void place(P*&, index_t) {}
};
template <class P, int Slot, index_t Elements>
requires(!is_short<Elements>) struct array_in_lanes<P, Slot, Elements> {
  P* p;
  RICCI_INLINE P* data() { return p; }
  RICCI_INLINE void place(P*& memory, index_t elements) { p = memory, memory += elements; }
};

template <class Op, class T, int... K>
struct cores_in_lanes<Op, T, std::integer_sequence<int, K...>> {
  using loop = core_loop<Op, T>;
  using numbers = numbers_in_lanes<T>;
  using P = simd::pack<T>;
  static constexpr int width = P::size;

  RICCI_INLINE static constexpr index_t elements_of(int slot, index_t const* extents) {
    index_t n = 1;
    for (int axis = 0; axis < Op::core.rank[slot]; ++axis) n *= extents[Op::core.letter[slot][axis]];
    return n;
  }
  // the same where it is known, or else -1
  template <class Arguments>
  static constexpr index_t known_elements(int slot) {
    if constexpr (requires { Arguments::core; })
      return elements_of(slot, Arguments::core.extent);
    else
      return -1;
  }
  // of all arrays
  RICCI_INLINE static constexpr index_t elements_of_all(index_t const* extents) {
    return (elements_of(K, extents) + ... + 0);
  }
  // Whether the operation has its cores computed so, which it may say of some extents alone.
  RICCI_INLINE static constexpr bool are_for_lanes([[maybe_unused]] index_t const* extents) {
    if constexpr (requires { Op::is_for_lanes(extents); })
      return Op::is_for_lanes(extents);
    else
      return true;
  }
  // Whether a row of n cores is computed so: where there are enough of them, whose arrays fit.
  RICCI_INLINE static constexpr bool takes(index_t n, index_t const* extents) {
    if (!are_for_lanes(extents)) return false;
    return n > 1 && 2 * n >= width && elements_of_all(extents) <= lanes_scratch / index_t(sizeof(P)) &&
           elements_of_all(extents) > 0;
  }

  // where the elements of an array's cores lie
  template <int Slot, class Step>
  RICCI_INLINE static rows_of_core rows_of(Step const& s, int batch) {
    constexpr int rank = loop::template rank<Slot>;
    static_assert(rank <= 2);
    rows_of_core r{1, 1, 0, sizeof(typename loop::template element<Slot>)};
    if constexpr (rank > 0) {
      r.columns = s.extent[batch + Op::core.letter[Slot][rank - 1]];
      r.from_column = s.stride[batch + rank - 1][Slot];
    }
    if constexpr (rank > 1) r.rows = s.extent[batch + Op::core.letter[Slot][0]], r.from_row = s.stride[batch][Slot];
    return r;
  }
  template <int Slot, index_t Known, class Step>
  RICCI_INLINE static void read(Step const& s, int batch, char* p, index_t distance, index_t n,
                                array_in_lanes<P, Slot, Known>& to) {
    if constexpr (Slot < Op::core.operands) {
      using element = std::remove_const_t<typename loop::template element<Slot>>;
      rows_of_core const r = rows_of<Slot>(s, batch);
      bool const is_dense = std::is_same_v<element, T> && r.are_dense(sizeof(T));
      if constexpr (is_short<Known>) {
        if (is_dense && n == width && distance == Known * index_t(sizeof(T)))
          return short_cores_to_lanes<T, Known>(to.x, reinterpret_cast<T const*>(p));
        alignas(64) T memory[Known * width];
        if (is_dense && Known > 1)
          some_cores_to_lanes<T, Known>(memory, p, distance, n);
        else
          strided_cores_to_lanes<T, element>(memory, p, r, distance, n);
        RICCI_UNROLL(16)
        for (index_t k = 0; k < Known; ++k) to.x[k] = P::load(memory + k * width);
      } else if (is_dense && !r.are_numbers(sizeof(T), distance)) {
        any_cores_to_lanes<T>(reinterpret_cast<T*>(to.p), p, distance, n, r.rows * r.columns);
      } else {
        strided_cores_to_lanes<T, element>(reinterpret_cast<T*>(to.p), p, r, distance, n);
      }
    }
  }
  template <int Slot, index_t Known, class Step>
  RICCI_INLINE static void write(Step const& s, int batch, char* p, index_t distance, index_t n,
                                 array_in_lanes<P, Slot, Known> const& from) {
    if constexpr (Slot >= Op::core.operands) {
      using element = typename loop::template element<Slot>;
      rows_of_core const r = rows_of<Slot>(s, batch);
      bool const is_dense = std::is_same_v<element, T> && r.are_dense(sizeof(T));
      if constexpr (is_short<Known>) {
        if (is_dense && n == width && distance == Known * index_t(sizeof(T)))
          return lanes_to_short_cores<T, Known>(from.x, reinterpret_cast<T*>(p));
        alignas(64) T memory[Known * width];
        RICCI_UNROLL(16)
        for (index_t k = 0; k < Known; ++k) from.x[k].store(memory + k * width);
        if (is_dense && Known > 1)
          lanes_to_some_cores<T, Known>(memory, p, distance, n);
        else
          lanes_to_strided_cores<T, element>(memory, p, r, distance, n);
      } else if (is_dense && !r.are_numbers(sizeof(T), distance)) {
        lanes_to_any_cores<T>(reinterpret_cast<T const*>(from.p), p, distance, n, r.rows * r.columns);
      } else {
        lanes_to_strided_cores<T, element>(reinterpret_cast<T const*>(from.p), p, r, distance, n);
      }
    }
  }

  // n cores from those at p on, each array of the next one `distance` of its slot further. Loops of cores begin at
  // `batch`. Arguments: core_arguments, or such of known extents.
  template <class Arguments, class Step>
  RICCI_INLINE static void run(Step const& s, int batch, char* const* p, index_t const* distance, index_t n) {
    alignas(64) P memory[lanes_scratch / sizeof(P)];
    index_t const* const extents = s.extent + batch;
    P* unused = memory;
    struct all_arrays : array_in_lanes<P, K, known_elements<Arguments>(K)>... {
    } x;
    (static_cast<array_in_lanes<P, K, known_elements<Arguments>(K)>&>(x).place(unused, elements_of(K, extents)), ...);
    char* now[] = {p[K]...};
    for (index_t i = 0; i < n; i += width) {
      index_t const some = n - i < width ? n - i : width;
      (read<K, known_elements<Arguments>(K)>(s, batch, now[K], distance[K], some, x), ...);
      Op::template run_in_lanes<numbers>(Arguments{extents, nullptr, nullptr},
                                         static_cast<array_in_lanes<P, K, known_elements<Arguments>(K)>&>(x).data()...);
      (write<K, known_elements<Arguments>(K)>(s, batch, now[K], distance[K], some, x), ...);
      ((now[K] += width * distance[K]), ...);
    }
  }
  // of extents that show at run time
  RICCI_NOINLINE static void run_any(geometry const& g, char* const* p, index_t n) {
    index_t const distance[] = {g.stride[g.kept - 1][K]...};
    run<core_arguments<typename loop::work>>(g, g.kept, p, distance, n);
  }
};

#else

template <class Op, class T>
constexpr bool has_cores_in_lanes() {
  return false;
}

#endif

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
