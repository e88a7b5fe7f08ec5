// The plan of a lazy expression, a constant of its type and of its target's.
#pragma once

#include <ricci/expr/reify.hpp>
#include <ricci/transform/plan/build.hpp>
#include <ricci/transform/plan/kept.hpp>
#include <ricci/transform/simplify.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {

// How a result goes with the extents of its target: it has its own, must have those, or is broadcast to them.
enum class fit : std::uint8_t { free, exact, broadcast };

struct recorded_statement {
  ir::graph g;
  bool dense[limits::most_arguments], whole[limits::most_arguments], number[limits::most_arguments];
};
// The graph of an expression of type E, converted to element type T and made to fit its target.
template <class E, class T, class Target, fit Fit>
constexpr void record_statement(recorded_statement& r) {
  static_assert(expr::reified<E>::arguments <= limits::most_arguments,
                "a statement has at most 512 operands: assign a part of it to a tensor first");
  expr::reifier<ir::statement> into{r.g};
  auto v = ir::cast(expr::reified<E>::value(into), dtype_of<T>);
  if constexpr (Fit != fit::free) {
    ir::graph_context<ir::graph> c{r.g, &ir::assignment, v.shape_id(), v.shape_id()};
    shape_t to{};
    for (int k = 0; k < Target::rank; ++k) {
      index_t const e = Target::extent(k);
      to.push(Fit == fit::broadcast || e >= 0 ? into.extent(e, into.arguments, k) : v.shape().extent[k]);
    }
    c.left = ir::intern(r.g, to);
    for (int k = 0, off = to.rank - v.rank(); k < v.rank(); ++k) {
      if (Fit == fit::exact)
        c.same(to.extent[k + off], v.shape().extent[k]);
      else
        c.broadcast_to(to.extent[k + off], v.shape().extent[k]);
    }
    v = ir::broadcast_to(v, ir::intern(r.g, to));
  }
  r.g.outputs[r.g.output_count++] = v.id;
  for (int k = 0; k < into.arguments; ++k)
    r.dense[k] = into.dense[k], r.whole[k] = into.whole[k], r.number[k] = into.number[k];
}

// Its plan. Dense: the result is written in row-major order. Are: whether extents that may be 1 are taken for equal.
template <class E, class T, class Target, fit Fit, bool Dense, transform::extents_are Are>
struct statement {
  static constexpr void make(plan::plan_t& p) {
    recorded_statement r{};
    record_statement<E, T, Target, Fit>(r);
    bool const dense = Dense;
    // as a type: a call that depends on none would be instantiated in every file, also where there is no statement
    std::integral_constant<transform::extents_are, Are> constexpr are;
    plan::plan_graph(p, transform::finished<ir::statement, level::exact>(r.g, are),
                     {r.dense, expr::reified<E>::arguments}, {&dense, 1});
    plan::note_arguments(p, r.number, r.whole);
  }
  static constexpr plan::kept_t<statement> plan = plan::keeper<statement>::plan();
};
template <class E, class T, class Target, fit Fit, bool Dense>
using usual_statement = statement<E, T, Target, Fit, Dense, transform::extents_are::equal>;
template <class E, class T, class Target, fit Fit, bool Dense>
using general_statement = statement<E, T, Target, Fit, Dense, transform::extents_are::any>;

}  // namespace ricci::exec
RICCI_OPTIMIZED_END
