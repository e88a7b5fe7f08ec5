// Control flow along an axis, `rc::scan(f, carry, xs)` in traced functions: a loop over the first axis of xs, recorded
// once, however many iterations there are (ops/loop.hpp); interpreted, it is a loop of C++. Called with tensors it is
// computed at once.
#pragma once

#include <ricci/autodiff/segments.hpp>
#include <ricci/autodiff/stack.hpp>
#include <ricci/autodiff/unroll.hpp>
#include <ricci/transform/loops.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

// whose name stands in errors
struct scan_t : ir::operation_of_kind<ir::op_kind::loop, 255> {
  static constexpr auto name = "scan";
};

// how many elements the leaves of xs have, which agree
template <class G, class X>
constexpr index_t count_of_elements(G& g, X const& xs) {
  index_t n = -1;
  int shape = 0;
  tree::for_each_leaf(
      [&](auto const& s) {
        index_t const own = ir::find(g, s.v.shape().extent[0]);
        ir::graph_context<G> c{g, ir::facts_of<scan_t>(), n == -1 ? s.v.shape_id() : shape, s.v.shape_id()};
        n = n == -1 ? own : c.same(n, own);
        shape = s.v.shape_id();
      },
      xs);
  return n;
}

// Whether what the next iteration takes over has types that promote to those of the carry.
template <class C, class Next>
constexpr bool holds() {
  C carry{};
  Next const next{};
  bool all = true;
  tree::for_each_leaf(
      [&]<class T, class X>(T const&, X const&) {
        constexpr dtype own = dtype_of<typename T::value_type>;
        all = all && promote(own, own_type<X>()) == own;
      },
      carry, next);
  return all;
}
// Whether X may be the next carry S: it has its extents, or is a plain number, which stands in every place; a number
// that was computed does not.
template <class S, class X>
inline constexpr bool fits_carry = is_arithmetic<X> ||
                                   shapes::may_be_equal<typename S::extents, typename operand_extents<X>::type>() ||
                                   (S::rank == 0 && operand_extents<X>::type::rank == 0);
template <class Op, class Carry, class Next, bool Fits>
constexpr void require_extents_of_carry() {
  static_assert(Fits,
                "what the body of a loop returns has the extents of its carry (loop and both: see the types above)");
}
// That in the type of the carry and of its shape: it is not broadcast to another one.
template <class Op, class S, class X>
constexpr auto next_of(S const& carry, X const& x) {
  constexpr bool fits = fits_carry<S, X>;
  require_extents_of_carry<Op, typename S::extents, typename operand_extents<X>::type, fits>();
  if constexpr (!fits) {
    return carry.v;  // it is said what is wrong
  } else {
    auto const y = rebound(carry, x);
    require_shape<Op>(y, carry.v.shape_id());
    return y;
  }
}

template <class Mode, class C>
constexpr void begin_carries(ir::loop_recorder<Mode>& loop, C& carry) {
  tree::for_each_leaf([&](auto& leaf) { leaf.v = loop.carry(leaf.v); }, carry);
}
template <class C>
constexpr void add_ids(C const& next, leaf_ids& ids) {
  tree::for_each_leaf([&](auto const& leaf) { ids.id[ids.count++] = leaf.v.id; }, next);
}
// the values from `first` on, in the structure of the carry
template <class V, class C>
constexpr void take_results(C& carry, V first) {
  tree::for_each_leaf([&](auto& leaf) { leaf.v = first, ++first.id; }, carry);
}

