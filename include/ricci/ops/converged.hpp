// Whether a search for a solution has come to its end: it is asked before results are written, and is a value_error
// that says after how many steps it was given up, and what was left, where it has not.
#pragma once

#include <ricci/ops/core_call.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/ops/select.hpp>

namespace ricci {

// true where a report is 0: that is made of the number of steps and of the residual in decimal notation, a whole number
// that has room for both
template <class Search>
struct converged_t : core_call<converged_t<Search>> {
  static constexpr auto name = Search::name;
  static constexpr core_signature core{"()->()"};
  static constexpr int dense_axes = max_rank;
  template <class T>
  using types = type_list<T, bool>;
  RICCI_FN run(auto const&, auto const& report, auto const& y) { y() = report() == 0; }

  static constexpr int checked = 0;
  static constexpr bool refuses_value(std::int64_t report) { return report != 0; }
  static constexpr int size_of_part = 2048, middle = 1024;
  static constexpr void say_why(core::text& t, std::int64_t report) {
    index_t const hundredths = report % size_of_part, exponent = report / size_of_part % size_of_part - middle;
    t << "has not converged after " << index_t(report / size_of_part / size_of_part)
      << " steps, where the residual is ";
    if (hundredths == 0) {
      t << "nan";
    } else if (exponent == middle - 1) {
      t << "inf";
    } else {
      t << hundredths / 100 << '.' << hundredths / 10 % 10 << hundredths % 10 << 'e' << exponent;
    }
  }
  template <class V>
  static constexpr V report(V done, V steps, V residual) {
    constexpr auto as = [](V x) { return ir::cast(x, dtype::int64); };
    V const size = ir::cast(residual, dtype::float64);
    V const exponent = clip(floor(log10(maximum(size, 1e-300))), -1023., 1023.);
    V const hundredths = clip(round(size / pow(10., exponent) * 100.), 1., 999.);
    V const code = (as(steps) * size_of_part + (as(exponent) + middle)) * size_of_part + as(hundredths);
    return where(done, ir::zeros_like(code), code);
  }
};

// x, made known by its search
template <class Search, class V>
constexpr V when_converged(V x, V done, V steps, V residual) {
  V const known = converged_t<Search>::record(no_attributes{}, converged_t<Search>::report(done, steps, residual));
  return where(ir::broadcast_to(known, x.shape_id()), x, ir::zeros_like(x));
}

}  // namespace ricci
