// Calls in the interpreter: one core after another, on arrays in row-major order.
#pragma once

#include <tuple>

#include <ricci/core/errors.hpp>
#include <ricci/graph/eager_graph.hpp>
#include <ricci/ops/core_call.hpp>

namespace ricci::ir {
inline namespace RICCI_ABI {

// Counts through a shape in row-major order.
struct counter {
  shape_t const& shape;
  index_t at[max_rank]{};
  constexpr void next() {
    for (int k = shape.rank - 1; k >= 0; --k) {
      if (++at[k] < shape.extent[k]) return;
      at[k] = 0;
    }
  }
  // of the element here, of an array with these strides
  constexpr index_t offset(index_t const* stride) const {
    index_t n = 0;
    for (int k = 0; k < shape.rank; ++k) n += at[k] * stride[k];
    return n;
  }
};
// strides of a row-major array of that shape
struct strides_of_shape {
  index_t stride[max_rank]{};
  constexpr explicit strides_of_shape(shape_t const& s) {
    index_t n = 1;
    for (int k = s.rank - 1; k >= 0; --k) stride[k] = n, n *= s.extent[k];
  }
};

// Types are known only at run time here: an operation may be given one that it does not take.
[[noreturn]] RICCI_COLD inline void raise_type_is_not_taken(char const* name, dtype type) {
  core::raise<value_error>(core::text() << name << ": is not defined for " << name_of(type));
}

template <class Op>
struct call_interpreter {
  static constexpr void run(eager_graph& g, int id) {
    int const of_its_type = call_of_operation<Op>.of_its_type;
    dtype const type =
        g.ins[of_its_type < Op::core.operands ? g.in(id, of_its_type) : id + of_its_type - Op::core.operands].type;
    with_type(type, [&](auto x) {
      using T = decltype(x);
      if constexpr (takes<Op>(dtype_of<T>))
        run_cores<T>(g, id, std::make_integer_sequence<int, Op::core.arrays()>{});
      else
        raise_type_is_not_taken(Op::name, type);
    });
  }
  template <int K>
  static constexpr int array_of_call(eager_graph& g, int id) {
    return K < Op::core.operands ? g.in(id, K) : id + K - Op::core.operands;
  }
  template <class T, int K>
  static constexpr auto* elements_of_call(eager_graph& g, int id) {
    using E = calls::array_t<Op, T, K>;
    if constexpr (K < Op::core.operands)
      return g.elements<E>(array_of_call<K>(g, id));
    else
      return g.allocate<E>(array_of_call<K>(g, id));
  }
  // Array K of a core: where core `at` of the batch begins, and how far its axes are apart.
  template <int K, class E>
  static constexpr core_view<E, Op::core.rank[K]> core_of(E* elements, shape_t const& shape, index_t const* at,
                                                          int batch, index_t along) {
    constexpr call_facts const& call = call_of_operation<Op>;
    strides_of_shape const s(shape);
    core_view<E, Op::core.rank[K]> v{elements, {}};
    for (int axis = 0; axis < shape.rank; ++axis) {
      int const loop = call.loop_of(K, axis, batch, along);
      if (loop < batch)
        v.p += at[loop] * s.stride[axis];
      else
        v.stride[loop - batch] = s.stride[axis];
    }
    return v;
  }
  template <class T, int... K>
  static constexpr void run_cores(eager_graph& g, int id, std::integer_sequence<int, K...>) {
    constexpr call_facts const& call = call_of_operation<Op>;
    constexpr core_signature core = Op::core;
    index_t const along = call.along_axis ? g.attr(id, 0) : 0;
    int const batch = g.shape(id).rank - core.rank[core.operands];
    index_t extents[most_core_letters]{}, attributes[max_attributes]{};
    shape_t outer{batch, {}};
    shape_t const shapes[] = {g.shape(array_of_call<K>(g, id))...};
    for (int k = 0; k < core.arrays(); ++k)
      for (int axis = 0; axis < shapes[k].rank; ++axis) {
        int const loop = call.loop_of(k, axis, batch, along);
        (loop < batch ? outer.extent[loop] : extents[call.letter_of(k, loop, batch)]) = shapes[k].extent[axis];
      }
    for (int k = call.along_axis ? 1 : 0, n = 0; k < g.ins[id].attrs; ++k) attributes[n++] = g.attr(id, k);
    index_t const cores = size_of(outer);
    if (call.may_refuse && (cores > 0 || call.refuses_empty_batches))
      if (char const* const why = call.refuses(extents))
        core::raise<value_error>(core::text() << Op::name << ": " << why);
    if constexpr (call.checked >= 0)
      calls::check_values<Op>(g.elements<std::int64_t>(array_of_call<call.checked>(g, id)), cores);
    using work = calls::work_t<Op, T>;
    core::owned_array<work> workspace(calls::workspace<Op>(extents));
    auto const arrays = std::tuple(elements_of_call<T, K>(g, id)...);
    counter at{outer};
    for (index_t k = 0; k < cores; ++k, at.next())
      Op::run(core_arguments<work>{extents, attributes, &workspace[0]},
              core_of<K>(std::get<K>(arrays), shapes[K], at.at, batch, along)...);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::ir
