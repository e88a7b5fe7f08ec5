// `auto [value, pull] = rc::vjp(f)(x, y)`: f's value, and a function from a cotangent of it to one of every argument.
// What the second half of the function (halves.hpp) reads of the first, and of the arguments, is kept in `pull`, which
// may be called any number of times. It owns what it keeps: later changes of the arguments do not change it.
#pragma once

#include <ricci/autodiff/halves.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

// How many extents of each leaf of X are known only when it is there: all, or none.
template <class X>
constexpr void note_open_axes(int* axes, int& n) {
  if constexpr (Arithmetic<X>)
    axes[n++] = 0;
  else if constexpr (Tensor<X>)
    axes[n++] = X::extents::is_static ? 0 : X::rank;
  else
    []<class... M>(std::tuple<M&...>*, [[maybe_unused]] int* all, [[maybe_unused]] int& k) {
      (note_open_axes<std::remove_cv_t<M>>(all, k), ...);
    }(static_cast<decltype(tree::members(std::declval<X&>()))*>(nullptr), axes, n);
}

template <class F, class... A>
class pull_function {
  using traced = traced_pullback<F, A...>;
  using usual = pullback_program<F, extents_are::equal, A...>;
  using general = pullback_program<F, extents_are::any, A...>;
  static constexpr int memory = tree::memory_of<A...>;
  using backend = exec::backend_of<memory>;
  using value_type = tree::owned_t<typename traced::result_symbols, memory>;
  using cotangents_type = std::tuple<tree::owned_t<A, memory>...>;
  static constexpr int argument_leaves = (tree::count_leaves<A>() + ... + 0);
  static constexpr auto open_axes = [] {
    exec::table<int, argument_leaves> t{};
    int n = 0;
    (note_open_axes<A>(t.at, n), ...);
    return t;
  }();
  static constexpr int all_open_axes = [] {
    int n = 0;
    for (int k = 0; k < argument_leaves; ++k) n += open_axes.at[k];
    return n;
  }();

 public:
  pull_function(value_type& value, A const&... a) {
    bound_arguments<argument_leaves> b;
    (tree::for_each_leaf([&](auto const& leaf) { bind_leaf(b, leaf); }, a), ...);
    how_ = b.how;
    index_t* to = extents_;
    for (int k = 0; k < argument_leaves; ++k)
      for (int d = 0; d < open_axes.at[k]; ++d) *to++ = b.refs[k].extents[d];
    if (!compute<usual>(value, b))
      if constexpr (usual::forward::plan.takes_for_equal) compute<general>(value, b), is_general_ = true;
  }
  // copies share what is kept, which nobody changes; so does what was moved from
  pull_function(pull_function const&) = default;
  pull_function& operator=(pull_function const&) = default;

  // how much memory it keeps
  index_t bytes() const { return bytes_; }

  // One cotangent for the value: a tensor, a number, or a tree of them like the value itself.
  template <class Ct>
  cotangents_type operator()(Ct const& cotangent) const {
    cotangents_type r{};
    if constexpr (usual::forward::plan.takes_for_equal)
      if (is_general_) return pull<general>(r, tree_of(cotangent)), r;
    pull<usual>(r, tree_of(cotangent));
    return r;
  }

