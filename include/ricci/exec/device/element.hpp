// Kernels as functions of an index: the same code that the CPU runs in rows, one element at a time.
#pragma once

#include <ricci/exec/cpu/row.hpp>
#include <ricci/exec/device/memory.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

// A step that is about to run, passed by value: so it holds no more than its kernel needs.
template <int Slots, int Scalars>
struct device_step {
  static constexpr int room = Slots > 0 ? Slots : 1, scalar_room = Scalars > 0 ? Scalars : 1;
  int loops;
  index_t extent[max_loops];
  index_t stride[max_loops][room];  // in bytes
  char* p[room];
  scalar_value scalars[scalar_room];
  scalar_value numbers[room];  // operands that are numbers of the call
  std::uint64_t is_number;     // bits

  // the operands at combination n of the loops [first, last), where those that `skip` names are left alone
  RICCI_HD void move(index_t n, int first, int last, char** at) const {
    for (int l = last - 1; l >= first; --l) {
      index_t const count = extent[l], k = n % count;
      n /= count;
      for (int s = 0; s < Slots; ++s) at[s] += k * stride[l][s];
    }
  }
  RICCI_HD void start(char** at) const {
    for (int s = 0; s < Slots; ++s)
      at[s] = is_number >> s & 1 ? const_cast<char*>(reinterpret_cast<char const*>(&numbers[s])) : p[s];
  }
};

// What a kernel does with one element.
template <class Code>
struct element_of_kernel;
template <int Slots, int Scalars, class... B, class... R, class... S>
struct element_of_kernel<kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>> {
  using L = scalar_lanes;
  static constexpr int slots = Slots;
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
    if constexpr (Sink::reduces) static_cast<member<K, Sink>&>(v).value = Sink::operation::template identity<type_of<Sink::type>>;
  }
  template <int K, class Sink, class V>
  RICCI_HD static void take(V& v, L::frame& f) {
    if constexpr (Sink::reduces) static_cast<member<K, Sink>&>(v).value = L::template at<Sink::index, Sink::type>(f);
  }
  template <int K, class Sink, class V>
  RICCI_HD static void add_one(V& v, V const& other) {
    if constexpr (Sink::reduces) {
      auto& mine = static_cast<member<K, Sink>&>(v).value;
      mine = static_cast<type_of<Sink::type>>(Sink::operation::combine(mine, static_cast<member<K, Sink> const&>(other).value));
    }
  }
  template <int K, class Sink, class V>
  RICCI_HD static void write_one(V const& v, char* const* at) {
    if constexpr (Sink::reduces) *reinterpret_cast<type_of<Sink::type>*>(at[Sink::slot]) = static_cast<member<K, Sink> const&>(v).value;
  }
  RICCI_HD static values value(char* const* at, scalar_value const* scalars) {
    L::frame f;
    registers(f, at, scalars);
    return values::of(f);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
