// Kernels as functions of an index: the same code that the CPU runs in rows, one element at a time.
#pragma once

#include <ricci/core/any_element.hpp>
#include <ricci/exec/device/division.hpp>
#include <ricci/exec/device/memory.hpp>
#include <ricci/exec/device/quotient.hpp>
#include <ricci/exec/registers.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// A geometry with room for its strides, so that its loops can be put in another order.
struct device_geometry : geometry {
  index_t strides[max_loops][max_slots];

  device_geometry() : geometry{} { point(); }
  device_geometry(device_geometry const& other) : geometry(other) {
    point();
    for (int l = 0; l < loops; ++l)
      for (int k = 0; k < slots; ++k) strides[l][k] = other.strides[l][k];
  }
  device_geometry& operator=(device_geometry const&) = delete;

  // strides of one operand that lies dense and row-major in the first `count` loops, with elements of `size` bytes
  void make_dense(int slot, int count, index_t size) {
    for (int l = count - 1; l >= 0; --l) {
      strides[l][slot] = size;
      size *= extent[l];
    }
  }

 private:
  void point() {
    for (int l = 0; l < max_loops; ++l) stride[l] = strides[l];
  }
};

// A step that is about to run, passed by value: so it holds no more than its kernel needs.
template <int Slots, int Scalars, int Loops = max_loops>
struct device_step {
  static constexpr int room = Slots > 0 ? Slots : 1, scalar_room = Scalars > 0 ? Scalars : 1;
  int loops;
  index_t extent[Loops];
  index_t stride[Loops][room];  // in bytes
  reciprocal by_extent[Loops];
  char* p[room];
  scalar_value scalars[scalar_room];
  core::any_element numbers[room];  // operands that are numbers of the call
  std::uint64_t is_number;          // bits

  struct pointers {
    char* to[room];
  };
  // The operands at combination n of the loops [first, last). N: index_t, or std::uint32_t where all extents and n are
  // below 2^31.
  template <class N>
  RICCI_HD pointers at(N n, int first, int last) const {
    pointers start{};
    for (int s = 0; s < Slots; ++s) start.to[s] = is_number >> s & 1 ? const_cast<char*>(numbers[s].bytes) : p[s];
    return moved(start, n, first, last);
  }
  template <class N>
  RICCI_HD pointers moved(pointers from, N n, int first, int last) const {
    RICCI_ONE_BY_ONE
    for (int l = last - 1; l >= first; --l) {
      N const rest = l > first ? by_extent[l].quotient(n) : N(0), k = n - rest * static_cast<N>(extent[l]);
      n = rest;
      for (int s = 0; s < Slots; ++s) from.to[s] += static_cast<index_t>(k) * stride[l][s];
    }
    return from;
  }
};

// What a kernel does with one element.
template <class Code>
struct element_of_kernel;
template <int Slots, int Scalars, class... B, class... R, class... S>
struct element_of_kernel<kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>> {
  using L = scalar_lanes;
  static constexpr int slots = Slots, room = Slots > 0 ? Slots : 1;
  static constexpr int reducing = ((S::reduces ? 1 : 0) + ... + 0);
  static constexpr int storing = sizeof...(S) - reducing, instructions = sizeof...(R);

  RICCI_HD static void registers(L::frame& f, char* const* at, [[maybe_unused]] scalar_value const* scalars) {
    start(f, at, scalars);
    compute(f, at);
  }
  // what does not change along the innermost loop, and what does
  RICCI_HD static void start([[maybe_unused]] L::frame& f, char* const* at,
                             [[maybe_unused]] scalar_value const* scalars) {
    [[maybe_unused]] row_pointers p;
    for (int s = 0; s < Slots; ++s) p.p[s] = at[s];
    (exec::start<L>(B{}, f, p, scalars), ...);
  }
  RICCI_HD static void compute([[maybe_unused]] L::frame& f, char* const* at) {
    [[maybe_unused]] row_pointers p;
    for (int s = 0; s < Slots; ++s) p.p[s] = at[s];
    (exec::compute<L, false, true>(R{}, f, p, 0, 1), ...);
  }
  // computes the element and stores it
  RICCI_HD static void store(char* const* at, scalar_value const* scalars) {
    L::frame f;
    registers(f, at, scalars);
    [[maybe_unused]] row_pointers p;
    for (int s = 0; s < Slots; ++s) p.p[s] = at[s];
    (store_one(S{}, f, p), ...);
  }
  // ---- several elements side by side ----