 private:
  // in the types of the value
  template <class Ct>
  static decltype(auto) tree_of(Ct const& c) {
    if constexpr (std::is_same_v<Ct, value_type>) {
      return (c);
    } else {
      value_type all{};
      tree::for_each_leaf([]<class T, class X>(T& to, X const& from) { to = one_cotangent<T>(from); }, all, c);
      return all;
    }
  }
  template <class T, class X>
  static T one_cotangent(X const& x) {
    static_assert(!Arithmetic<X> || T::rank == 0,
                  "the cotangent of a tensor is a tensor of its shape, as rc::full_like(value, 1)");
    if constexpr (Arithmetic<X>)
      return T(x);
    else
      return T(eval(x));
  }
  template <class P>
  bool compute(value_type& value, bound_arguments<argument_leaves> const& b) {
    using plan = typename P::forward;
    index_t dims[exec::dim_capacity<plan>]{};
    if (!exec::resolve_dims<plan>(b.refs, nullptr, dims)) return false;
    operand_ref out[plan::plan.output_count];
    make_results::prepare<plan>(value, out, dims, b);
    bytes_ = 0;
    for (int k = 0; k < P::trace.kept; ++k) {
      auto const& shape = exec::plan_tables<plan>::shapes.at[plan::plan.output_shapes[0] + P::trace.results + k];
      index_t extents[max_rank];
      for (int d = 0; d < shape.rank; ++d) extents[d] = exec::resolve(shape.extent[d], dims);
      kept_at_[k] = bytes_;
      bytes_ = core::sum_of_extents(bytes_, (core::bytes_of(extents, shape.rank, kept_sizes<P>.at[k]) + 63) / 64 * 64);
    }
    if constexpr (P::trace.kept > 0 && !keeps_in_place)
      kept_.memory = backend::allocate(core::bytes_of(bytes_, 1), b.how);
    for (int k = 0; k < P::trace.kept; ++k) out[P::trace.results + k] = {kept(k), nullptr, nullptr};
    backend::template run<plan>(dims, b.refs, out, b.how);
    return true;
  }
  template <class P, class Ct>
  void pull(cotangents_type& r, Ct const& cotangent) const {
    using plan = typename P::backward;
    bound_arguments<argument_leaves + P::trace.results + P::trace.kept> b;
    b.how = how_;
    index_t const* extents = extents_;
    for (int k = 0; k < argument_leaves; extents += open_axes.at[k++]) b.refs[b.count++] = {nullptr, extents, nullptr};
    tree::for_each_leaf([&](auto const& leaf) { bind_leaf(b, leaf); }, cotangent);
    for (int k = 0; k < P::trace.kept; ++k) b.refs[b.count++] = {kept(k), nullptr, nullptr};
    index_t dims[exec::dim_capacity<plan>];
    exec::resolve_dims<plan>(b.refs, nullptr, dims);
    check_cotangents<P>(b.refs, dims);
    operand_ref out[plan::plan.output_count];
    make_results::prepare<plan>(r, out, dims, b);
    backend::template run<plan>(dims, b.refs, out, b.how);
  }

  // of an element of each value that is kept
  template <class P>
  static constexpr auto kept_sizes = [] {
    exec::table<int, P::trace.kept> t{};
    for (int k = 0; k < P::trace.kept; ++k)
      t.at[k] = size_of(P::trace.forward.ins[P::trace.forward.outputs[P::trace.results + k]].type);
    return t;
  }();
  // of all of them, where their extents are known
  static constexpr index_t kept_bytes = [] {
    using plan = typename usual::forward;
    if (plan::plan.takes_for_equal) return core::unknown_bytes;
    index_t bytes = 0;
    for (int k = 0; k < traced::trace.kept; ++k) {
      auto const& shape = plan::plan.shapes[plan::plan.output_shapes[traced::trace.results + k]];
      for (int d = 0; d < shape.rank; ++d)
        if (ir::is_symbolic(shape.extent[d])) return core::unknown_bytes;
      bytes += (size_of(shape) * kept_sizes<usual>.at[k] + 63) / 64 * 64;
    }
    return bytes;
  }();
  // Little that is known lies in the pullback itself, as elements do in a tensor.
  static constexpr bool keeps_in_place =
      memory == expr::host_memory && kept_bytes >= 0 && kept_bytes <= storage::most_in_place;
  static constexpr index_t heap_bytes = traced::trace.kept == 0 || keeps_in_place ? 0 : kept_bytes;
  // Copied as bytes: g++ 12 takes the array's own copy for one of characters, which numbers written before do not
  // reach.
  struct in_place {
    alignas(64) char memory[kept_bytes > 0 ? kept_bytes : 1];
    in_place() = default;
    in_place(in_place const& other) { __builtin_memcpy(memory, other.memory, sizeof memory); }
    in_place& operator=(in_place const& other) {
      __builtin_memmove(memory, other.memory, sizeof memory);
      return *this;
    }
  };
  struct on_heap {
    static_assert(sizeof(core::heap_memory<heap_bytes>) > 0);
    core::shared_buffer memory;
  };
  char* kept(int k) const {
    if constexpr (keeps_in_place)
      return const_cast<char*>(kept_.memory) + kept_at_[k];
    else
      return backend::data(kept_.memory) + kept_at_[k];
  }
  // a cotangent has the shape of its value
  template <class P>
  RICCI_NOINLINE static void check_cotangents(operand_ref const* refs, index_t const* dims) {
    for (int k = 0; k < P::trace.results; ++k) {
      auto const& shape = exec::plan_tables<typename P::backward>::shapes
                              .at[exec::plan_tables<typename P::backward>::arguments.at[argument_leaves + k].shape];
      index_t extents[max_rank];
      bool same = true;
      for (int d = 0; d < shape.rank; ++d) {
        extents[d] = exec::resolve(shape.extent[d], dims);
        same = same && refs[argument_leaves + k].extents[d] == extents[d];
      }
      if (!same)
        core::raise<shape_error>(
            ((core::text() << "vjp: a cotangent of shape ").shape(refs[argument_leaves + k].extents, shape.rank)
             << " for a value of shape ")
                .shape(extents, shape.rank));
    }
  }

