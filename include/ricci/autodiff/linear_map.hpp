// A linear map that belongs to a value: the pullback of rc::vjp and the pushforward of rc::linearize. What its half of
// the function (halves.hpp) reads of the first one, and of the arguments, is kept in it, and it may be called any
// number of times. It owns what it keeps: later changes of the arguments do not change it.
#pragma once

#include <ricci/autodiff/halves.hpp>

namespace ricci::tracing {
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
    }(static_cast<tree::members_of<X>*>(nullptr), axes, n);
}

template <class Direction, class F, class... A>
class linear_map {
  using traced = traced_halves<Direction, F, A...>;
  using usual = program_in_halves<Direction, F, extents_are::equal, A...>;
  using general = program_in_halves<Direction, F, extents_are::any, A...>;
  static constexpr int memory = tree::memory_of<A...>;
  using backend = exec::backend_of<memory>;
  using value_type = tree::owned_t<typename traced::result_symbols, memory>;
  using arguments_type = std::tuple<tree::owned_t<A, memory>...>;
  // what it is called with, and what it gives
  using seed_type = std::remove_cvref_t<decltype(Direction::seeds(std::declval<arguments_type const&>(),
                                                                  std::declval<value_type const&>()))>;
  using given_type = std::remove_cvref_t<decltype(Direction::given(std::declval<arguments_type const&>(),
                                                                   std::declval<value_type const&>()))>;
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
  linear_map(value_type& value, A const&... a) {
    bound_arguments<argument_leaves> b;
    (tree::for_each_leaf([&](auto const& leaf) { bind_leaf(b, leaf); }, a), ...);
    how_ = b.how;
    index_t* to = extents_;
    for (int k = 0; k < argument_leaves; ++k)
      for (int d = 0; d < open_axes.at[k]; ++d) *to++ = b.refs[k].extents[d];
    if (!compute<usual>(value, b))
      if constexpr (usual::first::plan.takes_for_equal) compute<general>(value, b), is_general_ = true;
  }
  // copies share what is kept, which nobody changes; so does what was moved from
  linear_map(linear_map const&) = default;
  linear_map& operator=(linear_map const&) = default;

  // how much memory it keeps
  index_t bytes() const { return bytes_; }

  // One seed: a tensor, a number, or a tree of them like what it belongs to.
  template <class Seed>
  given_type operator()(Seed const& seed) const {
    given_type r{};
    if constexpr (usual::first::plan.takes_for_equal)
      if (is_general_) return apply<general>(r, tree_of(seed)), r;
    apply<usual>(r, tree_of(seed));
    return r;
  }

 private:
  // in the types of what it belongs to
  template <class Seed>
  static decltype(auto) tree_of(Seed const& c) {
    if constexpr (std::is_same_v<Seed, seed_type>) {
      return (c);
    } else {
      seed_type all{};
      tree::for_each_leaf([]<class T, class X>(T& to, X const& from) { to = one_seed<T>(from); }, all, c);
      return all;
    }
  }
  template <class T, class X>
  static T one_seed(X const& x) {
    static_assert(!Arithmetic<X> || T::rank == 0,
                  "the tangent or cotangent of a tensor is a tensor of its shape, as rc::full_like(value, 1)");
    if constexpr (Arithmetic<X>)
      return T(x);
    else
      return T(eval(x));
  }
  template <class P>
  bool compute(value_type& value, bound_arguments<argument_leaves> const& b) {
    using plan = typename P::first;
    index_t dims[exec::dim_capacity<plan>]{};
    if (!exec::resolve_dims<plan>(b.refs, nullptr, dims)) return false;
    operand_ref out[plan::plan.output_count];
    make_results::prepare<backend, plan>(value, out, dims, b);
    bytes_ = 0;
    for (int k = 0; k < P::kept_count; ++k) {
      auto const& shape = exec::plan_tables<plan>::shapes.at[plan::plan.output_shapes[0] + P::result_count + k];
      index_t extents[max_rank];
      for (int d = 0; d < shape.rank; ++d) extents[d] = exec::resolve(shape.extent[d], dims);
      kept_at_[k] = bytes_;
      bytes_ =
          core::sum_of_extents(bytes_, core::whole_lines(core::bytes_of(extents, shape.rank, kept_sizes<P>.at[k])));
    }
    if constexpr (P::kept_count > 0 && !keeps_in_place)
      kept_.memory = backend::allocate(core::bytes_of(bytes_, 1), b.how);
    for (int k = 0; k < P::kept_count; ++k) out[P::result_count + k] = {kept(k), nullptr, nullptr};
    backend::template run<plan>(dims, b.refs, out, b.how);
    return true;
  }
  template <class P>
  void apply(given_type& r, seed_type const& seed) const {
    using plan = typename P::second;
    bound_arguments<argument_leaves + P::seed_count + P::kept_count> b;
    b.how = how_;
    index_t const* extents = extents_;
    for (int k = 0; k < argument_leaves; extents += open_axes.at[k++]) b.refs[b.count++] = {nullptr, extents, nullptr};
    tree::for_each_leaf([&](auto const& leaf) { bind_leaf(b, leaf); }, seed);
    for (int k = 0; k < P::kept_count; ++k) b.refs[b.count++] = {kept(k), nullptr, nullptr};
    index_t dims[exec::dim_capacity<plan>]{};
    exec::resolve_dims<plan>(b.refs, nullptr, dims);
    check_seeds<P>(b.refs, dims);
    operand_ref out[plan::plan.output_count];
    make_results::prepare<backend, plan>(r, out, dims, b);
    backend::template run<plan>(dims, b.refs, out, b.how);
  }