  // operands that move along the loop element by element are loaded and stored 16 bytes at a time, or less where types
  // are mixed
  template <class X, access A = access::contiguous>
  static constexpr int bytes_of() {
    if constexpr (requires { X::moves; })
      return X::moves == A ? size_of(X::type) : 0;
    else
      return 0;
  }
  template <access A>
  static constexpr int largest_that_moves() {
    int n = 0;
    ((n = bytes_of<R, A>() > n ? bytes_of<R, A>() : n), ...);
    ((n = bytes_of<S, A>() > n ? bytes_of<S, A>() : n), ...);
    return n;
  }
  static constexpr int largest = largest_that_moves<access::contiguous>();
  static constexpr int width = largest > 0 ? 16 / largest : 1;
  // of a unit of a map, where none lie side by side as far as the type knows (slices), too
  static constexpr int unit = [] {
    if (largest > 0) return width;
    int const strided = largest_that_moves<access::strided>();
    return 16 / (strided > 0 ? strided : 16);
  }();
  // of the pack that operand `slot` is accessed by; 0: element by element
  static constexpr index_t pack_bytes(int slot) {
    index_t n = 0;
    auto const note = [&](int at, int bytes) {
      if (at == slot && bytes > 0) n = bytes * width;
    };
    (note(kernel::slot_of<R>(), bytes_of<R>()), ...);
    (note(kernel::slot_of<S>(), bytes_of<S>()), ...);
    return n;
  }
  static constexpr int first_in_packs = [] {
    int slot = 0;
    while (slot + 1 < slots && pack_bytes(slot) == 0) ++slot;
    return slot;
  }();
  static constexpr int elements_of_sector = largest > 0 ? 32 / largest : 8;  // 32 bytes
  template <class T, int N = width>
  struct alignas(sizeof(T) * N) pack {
    T element[N];
  };
  // Which of a unit's elements there are: all, in packs where they move along the loop element by element; or the first
  // `count`, one by one.
  struct all_lanes {
    using lanes = std::make_integer_sequence<int, width>;
    static constexpr bool packed = true;
    RICCI_HD static constexpr int used(int k) { return k; }
    RICCI_HD static constexpr bool has(int) { return true; }
  };
  struct some_lanes {
    using lanes = std::make_integer_sequence<int, unit>;
    bool packed;
    int count;
    // what is read for an element that is not there
    RICCI_HD int used(int k) const { return k < count ? k : 0; }
    RICCI_HD bool has(int k) const { return k < count; }
  };
  // stores the elements of a unit from the first on; steps: in bytes, from one to the next
  template <class Set>
  RICCI_HD static void store_unit(char* const* at, index_t const* steps, Set set, scalar_value const* scalars) {
    L::frame f[Set::lanes::size()];
    start_packs<Set>(f, at, scalars);
    compute_packs(f, at, steps, set);
    store_packs<S...>(f, at, steps, set, typename Set::lanes{});
  }
  // Lane by lane written out, and all registers read before the first store: else nvcc leaves registers in memory.
  using lanes = std::make_integer_sequence<int, width>;
  template <class Set = all_lanes>
  RICCI_HD static void start_packs([[maybe_unused]] L::frame* f, char* const* at,
                                   [[maybe_unused]] scalar_value const* scalars) {
    [[maybe_unused]] row_pointers p;
    for (int s = 0; s < Slots; ++s) p.p[s] = at[s];
    (start_pack(B{}, f, p, scalars, typename Set::lanes{}), ...);
  }
  template <class Set = all_lanes>
  RICCI_HD static void compute_packs([[maybe_unused]] L::frame* f, char* const* at,
                                     [[maybe_unused]] index_t const* steps, [[maybe_unused]] Set set = {}) {
    [[maybe_unused]] row_pointers p;
    for (int s = 0; s < Slots; ++s) p.p[s] = at[s];
    // first what is loaded, so that all of it is on its way at once
    (compute_pack_if<true>(R{}, f, p, steps, set), ...);
    (compute_pack_if<false>(R{}, f, p, steps, set), ...);
  }
  template <bool Loads, class X, class Set>
  RICCI_HD static void compute_pack_if(X x, L::frame* f, row_pointers const& p, [[maybe_unused]] index_t const* steps,
                                       Set set) {
    if constexpr (Loads == requires { X::moves; }) compute_pack(x, f, p, steps, set, typename Set::lanes{});
  }
  template <class Start, int... K>
  RICCI_HD static void start_pack(Start x, L::frame* f, row_pointers const& p, scalar_value const* scalars,
                                  std::integer_sequence<int, K...>) {
    (exec::start<L>(x, f[K], p, scalars), ...);
  }
  template <int I, dtype T, int Slot, access A, class Set, int... K>
  RICCI_HD static void compute_pack(kernel::load<I, T, Slot, A>, L::frame* f, row_pointers const& p,
                                    [[maybe_unused]] index_t const* steps, [[maybe_unused]] Set set,
                                    std::integer_sequence<int, K...>) {
    using V = type_of<T>;
    if constexpr (A == access::contiguous)
      if (set.packed) {
        auto const v = *reinterpret_cast<pack<V, int(sizeof...(K))> const*>(p.p[Slot]);
        ((L::template at<I, T>(f[K]) = v.element[K]), ...);
        return;
      }
    if constexpr (A != access::contiguous || !std::is_same_v<Set, all_lanes>)
      ((L::template at<I, T>(f[K]) =
            L::template element<T>(reinterpret_cast<V const*>(p.p[Slot] + set.used(K) * steps[Slot]))),
       ...);
  }
  template <int I, dtype T, class Op, class... In, class Set, int... K>
  RICCI_HD static void compute_pack(kernel::apply<I, T, Op, In...> a, L::frame* f, row_pointers const&, index_t const*,
                                    Set, std::integer_sequence<int, K...>) {
#if defined(__CUDA_ARCH__)
    if constexpr (constexpr auto q = quotient_of<decltype(a)>; sizeof...(K) > 1 && is_fixed(q.divisor)) {
      float const y = L::template at<q.divisor, T>(f[0]);
      if (are_of_middle_size(y, L::template at<q.dividend, T>(f[K])...)) {
        float const r = 1 / y;
        ((L::template at<I, T>(f[K]) = quotient_by(L::template at<q.dividend, T>(f[K]), y, r)), ...);
        return;
      }
    }
#endif
    (exec::evaluate<L>(a, f[K]), ...);
  }
  static constexpr bool is_fixed(int reg) { return ((B::index == reg) || ...); }
  template <class... None, class Set, int... K>
  requires(sizeof...(None) == 0) RICCI_HD
      static void store_packs(L::frame*, char* const*, index_t const*, Set, std::integer_sequence<int, K...>) {}
  template <class Sink, class... Rest, class Set, int... K>
  RICCI_HD static void store_packs([[maybe_unused]] L::frame* f, [[maybe_unused]] char* const* at,
                                   [[maybe_unused]] index_t const* steps, Set set,
                                   std::integer_sequence<int, K...> all) {
    if constexpr (Sink::reduces) {
      store_packs<Rest...>(f, at, steps, set, all);
    } else {
      using V = type_of<Sink::type>;
      pack<V, int(sizeof...(K))> const v{{L::template at<Sink::index, Sink::type>(f[K])...}};
      store_packs<Rest...>(f, at, steps, set, all);
      if constexpr (Sink::moves == access::contiguous)
        if (set.packed) {
          *reinterpret_cast<pack<V, int(sizeof...(K))>*>(at[Sink::slot]) = v;
          return;
        }
      if constexpr (Sink::moves != access::contiguous || !std::is_same_v<Set, all_lanes>)
        ((set.has(K) ? void(*reinterpret_cast<V*>(at[Sink::slot] + K * steps[Sink::slot]) = v.element[K]) : void()),
         ...);
    }
  }
  template <class Sink>
  RICCI_HD static void store_one(Sink sink, L::frame& f, row_pointers const& p) {
    if constexpr (!Sink::reduces) exec::sink<L, false, true>(sink, f, p, 0, 1);
  }