// Every: rc::checkpoint_every, or no_segments; Times: rc::unroll
template <index_t Every, index_t Times = 1>
struct scanning {
  template <class F, class C, class X>
  static constexpr auto apply(F const& f, C const& initial, X const& xs) {
    using Mode = mode_t<C, X>;
    auto& g = graph_in<Mode>(initial, xs);
    (void)tensors_in_trace<Mode, C>();
    auto const first = as_symbols<Mode>(g, initial);
    auto const all = as_symbols<Mode>(g, xs);
    constexpr index_t known = count_of_batch<std::remove_const_t<decltype(all)>, 0>();
    static_assert(known != unbatched, "scan: xs has a tensor with an axis to go along");
    static_assert(
        Every != 0 || known != dyn,
        "checkpoint_every<>: how many elements xs has shows at run time; say a length, as checkpoint_every<32>");
    using Carry = std::remove_const_t<decltype(first)>;
    using Out = decltype(called(f, first, std::declval<element_t<std::remove_const_t<decltype(all)>> const&>()));
    static_assert(holds<Carry, std::tuple_element_t<0, Out>>(),
                  "scan: the next carry has a type that the carry does not hold, as double beside int (0 is an int)");
    index_t const n = count_of_elements(g, all);
    if constexpr (Mode::runs)
      return one_after_another<Mode, known>(g, f, first, all, n);
    else
      return recorded<Mode, known>(g, f, first, all, n);
  }

 private:
  template <class X>
  using element_t = tree::mapped_t<element_at<0>, X>;
  template <class Mode, index_t N, class Y>
  using stacked_t = tree::mapped_t<batch_at<Mode, N, 0>, Y>;

  template <class F, class C, class X>
  static constexpr auto called(F const& f, C const& carry, X const& x) {
    constexpr bool takes_both = is_callable<F, std::tuple<C, X>>;
    static_assert(takes_both,
                  "scan: the function takes the carry and an element of xs, both by `auto`; or its body does not "
                  "compile, which another message says");
    if constexpr (takes_both) {
      auto out = f(carry, x);
      using Out = decltype(out);
      static_assert(tree::is_tuple_of<2, Out>,
                    "scan: the function returns a pair, of the next carry and what is stacked");
      if constexpr (tree::is_tuple_of<2, Out>)
        return out;
      else
        return std::pair(carry, std::tuple{});  // it is said what is wrong
    } else {
      return std::pair(carry, std::tuple{});
    }
  }

