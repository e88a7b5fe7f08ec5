// Loops that carry values from one iteration to the next: `rc::fori_loop(lower, upper, body, init)`, as
// `for (i = lower; i < upper; ++i) x = body(i, x)`, and `rc::while_loop(cond, body, init)`, as `while (cond(x)) x =
// body(x)`. In traced functions they are recorded once (ops/loop.hpp); interpreted, they are loops of C++. Called with
// tensors they are computed at once.
//
// With `rc::at_most<N>` behind, reverse mode goes through loops of a number of iterations that is a value; one that is
// not done after N iterations is a value_error.
//
//   auto const power = [](auto x, auto n) {
//     return rc::fori_loop(0, n, [=](auto i, auto y) { return y * x; }, rc::ones_like(x));
//   };
#pragma once

#include <ricci/autodiff/carries.hpp>

namespace ricci {

namespace tracing {
inline namespace RICCI_ABI {

struct fori_loop_t : ir::operation_of_kind<ir::op_kind::loop, 255> {
  static constexpr auto name = "fori_loop";
};
struct while_loop_t : ir::operation_of_kind<ir::op_kind::loop, 255> {
  static constexpr auto name = "while_loop";
};

template <class Bound>
struct counting {
  template <class L, class U, class F, class C>
  static constexpr auto apply(L const& lower, U const& upper, F const& body, C const& initial) {
    if constexpr (std::is_void_v<mode_of_all<L, U, C>>) {
      auto const first = body(index_t(0), initial);  // nothing but the body knows where it is recorded
      using Mode = mode_t<decltype(first)>;
      return in_graph<Mode>(graph_in<Mode>(first), lower, upper, body, initial);
    } else {
      using Mode = mode_of_all<L, U, C>;
      return in_graph<Mode>(graph_of_loop<Mode>(lower, upper, initial), lower, upper, body, initial);
    }
  }

 private:
  template <class Mode>
  using counter = symbol<index_t, weak_extents, Mode>;

  template <class Mode, class L, class U, class F, class C>
  static constexpr auto in_graph(typename Mode::graph& g, L const& lower, U const& upper, F const& body,
                                 C const& initial) {
    static_assert((ExtentBound<L> || is_value_bound<L>)&&(ExtentBound<U> || is_value_bound<U>),
                  "fori_loop: the bounds are integers: numbers, extents, or symbols without axes");
    (void)tensors_in_trace<Mode, C>();
    auto const first = as_symbols<Mode>(g, initial);
    constexpr bool takes_both = is_callable<F, std::tuple<counter<Mode>, std::remove_const_t<decltype(first)>>>;
    static_assert(takes_both,
                  "fori_loop: the body takes the number of the iteration and the carry, both by `auto`; or it does not "
                  "compile, which another message says");
    if constexpr (!takes_both)
      return first;
    else if constexpr (Mode::runs)
      return one_after_another<Mode>(g, bound_now<Mode>(g, lower), bound_now<Mode>(g, upper), body, first);
    else if constexpr (ExtentBound<L> && ExtentBound<U> && !is_bounded<Bound>)
      return over_extents<Mode>(g, shapes::extent_value(lower), shapes::extent_value(upper), body, first);
    else
      return over_values<Mode>(g, as_value<Mode>(g, lower), as_value<Mode>(g, upper), body, first);
  }
  template <class Mode, class B>
  static constexpr index_t bound_now(typename Mode::graph& g, B const& b) {
    if constexpr (ExtentBound<B>)
      return ir::find(g, shapes::extent_value(b));
    else
      return index_t(b.item());
  }
  template <class Mode, class F, class C>
  static constexpr C one_after_another(typename Mode::graph& g, index_t from, index_t to, F const& body,
                                       C const& first) {
    C carry = first;
    [[maybe_unused]] index_t const n = to - from;
    if constexpr (is_bounded<Bound>) to = n > Bound::most ? from + Bound::most : to;
    for (index_t i = from; i < to; ++i) {
      counter<Mode> const number{ir::integer_literal<Mode>(g, i, dtype::int64, 0)};
      carry = next_carry<fori_loop_t>(carry, body(number, carry));
    }
    if constexpr (is_bounded<Bound>)
      return when_done<fori_loop_t, Bound>(carry,
                                           ir::integer_literal<Mode>(g, n > Bound::most ? 1 : 0, dtype::int64, 0));
    else
      return carry;
  }
  template <class Mode, class B>
  static constexpr ir::value<Mode> as_value(typename Mode::graph& g, B const& b) {
    if constexpr (ExtentBound<B>)
      return ir::number<Mode>(g, shapes::extent_value(b), dtype::int64);
    else
      return ir::cast(value_in(g, b), dtype::int64);
  }
  template <class Mode, class F, class C>
  static constexpr C over_extents(typename Mode::graph& g, index_t from, index_t to, F const& body, C const& first) {
    index_t const n = ir::minus(g, to, from);
    C carry = first;
    iterate_in_segments<Bound::every, Mode>(
        g, ir::is_never_negative(g, n) ? n : ir::length(g, n), carry, [&](C const& x, index_t t) {
          counter<Mode> const i{ir::number<Mode>(g, ir::plus(g, t, from), dtype::int64)};
          leaf_ids next;
          add_ids(next_carry<fori_loop_t>(x, body(i, x)), next);
          return next;
        });
    return carry;
  }
  template <class Mode, class F, class C>
  static constexpr C over_values(typename Mode::graph& g, ir::value<Mode> from, ir::value<Mode> to, F const& body,
                                 C const& first) {
    ir::value<Mode> const n = to - from;
    if constexpr (is_bounded<Bound>) {
      C carry = first;
      iterate_in_segments<Bound::every, Mode>(g, Bound::most, carry, [&](C const& x, index_t t) {
        ir::value<Mode> const i = ir::number<Mode>(g, t, dtype::int64);
        ir::loop_recorder<Mode> iteration(g, 1, ir::cast(i < n, dtype::int64));
        leaf_ids next;
        add_ids(recorded<Mode>(iteration, body, x, i + from), next);
        return next;
      });
      return when_done<fori_loop_t, Bound>(carry, ir::cast(n > Bound::most, dtype::int64));
    } else {
      static_assert(Bound::every == no_segments,
                    "fori_loop: checkpoint_every is for reverse mode, where a bound that is a value needs rc::at_most");
      ir::loop_recorder<Mode> loop(g, ir::open_ended, n);
      return recorded<Mode>(loop, body, first, loop.counter() + from);
    }
  }
  template <class Mode, class F, class C>
  static constexpr C recorded(ir::loop_recorder<Mode>& loop, F const& body, C const& first, ir::value<Mode> i) {
    C carry = first;
    begin_carries(loop, carry);
    leaf_ids next;
    add_ids(next_carry<fori_loop_t>(carry, body(counter<Mode>{i}, carry)), next);
    take_results(carry, loop.end(next.all(), {}));
    return carry;
  }
};

// the condition of a loop, which is one bool
template <class Mode, class P>
constexpr auto condition_value(typename Mode::graph& g, P const& p) {
  if constexpr (std::is_same_v<P, bool>) {
    return ir::integer_literal<Mode>(g, p ? 1 : 0, dtype::boolean, 0);
  } else {
    static_assert(is_symbol<P>, "while_loop: the condition is one bool");
    static_assert(std::is_same_v<typename P::value_type, bool> && P::rank == 0,
                  "while_loop: the condition is one bool");
    return value_in(g, p);
  }
}

// Whether a loop is part of a traced function: its bounds or carries say so, or what one of its functions makes of
// them.
template <class First, class F, class... X>
constexpr bool is_loop_traced() {
  if constexpr (!std::is_void_v<mode_of_all<X...>>)
    return true;
  else
    return []<class... A>(std::tuple<A...>*) {
      if constexpr (requires(F const& f, A const&... a) { f(a...); })
        return !std::is_void_v<mode_t<std::invoke_result_t<F const&, A const&...>>>;
      else
        return false;
    }(static_cast<First*>(nullptr));
}

template <class Bound>
struct repeating {
  template <class P, class F, class C>
  static constexpr auto apply(P const& condition, F const& body, C const& initial) {
    if constexpr (std::is_void_v<mode_t<C>>) {  // nothing but what reads values around it knows where it is recorded
      auto const first = [&] {
        if constexpr (is_loop_traced<std::tuple<C>, P>())
          return condition(initial);
        else
          return body(initial);
      }();
      using Mode = mode_t<decltype(first)>;
      return in_graph<Mode>(graph_in<Mode>(first), condition, body, initial);
    } else {
      return in_graph<mode_t<C>>(graph_in<mode_t<C>>(initial), condition, body, initial);
    }
  }

 private:
  template <class Mode, class P, class F, class C>
  static constexpr auto in_graph(typename Mode::graph& g, P const& condition, F const& body, C const& initial) {
    (void)tensors_in_trace<Mode, C>();
    auto const first = as_symbols<Mode>(g, initial);
    using Carry = std::tuple<std::remove_const_t<decltype(first)>>;
    constexpr bool take_the_carry = is_callable<P, Carry> && is_callable<F, Carry>;
    static_assert(
        take_the_carry,
        "while_loop: the condition and the body take the carry alone, by `auto`; or they do not compile, which "
        "another message says");
    if constexpr (!take_the_carry)
      return first;
    else if constexpr (Mode::runs)
      return one_after_another<Mode>(g, condition, body, first);
    else
      return recorded<Mode>(g, condition, body, first);
  }
  template <class Mode, class P, class F, class C>
  static constexpr C one_after_another(typename Mode::graph& g, P const& condition, F const& body, C const& first) {
    C carry = first;
    index_t n = 0;
    auto const goes_on = [&] { return first_element(condition_value<Mode>(g, condition(carry)), true); };
    bool another = goes_on();
    for (; another && (!is_bounded<Bound> || n < Bound::most); ++n) {
      carry = next_carry<while_loop_t>(carry, body(carry));
      another = goes_on();
    }
    if constexpr (is_bounded<Bound>)
      return when_done<while_loop_t, Bound>(carry, ir::integer_literal<Mode>(g, another ? 1 : 0, dtype::int64, 0));
    else
      return carry;
  }
  template <class Mode, class P, class F, class C>
  static constexpr C recorded(typename Mode::graph& g, P const& condition, F const& body, C const& first) {
    auto const another = [&](C const& carry) {
      return ir::cast(condition_value<Mode>(g, condition(carry)), dtype::int64);
    };
    C carry = first;
    // An iteration of a loop, of which the first carry says whether there is another one: what is next.
    auto const iteration = [&](ir::loop_recorder<Mode>& loop, auto const& count) {
      begin_carries(loop, carry);
      C const next = next_carry<while_loop_t>(carry, body(carry));
      leaf_ids ids;
      ids.id[ids.count++] = count(another(next)).id;
      add_ids(next, ids);
      auto const results = loop.end(ids.all(), {});
      take_results(carry, ir::value<Mode>{&g, results.id + 1});
      return results;
    };
    auto const begins = another(first);
    if constexpr (is_bounded<Bound>) {
      std::tuple<symbol<index_t, weak_extents, Mode>, C> all(symbol<index_t, weak_extents, Mode>{begins}, first);
      iterate_in_segments<Bound::every, Mode>(g, Bound::most, all, [&](auto const& now, index_t) {
        auto const goes_on = std::get<0>(now).v;
        carry = std::get<1>(now);
        ir::loop_recorder<Mode> branch(g, 1, goes_on);
        branch.carry(goes_on);
        leaf_ids next;
        next.id[next.count++] = iteration(branch, [](auto x) { return x; }).id;
        add_ids(carry, next);
        return next;
      });
      return when_done<while_loop_t, Bound>(std::get<1>(all), std::get<0>(all).v);
    } else {  // it is the count: one more than there have been iterations where there is another
      ir::loop_recorder<Mode> loop(g, ir::open_ended, {}, 0);
      loop.carry(begins);
      iteration(loop, [&](auto x) { return loop.counter(1) + x; });
      return carry;
    }
  }
};

// As functions of their arguments alone, which are compiled and called with tensors.
template <class F, class Bound>
struct fori_loop_by {
  F body;
  template <class L, class U, class C>
  constexpr auto operator()(L const& lower, U const& upper, C const& initial) const {
    return counting<Bound>::apply(lower, upper, body, initial);
  }
};
template <class P, class F, class Bound>
struct while_loop_by {
  P condition;
  F body;
  template <class C>
  constexpr auto operator()(C const& initial) const {
    return repeating<Bound>::apply(condition, body, initial);
  }
};

// A loop of numbers whose functions give numbers: where they hold what is around them, though nothing that they give
// depends on it, and in constant expressions, as which traced functions are recorded, it is a loop of C++. The result
// is that of any loop that is computed at once.
template <class F, class C, class... I>
constexpr bool goes_on_with_numbers() {
  if constexpr (tree::memory_bits<C>() == expr::memory_of_numbers &&
                requires(F const& f, I... i, C const& x) { f(i..., x); })
    return std::is_same_v<std::invoke_result_t<F const&, I..., C const&>, C>;
  else
    return false;
}
template <class C>
constexpr auto owned_numbers(C const& x) {
  tree::owned_t<C> y{};
  tree::for_each_leaf([](auto& to, auto const& from) { *to.data() = from; }, y, x);
  return y;
}
template <class Loop, class Bound>
constexpr void expect_iterations(index_t n) {
  if constexpr (is_bounded<Bound>)
    if (n > Bound::most)
      core::raise<value_error>(core::text() << Loop::name << ": is not done after " << Bound::most
                                            << " iterations, its rc::at_most");
}
template <class Bound, class F, class C>
constexpr auto count_on_numbers(index_t from, index_t to, F const& body, C x) {
  expect_iterations<fori_loop_t, Bound>(to - from);
  for (index_t i = from; i < to; ++i) x = body(i, x);
  return owned_numbers(x);
}
template <class Bound, class P, class F, class C>
constexpr auto repeat_on_numbers(P const& condition, F const& body, C x) {
  for (index_t n = 1; condition(x); ++n) {
    expect_iterations<while_loop_t, Bound>(n);
    x = body(x);
  }
  return owned_numbers(x);
}

template <class Bound, class L, class U, class F, class C>
constexpr auto fori_loop(L const& lower, U const& upper, F const& body, C const& init) {
  if constexpr (is_value<F>)
    return (void)sizeof(functions_in_their_places<F>), wrong::result{};
  else if constexpr ((Arithmetic<L> && !std::is_integral_v<L>) || (Arithmetic<U> && !std::is_integral_v<U>))
    static_assert(always_false<F>, "fori_loop: the bounds are integers: numbers, extents, or symbols without axes");
  else if constexpr (is_loop_traced<std::tuple<index_t, C>, F, L, U, C>())
    return counting<Bound>::apply(lower, upper, body, init);
  else if constexpr (Arithmetic<L> && Arithmetic<U> && goes_on_with_numbers<F, C, index_t>()) {
    if (!is_stateless<F> || __builtin_is_constant_evaluated())
      return count_on_numbers<Bound>(index_t(lower), index_t(upper), body, init);
    if constexpr (is_stateless<F>) return fn(fori_loop_by<F, Bound>{body})(lower, upper, init);
  } else {
    return fn(fori_loop_by<F, Bound>{body})(lower, upper, init);
  }
}
template <class Bound, class P, class F, class C>
constexpr auto while_loop(P const& cond, F const& body, C const& init) {
  if constexpr (is_value<P> || is_value<F>)
    return (void)sizeof(functions_in_their_places<P, F>), wrong::result{};
  else if constexpr (is_loop_traced<std::tuple<C>, P, C>())
    return repeating<Bound>::apply(cond, body, init);
  else if constexpr (is_loop_traced<std::tuple<C>, F>())
    return repeating<Bound>::apply(cond, body, init);
  else if constexpr (goes_on_with_numbers<F, C>() && std::is_same_v<std::invoke_result_t<P const&, C const&>, bool>) {
    constexpr bool stateless = is_stateless<P> && is_stateless<F>;
    if (!stateless || __builtin_is_constant_evaluated()) return repeat_on_numbers<Bound>(cond, body, init);
    if constexpr (stateless) return fn(while_loop_by<P, F, Bound>{cond, body})(init);
  } else {
    return fn(while_loop_by<P, F, Bound>{cond, body})(init);
  }
}

}  // namespace RICCI_ABI
}  // namespace tracing

// `for (i = lower; i < upper; ++i) x = body(i, x)` from x = init; the last x. The bounds are integers: numbers, extents
// (x.shape(0)), or symbols, which are values; body is given i, an integer, and x, a tree of tensors and numbers, and
// returns a tree of the same structure, types and shapes; it may read values of the function around it. Where upper is
// not above lower, the result is init. Reverse mode keeps x of every iteration, and what is costly to compute
// in body; with `rc::checkpoint_every<k>` behind, x of every k-th iteration alone. Where a bound is a value, it needs
// `rc::at_most<N>`, which makes room for N iterations; more are a value_error.
template <class L, class U, class F, class C>
constexpr auto fori_loop(L const& lower, U const& upper, F const& body, C const& init) {
  return tracing::fori_loop<tracing::no_bound>(lower, upper, body, init);
}
template <class L, class U, class F, class C, index_t N>
constexpr auto fori_loop(L const& lower, U const& upper, F const& body, C const& init, at_most_t<N>) {
  return tracing::fori_loop<at_most_t<N>>(lower, upper, body, init);
}
template <class L, class U, class F, class C, index_t K>
constexpr auto fori_loop(L const& lower, U const& upper, F const& body, C const& init, checkpoint_every_t<K>) {
  return tracing::fori_loop<tracing::loop_bound<tracing::no_bound::most, K>>(lower, upper, body, init);
}
template <class L, class U, class F, class C, index_t N, index_t K>
constexpr auto fori_loop(L const& lower, U const& upper, F const& body, C const& init, at_most_t<N>,
                         checkpoint_every_t<K>) {
  return tracing::fori_loop<tracing::loop_bound<N, K>>(lower, upper, body, init);
}

// `while (cond(x)) x = body(x)` from x = init; the last x. x is a tree of tensors and numbers, cond(x) one bool,
// body(x) a tree of the same structure, types and shapes; both may read values of the function around them. For a batch
// (vmap) it runs until no element goes on, and those that do not stay what they are. Reverse mode needs
// `rc::at_most<N>`, which keeps x of N iterations; where cond still holds behind them, it is a value_error.
template <class P, class F, class C>
constexpr auto while_loop(P const& cond, F const& body, C const& init) {
  return tracing::while_loop<tracing::no_bound>(cond, body, init);
}
template <class P, class F, class C, index_t N>
constexpr auto while_loop(P const& cond, F const& body, C const& init, at_most_t<N>) {
  return tracing::while_loop<at_most_t<N>>(cond, body, init);
}
template <class P, class F, class C, index_t N, index_t K>
constexpr auto while_loop(P const& cond, F const& body, C const& init, at_most_t<N>, checkpoint_every_t<K>) {
  return tracing::while_loop<tracing::loop_bound<N, K>>(cond, body, init);
}

}  // namespace ricci
