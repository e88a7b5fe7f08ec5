// A transformed function, compiled: its graph, plan and kernels are constants of its type and of its arguments' types.
// A call points at the arguments, makes room for the results, and runs the plan.
#pragma once

#include <ricci/autodiff/made.hpp>
#include <ricci/autodiff/program.hpp>

RICCI_OPTIMIZED
namespace ricci::tracing {
inline namespace RICCI_ABI {

// ---- arguments ----

template <class X>
struct not_of_variables {
  static_assert(!holds_variables<X>,
                "a compiled function of a variable would not be recorded: hand it x.value(), a tensor");
  static_assert(!holds_names<X>,
                "what a compiled function gives is a constant for derivatives by named operands: hand it rc::eval(e)");
};
// What is no tensor in memory yet is evaluated first.
template <class X>
RICCI_INLINE constexpr decltype(auto) in_memory(X const& x) {
  if constexpr (Tensor<X>) {
    if constexpr (requires {
                    x.data();
                    x.extent_values();
                  })
      return (x);
    else {
      return (void)sizeof(not_of_variables<X>), eval(x);
    }
  } else {
    return (void)sizeof(not_of_variables<X>), (x);
  }
}

template <int N>
struct bound_arguments {
  operand_ref refs[N > 0 ? N : 1];
  core::any_element numbers[N > 0 ? N : 1];
  int count = 0;
  core::execution how;
};
template <class B, class X>
RICCI_INLINE void bind_leaf(B& b, X const& x) {
  if constexpr (is_arithmetic<X>) {
    core::any_element& number = b.numbers[b.count];
    number.set(scalar::convert<element_t<X>>(x));
    b.refs[b.count++] = {number.bytes, nullptr, nullptr};
  } else if constexpr (Expression<X> && !requires { x.stride_data(); }) {
    static_assert(always_false<X>,
                  "a member of a pair, tuple or record that a traced function is given is an expression "
                  "without elements of its own: give it as rc::eval(e)");
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
  template <class Backend, class P, class R, class B>
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
            t.adopt(Backend::allocate(storage::bytes_for<X>(e), b.how), e, b.how);
          }
          out[k++] = {reinterpret_cast<char*>(t.data()), t.extent_values().data(), nullptr};
        },
        results);
  }
  template <class Backend, class P, class R, class B>
  RICCI_INLINE static bool run(R& results, B const& b, core::shared_buffer* workspace) {
    index_t dims[exec::dim_capacity<P>];
    if (!exec::resolve_dims<P>(b.refs, nullptr, dims)) [[unlikely]]
      return false;
    operand_ref out[P::plan.output_count > 0 ? P::plan.output_count : 1];
    prepare<Backend, P>(results, out, dims, b);
    static_assert(exec::Runs<Backend, P>);
    Backend::template run<P>(dims, b.refs, out, b.how, workspace);
    return true;
  }
};

// A number as a target.
template <class X>
struct number_target {
  static void refer(void* p, operand_ref& to) { to = {static_cast<char*>(p), nullptr, nullptr}; }
  static constexpr exec::target_type type{
      exec::target_kind::existing, false, true, 0, sizeof(X), &refer, nullptr, nullptr};
};

// Tensors that exist. The common case, known shapes and no argument in the way, is decided by comparing pointers where
// the compiler knows all hazards.
struct existing_results {
  // what is computed on a device is written there alone
  template <class R, class B>
  static void count_as_operands(R& results, B& b) {
    tree::for_each_leaf(
        [&](auto const& leaf) {
          if constexpr (requires { leaf.device_index(); }) b.how = core::joined(b.how, leaf.execution());
        },
        results);
  }
  template <class Backend, class P, class R, class B>
  RICCI_INLINE static bool run(R& results, B const& b, core::shared_buffer* workspace) {
    using facts = exec::results_of<P>;
    if constexpr (facts::results * facts::arguments <= 64 && facts::template all_are_checked<Backend>) {
      index_t dims[exec::dim_capacity<P>];
      if (!exec::resolve_dims<P>(b.refs, nullptr, dims)) [[unlikely]]
        return false;
      operand_ref out[room<P>];
      bool direct = true;
      [&]<int... A>(std::integer_sequence<int, A...>) RICCI_INLINE_LAMBDA {
        place<P>(results, out, dims, direct);
        direct = direct && (is_apart<P, A / facts::arguments, A % facts::arguments>(out, b.refs) && ...);
      }
      (std::make_integer_sequence<int, facts::results * facts::arguments>{});
      if (direct) [[likely]]
        return Backend::template run<P>(dims, b.refs, out, b.how, workspace), true;
    }
    return look_closely<Backend, P>(results, b, workspace);
  }

