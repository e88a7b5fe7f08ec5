// A statement as every context needs it: its operands are those of its plan (exec/statement_plan.hpp).
#pragma once

#include <ricci/exec/backend.hpp>
#include <ricci/exec/destination.hpp>
#include <ricci/exec/statement_plan.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// points at the numbers that the expression holds
template <class P, class Binder>
RICCI_INLINE void point_at_numbers(Binder& b) {
  [&]<int... A>(std::integer_sequence<int, A...>) RICCI_INLINE_LAMBDA {
    ((P::plan.argument_in[A] == plan::argument_memory::expression
          ? void(b.operands[A] = {reinterpret_cast<char*>(&b.numbers[A]), nullptr, nullptr})
          : void()),
     ...);
  }
  (std::make_integer_sequence<int, Binder::arguments>{});
}

// Evaluates an expression whose operands have been bound, whatever its extents are and wherever they lie.
template <class Backend, class P, class Destination, class T, class Target, fit Fit, bool Dense, class E>
RICCI_INLINE void evaluate_any(expr::binder<E>& b, typename Destination::target_type& t,
                               core::execution_request request) {
  point_at_numbers<P>(b);
  b.operands[b.arguments] = Destination::target(t);
  target const to{&Destination::type, const_cast<void*>(static_cast<void const*>(&t))};
  placed_result at;
  operand_ref out;
  auto const run = [&]<class S, class Q>(S, std::type_identity<Q>) {
    index_t dims[dim_capacity<Q>];
    return evaluate_into<Backend>(S::value, &to, b.operands, b.slots, dims, request.with(b.how), nullptr, &at, &out);
  };
  using usual = typename Backend::template statement<P>;
  if (run(usual{}, std::type_identity<P>{})) [[likely]]
    return;
  // another plan, for extents that were taken for equal and are not
  if constexpr (P::plan.takes_for_equal && !usual::broadcasts) {
    using general = general_statement<E, T, Target, Fit, Dense>;
    run(program_on<Backend, general>{}, std::type_identity<general>{});
  }
}

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