  std::conditional_t<keeps_in_place, in_place, on_heap> kept_;
  index_t kept_at_[traced::trace.kept > 0 ? traced::trace.kept : 1]{};
  index_t extents_[all_open_axes > 0 ? all_open_axes : 1]{};  // of the arguments
  index_t bytes_ = 0;
  core::execution how_;
  bool is_general_ = false;
};

// The same inside a traced function.
template <class Mode, class Args>
struct symbolic_pull {
  typename Mode::graph* g;
  int begin;
  leaf_ids outs;
  Args args;
  template <class Ct>
  constexpr Args operator()(Ct const& cotangent) const {
    return pullback::pulled<Mode>(*g, begin, outs, args, cotangent);
  }
};

template <class F>
struct vjp_of {
  F f;
  template <class... A>
  constexpr auto operator()(A const&... a) const {
    if constexpr ((tree::has_symbols<A>() || ...)) {
      using Mode = mode_t<A...>;
      auto& g = graph_in<Mode>(a...);
      int const begin = g.size;
      std::tuple<tree::symbolic_t<Mode, A>...> args(fresh<Mode>(g, a)...);
      auto out = applied(f, args);
      leaf_ids outs;
      collect<Mode>(g, out, outs);
      make_stable<Mode>(g, begin, outs.id, outs.count);
      int k = 0;
      replace_ids(g, out, outs.id, k);
      return std::pair(out, symbolic_pull<Mode, std::tuple<tree::symbolic_t<Mode, A>...>>{&g, begin, outs, args});
    } else {
      return compiled(in_memory(a)...);
    }
  }

 private:
  template <class... A>
  static auto compiled(A const&... a) {
    (void)sizeof(function_without_state<F>);
    if constexpr (is_stateless<F>) {
      using value_type = tree::owned_t<typename traced_pullback<F, A...>::result_symbols, tree::memory_of<A...>>;
      value_type value{};
      pull_function<F, A...> pull(value, a...);
      return std::pair<value_type, pull_function<F, A...>>(static_cast<value_type&&>(value),
                                                           static_cast<pull_function<F, A...>&&>(pull));
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// `auto [value, pull] = rc::vjp(f)(x, y); auto [cx, cy] = pull(cotangent);`. The cotangent has the structure and shapes
// of the value, else it is a compile error or a shape_error; those that it gives have the structures and shapes of x
// and y.
template <class F>
constexpr auto vjp(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::vjp_of<F>{f};
}

}  // namespace ricci
