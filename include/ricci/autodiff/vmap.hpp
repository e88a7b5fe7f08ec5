// `rc::vmap(f)(xs)`: f, written for one element, for all elements of a batch at once.
//
//   rc::vmap(f)(xs)                                      the batch is the first axis of all arguments and results
//   rc::vmap(f, rc::in_axes<1, rc::unbatched>)(xs, w)    the second of xs; w is the same for all
//   rc::vmap(f, rc::in_axes<0>, rc::out_axes<-1>)(xs)    the last of the result
//
// f sees its arguments without that axis. Numbers are the same for all. A record's axis is that of each of its fields:
// per-example gradients of parameters `params<>` are a `params<rc::batched<rc::values, N>>`. Traced, the operations
// that f recorded for one element are recorded again for all (transform/batch.hpp); interpreted, f is called for one
// element after another.
#pragma once

#include <ricci/autodiff/made.hpp>
#include <ricci/autodiff/stack.hpp>
#include <ricci/transform/batch.hpp>

namespace ricci {

template <int... A>
struct in_axes_t {};
template <int... A>
struct out_axes_t {};
// One axis for each argument; where there are fewer, the last counts for the rest. For out_axes: for each member of a
// tuple.
template <int... A>
inline constexpr in_axes_t<A...> in_axes{};
template <int... A>
inline constexpr out_axes_t<A...> out_axes{};

namespace tracing {
inline namespace RICCI_ABI {

template <int... A>
struct axis_choice {
  static constexpr int at(int k) {
    constexpr int n = sizeof...(A), axes[] = {A..., 0};
    return n == 0 ? 0 : axes[k < n ? k : n - 1];
  }
};

template <class In, class Out>
struct batching;
template <int... InAxes, int... OutAxes>
struct batching<in_axes_t<InAxes...>, out_axes_t<OutAxes...>> {
  static_assert(((OutAxes != unbatched) && ...), "vmap: every result has the batch; an axis is named for it");
  using in = axis_choice<InAxes...>;
  using out = axis_choice<OutAxes...>;

  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    using Mode = mode_t<S...>;
    auto& g = graph_in<Mode>(s...);
    return split(f, std::make_integer_sequence<int, int(sizeof...(S))>{},
                 std::tuple<decltype(as_symbol<Mode>(g, s))...>(as_symbol<Mode>(g, s)...));
  }

  // of constants alone, where f has captured a symbol
  template <class F, class... A>
  static constexpr bool is_in_trace() {
    return gives_symbols<F, typename constant_elements<A...>::type>();
  }
  template <class F, class... A>
  static constexpr auto apply_in_trace(F const& f, A const&... a) {
    auto const y = applied(f, typename constant_elements<A...>::type{});
    using Mode = mode_t<decltype(y)>;
    auto& g = graph_in<Mode>(y);
    return apply(f, as_symbol<Mode>(g, a)...);
  }

 private:
  template <class... A>
  struct constant_elements {
    template <int... I>
    static std::tuple<tree::mapped_t<constant_element_at<in::at(I)>, A>...> of(std::integer_sequence<int, I...>);
    using type = decltype(of(std::make_integer_sequence<int, int(sizeof...(A))>{}));
  };
  template <class F, int... I, class All>
  static constexpr auto split(F const& f, std::integer_sequence<int, I...>, All const& all) {
    static_assert(sizeof...(InAxes) <= sizeof...(I),
                  "vmap: rc::in_axes names more arguments than the function is called with");
    using Mode = mode_t<std::tuple_element_t<I, All>...>;
    constexpr index_t known =
        common_count_of<count_of_batch<std::remove_cvref_t<std::tuple_element_t<I, All>>, in::at(I)>()...>::value;
    static_assert(known != unbatched, "vmap: one argument at least has a batch");
    auto& g = graph_in<Mode>(std::get<I>(all)...);
    std::tuple<tree::mapped_t<element_at<in::at(I)>, std::tuple_element_t<I, All>>...> elements{};
    batch_t<typename Mode::graph> batch{g};
    (find_count<in::at(I)>(batch, std::get<I>(all)), ...);
    return finish<Mode, known>(f, batch, elements, all, std::integer_sequence<int, I...>{});
  }

  // how many elements there are, and who says so
  template <class G>
  struct batch_t {
    G& g;
    index_t n = -1;
    int shape = 0;
  };
  template <class S>
  static constexpr bool has_batch(int axis) {
    if constexpr (is_symbol<S>)
      return axis != unbatched && !is_weak<S>;
    else
      return false;
  }
  template <int Axis, class G, class X>
  static constexpr void find_count(batch_t<G>& b, X const& x) {
    tree::for_each_leaf(
        [&](auto const& s) {
          if constexpr (has_batch<std::remove_cvref_t<decltype(s)>>(Axis)) {
            index_t const n = ir::find(b.g, s.v.shape().extent[axis_from_start(Axis, s.v.rank())]);
            ir::graph_context<G> c{b.g, ir::facts_of<transform::batch_element_t>(),
                                   b.n == -1 ? s.v.shape_id() : b.shape, s.v.shape_id()};
            b.n = b.n == -1 ? n : c.same(b.n, n);
            b.shape = s.v.shape_id();
          }
        },
        x);
  }

  // traced: f once, on what stands for an element
  template <class Mode, index_t N, class F, class G, class Elements, class All, int... I>
  static constexpr auto finish(F const& f, batch_t<G> const& b, Elements& elements, All const& all,
                               std::integer_sequence<int, I...>) {
    G& g = b.g;
    if constexpr (Mode::runs) {
      return one_after_another<Mode, N>(f, b, elements, all, std::integer_sequence<int, I...>{});
    } else {
      int const begin = g.size;
      int of[ir::capacity]{};
      auto const stand_in = [&](ir::value<Mode> x, int axis) {
        auto const e = transform::element_of_batch(x, shape_of_element(x, axis));
        of[e.id] = ir::move_axis(x, axis, 0).id;
        return e;
      };
      (show<in::at(I)>(std::get<I>(elements), std::get<I>(all), stand_in), ...);
      auto const y = applied(f, elements);
      leaf_ids outs;
      collect<Mode>(g, y, outs);
      transform::batch_recorded<Mode>(g, b.n, of, begin, outs.id, outs.count);
      return results<Mode, N, decltype(y)>(g, outs);
    }
  }
  // Gives every leaf of `element` what f is to see of that of x: one(symbol, axis) where that has the batch, else the
  // same.
  template <int Axis, class E, class X, class One>
  static constexpr void show(E& element, X const& x, One const& one) {
    tree::for_each_leaf(
        [&](auto& e, auto const& s) {
          using S = std::remove_cvref_t<decltype(s)>;
          if constexpr (has_batch<S>(Axis))
            e.v = one(s.v, axis_from_start(Axis, s.v.rank()));
          else if constexpr (is_symbol<S> && !std::is_same_v<S, std::remove_cvref_t<decltype(e)>>)
            e.v = s.v;
          else
            e = s;
        },
        element, x);
  }
  template <class V>
  static constexpr int shape_of_element(V x, int axis) {
    return ir::intern(*x.g, shapes::reduced(x.shape(), 1 << axis, false));
  }

  // the values with these ids, the batch first, in the structure of f's result
  template <class Mode, index_t N, class Y>
  static constexpr auto results(typename Mode::graph& g, leaf_ids const& ids) {
    auto all = make_results<Mode, N, std::remove_const_t<Y>>();
    int k = 0;
    put(g, all, ids, k);
    return all;
  }
  template <class Mode, index_t N, class Y>
  static constexpr auto make_results() {
    if constexpr (sizeof...(OutAxes) <= 1) {
      return tree::made<tree::mapped_t<batch_at<Mode, N, out::at(0)>, Y>>();
    } else {
      static_assert(tree::is_tuple<Y>,
                    "vmap: several axes in rc::out_axes are for a function that returns a tuple, pair or array");
      static_assert(sizeof...(OutAxes) == std::tuple_size<Y>::value,
                    "vmap: rc::out_axes names one axis, or one for each member of the result");
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return tree::made<
            std::tuple<tree::mapped_t<batch_at<Mode, N, out::at(int(I))>, std::tuple_element_t<I, Y>>...>>();
      }
      (std::make_index_sequence<std::tuple_size<Y>::value>{});
    }
  }
  template <class G, class R>
  static constexpr void put(G& g, R& r, leaf_ids const& ids, int& k) {
    if constexpr (sizeof...(OutAxes) <= 1) {
      put_at(g, r, out::at(0), ids, k);
    } else {
      [&]<std::size_t... I>(std::index_sequence<I...>) { (put_at(g, std::get<I>(r), out::at(int(I)), ids, k), ...); }
      (std::make_index_sequence<std::tuple_size<R>::value>{});
    }
  }
  template <class G, class R>
  static constexpr void put_at(G& g, R& r, int axis, leaf_ids const& ids, int& k) {
    tree::for_each_leaf(
        [&](auto& s) {
          s.v = {&g, ids.id[k++]};
          s.v = ir::move_axis(s.v, 0, axis_from_start(axis, s.v.rank()));
        },
        r);
  }