  // of an element of each value that is kept
  template <class P>
  static constexpr auto kept_sizes = [] {
    exec::table<int, P::kept_count> t{};
    for (int k = 0; k < P::kept_count; ++k)
      t.at[k] = size_of(P::trace.first.ins[P::trace.first.outputs[P::result_count + k]].type);
    return t;
  }();
  // of all of them, where their extents are known
  static constexpr index_t kept_bytes = [] {
    using plan = typename usual::first;
    if (plan::plan.takes_for_equal) return core::unknown_bytes;
    index_t bytes = 0;
    for (int k = 0; k < traced::kept_count; ++k) {
      auto const& shape = plan::plan.shapes[plan::plan.output_shapes[traced::result_count + k]];
      for (int d = 0; d < shape.rank; ++d)
        if (ir::is_symbolic(shape.extent[d])) return core::unknown_bytes;
      bytes += core::whole_lines(size_of(shape) * kept_sizes<usual>.at[k]);
    }
    return bytes;
  }();
  // Little that is known lies in the map itself, as elements do in a tensor.
  static constexpr bool keeps_in_place =
      memory == expr::host_memory && kept_bytes >= 0 && kept_bytes <= storage::most_in_place;
  static constexpr index_t heap_bytes = traced::kept_count == 0 || keeps_in_place ? 0 : kept_bytes;
  // Copied as bytes: g++ 12 takes the array's own copy for one of characters, which numbers written before do not
  // reach.
  struct in_place {
    alignas(64) char memory[kept_bytes > 0 ? kept_bytes : 1];
    in_place() = default;
    in_place([[maybe_unused]] in_place const& other) {
      if constexpr (kept_bytes > 0) __builtin_memcpy(memory, other.memory, sizeof memory);
    }
    in_place& operator=([[maybe_unused]] in_place const& other) {
      if constexpr (kept_bytes > 0) __builtin_memmove(memory, other.memory, sizeof memory);
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
  // a seed has the shape of what it belongs to
  template <class P>
  RICCI_NOINLINE static void check_seeds(operand_ref const* refs, index_t const* dims) {
    for (int k = 0; k < P::seed_count; ++k) {
      auto const& shape = exec::plan_tables<typename P::second>::shapes
                              .at[exec::plan_tables<typename P::second>::arguments.at[argument_leaves + k].shape];
      index_t extents[max_rank];
      bool same = true;
      for (int d = 0; d < shape.rank; ++d) {
        extents[d] = exec::resolve(shape.extent[d], dims);
        same = same && refs[argument_leaves + k].extents[d] == extents[d];
      }
      if (!same)
        core::raise<shape_error>(((core::text() << Direction::name).shape(refs[argument_leaves + k].extents, shape.rank)
                                  << Direction::belongs_to)
                                     .shape(extents, shape.rank));
    }
  }

  std::conditional_t<keeps_in_place, in_place, on_heap> kept_;
  index_t kept_at_[traced::kept_count > 0 ? traced::kept_count : 1]{};
  index_t extents_[all_open_axes > 0 ? all_open_axes : 1]{};  // of the arguments
  index_t bytes_ = 0;
  core::execution how_;
  bool is_general_ = false;
};

// A call in a traced function, recorded on variables of its own, so that derivatives can be taken of it later.
template <class Mode, class Args, class Out>
struct recorded_call {
  typename Mode::graph* g;
  int begin, end;
  Args args;
  Out out;
  leaf_ids outs;
};
template <class F, class... A>
constexpr auto record_call(F const& f, A const&... a) {
  using Mode = mode_t<A...>;
  auto& g = graph_in<Mode>(a...);
  int const begin = g.size;
  std::tuple<tree::symbolic_t<Mode, A>...> const args(fresh<Mode>(g, a)...);
  auto out = applied(f, args);
  leaf_ids outs;
  collect<Mode>(g, out, outs);
  make_stable<Mode>(g, begin, outs.id, outs.count);
  int k = 0;
  replace_ids(g, out, outs.id, k);
  return recorded_call<Mode, std::tuple<tree::symbolic_t<Mode, A>...>, decltype(out)>{&g,   begin, g.size,
                                                                                      args, out,   outs};
}
// f's value, and the map.
template <class Direction, class F, class... A>
auto value_and_map(A const&... a) {
  using map = linear_map<Direction, F, A...>;
  using value_type = tree::owned_t<typename traced_halves<Direction, F, A...>::result_symbols, tree::memory_of<A...>>;
  value_type value{};
  map m(value, a...);
  return std::pair<value_type, map>(static_cast<value_type&&>(value), static_cast<map&&>(m));
}

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
