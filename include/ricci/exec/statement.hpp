// A statement as every context needs it: its operands are those of its plan (exec/statement_plan.hpp).
#pragma once

#include <ricci/exec/destination.hpp>
#include <ricci/exec/program.hpp>
#include <ricci/exec/statement_plan.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// A statement without its types.
template <class P, int Arguments>
struct tables_of_statement {
  static constexpr auto hazards = [] {
    table<plan::hazard, Arguments> t{};
    for (int a = 0; a < Arguments; ++a) t.at[a] = plan::hazard_of(P::plan, 0, a);
    return t;
  }();
  static constexpr auto in = tables::exact<Arguments>(P::plan.argument_in);
  static constexpr bool written_unchecked =
      P::plan.last_check > 0 && plan::is_written_unchecked(P::plan, plan::touched_by(P::plan, plan::home::output, 0));
  static constexpr statement_tables tables{dims_of<P>(),
                                           plan_tables<P>::arguments.at,
                                           hazards.at,
                                           in.at,
                                           Arguments,
                                           P::plan.output_shapes[0],
                                           P::plan.exact_shapes[0],
                                           written_unchecked};

  // points at the numbers that the expression holds
  template <class Binder>
  RICCI_INLINE static void point_at_numbers(Binder& b) {
    [&]<int... A>(std::integer_sequence<int, A...>) RICCI_INLINE_LAMBDA {
      ((P::plan.argument_in[A] == plan::argument_memory::expression
            ? void(b.operands[A] = {reinterpret_cast<char*>(&b.numbers[A]), nullptr, nullptr})
            : void()),
       ...);
    }
    (std::make_integer_sequence<int, Arguments>{});
  }
};

// The extents of the value of e, without computing it.
template <class E>
RICCI_NOINLINE void extents_of_result(E const& e, index_t* to) {
  using P = usual_statement<E, typename E::value_type, typename E::extents, fit::free, true>;
  expr::binder<E> b;
  bind<0>(b, e);
  index_t dims[dim_capacity<P>];
  resolve_exactly(dims_of<P>(), b.operands, b.slots, dims);
  constexpr shape_t shape = P::plan.shapes[P::plan.exact_shapes[0]];
  for (int k = 0; k < E::extents::rank; ++k) to[k] = resolve(shape.extent[k], dims);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
