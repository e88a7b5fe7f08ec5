// Creation: zeros, ones, full, eye, arange, linspace, their *_like, and asarray from data. Shapes are `rc::extents<2,
// 3>{}`, which stay in the type, or `rc::shape(2, m)`, or `x.shape()`. A context as the last argument says where the
// tensor computes. Errors of all: value_error for an extent that is negative or more elements than memory can hold,
// context_error for a context that is not there. Inside a traced function shapes of symbolic extents make symbols.
#pragma once

#include <ricci/ops/create.hpp>
#include <ricci/tensor/deferred.hpp>
#include <ricci/tensor/sequences.hpp>

namespace ricci {

namespace storage {
inline namespace RICCI_ABI {

// Uninitialised tensors in the memory of a context; the device context has its own.
template <class C>
struct maker {
  static constexpr int memory = expr::host_memory;
  template <class T, class E>
  using type = tensor_with<T, E>;
  static constexpr core::execution execution(C const& context) { return exec::execution_of(context); }
  // the value of an expression, computed in exactly that way
  template <class X>
  static auto evaluated(X const& x, core::execution how) {
    using V = value_type_of<X>;
    if constexpr (memory_of<X>() == expr::host_memory) {
      tensor_with<V, extents_of<X>> t;
      auto const& e = operand_for(x, std::type_identity<V>{});
      exec::evaluate<into_new<decltype(t)>, V, extents_of<X>, exec::fit::exact, true>(e, t, {how, true});
      return t;
    } else {
      auto const& there = stored_value(x);
      tensor_with<V, extents_of<X>> t(typename tensor_with<V, extents_of<X>>::raw{}, there.extent_values().data(), how);
      there.read_elements(t.data());
      return t;
    }
  }
};
template <class T, class S, class C>
constexpr auto made(S const& s, C const& context) {
  auto const execution = maker<C>::execution(context);
  if constexpr (shapes::is_extents<S>) {
    static_assert(S::is_static, "extents<...>{} as a shape are all numbers; rc::shape(...) takes values");
    using X = typename maker<C>::template type<T, S>;
    return X(typename X::raw{}, S::value.extent, execution);
  } else {
    using X = typename maker<C>::template type<T, dynamic_extents<S::rank>>;
    return X(typename X::raw{}, s.values, execution);
  }
}
// write(p) writes all elements to p, in row-major order. The result is x, or the symbol that it becomes.
template <class X, class Write>
constexpr auto written(X x, Write const& write) {
  if constexpr (requires { x.recorded(write); }) {
    return x.recorded(write);
  } else {
    if constexpr (requires { x.write_elements(write); })
      x.write_elements(write);
    else
      write(x.data());
    return x;
  }
}
template <class X, class F>
constexpr auto filled(X x, F const& f) {
  if constexpr (requires { x.fill_elements(f); }) {
    x.fill_elements(f);
    return x;
  } else {
    index_t const n = x.size();
    return written(static_cast<X&&>(x), [&](typename X::value_type* p) {
      for (index_t k = 0; k < n; ++k) p[k] = scalar::convert<typename X::value_type>(f(k));
    });
  }
}

// How many of start, start + step, ... lie before stop: exactly where all three are integers, else by doubles, rounded
// up.
template <class A, class B, class S>
constexpr index_t steps_between(A start, B stop, S step) {
  if constexpr (std::is_integral_v<A> && std::is_integral_v<B> && std::is_integral_v<S>) {
    using count = std::uint64_t;  // differences of 64-bit integers need all of its bits
    auto const is_less = [](auto a, auto b) { return (a < 0) != (b < 0) ? a < 0 : count(a) < count(b); };
    bool const rises = step > S(0);
    if (!(rises ? is_less(start, stop) : is_less(stop, start))) return 0;
    count const distance = rises ? count(stop) - count(start) : count(start) - count(stop),
                stride = rises ? count(step) : 0 - count(step), n = (distance - 1) / stride + 1;
    return n > count(core::no_extent) ? core::no_extent : static_cast<index_t>(n);
  } else {
    double const n = (static_cast<double>(stop) - static_cast<double>(start)) / static_cast<double>(step);
    if (n != n) core::raise<value_error>(core::text() << "arange: start, stop and step are numbers, not NaN");
    if (n <= 0) return 0;
    if (n >= static_cast<double>(core::most_bytes)) return core::no_extent;
    index_t const whole = static_cast<index_t>(n);
    return whole + (static_cast<double>(whole) < n);
  }
}

template <class N>
constexpr auto shape_of_length(N const& n) {
  if constexpr (shapes::is_extents<N>)
    return n;
  else
    return shape(n);
}
// What has elements one after another and is no tensor.
template <class R>
concept Range = !Tensor<R> && requires(R const& r) {
  r.size();
  r.begin();
};
template <class R>
concept RangeOfNumbers = Range<R> && Arithmetic<std::remove_cvref_t<decltype(*std::declval<R const&>().begin())>>;
// how many there are, dyn where the type does not say it
template <class R>
inline constexpr index_t length_of_range = [] {
  if constexpr (requires { typename std::bool_constant<(std::tuple_size<R>::value > 0)>; })
    return index_t(std::tuple_size<R>::value);
  else
    return dyn;
}();
template <class R>
constexpr auto shape_of_range(R const& data) {
  if constexpr (length_of_range<R> != dyn)
    return extents<length_of_range<R>>{};
  else
    return shape(data.size());
}
// p[k] = a + k step; as many as an int counts are numbered by ints, which vectors convert everywhere.
template <class N, class T>
RICCI_VECTORISED constexpr void write_steps(T* p, index_t n, N a, N step) {
  if (n <= std::numeric_limits<std::int32_t>::max())
    for (std::int32_t k = 0; k < static_cast<std::int32_t>(n); ++k)
      p[k] = scalar::convert<T>(a + static_cast<N>(k) * step);
  else
    for (index_t k = 0; k < n; ++k) p[k] = scalar::convert<T>(a + static_cast<N>(k) * step);
}
template <class T, class S, class C>
constexpr auto evenly_spaced(S const& shape, computed_t<T> a, computed_t<T> b, bool with_b, C const& context) {
  auto x = made<T>(shape, context);
  index_t const n = x.size();
  auto const steps = steps_to<T>(n, a, b, with_b);
  if constexpr (is_complex_number<T> || requires { x.fill_elements(steps); })
    return filled(static_cast<decltype(x)&&>(x), steps);
  else
    return written(static_cast<decltype(x)&&>(x), [=](typename decltype(x)::value_type* p) {
      write_steps<computed_t<T>>(p, n, steps.from, steps.by);
      if (steps.last >= 0) p[steps.last] = scalar::convert<T>(b);
    });
}

}  // namespace RICCI_ABI

// What may be the end of a range: a number, or in a traced function a symbol of order 0.
template <class X>
concept EndOfRange = !Tensor<X> || tracing::is_number<X>;

}  // namespace storage

// `rc::linspace<T>(0, 1, 5, rc::endpoint{false})`: the stop is not among the numbers.
struct endpoint {
  bool value = true;
};

inline namespace RICCI_ABI {

// The number in every place of a tensor of that shape. Inside a traced function the number may be a symbol.
template <Element T, ShapeArgument S, Context C = exec::default_context, class V = T>
requires(Arithmetic<V> || tracing::is_number<V>)  //
    constexpr auto full(S const& shape, V value, [[maybe_unused]] C const& context = {}) {
  auto const& s = shapes::argument(shape);
  if constexpr (requires { requires std::remove_cvref_t<decltype(s)>::is_symbolic; } || !Arithmetic<V>)
    return tracing::full<T>(s, value);
  else
    return storage::filled(storage::made<T>(s, context), storage::same_number<V>{value});
}
// A tensor of that shape, all zeros.
template <Element T, ShapeArgument S, Context C = exec::default_context>
constexpr auto zeros(S const& shape, C const& context = {}) {
  return full<T>(shape, T(0), context);
}
// The same, all ones.
template <Element T, ShapeArgument S, Context C = exec::default_context>
constexpr auto ones(S const& shape, C const& context = {}) {
  return full<T>(shape, T(1), context);
}
// The same, not initialised.
template <Element T, ShapeArgument S, Context C = exec::default_context>
constexpr auto empty(S const& shape, C const& context = {}) {
  return storage::made<T>(shapes::argument(shape), context);
}
// A matrix (n, m) with ones on its diagonal: from a shape, or from one or two extents.
template <Element T, ShapeArgument S, Context C = exec::default_context>
constexpr auto eye(S const& shape, [[maybe_unused]] C const& context = {}) {
  auto const& s = shapes::argument(shape);
  using argument = std::remove_cvref_t<decltype(s)>;
  static_assert(argument::rank == 2, "eye makes matrices");
  if constexpr (requires { requires argument::is_symbolic; }) {
    return tracing::eye<T>(s);
  } else {
    auto x = storage::made<T>(s, context);
    index_t const rows = x.shape(0), columns = x.shape(1);
    if constexpr (requires { x.fill_elements(storage::ones_on_diagonal<T>{columns}); })
      return storage::filled(static_cast<decltype(x)&&>(x), storage::ones_on_diagonal<T>{columns});
    else
      return storage::written(static_cast<decltype(x)&&>(x), [=](typename decltype(x)::value_type* p) {
        for (index_t k = 0; k < rows * columns; ++k) p[k] = T(0);
        for (index_t k = 0; k < rows && k < columns; ++k) p[k * (columns + 1)] = T(1);
      });
  }
}
template <Element T, Extent N, Context C = exec::default_context>
constexpr auto eye(N n, C const& context = {}) {
  return eye<T>(shape(n, n), context);
}
template <Element T, Extent N, Extent M, Context C = exec::default_context>
constexpr auto eye(N rows, M columns, C const& context = {}) {
  return eye<T>(shape(rows, columns), context);
}
// start, start + step, ... before stop. A value_error where step is 0, or the numbers are more than memory can hold.
template <Element T, Arithmetic A, Arithmetic B, Arithmetic S = T, Context C = exec::default_context>
constexpr auto arange(A start, B stop, S step = S(1), C const& context = {}) {
  if (step == S(0)) core::raise<value_error>(core::text() << "arange needs a step other than 0");
  index_t const n = storage::steps_between(start, stop, step);
  using N = computed_t<T>;
  return storage::filled(storage::made<T>(shape(n), context),
                         storage::progression<T>{scalar::convert<N>(start), scalar::convert<N>(step)});
}
template <Element T, Arithmetic B, Context C = exec::default_context>
constexpr auto arange(B stop, C const& context = {}) {
  return arange<T>(T(0), stop, T(1), context);
}
template <Element T, Arithmetic A, Arithmetic B, Context C>
constexpr auto arange(A start, B stop, C const& context) {
  return arange<T>(start, stop, T(1), context);
}
// Inside a traced function, of extents of its arguments; also of an extent that the type knows: rc::extents<5>{}.
template <Element T, Extent A, Extent B>
requires(TracedExtent<A> || TracedExtent<B>) constexpr auto arange(A start, B stop, index_t step = 1) {
  if (step == 0) core::raise<value_error>(core::text() << "arange needs a step other than 0");
  return tracing::arange<T>(start, stop, step);
}
template <Element T, TracedExtent B>
constexpr auto arange(B stop) {
  return tracing::arange<T>(0, stop, 1);
}
template <Element T, index_t N>
constexpr auto arange(extents<N> const& shape) {
  return storage::filled(storage::made<T>(shape, exec::default_context{}), [](index_t k) { return static_cast<T>(k); });
}
// (n,): numbers from start to stop at equal distances, both included if nothing else is said; of floats or complex
// ones.
template <Element T, class A, class B, class N, Context C = exec::default_context>
requires((Extent<N> || shapes::is_extents<N>)&&storage::EndOfRange<A>&& storage::EndOfRange<B>) constexpr auto linspace(
    A start, B stop, N n, endpoint with_stop, C const& context = {}) {
  static_assert(is_inexact(dtype_of<T>), "linspace makes tensors of floating or complex numbers");
  if constexpr (TracedExtent<N> || tracing::is_number<A> || tracing::is_number<B>)
    return tracing::linspace<T>(start, stop, n, with_stop.value);
  else
    return storage::evenly_spaced<T>(storage::shape_of_length(n), storage::end_of_range<T>(start),
                                     storage::end_of_range<T>(stop), with_stop.value, context);
}
template <Element T, class A, class B, class N, Context C = exec::default_context>
requires((Extent<N> || shapes::is_extents<N>)&&storage::EndOfRange<A>&& storage::EndOfRange<B>) constexpr auto linspace(
    A start, B stop, N n, C const& context = {}) {
  return linspace<T>(start, stop, n, endpoint{}, context);
}

}  // namespace RICCI_ABI

namespace storage {
inline namespace RICCI_ABI {
// uninitialised, with the extents and type of x, and with its execution where no context is given
struct context_of_tensor {};
template <class X>
constexpr core::execution execution_of(X const& x) {
  if constexpr (requires { x.execution(); })
    return x.execution();
  else
    return {};
}
template <class X, class C>
constexpr auto made_like(X const& x, C const& context) {
  using T = value_type_of<X>;
  if constexpr (!std::is_same_v<C, context_of_tensor>) {
    using R = typename maker<C>::template type<T, extents_of<X>>;
    auto const s = shape_of_expression(x);
    return R(typename R::raw{}, s.data(), maker<C>::execution(context));
  } else {
    using R = tensor_beside<T, extents_of<X>, X>;
    auto const s = shape_of_expression(x);
    return R(typename R::raw{}, s.data(), execution_of(x));
  }
}
template <class X, class V, class C = context_of_tensor>
constexpr auto full_like(X const& x, V value, C const& context = {}) {
  if constexpr (is_symbol<X>)
    return symbol<typename X::value_type, typename X::extents, typename X::mode>{ir::broadcast_to(
        ir::cast(lifted<typename X::mode>(*x.v.g, value, dtype_of<value_type_of<X>>), dtype_of<value_type_of<X>>),
        x.v.shape_id())};
  else
    return filled(made_like(x, context), same_number<V>{value});
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

// Zeros, ones or a number, of the shape and element type of x; with a context as the last argument in that one, else in
// x's.
template <Tensor X, class... C>
requires(Context<C>&&...) constexpr auto zeros_like(X const& x, C const&... context) {
  return storage::full_like(x, 0, context...);
}
template <Tensor X, class... C>
requires(Context<C>&&...) constexpr auto ones_like(X const& x, C const&... context) {
  return storage::full_like(x, 1, context...);
}
template <Tensor X, Arithmetic V, class... C>
requires(Context<C>&&...) constexpr auto full_like(X const& x, V value, C const&... context) {
  return storage::full_like(x, value, context...);
}
// The same, not initialised.
template <Tensor X>
constexpr auto empty_like(X const& x) {
  return storage::made_like(x, storage::context_of_tensor{});
}
template <Tensor X, Context C>
constexpr auto empty_like(X const& x, C const& context) {
  return storage::made_like(x, context);
}

// (n,): a copy of a range of numbers, as std::vector, std::array, an initializer list or an array. Where its type says
// how many there are, so does the tensor's.
template <Element T, storage::RangeOfNumbers R, Context C = exec::default_context>
constexpr auto asarray(R const& data, C const& context = {}) {
  return storage::written(storage::made<T>(storage::shape_of_range(data), context), [&](auto* p) {
    for (auto const& v : data) *p++ = scalar::convert<T>(v);
  });
}
// The same with the range's element type.
template <storage::RangeOfNumbers R, Context C = exec::default_context>
constexpr auto asarray(R const& data, C const& context = {}) {
  return asarray<element_t<std::remove_cvref_t<decltype(*data.begin())>>>(data, context);
}
template <Element T, std::size_t N, Context C = exec::default_context>
constexpr auto asarray(T const (&data)[N], C const& context = {}) {
  return storage::filled(storage::made<T>(extents<index_t(N)>{}, context), [&](index_t k) { return data[k]; });
}
template <Element T, class U, std::size_t N, Context C = exec::default_context>
requires(!std::is_same_v<T, U> && Arithmetic<U>) constexpr auto asarray(U const (&data)[N], C const& context = {}) {
  return storage::filled(storage::made<T>(extents<index_t(N)>{}, context), [&](index_t k) { return data[k]; });
}
// A tensor of that shape, from as many elements at p in row-major order, which are copied.
template <Element T, class U, ShapeArgument S, Context C = exec::default_context>
constexpr auto asarray(U const* p, S const& shape, C const& context = {}) {
  return storage::filled(storage::made<T>(shapes::argument(shape), context), [&](index_t k) { return p[k]; });
}
// The value of any tensor, with elements of type T.
template <Element T, Tensor X, Context C = exec::default_context>
auto asarray(X const& x, C const& context = {}) {
  return eval(astype<T>(x), context);
}
// A view of that shape of the elements at p, in row-major order, which somebody else owns and keeps. T: an element
// type, const where they are only read. value_error: an extent is negative.
template <class T, ShapeArgument S>
requires(is_stored<std::remove_const_t<T>>) constexpr auto frombuffer(T* p, S const& shape) {
  auto const& s = shapes::argument(shape);
  using argument = std::remove_cvref_t<decltype(s)>;
  using E = std::conditional_t<shapes::is_extents<S>, S, dynamic_extents<argument::rank>>;
  expr::extent_storage<E> e;
  if constexpr (!shapes::is_extents<S>)
    for (int k = 0; k < E::rank; ++k) e.set(k, s.values[k]);
  (void)core::bytes_of(e.data(), E::rank, sizeof(T));
  return view<T, E, layout::row_major, false>(p, e);
}

// The value of an expression, computed in a context, which the result remembers.
template <Tensor X, Context C>
constexpr auto eval(X const& x, [[maybe_unused]] C const& context) {
  if constexpr (is_symbol<X>)
    return eval(x);
  else
    return storage::maker<C>::evaluated(x, storage::maker<C>::execution(context));
}
// A copy of a tensor in a context.
template <Tensor X, Context C>
auto copy(X const& x, C const& context) {
  return eval(x, context);
}

}  // namespace RICCI_ABI
}  // namespace ricci
