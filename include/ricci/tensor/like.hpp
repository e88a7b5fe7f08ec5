// `rc::like(x)` as a context, where x is: NumPy's `like=`. What is created beside a tensor lies in its memory and has
// its execution; what is created beside a symbol is one, so that a loop of a traced function can carry it:
//
//   auto h = rc::zeros<float>(rc::extents<16>{}, rc::like(x));
//   for (int t = 0; t < 5; ++t) h = rc::tanh(rc::matmul(x(t), w) + rc::matmul(h, u));
#pragma once

#include <ricci/core/owned_array.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci {

template <int Memory>
struct beside_tensor {
  core::execution execution;
};
template <class Mode>
struct in_trace {
  typename Mode::graph* g;
};
template <int Memory>
inline constexpr bool enable_context<beside_tensor<Memory>> = true;
template <class Mode>
inline constexpr bool enable_context<in_trace<Mode>> = true;

namespace storage {
inline namespace RICCI_ABI {

template <int Memory>
struct maker<beside_tensor<Memory>> : maker<typename tensors_in<Memory>::context> {
  static constexpr core::execution execution(beside_tensor<Memory> const& context) { return context.execution; }
};

// Elements that are about to become constants of a graph.
template <class T, class E, class Mode>
class constants_of_trace {
 public:
  using value_type = same_integer<T>;
  static constexpr int rank = E::rank;
  struct raw {};

  constexpr constants_of_trace(raw, index_t const* e, typename Mode::graph* g) : g_(g) {
    for (int k = 0; k < rank; ++k) extents_.set(k, e[k]);
    size_ = core::bytes_of(e, rank, sizeof(T)) / index_t(sizeof(T));
  }
  constexpr index_t size() const { return size_; }
  constexpr index_t shape(int axis) const { return extents_[axis]; }
  // write(p) writes them all
  template <class Write>
  constexpr symbol<T, E, Mode> recorded(Write const& write) const {
    core::owned_array<value_type> elements(size_);
    write(&elements[0]);
    return symbol<T, E, Mode>{constant_of(ir::value<Mode>{g_, 0},
                                          view<value_type const, E, layout::row_major, false>(&elements[0], extents_))};
  }

 private:
  typename Mode::graph* g_;
  expr::extent_storage<E> extents_{};
  index_t size_ = 0;
};
template <class Mode>
struct maker<in_trace<Mode>> {
  static constexpr int memory = expr::host_memory;
  template <class T, class E>
  using type = constants_of_trace<T, E, Mode>;
  static constexpr typename Mode::graph* execution(in_trace<Mode> const& context) { return context.g; }
  template <class X>
  static auto evaluated(X const&, typename Mode::graph*) {
    static_assert(!Tensor<X>, "a traced function takes a tensor as a constant: it needs no copy beside a symbol");
  }
};

}  // namespace RICCI_ABI
}  // namespace storage

// The context of a tensor, view or symbol.
template <Tensor X>
constexpr auto like(X const& x) {
  if constexpr (is_symbol<X>)
    return in_trace<typename X::mode>{x.v.g};
  else
    return beside_tensor<storage::memory_of<X>()>{storage::execution_of(x)};
}

// `arange` in a trace is counted where it is read, however long it is.
template <Element T, Arithmetic A, Arithmetic B, Arithmetic S, class Mode>
constexpr auto arange(A start, B stop, S step, in_trace<Mode> const& context) {
  if (step == S(0)) core::raise<value_error>(core::text() << "arange needs a step other than 0");
  using N = computed_t<T>;
  auto const at = tracing::positions<T, Mode>(*context.g, storage::steps_between(start, stop, step));
  return at * static_cast<T>(scalar::convert<N>(step)) + static_cast<T>(scalar::convert<N>(start));
}
template <Element T, index_t N, class Mode>
constexpr auto arange(extents<N> const& shape, in_trace<Mode> const& context) {
  return symbol<T, extents<N>, Mode>{tracing::positions<T, Mode>(*context.g, shape.value.extent[0]).v};
}
// of traced extents it lies in the trace in any case
template <class T, class B, class Mode>
requires TracedExtent<B>
constexpr auto arange(B stop, in_trace<Mode> const&) { return arange<T>(stop); }
template <class T, class A, class B, class Mode>
requires(TracedExtent<A> || TracedExtent<B>) constexpr auto arange(A start, B stop, in_trace<Mode> const&) {
  return arange<T>(start, stop);
}

}  // namespace ricci
