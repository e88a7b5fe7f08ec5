// Whether a loop has come to its end within the bound that it was given (`rc::at_most<N>`): it is asked before results
// are written, and is a value_error where it has not.
#pragma once

#include <ricci/ops/core_call.hpp>
#include <ricci/ops/select.hpp>

namespace ricci {

// true where an integer, which says whether there would be another iteration, is 0; Loop: whose name stands in errors
template <class Loop, index_t N>
struct finished_t : core_call<finished_t<Loop, N>> {
  static constexpr auto name = Loop::name;
  static constexpr core_signature core{"()->()"};
  static constexpr int dense_axes = max_rank;
  template <class T>
  using types = type_list<T, bool>;
  RICCI_FN run(auto const&, auto const& goes_on, auto const& y) { y() = goes_on() == 0; }

  static constexpr int checked = 0;
  static constexpr bool refuses_value(std::int64_t goes_on) { return goes_on != 0; }
  static constexpr void say_why(core::text& t) { t << "is not done after " << N << " iterations, its rc::at_most"; }
};

// x, made known by the end of the loop; so are its derivatives.
template <class Loop, index_t N, class V>
constexpr V when_finished(V x, V goes_on) {
  V const done = finished_t<Loop, N>::record(no_attributes{}, goes_on);
  return where(ir::broadcast_to(done, x.shape_id()), x, ir::zeros_like(x));
}

}  // namespace ricci