  // Records one loop over n elements; the carry becomes the last one. What it stacks.
  template <class Mode, class F, class C, class X>
  static constexpr leaf_ids in_one_loop(typename Mode::graph& g, F const& f, C& carry, X const& all, index_t n) {
    ir::loop_recorder<Mode> loop(g, n);
    begin_carries(loop, carry);
    element_t<X> x{};
    tree::for_each_leaf([&](auto& to, auto const& from) { to.v = ir::element_of(from.v, 0, loop.iteration()); }, x,
                        all);
    auto const out = called(f, carry, x);
    leaf_ids next, stacked;
    tree::for_each_leaf([&](auto const& to, auto const& is) { next.id[next.count++] = next_of<scan_t>(to, is).id; },
                        carry, std::get<0>(out));
    stacked.count = ids_of<Mode>(g, std::get<1>(out), stacked.id);
    end(g, loop, next, carry, stacked);
    return stacked;
  }
  // The same over the elements of some segments, as a loop over these of loops.
  template <class Mode, class F, class C, class X>
  static constexpr leaf_ids in_two_loops(typename Mode::graph& g, F const& f, C& carry, X const& all,
                                         segments const& s) {
    X part = all;
    tree::for_each_leaf([&](auto& to) { to.v = by_segment(to.v, s); }, part);
    auto loop = loop_over<Mode>(g, s);
    begin_carries(loop, carry);
    C within = carry;
    tree::for_each_leaf([&](auto& to) { to.v = ir::element_of(to.v, 0, loop.iteration()); }, part);
    leaf_ids next, stacked = in_one_loop<Mode>(g, f, within, part, s.length);
    collect<Mode>(g, within, next);
    end(g, loop, next, carry, stacked);
    return stacked;
  }
  // The same over elements that one iteration takes several of, s.length.
  template <class Mode, class F, class C, class X>
  static constexpr leaf_ids several_at_once(typename Mode::graph& g, F const& f, C& carry, X const& all,
                                            segments const& s) {
    X part = all;
    tree::for_each_leaf([&](auto& to) { to.v = by_segment(to.v, s); }, part);
    ir::loop_recorder<Mode> loop(g, s.count);
    begin_carries(loop, carry);
    tree::for_each_leaf([&](auto& to) { to.v = ir::element_of(to.v, 0, loop.iteration()); }, part);
    C now = carry;
    leaf_ids ys[Times], next, stacked;
    for (index_t k = 0; k < s.length; ++k) {
      element_t<X> x{};
      tree::for_each_leaf([&](auto& to, auto const& from) { to.v = ir::element_of(from.v, 0, k); }, x, part);
      auto const out = called(f, now, x);
      C then = now;
      tree::for_each_leaf([&](auto& to, auto const& is) { to.v = next_of<scan_t>(to, is); }, then, std::get<0>(out));
      ys[k].count = ids_of<Mode>(g, std::get<1>(out), ys[k].id);
      for (int y = 0; y < ys[k].count; ++y)
        require_shape<scan_t>(ir::value<Mode>{&g, ys[k].id[y]}, g.ins[ys[0].id[y]].shape);
      now = then;
    }
    add_ids(now, next);
    for (; stacked.count < ys[0].count; ++stacked.count)
      stacked.id[stacked.count] = side_by_side<Mode>(g, ys, s.length, stacked.count).id;
    end(g, loop, next, carry, stacked);
    return stacked;
  }
  template <class Mode, class C>
  static constexpr void end(typename Mode::graph& g, ir::loop_recorder<Mode>& loop, leaf_ids const& next, C& carry,
                            leaf_ids& stacked) {
    int at = loop.end(next.all(), stacked.all()).id;
    tree::for_each_leaf([&](auto& to) { to.v = {&g, at++}; }, carry);
    for (int k = 0; k < stacked.count; ++k) stacked.id[k] = at++;
  }
  template <class Mode, index_t N, class F, class C, class X>
  static constexpr auto recorded(typename Mode::graph& g, F const& f, C const& first, X const& all, index_t n) {
    C carry = first;
    leaf_ids stacked;
    if constexpr (Every == no_segments && Times == 1) {
      stacked = in_one_loop<Mode>(g, f, carry, all, n);
    } else {
      segmentation const by = Times > 1 ? unrolled(g, n, Times) : segmentation(g, n, Every);
      leaf_ids parts[2]{};
      for (int p = 0; p < by.parts; ++p)
        if constexpr (Times > 1)
          parts[p] = several_at_once<Mode>(g, f, carry, all, by.part[p]);
        else
          parts[p] = in_two_loops<Mode>(g, f, carry, all, by.part[p]);
      for (; stacked.count < parts[0].count; ++stacked.count) {
        int const of_parts[] = {parts[0].id[stacked.count], parts[1].id[stacked.count]};
        stacked.id[stacked.count] = joined_segments<Mode>(g, by, of_parts, n).id;
      }
    }
    using Y = std::remove_cvref_t<decltype(std::get<1>(called(f, carry, std::declval<element_t<X> const&>())))>;
    std::tuple<C, stacked_t<Mode, N, Y>> results{carry, {}};
    int k = 0;
    tree::for_each_leaf([&](auto& to) { to.v = {&g, stacked.id[k++]}; }, std::get<1>(results));
    return results;
  }
  template <class Mode, index_t N, class F, class C, class X>
  static constexpr auto one_after_another(typename Mode::graph& g, F const& f, C const& first, X const& all,
                                          index_t n) {
    C carry = first;
    element_t<X> x{};
    stack_of_values<Mode> stack(g, n);
    // of no elements the shapes of what is stacked alone matter: f sees zeros
    for (index_t t = 0; t == 0 || t < n; ++t) {
      tree::for_each_leaf([&](auto& to, auto const& from) { to.v = stack.element(from.v, t); }, x, all);
      auto const out = called(f, carry, x);
      if (n > 0)
        tree::for_each_leaf([&](auto& to, auto const& is) { to.v = next_of<scan_t>(to, is); }, carry, std::get<0>(out));
      stack.push(std::get<1>(out));
    }
    using Y = std::remove_cvref_t<decltype(std::get<1>(called(f, carry, x)))>;
    std::tuple<C, stacked_t<Mode, N, Y>> results{carry, {}};
    int k = 0;
    tree::for_each_leaf([&](auto& to) { to.v = stack.joined(k++); }, std::get<1>(results));
    return results;
  }
};

