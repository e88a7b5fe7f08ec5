// Recording: what a graph holds after a few operations. Equal instructions are merged as they come, every instruction
// leads back to its operation, and arithmetic on symbolic dimensions is folded.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#include <memory>
#include <string>

namespace rc = ricci;
namespace ir = rc::ir;
using rc::dtype;

namespace {

using V = ir::value<ir::traced>;

constexpr V argument(ir::graph& g, rc::shape_t const& s, int number) {
  return ir::argument<ir::traced>(g, dtype::float64, s, number);
}
constexpr int count(ir::graph const& g, ir::op_facts const* op) {
  int n = 0;
  for (int i = 1; i < g.size; ++i) n += g.ins[i].op == op;
  return n;
}
template <class Op>
constexpr int count(ir::graph const& g) {
  return count(g, ir::facts_of<Op>());
}

// ---- from an instruction to its operation and back ----

static_assert(std::is_same_v<ir::op_of<ir::facts_of<rc::exp_t>()>, rc::exp_t>);
static_assert(ir::facts_of<rc::exp_t>() != ir::facts_of<rc::log_t>() && ir::facts_of<rc::add_t>()->commutative);

// ---- merging ----

// sum(exp(x) * exp(x)): one exp
constexpr bool merges_equal_instructions() {
  ir::graph g{};
  V const x = argument(g, {1, {4}}, 0);
  V const a = rc::exp(x), b = rc::exp(x);
  V const y = a * b;
  return a.id == b.id && y.operand(0).id == y.operand(1).id && g.size == 4;
}
static_assert(merges_equal_instructions());

// what differs in type, shape, attributes or operands stays apart
constexpr bool keeps_apart() {
  ir::graph g{};
  V const x = argument(g, {2, {2, 3}}, 0), y = argument(g, {2, {2, 3}}, 1);
  bool const ok = rc::sum_t::over(x, 1).id != rc::sum_t::over(x, 2).id && V(x - y).id != V(y - x).id;
  return ok && ir::cast(x, dtype::float32).id != x.id &&
         ir::literal<ir::traced>(g, 1, dtype::float64, 0).id != ir::literal<ir::traced>(g, 1, dtype::float32, 0).id;
}
static_assert(keeps_apart());

// scalars enter with the type of the tensor beside them, and are broadcast without an instruction
constexpr bool literals_are_broadcast() {
  ir::graph g{};
  V const x = argument(g, {2, {2, 3}}, 0), y = x * 2.;
  V const c = ir::is_literal(g, y.operand(0).id) ? y.operand(0) : y.operand(1);
  return ir::is_literal(g, c.id, 2.) && c.shape_id() == x.shape_id() && count<rc::broadcast_to_t>(g) == 0;
}
static_assert(literals_are_broadcast());

// views that change nothing are not recorded
constexpr bool skips_views_of_everything() {
  ir::graph g{};
  V const x = argument(g, {2, {2, 3}}, 0);
  rc::index_t const same[] = {0, 1}, starts[] = {0, 0}, steps[] = {1, 1};
  return ir::permute(x, same, 2).id == x.id && ir::reshape(x, x.shape_id()).id == x.id &&
         ir::broadcast_to(x, x.shape_id()).id == x.id && ir::slice(x, x.shape_id(), starts, steps).id == x.id &&
         ir::cast(x, dtype::float64).id == x.id && g.size == 2;
}
static_assert(skips_views_of_everything());

// ---- symbolic dimensions ----

constexpr bool dimensions_are_folded() {
  ir::graph g{};
  auto const n = ir::dim(g, ir::dim_op::argument, 0, 0), m = ir::dim(g, ir::dim_op::argument, 0, 1);
  bool ok = n != m && n == ir::dim(g, ir::dim_op::argument, 0, 0) && ir::is_symbolic(n) && !ir::is_symbolic(-5);
  ok = ok && ir::times(g, n, 1) == n && ir::times(g, n, 0) == 0 && ir::times(g, 3, 4) == 12;
  ok = ok && ir::plus(g, n, 0) == n && ir::plus(g, 3, 4) == 7;
  ok = ok && ir::times(g, n, m) == ir::times(g, m, n) && ir::plus(g, n, m) == ir::plus(g, m, n);
  ok = ok && ir::divide(g, ir::times(g, n, 6), 6) == n && ir::divide(g, n, 1) == n && ir::divide(g, 7, 2) == 3;
  // of n / n, which may be 0 / 0, only a reshape has a use
  ok = ok && ir::is_symbolic(ir::divide(g, n, n)) && ir::divide(g, n, 0) == 0 && ir::elements_of_each(g, n, n) == 1;
  ok = ok && ir::elements_of_each(g, ir::times(g, n, m), m) == n && ir::elements_of_each(g, ir::times(g, n, m), n) == m;
  return ok && ir::unless_one(g, 1, n) == 0 && ir::unless_one(g, 4, n) == n;
}
static_assert(dimensions_are_folded());

// an inner extent that has to agree becomes one dimension, with a check that stays
constexpr bool extents_are_unified() {
  ir::graph g{};
  auto const n = ir::dim(g, ir::dim_op::argument, 0, 0), m = ir::dim(g, ir::dim_op::argument, 1, 0);
  ir::graph_context<ir::graph> c{g, ir::no_asker, 0, 0};
  c.same(n, m);
  bool ok = ir::find(g, n) == ir::find(g, m) && g.check_count == 1 && g.checks[0].kind == ir::check_kind::equal;
  c.same(m, n);
  ok = ok && g.check_count == 1;
  c.same(n, 7);
  return ok && ir::find(g, m) == 7 && !c.failed && (c.same(m, 8), c.failed);
}
static_assert(extents_are_unified());

// of two that may each be 1 the broadcast is recorded; a graph may be finished with both taken for equal
constexpr bool broadcasting_is_exact_until_it_is_taken_for_equal() {
  ir::graph g{}, equal{}, any{};
  auto const n = ir::dim(g, ir::dim_op::argument, 0, 0), m = ir::dim(g, ir::dim_op::argument, 1, 0);
  ir::graph_context<ir::graph> c{g, ir::no_asker, 0, 0};
  auto const whole = c.broadcast(n, m), twice = ir::times(g, whole, 2), other = ir::times(g, n, 2);
  rc::transform::take_extents(g, equal, rc::transform::extents_are::equal);
  rc::transform::take_extents(g, any, rc::transform::extents_are::any);
  return g.dims[ir::dim_index(whole)].op == ir::dim_op::broadcast &&
         g.checks[0].kind == ir::check_kind::broadcastable && equal.takes_for_equal &&
         ir::find(equal, n) == ir::find(equal, m) && ir::find(equal, whole) == ir::find(equal, n) &&
         ir::find(equal, twice) == ir::find(equal, other) && !any.takes_for_equal &&
         ir::find(any, n) != ir::find(any, m) && ir::find(any, twice) != ir::find(any, other);
}
static_assert(broadcasting_is_exact_until_it_is_taken_for_equal());

// what was broadcast from an extent has it, so that a long sum of two tensors asks once
constexpr bool broadcasting_again_asks_nothing() {
  ir::graph g{};
  auto const n = ir::dim(g, ir::dim_op::argument, 0, 0), m = ir::dim(g, ir::dim_op::argument, 1, 0);
  ir::graph_context<ir::graph> c{g, ir::no_asker, 0, 0};
  auto const whole = c.broadcast(n, m);
  return c.broadcast(whole, n) == whole && c.broadcast(m, whole) == whole && c.broadcast_to(whole, m) == whole &&
         c.broadcast(m, n) == whole && c.broadcast(n, 3) == 3 && c.broadcast(n, 3) == 3 && g.check_count == 2;
}
static_assert(broadcasting_again_asks_nothing());

// broadcast to 3 here and to 2 there, an extent can only be 1
constexpr bool what_cannot_be_equal_is_not_taken_for_it() {
  ir::graph g{}, equal{};
  auto const n = ir::dim(g, ir::dim_op::argument, 0, 0);
  ir::graph_context<ir::graph> c{g, ir::no_asker, 0, 0};
  bool const numbers = c.broadcast(n, 3) == 3 && c.broadcast(n, 2) == 2;
  rc::transform::take_extents(g, equal, rc::transform::extents_are::equal);
  return numbers && !equal.takes_for_equal && ir::find(equal, n) == n;
}
static_assert(what_cannot_be_equal_is_not_taken_for_it());

// ---- expressions know their graph ----

using x3 = rc::tensor<double, 3>;
using labelled_twice = decltype(rc::sum(rc::wrt<"x">(std::declval<x3&>()) * rc::wrt<"x">(std::declval<x3&>())));
using by_position = decltype(rc::sum(std::declval<x3&>() * std::declval<x3&>()));
static_assert(count<ir::argument_t>(labelled_twice::graph) == 1 && count<ir::argument_t>(by_position::graph) == 2);
static_assert(labelled_twice::graph.shape(labelled_twice::graph.outputs[0]).rank == 0);

// names of extents are one dimension in all operands
using n3 = rc::tensor<double, rc::dim<"n">, 3>;
using over_names = decltype(std::declval<n3&>() + std::declval<n3&>());
static_assert([] {
  auto const& g = over_names::graph;
  auto const y = g.outputs[0];
  return ir::same_shape(g, g.ins[g.in(y, 0)].shape, g.ins[g.in(y, 1)].shape) && count<rc::broadcast_to_t>(g) == 0;
}());

// ---- symbols ----

// a loop over layers is a plain loop: every layer's value has the same type
constexpr bool loops_are_plain() {
  ir::graph g{};
  rc::symbol<double, rc::extents<4>> h{argument(g, {1, {4}}, 0)};
  for (int layer = 0; layer < 12; ++layer) h = h + rc::tanh(h);
  return count<rc::tanh_t>(g) == 12 && h.shape(0) == 4;
}
static_assert(loops_are_plain());

// `h(0) = ...` is a functional update: the old value stays what it was
constexpr bool updates_are_functional() {
  ir::graph g{};
  rc::symbol<double, rc::extents<4>> h{argument(g, {1, {4}}, 0)};
  auto const before = h;
  h(0) = 1.;
  h(rc::range<1, 3>()) *= 2.;
  return before.v.id != h.v.id && count<rc::update_slice_t>(g) == 2 &&
         g.ins[before.v.id].op->kind == ir::op_kind::argument;
}
static_assert(updates_are_functional());

}  // namespace

TEST_CASE("recording at run time finds the same") {
  auto g = std::make_unique<ir::graph>();
  V const x = argument(*g, {1, {4}}, 0);
  for (int k = 0; k < 50; ++k) rc::exp(x);
  CHECK(g->size == 3);
  CHECK(std::string(g->ins[2].op->name) == "exp");
  CHECK(merges_equal_instructions());
  CHECK(dimensions_are_folded());
  CHECK(extents_are_unified());
  CHECK(updates_are_functional());
}

TEST_CASE("a graph that grows while the program runs holds what was recorded and computed") {
  ir::eager_graph g;
  using E = ir::value<ir::eager>;
  rc::symbol<double, rc::extents<2>, ir::eager> x{};
  rc::tracing::give_elements(g, x, rc::tensor<double, 2>{3, 4});
  E v = x.v;
  for (int k = 0; k < 300; ++k) v = v + 1.;
  CHECK(g.size > 300);
  CHECK(g.elements<double>(v.id)[0] == 303);
  CHECK(g.elements<double>(v.id)[1] == 304);
}