 private:
  template <class P>
  static constexpr int room = P::plan.output_count > 0 ? P::plan.output_count : 1;

  // points at the targets; `direct` becomes false where one has other extents than its result
  template <class P, class R>
  RICCI_INLINE static void place(R& results, operand_ref* out, index_t const* dims, bool& direct) {
    int k = 0;
    tree::for_each_leaf(
        [&](auto& leaf) {
          auto&& t = as_target(leaf);
          using X = std::remove_cvref_t<decltype(t)>;
          out[k] = storage::ref_of(t);
          if constexpr (!X::extents::is_static || !P::plan.is_static) {
            auto const& shape = exec::plan_tables<P>::shapes.at[P::plan.output_shapes[0] + k];
            for (int d = 0; d < X::rank; ++d)
              direct = direct && exec::resolve(shape.extent[d], dims) == out[k].extents[d];
          }
          ++k;
        },
        results);
  }
  template <class P, int K, int A>
  RICCI_INLINE static bool is_apart(operand_ref const* out, operand_ref const* arguments) {
    if constexpr (P::plan.argument_in[A] == plan::argument_memory::part_of_a_tensor)
      return exec::results_of<P>::hazards.at[K * P::plan.argument_count + A] == plan::hazard::never;
    else
      return exec::results_of<P>::template is_apart<K, A, true>(arguments[A], out[K], 0);
  }
  template <class Backend, class P, class R, class B>
  RICCI_NOINLINE static bool look_closely(R& results, B const& b, core::shared_buffer* workspace) {
    exec::target targets[room<P>];
    int k = 0;
    tree::for_each_leaf(
        [&]<class X>(X& leaf) {
          if constexpr (Arithmetic<X>)
            targets[k++] = {&number_target<X>::type, &leaf};
          else
            targets[k++] = {&storage::into_existing<X>::type, &leaf};
        },
        results);
    index_t dims[exec::dim_capacity<P>];
    exec::placed_result at[room<P>];
    operand_ref out[room<P>];
    return exec::evaluate_into<Backend>(exec::program_on<Backend, P>::value, targets, b.refs, nullptr, dims, b.how,
                                        workspace, at, out);
  }
};

// ---- a call ----

// Whether F returns a result, which its type tells: nothing is recorded for that, so that the compiler comes first to
// what it has to say about F's body.
template <class Transform, class F, class... A>
constexpr bool has_result() {
  if constexpr (is_stateless<F>)
    return !std::is_same_v<typename traced_call<Transform, F, A...>::result_symbols, no_result>;
  else
    return false;
}
template <class Transform, class F, class... A>
constexpr bool is_recorded() {
  if constexpr (has_result<Transform, F, A...>())
    return Recorded<traced_call<Transform, F, A...>>;
  else
    return false;
}

template <class Transform, class F, class Results, class R, class... A>
RICCI_INLINE void run_call(R& results, core::shared_buffer* workspace, A const&... a) {
  (void)sizeof(function_without_state<F>);
  if constexpr (is_recorded<Transform, F, A...>()) {
    using P = usual_program<Transform, F, A...>;
    bound_arguments<(tree::count_leaves<A>() + ... + 0)> b;
    (tree::for_each_leaf([&](auto const& leaf) { bind_leaf(b, leaf); }, a), ...);
    using backend = exec::backend_of<tree::memory_of<A...>>;
    if constexpr (tree::memory_of<A...> != expr::host_memory && std::is_same_v<Results, existing_results>)
      existing_results::count_as_operands(results, b);
    if (!Results::template run<backend, P>(results, b, workspace))
      if constexpr (P::plan.takes_for_equal)
        Results::template run<backend, general_program<Transform, F, A...>>(results, b, workspace);
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
      using out = typename traced_call<tracing::gradient<WithValue, I...>, F, A...>::result_symbols;
      return std::type_identity<std::pair<tree::owned_t<typename out::first_type, tree::memory_of<A...>>, grads>>{};
    } else {
      return std::type_identity<grads>{};
    }
  }
  using type = typename decltype(value_type())::type;
};

template <class Transform, class F, class... A>
RICCI_INLINE auto call(core::shared_buffer* workspace, A const&... a) {
  if constexpr (has_result<Transform, F, A...>()) {
    auto r = tree::made<typename result<Transform, F, A...>::type>();
    run_call<Transform, F, make_results>(r, workspace, a...);
    return r;
  } else {
    (void)sizeof(function_without_state<F>);
  }
}

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
RICCI_OPTIMIZED_END
