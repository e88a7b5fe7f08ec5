// Kernels as functions of an index: the same code that the CPU runs in rows, one element at a time.
#pragma once

#include <ricci/exec/device/memory.hpp>
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
  char* p[room];
  scalar_value scalars[scalar_room];
  core::any_element numbers[room];  // operands that are numbers of the call
  std::uint64_t is_number;          // bits

  struct pointers {
    char* to[room];
  };
  // the operands at combination n of the loops [first, last)
  RICCI_HD pointers at(index_t n, int first, int last) const {
    pointers start{};
    for (int s = 0; s < Slots; ++s) start.to[s] = is_number >> s & 1 ? const_cast<char*>(numbers[s].bytes) : p[s];
    return moved(start, n, first, last);
  }
  RICCI_HD pointers moved(pointers from, index_t n, int first, int last) const {
    for (int l = last - 1; l >= first; --l) {
      index_t const count = extent[l], k = n % count;
      n /= count;
      for (int s = 0; s < Slots; ++s) from.to[s] += k * stride[l][s];
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
  static constexpr int storing = sizeof...(S) - reducing;

  RICCI_HD static void registers(L::frame& f, char* const* at, [[maybe_unused]] scalar_value const* scalars) {
    row_pointers p;
    for (int s = 0; s < Slots; ++s) p.p[s] = at[s];
    (exec::start<L>(B{}, f, p, scalars), ...);
    (exec::compute<L, false, true>(R{}, f, p, 0, 1), ...);
  }
  // computes the element and stores it
  RICCI_HD static void store(char* const* at, scalar_value const* scalars) {
    L::frame f;
    registers(f, at, scalars);
    row_pointers p;
    for (int s = 0; s < Slots; ++s) p.p[s] = at[s];
    (store_one(S{}, f, p), ...);
  }
  // ---- several elements side by side ----

  // operands that move along the loop element by element are loaded and stored 16 bytes at a time, or less where types
  // are mixed
  template <class X>
  static constexpr int bytes_of() {
    if constexpr (requires { X::moves; })
      return X::moves == access::contiguous ? size_of(X::type) : 0;
    else
      return 0;
  }
  static constexpr int largest = [] {
    int n = 0;
    ((n = bytes_of<R>() > n ? bytes_of<R>() : n), ...);
    ((n = bytes_of<S>() > n ? bytes_of<S>() : n), ...);
    return n;
  }();
  static constexpr int width = largest > 0 ? 16 / largest : 1;
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
  template <class T>
  struct alignas(sizeof(T) * width) pack {
    T element[width];
  };
  // stores `width` elements from the first on; steps: in bytes
  RICCI_HD static void store_pack(char* const* at, index_t const* steps, [[maybe_unused]] scalar_value const* scalars) {
    row_pointers p;
    for (int s = 0; s < Slots; ++s) p.p[s] = at[s];
    L::frame f[width];
    for (int k = 0; k < width; ++k) (exec::start<L>(B{}, f[k], p, scalars), ...);
    (compute_pack(R{}, f, p, steps), ...);
    (store_pack_of(S{}, f, p, steps), ...);
  }
  template <int I, dtype T, int Slot, access A>
  RICCI_HD static void compute_pack(kernel::load<I, T, Slot, A>, L::frame* f, row_pointers const& p,
                                    [[maybe_unused]] index_t const* steps) {
    using V = type_of<T>;
    if constexpr (A == access::contiguous) {
      pack<V> const v = *reinterpret_cast<pack<V> const*>(p.p[Slot]);
      for (int k = 0; k < width; ++k) L::template at<I, T>(f[k]) = v.element[k];
    } else {
      for (int k = 0; k < width; ++k)
        L::template at<I, T>(f[k]) = *reinterpret_cast<V const*>(p.p[Slot] + k * steps[Slot]);
    }
  }
  template <int I, dtype T, class Op, class... In>
  RICCI_HD static void compute_pack(kernel::apply<I, T, Op, In...> a, L::frame* f, row_pointers const&,
                                    index_t const*) {
    for (int k = 0; k < width; ++k) exec::evaluate<L>(a, f[k]);
  }
  template <class Sink>
  RICCI_HD static void store_pack_of(Sink, L::frame* f, row_pointers const& p, [[maybe_unused]] index_t const* steps) {
    if constexpr (!Sink::reduces) {
      using V = type_of<Sink::type>;
      if constexpr (Sink::moves == access::contiguous) {
        pack<V> v;
        for (int k = 0; k < width; ++k) v.element[k] = L::template at<Sink::index, Sink::type>(f[k]);
        *reinterpret_cast<pack<V>*>(p.p[Sink::slot]) = v;
      } else {
        for (int k = 0; k < width; ++k)
          *reinterpret_cast<V*>(p.p[Sink::slot] + k * steps[Sink::slot]) =
              L::template at<Sink::index, Sink::type>(f[k]);
      }
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
    (store_one(S{}, f, p), ...);
    return values::of(f);
  }
};

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
