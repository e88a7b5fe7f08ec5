// The user's face of tracing and derivatives. `rc::fn(f)`, `rc::grad(f)`, `rc::value_and_grad(f)`, `rc::jvp(f)` and
// `rc::vjp(f)` are functions of f's arguments. Called with tensors they are compiled and evaluated; called inside a
// traced function they become part of it, so that they nest in any order.
#pragma once

#include <ricci/autodiff/call.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

// Tensors that are given for results: whole ones, of the same element type, and of extents that may be the same.
template <class Target>
inline constexpr bool may_be_target = [] {
  if constexpr (requires { Target::whole; })
    return Target::whole;
  else
    return false;
}();
template <class Target, class Result>
struct target_of_result {
  static_assert(may_be_target<Target>,
                "into: a target is a tensor, not a view or an expression: a part is assigned, as in "
                "x(rc::all, 0) = rc::fn(f)(y)");
  static_assert(std::is_same_v<value_type_of<Target>, value_type_of<Result>>,
                "into: a target has the element type of its result (both: see the type above)");
  static_assert(shapes::may_be_equal<extents_of<Target>, extents_of<Result>>(),
                "into: a target has the extents of its result (both: see the type above)");
};
template <class Target, class Result>
constexpr void check_target() {
  if constexpr (Tensor<Target> && Tensor<Result>) {
    (void)sizeof(target_of_result<Target, Result>);
  } else if constexpr (!Arithmetic<Target> || !std::is_same_v<Target, Result>) {
    static_assert(!Tensor<Target> && !Tensor<Result>, "into: a tensor is given for a tensor, a record for a record");
    []<class... T, class... R>(std::tuple<T&...>*, std::tuple<R&...>*) {
      static_assert(sizeof...(T) == sizeof...(R), "into: a record is given for one of the same members");
      (check_target<std::remove_cv_t<T>, std::remove_cv_t<R>>(), ...);
    }(static_cast<tree::members_of<Target>*>(nullptr), static_cast<tree::members_of<Result>*>(nullptr));
  }
}
template <class Result, class... Targets>
constexpr void check_targets() {
  if constexpr (sizeof...(Targets) == 1) {
    (check_target<Targets, Result>(), ...);
  } else {
    static_assert(tree::is_tuple<Result>, "into: one target for every result");
    static_assert(sizeof...(Targets) == std::tuple_size_v<Result>, "into: one target for every result");
    [&]<std::size_t... I>(std::index_sequence<I...>) {
      (check_target<Targets, std::tuple_element_t<I, Result>>(), ...);
    }
    (std::index_sequence_for<Targets...>{});
  }
}

template <class Transform, class F, class... Targets>
struct call_into {
  std::tuple<Targets&...> targets;
  core::shared_buffer* workspace;
  template <class... A>
  RICCI_INLINE void operator()(A const&... a) const {
    if constexpr (is_stateless<F>) {
      check_targets<typename result<Transform, F, std::remove_cvref_t<decltype(in_memory(a))>...>::type, Targets...>();
      auto& r = targets;
      run_call<Transform, F, existing_results>(const_cast<std::tuple<Targets&...>&>(r), workspace, in_memory(a)...);
    } else {
      (void)sizeof(function_without_state<F>);
    }
  }
};

// A function under a transform.
template <class Transform, class F>
struct transformed {
  using transform = Transform;
  F f;

  template <class... A>
  RICCI_INLINE constexpr auto operator()(A const&... a) const {
    if constexpr (!(tree::is_tree<A> && ...))
      return ((void)sizeof(tree::members_of<A>), ...), no_result{};
    else if constexpr ((tree::has_symbols<A>() || ...))
      return Transform::apply(f, a...);
    else if constexpr (requires { requires Transform::template is_in_trace<F, A...>(); })
      return Transform::apply_in_trace(f, a...);
    else
      return compiled(nullptr, in_memory(a)...);
  }
  // writes the results into tensors that exist, one target for every result
  template <class... Targets>
  constexpr call_into<Transform, F, Targets...> into(Targets&... targets) const {
    return {{targets...}, nullptr};
  }

  template <class... A>
  RICCI_INLINE static auto compiled(core::shared_buffer* workspace, A const&... a) {
    // errors in f come out here, where the compiler's list of instantiations is still short
    if constexpr (is_stateless<F>) (void)sizeof(typename traced_call<Transform, F, A...>::result_symbols);
    return call<Transform, F>(workspace, a...);
  }
};

// The same with memory for its intermediate values, which it keeps between calls: one call at a time.
template <class Transform, class F>
class prepared_function {
 public:
  explicit prepared_function(F const& f) : f_(f) {}
  prepared_function(prepared_function const& other) : f_(other.f_) {}
  prepared_function(prepared_function&&) = default;
  template <class... A>
  RICCI_INLINE auto operator()(A const&... a) {
    return transformed<Transform, F>::compiled(&workspace_, in_memory(a)...);
  }
  template <class... Targets>
  call_into<Transform, F, Targets...> into(Targets&... targets) {
    return {{targets...}, &workspace_};
  }

