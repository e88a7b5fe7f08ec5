// Cumulative sums and products with what they begin from in front: `rc::cumulative_sum(x, rc::include_initial)`.
#pragma once

#include <ricci/ops/told.hpp>

namespace ricci {

// A cumulative sum or product with what it begins from in front, (n,) -> (n + 1,). (cumulative.hpp, which declares it,
// stands below what joins values.)
template <class Op>
struct from_initial {
  static constexpr auto name = Op::name;
  static constexpr bool lengthens_axis = true;
  static constexpr dtype type_of_result(dtype t) { return Op::type_of_result(t); }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, reduction_axes const& a, shape_t x) {
    if (a.mask(x.rank) <= 0) return c.fail(), x;
    x.extent[a.first(x.rank)] = c.plus(x.extent[a.first(x.rank)], 1);
    return x;
  }
  template <class V>
  static constexpr V record(reduction_axes const& a, V x) {
    auto& g = *x.g;
    ir::graph_context<typename V::graph_type> c{g, ir::no_asker, 0, 0};
    V const y = Op::record(a, x);
    shape_t thin = y.shape();
    thin.extent[a.first(x.rank())] = 1;
    V const initial = ir::literal<typename V::mode>(g, Op::initial, y.type(), ir::intern(g, thin));
    return ir::joined(a.first(x.rank()), ir::intern(g, shape_of(c, a, x.shape())), initial, y);
  }
};

}  // namespace ricci