// Whether each leaf has an axis to go along.
template <class X>
constexpr bool has_elements() {
  if constexpr (Tensor<X>)
    return X::rank > 0;
  else if constexpr (tree::Leaf<X>)
    return false;
  else
    return []<class... M>(std::tuple<M&...>*) {
      return (has_elements<std::remove_cv_t<M>>() && ...);
    }(static_cast<tree::members_of<X>*>(nullptr));
}

// one integer that is a value in a traced function
template <class X>
inline constexpr bool is_number_of_iterations = [] {
  if constexpr (is_symbol<X>)
    return X::rank == 0 && is_integer(dtype_of<typename X::value_type>);
  else
    return false;
}();

// Asked for by its size where no symbol is in sight.
template <class F>
struct body_without_state {
  static_assert(is_stateless<F>,
                "scan: what its function reads from around it holds run-time values here: call the function around "
                "scan by rc::fn, with these values as arguments, or hand them on in the carry");
};
// As a function of its arguments alone, which is compiled and called with tensors.
template <class F, index_t Every, index_t Times>
struct scan_by {
  F f;
  template <class C, class X>
  constexpr auto operator()(C const& carry, X const& xs) const {
    return scanning<Every, Times>::apply(f, carry, xs);
  }
};
template <index_t Every, index_t Times = 1, class F, class C, class X>
constexpr auto scan(F const& f, C const& carry, X const& xs) {
  if constexpr (is_value<F>) {
    (void)sizeof(functions_in_their_places<F>);
    return wrong::result{};
  } else if constexpr (is_number_of_iterations<X>) {
    static_assert(always_false<X>,
                  "scan: what it stacks has an extent, so that the number of iterations is an integer, an extent "
                  "(x.shape(0)) or rc::known<n>, and no value; as often as a value says goes rc::fori_loop");
    return wrong::result{};
  } else if constexpr (!has_elements<X>()) {
    static_assert(has_elements<X>(),
                  "scan: each tensor in xs has an axis to go along (what is the same for all "
                  "iterations, the function may read from around it)");
    return wrong::result{};
  } else if constexpr (is_traced<C, X>) {
    return scanning<Every, Times>::apply(f, carry, xs);
  } else if constexpr (!is_stateless<F> &&
                       !gives_symbols<F, std::tuple<C, tree::mapped_t<constant_element_at<0>, X>>>()) {
    (void)sizeof(body_without_state<F>);
    return wrong::result{};
  } else {
    return fn(scan_by<F, Every, Times>{f})(carry, xs);
  }
}

}  // namespace RICCI_ABI
}  // namespace tracing

// `auto [last, ys] = rc::scan(f, carry, xs)`: for each element x along the first axis of xs (of all tensors in it,
// which have the same number n of them), f(carry, x) returns the pair of the next carry, of the same type and shapes,
// and a y; ys has these along a first axis of extent n. carry, xs and y are tensors, numbers, records, tuples. f may
// read values of the function around it. It is recorded once: derivatives keep the carry of every iteration,
// and reverse mode what is costly to compute in it. With `rc::checkpoint_every<k>` behind they keep one carry for every
// k iterations, and compute the rest again (autodiff/segments.hpp); with `rc::unroll<k>` an iteration is k of these
// (autodiff/unroll.hpp).
template <class F, class C, class X>
constexpr auto scan(F const& f, C const& carry, X const& xs) {
  return tracing::scan<tracing::no_segments>(f, carry, xs);
}
template <class F, class C, class X, index_t K>
constexpr auto scan(F const& f, C const& carry, X const& xs, checkpoint_every_t<K>) {
  return tracing::scan<K>(f, carry, xs);
}
template <class F, class C, class X, index_t K>
constexpr auto scan(F const& f, C const& carry, X const& xs, unroll_t<K>) {
  return tracing::scan<tracing::no_segments, K>(f, carry, xs);
}

}  // namespace ricci
