// Whether times are finite and ascend or descend from the first to the last (equal neighbours do both): it is asked
// before anything is integrated along them, and is a value_error that says what is wrong.
#pragma once

#include <ricci/ops/composite.hpp>
#include <ricci/ops/finished.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/ops/reduce.hpp>

namespace ricci {

// of a report: 0, or how many times are not finite, else minus how many steps go back
template <class Search>
struct times_in_order_t : zero_or_error<times_in_order_t<Search>> {
  static constexpr auto name = Search::name;
  static constexpr void say_why(core::text& t, std::int64_t report) {
    if (report > 0)
      t << index_t(report) << " of the times " << (report == 1 ? "is" : "are") << " not finite";
    else
      t << "the times, which stand behind the state, neither ascend nor descend";
  }
};

// ts, a vector of at least one time, made known by that; Search: whose name stands in errors
template <class Search, class V>
constexpr V when_in_order(V ts) {
  auto& g = *ts.g;
  index_t const last = ir::plus(g, ts.shape().extent[0], -1), first[] = {0, 1}, step = 1;
  int const rest = ir::intern(g, shape_t{1, {last}});
  auto const how_many = [](V x) { return ir::reduced<sum_t>(ir::cast(x, dtype::int64), 1, false); };
  V const steps = ir::slice(ts, rest, first + 1, &step) - ir::slice(ts, rest, first, &step);
  V const way = ir::element_of(ts, 0, last) - ir::element_of(ts, 0, 0);
  V const forwards = where(way < 0., -1., ir::cast(way == way, ts.type()));
  V const back = how_many(V(steps * ir::broadcast_to(forwards, rest)) < 0.);
  V const wild = how_many(logical_not(isfinite(ts)));
  return once_known(ts, times_in_order_t<Search>::record(no_attributes{}, where(wild > 0, wild, V(-back))));
}

}  // namespace ricci
