// Conditions that a row's reduction counts, number by number.
#pragma once

#include <ricci/exec/cpu/row.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// The register of the condition that a row's reduction counts, in this instruction or as it is; -1 where it counts
// none.
template <class Sink, class R>
inline constexpr int counts = -1;
template <class Op, int I, int Slot, dtype T, class Cast, int J>
requires requires {
  Op::of_count(0, 0);
  requires Cast::converts;
}
inline constexpr int counts<kernel::reduce<Op, I, Slot, T, access::fixed>,
                            kernel::apply<I, T, Cast, kernel::reg<J, dtype::boolean>>> = types::integers >> int(T) & 1
                                                                                             ? J
                                                                                             : -1;
template <class Op, int I, int Slot, class R>
requires requires { Op::of_count(0, 0); }
inline constexpr int counts<kernel::reduce<Op, I, Slot, dtype::boolean, access::fixed>, R> = I;

template <class Sinks, class... R>
inline constexpr int counted = -1;
template <class Sink, class... R>
inline constexpr int counted<kernel::sinks<Sink>, R...> = [] {
  int found = -1;
  ((found = counts<Sink, R> >= 0 ? counts<Sink, R> : found), ...);
  return found;
}();

// How many there are among elements [begin, end). What is counted in 16 bits at first takes a quarter of the
// instructions.
template <class Row, int Condition>
RICCI_VECTORISED index_t count_conditions(row_pointers const& from, scalar_value const* scalars, index_t begin,
                                          index_t end) {
  constexpr index_t most = 32768;
  row_pointers p;
  Row::point(p, from.p, from.stride);
  typename Row::L::frame f;
  Row::begin(f, p, scalars);
  index_t trues = 0;
  while (begin < end) {
    index_t const to = end - begin < most ? end : begin + most;
    std::uint16_t some = 0;
    for (; begin < to; ++begin) {
      Row::template elements<true>(f, p, begin, 1);
      some = static_cast<std::uint16_t>(some + Row::L::template at<Condition, dtype::boolean>(f));
    }
    trues += some;
  }
  return trues;
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