  // the numbers of an element that are reduced
  template <class Sink>
  struct part {
    type_of<Sink::type> value;
  };
  template <int K, class Sink, bool = Sink::reduces>
  struct member : part<Sink> {};
  template <int K, class Sink>
  struct member<K, Sink, false> {};
  template <class Indices>
  struct values_of;
  template <int... K>
  struct values_of<std::integer_sequence<int, K...>> : member<K, S>... {
    RICCI_HD static values_of identity() {
      values_of v{};
      (clear<K, S>(v), ...);
      return v;
    }
    RICCI_HD static values_of of(L::frame& f) {
      values_of v{};
      (take<K, S>(v, f), ...);
      return v;
    }
    RICCI_HD void add(values_of const& other) { (add_one<K, S>(*this, other), ...); }
    RICCI_HD void write(char* const* at) const { (write_one<K, S>(*this, at), ...); }
  };
  using values = values_of<std::make_integer_sequence<int, sizeof...(S)>>;

  template <int K, class Sink, class V>
  RICCI_HD static void clear(V& v) {
    if constexpr (Sink::reduces)
      static_cast<member<K, Sink>&>(v).value = Sink::operation::template identity<type_of<Sink::type>>;
  }
  template <int K, class Sink, class V>
  RICCI_HD static void take(V& v, L::frame& f) {
    if constexpr (Sink::reduces) static_cast<member<K, Sink>&>(v).value = L::template at<Sink::index, Sink::type>(f);
  }
  template <int K, class Sink, class V>
  RICCI_HD static void add_one(V& v, V const& other) {
    if constexpr (Sink::reduces) {
      auto& mine = static_cast<member<K, Sink>&>(v).value;
      mine = static_cast<type_of<Sink::type>>(
          Sink::operation::combine(mine, static_cast<member<K, Sink> const&>(other).value));
    }
  }
  template <int K, class Sink, class V>
  RICCI_HD static void write_one(V const& v, char* const* at) {
    if constexpr (Sink::reduces)
      *reinterpret_cast<type_of<Sink::type>*>(at[Sink::slot]) = static_cast<member<K, Sink> const&>(v).value;
  }
  RICCI_HD static values value(char* const* at, scalar_value const* scalars) {
    L::frame f;
    registers(f, at, scalars);
    return values::of(f);
  }
  // stores what is stored, and returns what is reduced
  RICCI_HD static values store_and_value(char* const* at, scalar_value const* scalars) {
    L::frame f;
    registers(f, at, scalars);
    row_pointers p;
    for (int s = 0; s < Slots; ++s) p.p[s] = at[s];
    values const v = values::of(f);
    (store_one(S{}, f, p), ...);
    return v;
  }
  // the same with `width` elements from the first on
  RICCI_HD static values store_pack_and_value(char* const* at, index_t const* steps, scalar_value const* scalars) {
    L::frame f[width];
    start_packs(f, at, scalars);
    compute_packs(f, at, steps);
    values const v = value_of_pack(f, std::make_integer_sequence<int, width - 1>{});
    store_packs<S...>(f, at, steps, all_lanes{}, lanes{});
    return v;
  }
  template <int... K>
  RICCI_HD static values value_of_pack(L::frame* f, std::integer_sequence<int, K...>) {
    values v = values::of(f[0]);
    (v.add(values::of(f[K + 1])), ...);
    return v;
  }
  // of registers that are computed: stores what is stored, and adds to `total` what is reduced
  RICCI_HD static void finish_packs([[maybe_unused]] values& total, L::frame* f, char* const* at,
                                    index_t const* steps) {
    if constexpr (reducing > 0) total.add(value_of_pack(f, std::make_integer_sequence<int, width - 1>{}));
    store_packs<S...>(f, at, steps, all_lanes{}, lanes{});
  }
  RICCI_HD static void finish([[maybe_unused]] values& total, L::frame& f, char* const* at) {
    if constexpr (reducing > 0) total.add(values::of(f));
    [[maybe_unused]] row_pointers p;
    for (int s = 0; s < Slots; ++s) p.p[s] = at[s];
    (store_one(S{}, f, p), ...);
  }
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