  // interpreted: f on one element after another, so that it may look at their values
  template <class Mode, index_t N, class F, class G, class Elements, class All, int... I>
  static constexpr auto one_after_another(F const& f, batch_t<G> const& b, Elements& elements, All const& all,
                                          std::integer_sequence<int, I...>) {
    G& g = b.g;
    using Y = decltype(applied(f, elements));
    stack_of_values<Mode> stack(g, b.n);
    for (index_t n = 0; n == 0 || n < b.n; ++n) {
      auto const element_n = [&](ir::value<Mode> x, int axis) { return stack.element(x, n, axis); };
      (show<in::at(I)>(std::get<I>(elements), std::get<I>(all), element_n), ...);
      stack.push(applied(f, elements));
    }
    leaf_ids stacked;
    for (; stacked.count < stack.results(); ++stacked.count) stacked.id[stacked.count] = stack.joined(stacked.count).id;
    return results<Mode, N, Y>(g, stacked);
  }
};

}  // namespace RICCI_ABI
}  // namespace tracing

// `rc::vmap(f)`, `rc::vmap(f, rc::in_axes<...>)`, `rc::vmap(f, rc::in_axes<...>, rc::out_axes<...>)`: f over one axis
// of every argument, n elements each, which becomes an axis of extent n of every result. Arguments with different
// numbers of elements are a compile error or a shape_error.
template <class F>
constexpr auto vmap(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::batching<in_axes_t<>, out_axes_t<>>, F>{f};
}
template <class F, int... In>
constexpr auto vmap(F const& f, in_axes_t<In...>) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::batching<in_axes_t<In...>, out_axes_t<>>, F>{f};
}
template <class F, int... In, int... Out>
constexpr auto vmap(F const& f, in_axes_t<In...>, out_axes_t<Out...>) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return tracing::transformed<tracing::batching<in_axes_t<In...>, out_axes_t<Out...>>, F>{f};
}

}  // namespace ricci
