// The order by several keys: `rc::lexsort(second, first)`, as NumPy's `lexsort((second, first))`.
#pragma once

#include <ricci/ops/sort.hpp>

namespace ricci {

// The positions of elements along the last axis in the order of the last key; where that is equal, of the key before
// it, and so on; where all are equal they keep their order. Keys broadcast: (..., n), (..., n), ... -> (..., n), int64.
// Keys without axes, and shapes that do not go together, are a compile error or a shape_error.
struct lexsort_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = "lexsort";
  static constexpr bool takes_complex = false;
  static constexpr dtype type_of_result(auto...) { return dtype::int64; }

  template <class... Keys>
  requires operands<Keys...>
  constexpr auto operator()(Keys&&... keys) const {
    static_assert(sizeof...(Keys) > 1,
                  "lexsort: the keys are operands of their own, the last one first in order: "
                  "rc::lexsort(second, first); by one key it is rc::argsort");
    return call_operation<lexsort_t>(no_attributes{}, static_cast<Keys&&>(keys)...);
  }
  template <class Context, class... S>
  static constexpr shape_t shape_of(Context& c, no_attributes, S const&... keys) {
    shape_t s{};
    ((s = shapes::broadcast(c, s, keys)), ...);
    if (s.rank == 0) c.fail();
    return s;
  }
  template <class V, class... Rest>
  static constexpr V record(no_attributes, V first, Rest... rest) {
    V const keys[] = {first, rest...};
    auto& g = *first.g;
    int shape = first.shape_id();
    for (V const& key : keys) {
      ir::graph_context<typename V::graph_type> c{g, ir::facts_of<lexsort_t>(), shape, key.shape_id()};
      shape = ir::intern(g, shapes::broadcast(c, g.shapes[shape], key.shape()));
    }
    int const last = g.shapes[shape].rank - 1;
    V at{};
    for (V const& key : keys) {  // each sort is stable, so it keeps the order of the one before where keys are equal
      V const whole = ir::broadcast_to(key, shape);
      at = at ? sorting::gathered<lexsort_t>(
                    at, argsort_t::over(sorting::gathered<lexsort_t>(whole, at, last), last, false), last)
              : argsort_t::over(whole, last, false);
    }
    return at;
  }
};
inline constexpr lexsort_t lexsort{};

}  // namespace ricci
