// Whether a loop has come to its end within the bound that it was given (`rc::at_most<N>`): it is asked before results
// are written, and is a value_error where it has not. (A search for a solution has the same: converged.hpp.)
#pragma once

#include <ricci/ops/core_call.hpp>
#include <ricci/ops/select.hpp>

namespace ricci {

// True where an integer is 0; what else it may be is a value_error, of which the derived struct has the name and the
// words, `say_why`.
template <class Derived>
struct zero_or_error : core_call<Derived> {
  static constexpr core_signature core{"()->()"};
  static constexpr int dense_axes = max_rank;
  template <class T>
  using types = type_list<T, bool>;
  RICCI_FN run(auto const&, auto const& x, auto const& y) { y() = x() == 0; }

  static constexpr int checked = 0;
  static constexpr bool refuses_value(std::int64_t x) { return x != 0; }
};
// x, once the condition is known to hold; its derivatives likewise
template <class V>
constexpr V once_known(V x, V condition) {
  return where(ir::broadcast_to(condition, x.shape_id()), x, ir::zeros_like(x));
}

// of an integer that says whether there would be another iteration; Loop: whose name stands in errors
template <class Loop, index_t N>
struct finished_t : zero_or_error<finished_t<Loop, N>> {
  static constexpr auto name = Loop::name;
  static constexpr void say_why(core::text& t) { t << "is not done after " << N << " iterations, its rc::at_most"; }
};

// x, made known by the end of the loop; so are its derivatives.
template <class Loop, index_t N, class V>
constexpr V when_finished(V x, V goes_on) {
  return once_known(x, finished_t<Loop, N>::record(no_attributes{}, goes_on));
}

}  // namespace ricci
