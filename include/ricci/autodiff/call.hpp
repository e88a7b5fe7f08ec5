// A transformed function, compiled: its graph, plan and kernels are constants of its type and of its arguments' types.
// A call points at the arguments, makes room for the results, and runs the plan.
#pragma once

#include <ricci/autodiff/program.hpp>
#include <ricci/core/owned_array.hpp>

RICCI_OPTIMIZED
namespace ricci::trace {
inline namespace RICCI_ABI {

// Whether output k may lie in the memory of argument a, for all pairs, and whether it may be written at all before the
// plan is done.
template <class P>
struct hazard_table {
  static constexpr int outputs = P::plan.output_count, arguments = P::plan.argument_count;
  static constexpr auto value = [] {
    exec::table<plan::hazard, outputs * arguments> t{};
    for (int a = 0; a < arguments; ++a) {
      auto const read = plan::touched_by(P::plan, plan::home::argument, a);
      for (int k = 0; k < outputs; ++k)
        t.at[k * arguments + a] =
            plan::hazard_of(P::plan, k, plan::touched_by(P::plan, plan::home::output, k), a, read);
    }
    return t;
  }();
  static constexpr auto unchecked = [] {
    exec::table<bool, outputs> t{};
    for (int k = 0; k < outputs && P::plan.last_check > 0; ++k)
      t.at[k] = plan::is_written_unchecked(P::plan, plan::touched_by(P::plan, plan::home::output, k));
    return t;
  }();
};

// ---- arguments ----

// What is no tensor in memory yet is evaluated first.
template <class X>
RICCI_INLINE constexpr decltype(auto) in_memory(X const& x) {
  if constexpr (Tensor<X>) {
    if constexpr (requires {
                    x.data();
                    x.extent_values();
                  })
      return (x);
    else
      return eval(x);
  } else {
    return (x);
  }
}

template <int N>
struct bound_arguments {
  operand_ref refs[N > 0 ? N : 1];
  exec::scalar_value numbers[N > 0 ? N : 1];
  int count = 0;
  core::execution how;
};
template <class B, class X>
RICCI_INLINE void bind_leaf(B& b, X const& x) {
  if constexpr (is_arithmetic<X>) {
    auto* p = reinterpret_cast<element_t<X>*>(&b.numbers[b.count]);
    *p = scalar::convert<element_t<X>>(x);
    b.refs[b.count++] = {reinterpret_cast<char*>(p), nullptr, nullptr};
  } else {
    b.refs[b.count++] = {reinterpret_cast<char*>(const_cast<typename X::value_type*>(x.data())),
                         x.extent_values().data(), x.stride_data()};
    b.how = core::joined(b.how, x.execution());
  }
}

// ---- results ----

// A leaf of results as a tensor in memory; numbers in aggregates are such of order 0.
template <class X>
RICCI_INLINE constexpr decltype(auto) as_target(X& x) {
  if constexpr (Arithmetic<X>)
    return view<X, extents<>, layout::row_major, false>(&x, {});
  else
    return (x);
}

// New tensors: their extents follow from the plan.
struct make_results {
  template <class P, class R, class B>
  RICCI_INLINE static void prepare(R& results, operand_ref* out, index_t const* dims, B const& b) {
    int k = 0;
    tree::for_each_leaf(
        [&](auto& leaf) {
          auto&& t = as_target(leaf);
          using X = std::remove_cvref_t<decltype(t)>;
          if constexpr (X::shared) {
            auto const& shape = exec::plan_tables<P>::shapes.at[P::plan.output_shapes[0] + k];
            index_t e[X::rank > 0 ? X::rank : 1]{};
            for (int d = 0; d < X::rank; ++d) e[d] = exec::resolve(shape.extent[d], dims);
            t.adopt(exec::backend_of<storage::memory_of<X>()>::allocate(storage::bytes_for<X>(e), b.how), e, b.how);
          }
          out[k++] = {reinterpret_cast<char*>(t.data()), t.extent_values().data(), nullptr};
        },
        results);
  }
};

// Tensors that exist. The common case, known shapes and no argument in the way, is decided by comparing pointers where
// the compiler knows all hazards; else a result is computed in memory of its own and moved to its tensor in the end.
// Where there is no heap, that memory is the `Spare` bytes here; targets are tensors in place then.
template <int N, std::size_t Spare>
struct existing_results {
  static constexpr int room = N > 0 ? N : 1;
  bool apart[room]{};

  template <class P, class R, class B>
  RICCI_INLINE void prepare(R& results, operand_ref* out, index_t const* dims, B const& b) {
    int k = 0;
    bool direct = true;
    tree::for_each_leaf(
        [&](auto& leaf) {
          auto&& t = as_target(leaf);
          direct = direct && has_shape<P>(t, k, dims);
          out[k++] = storage::ref_of(t);
        },
        results);
    if (direct && nothing_in_the_way<P>(out, b.refs)) [[likely]]
      return;
    look_closely<P>(results, out, dims, b);
  }
  template <class R>
  RICCI_INLINE void commit(R& results) {
    for (bool const a : apart)
      if (a) [[unlikely]]
        return move_results(results);
  }

 private:
  struct memory_t {
    core::shared_buffer buffer;
    index_t extents[max_rank];
    core::execution how;
  };
  std::conditional_t<Spare == 0, core::owned_array<memory_t>, core::no_buffer> memory_;
  alignas(8) char spare_[Spare > 0 ? Spare : 1];

  // Memory in `spare_` for the next result; in `used`, how much of it is taken.
  template <class X>
  char* take_spare(std::size_t& used) {
    char* const p = spare_ + used;
    used += (sizeof(X) + 7) / 8 * 8;
    return p;
  }

  template <class P, class X>
  RICCI_INLINE static bool has_shape(X const& t, int k, index_t const* dims) {
    if constexpr (X::extents::is_static && P::plan.is_static) return true;  // by its type
    auto const& shape = exec::plan_tables<P>::shapes.at[P::plan.output_shapes[0] + k];
    bool same = true;
    for (int d = 0; d < X::rank; ++d) same = same && exec::resolve(shape.extent[d], dims) == t.extent_values()[d];
    if constexpr (X::extents::is_static)
      if (!same) raise_other_extents(shape, dims, t.extent_values().data());
    return same;
  }
  [[noreturn]] RICCI_COLD static void raise_other_extents(shape_t const& shape, index_t const* dims,
                                                          index_t const* target) {
    index_t extents[max_rank];
    for (int d = 0; d < shape.rank; ++d) extents[d] = exec::resolve(shape.extent[d], dims);
    core::raise<shape_error>(
        ((core::text() << "into: ").shape(target, shape.rank) << " for a result of shape ").shape(extents, shape.rank));
  }
  // arguments at the same address only where that is fine, and none that may overlap in another way
  template <class P>
  RICCI_INLINE static bool nothing_in_the_way(operand_ref const* out, operand_ref const* arguments) {
    using t = hazard_table<P>;
    if constexpr (t::outputs * t::arguments > 64 || P::plan.last_check > 0) {
      return false;
    } else {
      return [&]<int... I>(std::integer_sequence<int, I...>) RICCI_INLINE_LAMBDA {
        return (is_clear<P, I / t::arguments, I % t::arguments>(out, arguments) && ...);
      }
      (std::make_integer_sequence<int, t::outputs * t::arguments>{});
    }
  }
  template <class P, int K, int A>
  RICCI_INLINE static bool is_clear(operand_ref const* out, operand_ref const* arguments) {
    using t = hazard_table<P>;
    constexpr plan::hazard danger = t::value.at[K * t::arguments + A];
    if constexpr (danger == plan::hazard::never || P::plan.argument_in[A] == plan::argument_memory::expression)
      return true;
    else if constexpr (P::plan.argument_in[A] == plan::argument_memory::whole_tensor)
      return danger == plan::hazard::unless_same || arguments[A].p != out[K].p;
    else
      return false;
  }
  template <class P, class R, class B>
  RICCI_NOINLINE void look_closely(R& results, operand_ref* out, index_t const* dims, B const& b) {
    int k = 0;
    [[maybe_unused]] std::size_t used = 0;
    tree::for_each_leaf(
        [&](auto& leaf) {
          auto&& t = as_target(leaf);
          using X = std::remove_cvref_t<decltype(t)>;
          if constexpr (Spare > 0) {
            char* const p = take_spare<X>(used);
            apart[k] = needs_memory<P>(k, out[k], X::rank, int(sizeof(typename X::value_type)), b.refs);
            if (apart[k]) out[k].p = p;
          } else if (!has_shape<P>(t, k, dims) ||
                     needs_memory<P>(k, out[k], X::rank, int(sizeof(typename X::value_type)), b.refs)) {
            if (!memory_) memory_ = core::owned_array<memory_t>(room);
            auto const& shape = exec::plan_tables<P>::shapes.at[P::plan.output_shapes[0] + k];
            memory_t& m = memory_[k];
            for (int d = 0; d < X::rank; ++d) m.extents[d] = exec::resolve(shape.extent[d], dims);
            using backend = exec::backend_of<storage::memory_of<X>()>;
            m.buffer = backend::allocate(storage::bytes_for<X>(m.extents), b.how);
            m.how = b.how;
            out[k] = {backend::data(m.buffer), m.extents, nullptr};
            apart[k] = true;
          }
          ++k;
        },
        results);
  }
  template <class R>
  RICCI_COLD void move_results(R& results) {
    int k = 0;
    [[maybe_unused]] std::size_t used = 0;
    tree::for_each_leaf(
        [&](auto& leaf) {
          auto&& t = as_target(leaf);
          using X = std::remove_cvref_t<decltype(t)>;
          if constexpr (Spare > 0) {
            char const* const p = take_spare<X>(used);
            if (apart[k])
              __builtin_memcpy(t.data(), p,
                               sizeof(typename X::value_type) * static_cast<std::size_t>(X::extents::size));
          } else if (apart[k]) {
            memory_t& m = memory_[k];
            if constexpr (X::shared)
              t.replace(static_cast<core::shared_buffer&&>(m.buffer), m.extents, m.how);
            else
              __builtin_memcpy(t.data(), m.buffer.data(),
                               sizeof(typename X::value_type) * static_cast<std::size_t>(X::extents::size));
          }
          ++k;
        },
        results);
  }
  template <class P>
  RICCI_NOINLINE static bool needs_memory(int k, operand_ref const& out, int rank, int size,
                                          operand_ref const* arguments) {
    using t = hazard_table<P>;
    if (t::unchecked.at[k]) return true;
    for (int a = 0; a < t::arguments; ++a) {
      auto const danger = t::value.at[k * t::arguments + a];
      if (danger == plan::hazard::never || (danger == plan::hazard::unless_same && arguments[a].p == out.p)) continue;
      auto const& entry = exec::plan_tables<P>::arguments.at[a];
      if (entry.size > 0 &&
          exec::overlap(arguments[a], exec::plan_tables<P>::shapes.at[entry.shape].rank, entry.size, out, rank, size))
        return true;
    }
    return false;
  }
};

// ---- a call ----

template <class Backend, class P, class R, class B, class Results>
RICCI_INLINE bool run_program(B const& b, R& results, Results& how, core::shared_buffer* workspace) {
  index_t dims[exec::dim_capacity<P>];
  if (!exec::resolve_dims<P>(b.refs, nullptr, dims)) [[unlikely]]
    return false;
  operand_ref out[P::plan.output_count > 0 ? P::plan.output_count : 1];
  how.template prepare<P>(results, out, dims, b);
  static_assert(exec::Runs<Backend, P>);
  Backend::template run<P>(dims, b.refs, out, b.how, workspace);
  return true;
}

template <class Transform, class F, class Results, class R, class... A>
RICCI_INLINE void run_call(R& results, Results& how, core::shared_buffer* workspace, A const&... a) {
  (void)sizeof(function_without_state<F>);
  if constexpr (is_stateless<F>) {
    using P = usual_program<Transform, F, A...>;
    bound_arguments<(tree::count_leaves<A>() + ... + 0)> b;
    (tree::for_each_leaf([&](auto const& leaf) { bind_leaf(b, leaf); }, a), ...);
    using backend = exec::backend_of<tree::memory_of<A...>>;
    if (!run_program<backend, P>(b, results, how, workspace))
      if constexpr (P::plan.takes_for_equal)
        run_program<backend, general_program<Transform, F, A...>>(b, results, how, workspace);
  }
}

// What a call of F returns: owning tensors in the structure of the symbols that it gives.
template <class Transform, class F, class... A>
struct result {
  using type = tree::owned_t<typename traced_call<Transform, F, A...>::result_symbols, tree::memory_of<A...>>;
};
template <bool WithValue, int... I, class F, class... A>
struct result<gradient<WithValue, I...>, F, A...> {
  using arguments = std::tuple<A...>;
  template <int K>
  using of = tree::owned_t<std::tuple_element_t<K, arguments>, tree::memory_of<A...>>;
  template <class... G>
  struct pack {
    using type = std::tuple<G...>;
  };
  template <class G>
  struct pack<G> {
    using type = G;
  };
  using grads = typename pack<of<I>...>::type;
  static constexpr auto value_type() {
    if constexpr (WithValue) {
      using out = typename traced_call<trace::gradient<WithValue, I...>, F, A...>::result_symbols;
      return std::type_identity<std::pair<tree::owned_t<typename out::first_type, tree::memory_of<A...>>, grads>>{};
    } else {
      return std::type_identity<grads>{};
    }
  }
  using type = typename decltype(value_type())::type;
};

template <class Transform, class F, class... A>
RICCI_INLINE auto call(core::shared_buffer* workspace, A const&... a) {
  if constexpr (is_stateless<F>) {
    typename result<Transform, F, A...>::type r{};
    make_results how;
    run_call<Transform, F>(r, how, workspace, a...);
    return r;
  } else {
    (void)sizeof(function_without_state<F>);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::trace
RICCI_OPTIMIZED_END
