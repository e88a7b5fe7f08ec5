// One step of a plan on the CPU: its operands are pointed at their memory, then the loops of its kind run.
#pragma once

#include <bit>

#include <ricci/exec/cpu/block.hpp>
#include <ricci/exec/cpu/contract.hpp>
#include <ricci/exec/cpu/copies.hpp>
#include <ricci/exec/cpu/fold.hpp>
#include <ricci/exec/cpu/reduce.hpp>
#include <ricci/exec/cpu/rows.hpp>
#include <ricci/exec/step.hpp>

RICCI_OPTIMIZED
namespace ricci::exec {
inline namespace RICCI_ABI {

// What the loops have to know of a kernel.
template <class Code>
struct info_of;
template <int Slots, int Scalars, class... B, class... R, class... S>
struct info_of<kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>> {
  using code = kernel::code<Slots, Scalars, kernel::before<B...>, kernel::body<R...>, kernel::sinks<S...>>;
  static constexpr int strided_count = std::popcount(code::strided);

  template <class Sink>
  static constexpr sink_info sink() {
    bool constexpr over_row = Sink::reduces && Sink::moves == access::fixed;
    if constexpr (Sink::reduces)
      return {Sink::slot, size_of(Sink::type), over_row, &reduction<typename Sink::operation, Sink::type>::info};
    else
      return {Sink::slot, size_of(Sink::type), false, nullptr};
  }
  static constexpr sink_info sinks[] = {sink<S>()...};
  template <bool Tiled>
  static constexpr table<strided_info, strided_count> strided = [] {
    table<strided_info, strided_count> t{};
    int n = 0;
    std::uint64_t seen = 0;
    auto const note = [&]<class X>(X*, bool written) {
      if constexpr (kernel::moves_of<X>() == access::strided) {
        if (seen >> X::slot & 1) return;
        seen |= std::uint64_t(1) << X::slot;
        if constexpr (Tiled)
          t.at[n++] = tiled<size_of(X::type)>(X::slot, written, strided_count > wide_tiles);
        else
          t.at[n++] = {X::slot, size_of(X::type), written, nullptr, nullptr};
      }
    };
    (note(static_cast<R*>(nullptr), false), ...);
    (note(static_cast<S*>(nullptr), true), ...);
    return t;
  }();
  // rows of maps are brought into tiles where they are strided, those of other kinds gather
  template <plan::step_kind Kind, int Variant, dtype Type>
  static constexpr kernel_info make() {
    using enum plan::step_kind;
    static_assert(Kind == map || Kind == reduce || Kind == contract);
    kernel_info k{nullptr, Slots - (Kind == contract), code::scalars, nullptr, nullptr, sizeof...(S), strided_count,
                  sinks,   strided<Kind == map>.at};
    if constexpr (Kind == reduce && Variant == 0)
      k.block = &block<code>::function;
    else
      k.row = &row < code, Kind != map && code::strided != 0 > ::function;
    if constexpr (Kind == map && copied_size < code >> 0 && !RICCI_SMALL_STACK)
      k.run = &run_copy<copied_size<code>, (strided_count > 0)>;
    else if constexpr (Kind == map)
      k.run = &run_map<(strided_count > 0)>;
    else if constexpr (Kind == contract)
      k.run = &run_contract<type_of<Type>, Variant>, k.product_to = kernel::stores_product<code>;
    else
      k.run = Variant == 0 ? &run_reduce_rows : &run_reduce_columns;
    return k;
  }
};

// A reduction over loops that show at run time: of two kernels the one for the innermost of them.
template <class Op, dtype Type>
struct open_reduction {
  template <plan::access Result>
  using code = kernel::code<2, 0, kernel::before<>, kernel::body<kernel::load<0, Type, 0, plan::access::strided>>,
                            kernel::sinks<kernel::reduce<Op, 0, 1, Type, Result>>>;
  static constexpr kernel_info rows =
      info_of<code<plan::access::fixed>>::template make<plan::step_kind::reduce, 0, dtype::none>();
  static constexpr kernel_info columns =
      info_of<code<plan::access::strided>>::template make<plan::step_kind::reduce, 1, dtype::none>();

  static void run(kernel_info const&, geometry& g) {
    kernel_info const& kernel = order_open_loops(g) ? columns : rows;
    kernel.run(kernel, g);
  }
};

constexpr kernel_info without_rows(decltype(kernel_info::run) run, int slots,
                                   decltype(kernel_info::check) check = nullptr) {
  return {run, slots, 0, nullptr, nullptr, 0, 0, nullptr, nullptr, -1, check};
}

// A step on the CPU (exec/step.hpp). The variant of a product is the set of loops that it may need; the plan's own
// variant stands above these bits.
template <plan::step_kind Kind, class Code, dtype Type, class Op, int Variant>
struct step {
  static constexpr kernel_info kernel = [] {
    using enum plan::step_kind;
    using T = number_of_step<Type>;
    constexpr bool own = (Variant & plan::own_indices) != 0;
    if constexpr (Kind == take)
      return without_rows(&run_take<T, own>, 3, &check_indices<Op, own, 1>);
    else if constexpr (Kind == scatter)
      return without_rows(&run_scatter<T, (Variant & plan::adds_rows) != 0, own>, 3, &check_indices<Op, own, 2>);
    else if constexpr (Kind == table)
      return without_rows(&run_table<T>, 1);
    else if constexpr (Kind == call)
      return call_kernel<Op, T>();
    else if constexpr (plan::is_frame(Kind))
      return kernel_info{};  // exec/control.hpp
    else if constexpr (Kind == accumulate)
      return without_rows(&open_reduction<Op, Type>::run, 2);
    else if constexpr (Kind == map || Kind == reduce || Kind == contract)
      return info_of<Code>::template make<Kind, Variant, Type>();
    else
      static_assert(always_false<Code>, "a kind of step that the CPU does not know");
  }();
};

// The loops that a step of products may need (exec/cpu/product.hpp).
template <class P>
constexpr int product_loops(int step) {
  plan::step_t const& s = P::plan.steps[step];
  index_t const* const e = P::plan.extents + s.first_extent + s.loops - 3;
  auto const may_be = [](index_t x, bool holds) { return ir::is_symbolic(x) || holds; };
  auto const may_be_dense = [&](int slot, int loop) {
    index_t const x = P::plan.strides[P::plan.operands[s.first_operand + slot].first_stride + s.loops - loop];
    return may_be(x, x == 1);
  };
  bool const columns = may_be(e[0], e[0] >= 4) && may_be(e[1], e[1] <= few_columns) && may_be_dense(0, 1);
  bool const rows = may_be(e[0], e[0] > 1 && e[0] <= few_rows) && may_be(e[1], e[1] >= 4) && may_be_dense(1, 1);
  bool const batches = s.loops > 3 && may_be(e[0], e[0] <= most_short_rows) && may_be(e[1], e[1] <= most_short_rows) &&
                       may_be(e[2], e[2] <= longest_short_depth) && may_be_dense(1, 1);
  return (batches ? loops_of_short_batches : 0) | (may_be(e[0], e[0] == 1) ? loops_of_one_row : 0) |
         (columns ? loops_of_few_columns : 0) | (rows ? loops_of_few_rows : 0) |
         (may_be(e[0], e[0] != 1) ? loops_of_tiles : 0);
}
// Those of all steps with products of a type.
template <class P>
constexpr int product_loops(dtype type) {
  int loops = 0;
  for (int i = 0; i < P::plan.step_count; ++i) {
    auto const& k = P::plan.kernels[P::plan.steps[i].kernel];
    if (k.kind == plan::step_kind::contract && k.type == type) loops |= product_loops<P>(i);
  }
  return loops;
}

// With the loops of a product in place of its variant.
template <class P, int K>
constexpr auto step_of() {
  constexpr plan::kernel_t k = P::plan.kernels[K];
  if constexpr (k.kind == plan::step_kind::contract)
    return step<k.kind, typename kernel::lowered<P, K>::type, k.type, void,
                with_loops(k.variant, product_loops<P>(k.type))>{};
  else
    return kernel_as<step, P, K>();
}

// The checks of a step, which need no strides.
RICCI_NOINLINE inline void check_step(kernel_info const& kernel, plan::step_t const& s, plan_view const& v,
                                      bindings const& b) {
  geometry g;
  g.loops = s.loops;
  g.kept = s.kept;
  for (int l = 0; l < s.loops; ++l) g.extent[l] = resolve(v.extents[s.first_extent + l], b.dims);
  for (int k = 0; k < kernel.slots; ++k) g.p[k] = pointer_to(v.operands[s.first_operand + k], b);
  kernel.check(g);
}
RICCI_NOINLINE inline void run_step(kernel_info const& kernel, plan::step_t const& s, plan_view const& v,
                                    bindings const& b) {
  geometry g;
  // Strides of the loops and slots that there are, and of one more loop, which may be added: those of all that there
  // might be are more than small machines have stack.
  auto* strides =
      static_cast<index_t*>(__builtin_alloca(sizeof(index_t) * static_cast<std::size_t>((s.loops + 1) * kernel.slots)));
  for (int l = 0; l <= s.loops && l < max_loops; ++l) g.stride[l] = strides + l * kernel.slots;
  prepare(g, s, v, b, kernel.slots, kernel.scalars);
  if (kernel.check && !s.checked_early) kernel.check(g);
  kernel.run(kernel, g);
}

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