 private:
  [[no_unique_address]] F f_;
  core::shared_buffer workspace_;
};

}  // namespace RICCI_ABI
}  // namespace tracing

// `rc::fn(f)(x...)`: f itself, traced, simplified, fused and evaluated. What it returns are owning tensors in the
// structure of f's result. Shapes that do not go together are a compile error at the call, or a shape_error that names
// the operation inside of f and both shapes, before anything is written; indices outside are an index_error. The same
// holds for all transforms of f.
template <class F>
constexpr auto fn(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::call_itself, F>{f};
}

// What a call of several results does with tensors (ops/core_call.hpp).
template <class F, class... A>
constexpr auto call_function(F const& f, A&&... a) {
  return fn(f)(static_cast<A&&>(a)...);
}

// `auto step = rc::prepared(rc::grad(loss));` is `rc::grad(loss)` with memory of its own for intermediate values, which
// it keeps from one call to the next; so it is called by one thread at a time. On a GPU it also keeps what it queues,
// as graphs (exec/device/prepared.hpp).
template <class Transform, class F>
auto prepared(tracing::transformed<Transform, F> const& f) {
  return tracing::prepared_function<Transform, F>(f.f);
}
template <class F>
auto prepared(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::prepared_function<tracing::call_itself, F>(f);
}

// How many bytes a transformed function needs for intermediate values when it is called with arguments of these types,
// which have static extents: `rc::workspace_bytes<decltype(rc::grad(loss)), rc::tensor<float, 8, 4>, rc::tensor<float,
// 4>>`.
template <class Function, class... A>
inline constexpr index_t workspace_bytes = [] {
  using plan = tracing::usual_program<typename Function::transform, decltype(Function::f), A...>;
  static_assert(plan::plan.is_static, "the workspace of a function of dynamic extents is known when it runs");
  return plan::plan.workspace;
}();

namespace tracing {
inline namespace RICCI_ABI {

// A transform by the arguments that are named, by argument 0 where none is.
template <template <int...> class Transform, int... I>
struct by_named {
  using type = Transform<I...>;
};
template <template <int...> class Transform>
struct by_named<Transform> {
  using type = Transform<0>;
};
template <template <int...> class Transform, int... I>
using by_arguments = typename by_named<Transform, I...>::type;

template <int... I>
using gradient_alone = gradient<false, I...>;
template <int... I>
using gradient_and_value = gradient<true, I...>;

}  // namespace RICCI_ABI
}  // namespace tracing

// The gradient of f, whose result is one number, with respect to argument 0, or to those that are named: `rc::grad<0,
// 2>(f)` gives a tuple. The gradient has the structure and the shapes of the argument. Integers as arguments
// are a compile error, and so is a result that is not one floating-point number.
template <int... I, class F>
constexpr auto grad(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::by_arguments<tracing::gradient_alone, I...>, F>{f};
}
// The pair of value and gradient, from one evaluation.
template <int... I, class F>
constexpr auto value_and_grad(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::by_arguments<tracing::gradient_and_value, I...>, F>{f};
}

namespace tracing {
inline namespace RICCI_ABI {

// jvp(f)(x...); it holds copies of arguments that were temporary, and refers to the others. `auto [y, dy] =
// rc::jvp(f)(x, dx);` would take it apart, were its members not private, and its name is what the message says.
template <class F, class... A>
class jvp_waiting_for_tangents {
 public:
  constexpr jvp_waiting_for_tangents(F const& f, A&&... a) : f_(f), arguments_(static_cast<A&&>(a)...) {}
  template <class... T>
  constexpr auto operator()(T const&... tangents) const {
    return under<transformed<pushforward, F>>(tangents...);
  }
  template <class Call, class... T>
  constexpr auto under(T const&... tangents) const {
    static_assert(sizeof...(T) == sizeof...(A), "jvp takes one tangent for every argument");
    (pushforward::check<std::remove_cvref_t<A>, T>(), ...);
    return tree::apply([&](auto const&... a) { return Call{f_}(a..., tangents...); }, arguments_);
  }

 private:
  [[no_unique_address]] F f_;
  std::tuple<A...> arguments_;
};
template <class F>
struct jvp_of {
  F f;
  template <class... A>
  constexpr auto operator()(A&&... a) const {
    return jvp_waiting_for_tangents<F, A...>(f, static_cast<A&&>(a)...);
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// `auto [value, tangent] = rc::jvp(f)(x, y)(dx, dy)`: f's value and its derivative in the direction of the tangents, of
// the value's structure. Each tangent has the structure and shapes of its argument, or broadcasts to them.
template <class F>
constexpr auto jvp(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::jvp_of<F>{f};
}

}  // namespace ricci
