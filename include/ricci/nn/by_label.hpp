// What labels name, as operations of a function, of which errors are told: rows of a table, elements of rows. A label
// is an integer from 0 on; what is negative does not count from the end, as indices of the core do, but is an
// index_error like one that is too large: it says that something is missing, and the last class would be wrong in
// silence. Nothing is stretched: a single label beside many rows is a shape_error.
#pragma once

#include <ricci/ops/flat_index.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/sort.hpp>

namespace ricci::nn {

// The row of x (k, ...) of each label (...): (..., ...).
template <class Caller>
struct row_of_label_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = Caller::name;
  static constexpr dtype type_of_result(dtype x, dtype) { return x; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, shape_t const& label) {
    return take_t::shape_of(c, 0, x, label);
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x, ir::value<Mode> label) {
    return ir::take<row_of_label_t>(x, ir::from_start(label), 0);
  }
};
// Of every row of x (..., k) the element that its label names, (...). All other extents are equal.
template <class Caller>
struct element_of_label_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = Caller::name;
  static constexpr dtype type_of_result(dtype x, dtype) { return x; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, shape_t const& label) {
    if (x.rank != label.rank + 1) return c.fail(), shape_t{};
    shape_t s{};
    for (int d = 0; d < label.rank; ++d) s.push(c.same(x.extent[d], label.extent[d]));
    return s;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x, ir::value<Mode> label) {
    auto& g = *x.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<element_of_label_t>(), x.shape_id(), label.shape_id()};
    shape_t const s = shape_of(c, no_attributes{}, x.shape(), label.shape());
    int const last = x.rank() - 1;
    auto const at = ir::expand(ir::from_start(label), last);
    return ir::reshape(sorting::gathered<element_of_label_t>(x, at, last), ir::intern(g, s));
  }
};
// x (k, ...) with the rows (n, ...) added to those that the labels (n) name.
template <class Caller>
struct added_by_label_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = Caller::name;
  static constexpr dtype type_of_result(dtype x, dtype, dtype) { return x; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x, shape_t const& label,
                                    shape_t const& rows) {
    if (label.rank != 1 || x.rank == 0 || x.rank != rows.rank) return c.fail(), shape_t{};
    c.same(label.extent[0], rows.extent[0]);
    for (int d = 1; d < x.rank; ++d) c.same(x.extent[d], rows.extent[d]);
    return x;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x, ir::value<Mode> label,
                                          ir::value<Mode> rows) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<added_by_label_t>(), label.shape_id(),
                                              rows.shape_id()};
    (void)shape_of(c, no_attributes{}, x.shape(), label.shape(), rows.shape());
    return ir::scatter<added_by_label_t>(x, ir::from_start(label), rows, 0, true);
  }
};
// Numbers (n, ...) as int64, each from 0 to below the extent of x (n, ...) along an axis plus More.
template <class Caller, int Axis, int More>
struct numbers_within_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = Caller::name;
  static constexpr dtype type_of_result(dtype, dtype) { return dtype::int64; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& numbers, shape_t const& x) {
    if (numbers.rank == 0 || x.rank <= Axis) return c.fail(), shape_t{};
    c.same(numbers.extent[0], x.extent[0]);
    return numbers;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> numbers, ir::value<Mode> x) {
    auto& g = *numbers.g;
    ir::graph_context<typename Mode::graph> c{g, ir::facts_of<numbers_within_t>(), numbers.shape_id(), x.shape_id()};
    (void)shape_of(c, no_attributes{}, numbers.shape(), x.shape());
    return ir::checked_position<numbers_within_t>(numbers, ir::plus(g, x.shape().extent[Axis], More));
  }
};

template <class Caller>
constexpr auto row_of_label(auto const& x, auto const& label) {
  return call_operation<row_of_label_t<Caller>>(no_attributes{}, x, label);
}
template <class Caller>
constexpr auto element_of_label(auto const& x, auto const& label) {
  return call_operation<element_of_label_t<Caller>>(no_attributes{}, x, label);
}
template <class Caller>
constexpr auto added_by_label(auto const& x, auto const& label, auto const& rows) {
  return call_operation<added_by_label_t<Caller>>(no_attributes{}, x, label, rows);
}
template <class Caller, int Axis, int More = 0>
constexpr auto numbers_within(auto const& numbers, auto const& x) {
  return call_operation<numbers_within_t<Caller, Axis, More>>(no_attributes{}, numbers, x);
}

}  // namespace ricci::nn
