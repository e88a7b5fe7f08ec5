// Printing as NumPy does: `std::cout << a` gives [[1 2 3] / [4 5 6]], long axes in part. Works with anything that has
// operator<< for text and numbers; no stream header is needed here.
#pragma once

#include <ricci/tensor/deferred.hpp>

namespace ricci {

namespace storage {
inline namespace RICCI_ABI {

inline constexpr index_t most_printed = 1000, printed_edge = 3;

// Whether an array is printed as a whole: neither its elements nor the rows that have none are too many.
constexpr bool is_printed_whole(index_t const* extents, int rank) {
  index_t n = 1;
  for (int k = 0; k < rank; ++k)
    if (extents[k] > most_printed || (n *= extents[k]) > most_printed) return false;
  return true;
}

template <class Stream, class T>
void print_axis(Stream& s, T const* p, index_t const* extents, int rank, int depth, bool whole) {
  if (rank == 0) {
    if constexpr (requires { s.element(*p); })  // (<ricci/format.hpp>)
      s.element(*p);
    else if constexpr (std::is_same_v<T, bool>)
      s << (*p ? "true" : "false");
    else if constexpr (is_complex_number<T>)
      s << p->real() << (__builtin_signbit(p->imag()) ? "" : "+") << p->imag() << "j";
    else if constexpr (is_integer(dtype_of<T>))
      s << +*p;  // those of one byte are no characters
    else
      s << *p;
    return;
  }
  index_t step = 1;
  for (int k = 1; k < rank; ++k) step *= extents[k];
  s << "[";
  for (index_t i = 0; i < extents[0]; ++i) {
    if (i > 0) {
      s << (rank == 1 ? " " : "\n");
      if (rank > 1)
        for (int k = 0; k <= depth; ++k) s << " ";
    }
    if (!whole && extents[0] > 2 * printed_edge && i == printed_edge) {
      s << "...";
      i = extents[0] - printed_edge - 1;
      continue;
    }
    print_axis(s, p + i * step, extents + 1, rank - 1, depth + 1, whole);
  }
  s << "]";
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

template <class Stream, class X>
requires(Tensor<X>&& is_native_tensor<X> && !is_symbol<X> && core::TextStream<Stream>) Stream& operator<<(Stream& s,
                                                                                                          X const& x) {
  auto const value = eval(x, exec::default_context{});
  auto const extents = value.extent_values();
  storage::print_axis(s, value.data(), extents.data(), rank_of<X>, 0,
                      storage::is_printed_whole(extents.data(), rank_of<X>));
  return s;
}

// The symbols and extents of interpreted functions have values.
template <class Stream, class X>
requires((is_symbol<X> || is_symbolic_dim<X>)&&core::TextStream<Stream>) Stream& operator<<(Stream& s, X const& x) {
  static_assert(X::mode::runs || always_false<X>,
                "a traced function cannot print a value, which is only known when it runs: rc::interpret runs the "
                "function operation by operation");
  if constexpr (is_symbolic_dim<X>) {
    s << x.dim;
  } else if constexpr (X::mode::runs) {
    auto const v = value_in(graph_of(x), x);
    auto& g = static_cast<ir::eager_graph&>(*v.g);
    shape_t const shape = v.shape();
    storage::print_axis(s, g.template elements<typename X::value_type>(v.id), shape.extent, X::rank, 0,
                        storage::is_printed_whole(shape.extent, X::rank));
  }
  return s;
}

// x.shape(), as NumPy's tuples: (2, 3), (4,), (); also of an any_tensor
template <core::TextStream Stream>
Stream& operator<<(Stream& s, shape_t const& x) {
  s << "(";
  for (int k = 0; k < x.rank; ++k) s << (k > 0 ? ", " : "") << x[k];
  return s << (x.rank == 1 ? ",)" : ")"), s;
}
template <class Stream, class... D>
requires(!shape_argument<D...>::is_symbolic && core::TextStream<Stream>) Stream& operator<<(
    Stream& s, shape_argument<D...> const& x) {
  shape_t of{};
  for (int k = 0; k < int(sizeof...(D)); ++k) of.push(x.values[k]);
  return s << of;
}
template <core::TextStream Stream, int Rank>
Stream& operator<<(Stream& s, shape_values<Rank> const& x) {
  shape_t of{};
  for (index_t const n : x) of.push(n);
  return s << of;
}

}  // namespace RICCI_ABI
}  // namespace ricci
