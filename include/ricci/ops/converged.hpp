// Whether a search for a solution has come to its end: it is asked before results are written, and is a value_error
// that says after how many steps it was given up, and what was left, where it has not. A search has a name, and the
// words for both (`unfinished`).
#pragma once

#include <ricci/ops/finished.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/math.hpp>

namespace ricci {

// of a report: 0, or the number of steps and the residual in decimal notation, in one whole number that has room for
// both
struct unfinished_search {
  char const *before = "has not converged after ", *between = " steps, where the residual is ", *behind = "";
};
template <class Search>
struct converged_t : zero_or_error<converged_t<Search>> {
  static constexpr auto name = Search::name;
  static constexpr int size_of_part = 2048, middle = 1024, least_exponent = -300;
  static constexpr void say_why(core::text& t, std::int64_t report) {
    index_t const hundredths = report % size_of_part, exponent = report / size_of_part % size_of_part - middle;
    t << Search::unfinished.before << index_t(report / size_of_part / size_of_part) << Search::unfinished.between;
    if (hundredths == 0) {
      t << "nan";
    } else if (exponent == least_exponent) {
      t << '0';
    } else if (exponent == middle - 1) {
      t << "inf";
    } else {
      t << hundredths / 100 << '.' << hundredths / 10 % 10 << hundredths % 10 << 'e' << exponent;
    }
    t << Search::unfinished.behind;
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
  using converged = converged_t<Search>;
  return once_known(x, converged::record(no_attributes{}, converged::report(done, steps, residual)));
}

}  // namespace ricci
