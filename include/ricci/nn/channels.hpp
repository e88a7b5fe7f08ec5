// Numbers of channels, which broadcast along the last axis of x, where that has as many; else a shape_error of a
// function: x with an axis of 1 would be stretched in silence.
#pragma once

#include <ricci/ops/movement.hpp>

namespace ricci::nn {

// p (k) itself, beside x (..., k).
template <class Caller>
struct channels_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = Caller::name;
  static constexpr dtype type_of_result(dtype p, dtype) { return p; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& p, shape_t const& x) {
    if (p.rank != 1 || x.rank == 0) return c.fail(), p;
    c.same(p.extent[0], x.extent[x.rank - 1]);
    return p;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> p, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*p.g, ir::facts_of<channels_t>(), p.shape_id(), x.shape_id()};
    (void)shape_of(c, no_attributes{}, p.shape(), x.shape());
    return p;
  }
};
template <class Caller>
constexpr auto channels_of(auto const& p, auto const& x) {
  return call_operation<channels_t<Caller>>(no_attributes{}, p, x);
}

}  // namespace ricci::nn
