// A call where it runs: the loop of one core from the strides of a step.
#pragma once

#include <ricci/core/errors.hpp>
#include <ricci/exec/geometry.hpp>
#include <ricci/ops/core_call.hpp>

namespace ricci::exec {
inline namespace RICCI_ABI {

// Whether an operation takes neighbouring cores together on the host, by a `run_row` beside its `run`.
template <class Op>
inline constexpr bool takes_rows = requires {
  requires Op::takes_rows;
};
// Runs the loop of Op for the core at p. Loops of cores begin at `batch`; strides are in bytes.
template <class Op, class T, class = std::make_integer_sequence<int, Op::core.arrays()>>
struct core_loop;
template <class Op, class T, int... K>
struct core_loop<Op, T, std::integer_sequence<int, K...>> {
  static constexpr int slots = sizeof...(K), attributes = calls::attributes<Op>();
  using work = calls::work_t<Op, T>;
  template <int Slot>
  using element =
      std::conditional_t<(Slot < Op::core.operands), calls::array_t<Op, T, Slot> const, calls::array_t<Op, T, Slot>>;

  template <int Slot>
  static constexpr int rank = Op::core.rank[Slot];

  template <int Slot, class Step>
  RICCI_INLINE RICCI_HD static core_view<element<Slot>, rank<Slot>> view(Step const& s, int batch, char* p) {
    core_view<element<Slot>, rank<Slot>> v{reinterpret_cast<element<Slot>*>(p), {}};
    for (int axis = 0; axis < rank<Slot>; ++axis)
      v.stride[axis] = s.stride[batch + axis][Slot] / index_t(sizeof(element<Slot>));
    return v;
  }
  template <class Arguments = core_arguments<work>, class Step>
  RICCI_INLINE RICCI_HD static void run(Step const& s, int batch, char* const* p, index_t const* given,
                                        work* workspace) {
    Op::run(Arguments{s.extent + batch, given, workspace}, view<K>(s, batch, p[K])...);
  }

  // The n cores along the innermost of the loops before them, from that at p on, by an operation that takes them
  // together: its views have that loop as their first axis.
  template <int Slot, class Step>
  RICCI_INLINE static core_view<element<Slot>, rank<Slot> + 1> view_of_row(Step const& s, int batch, char* p) {
    auto const own = view<Slot>(s, batch, p);
    core_view<element<Slot>, rank<Slot> + 1> v{own.p, {}};
    if (batch > 0) v.stride[0] = s.stride[batch - 1][Slot] / index_t(sizeof(element<Slot>));
    for (int axis = 0; axis < rank<Slot>; ++axis) v.stride[axis + 1] = own.stride[axis];
    return v;
  }
  template <class Step>
  RICCI_INLINE static void run_row(Step const& s, int batch, char* const* p, index_t n, index_t const* given,
                                   work* workspace) {
    Op::run_row(core_arguments<work>{s.extent + batch, given, workspace}, n, view_of_row<K>(s, batch, p[K])...);
  }
};

// The attributes of a call, which travel as the scalars of its step.
template <class Op>
struct attributes_of_call {
  index_t at[calls::attributes<Op>() > 0 ? calls::attributes<Op>() : 1];
  RICCI_HD explicit attributes_of_call(scalar_value const* scalars) : at{} {
    for (int k = 0; k < calls::attributes<Op>(); ++k) at[k] = scalars[k].integer;
  }
};

// Whether a call may refuse what it is given: cores of some extents, or values of an operand, which lie side by side.
template <class Op>
inline constexpr bool may_refuse_values = ir::call_of_operation<Op>.checked >= 0;
template <class Op>
inline constexpr bool is_checked = ir::call_of_operation<Op>.may_refuse || may_refuse_values<Op>;

// Raises a value_error where cores have no result.
template <class Op>
void check_extents(geometry const& g) {
  if constexpr (ir::call_of_operation<Op>.may_refuse) {
    char const* const why = Op::refuses(g.extent + g.kept);
    if (why && (ir::call_of_operation<Op>.refuses_empty_batches || product_of(g, 0, g.kept) > 0))
      core::raise<value_error>(core::text() << Op::name << ": " << why);
  }
}
template <class Op>
void check_call(geometry const& g) {
  check_extents<Op>(g);
  if constexpr (may_refuse_values<Op>)
    calls::check_values<Op>(reinterpret_cast<std::int64_t const*>(g.p[Op::checked]), product_of(g, 0, g.kept));
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
