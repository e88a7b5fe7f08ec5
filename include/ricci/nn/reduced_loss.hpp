// What losses have in common. All operands of a loss have one shape: nothing is stretched, so that (n, 1) beside (n) is
// an error and no table of n^2 numbers. The result is the mean; `nn::summed` or `nn::unreduced` behind the operands
// gives the sum, or one number for each element (each row, for losses of rows).
//
//   auto a = nn::mse(prediction, target);
//   auto b = nn::huber(prediction, target, nn::summed, .5f);
#pragma once

#include <ricci/ops/composite_functions.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/statistics.hpp>

namespace ricci::nn {

enum class reduction { mean, sum, none };
template <reduction R>
struct reduce_by {};
inline constexpr reduce_by<reduction::mean> averaged{};
inline constexpr reduce_by<reduction::sum> summed{};
inline constexpr reduce_by<reduction::none> unreduced{};

// The operation behind a loss of type L, which has `terms(x...)`, a value for each element or row. Of its operands the
// first L::tensors are tensors, the others numbers.
template <class L, reduction R>
struct reduced_loss : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = L::name;
  static constexpr bool takes_complex = false;
  template <class... T>
  static constexpr dtype type_of_result(T... t) {
    return floating_type_for(promote_all(t...));
  }
  // what is left of the shape s of the first operand beside that of operand k
  template <class Context>
  static constexpr void join(Context& c, shape_t& s, shape_t const& other, int k) {
    if (k >= L::tensors) {
      if (other.rank != 0) c.fail();
      return;
    }
    int const rank = s.rank - (L::along_rows && k == L::label ? 1 : 0);
    if (other.rank != rank) return c.fail();
    for (int d = 0; d < rank; ++d) {
      index_t const n = c.same(s.extent[d], other.extent[d]);
      s.extent[d] = n;
    }
  }
  template <class Context, class... Shapes>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& first, Shapes const&... rest) {
    shape_t s = first;
    if (L::along_rows && s.rank == 0) return c.fail(), shape_t{};
    int k = 0;
    (join(c, s, rest, ++k), ...);
    if (L::along_rows) --s.rank;
    return R == reduction::none ? s : shape_t{};
  }
  template <class Mode, class... V>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> first, V... rest) {
    auto& g = *first.g;
    shape_t s = first.shape();
    [[maybe_unused]] int k = 0;
    [[maybe_unused]] auto const check = [&](int shape, shape_t const& other) {  // errors tell the one that does not fit
      ir::graph_context<typename Mode::graph> c{g, ir::facts_of<reduced_loss>(), first.shape_id(), shape};
      join(c, s, other, ++k);
    };
    (check(rest.shape_id(), rest.shape()), ...);
    dtype const type = type_of_result(first.type(), rest.type()...), computed = arithmetic_type(type);
    ir::value<Mode> y = L::terms(ir::cast(first, computed), ir::cast(rest, computed)...);
    if constexpr (R != reduction::none) {
      int const all = (1 << y.rank()) - 1;
      y = R == reduction::mean ? mean_t::formula(y, all, false) : ir::value<Mode>(sum_t::over(y, all));
    }
    return ir::cast(y, type);
  }
};

// The function object that is called: Tensors operands, then perhaps how to reduce, then numbers.
template <class L, int Tensors>
struct loss_function {
  static constexpr int tensors = Tensors, label = -1;  // which operand, if any, has one number a row
  static constexpr bool along_rows = false;            // whether a term is one of a row, the last axis

  template <reduction R, class... X>
  RICCI_INLINE static constexpr auto call(X&&... x) {
    return call_operation<reduced_loss<L, R>>(no_attributes{}, static_cast<X&&>(x)...);
  }
};
// Losses of two and of three tensors; numbers that are left out have the default values of `terms`.
template <class L>
struct loss_of_two : loss_function<L, 2> {
  template <class A, class B, class... N>
  requires operands<A, B, N...> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, N const&... n) const {
    return (*this)(static_cast<A&&>(a), static_cast<B&&>(b), averaged, n...);
  }
  template <class A, class B, reduction R, class... N>
  requires operands<A, B, N...> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, reduce_by<R>,
                                                                       N const&... n) const {
    if constexpr (requires { L::check(n...); }) L::check(n...);  // which no number of a trace has
    return L::template call<R>(static_cast<A&&>(a), static_cast<B&&>(b), n...);
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "a loss takes what was predicted, then the target, then how losses become one, nn::summed or nn::unreduced, "
      "the mean if it is left out")
};
template <class L>
struct loss_of_three : loss_function<L, 3> {
  template <class A, class B, class C, class... N>
  requires operands<A, B, C, N...> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, C&& c, N const&... n) const {
    return (*this)(static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c), averaged, n...);
  }
  template <class A, class B, class C, reduction R, class... N>
  requires operands<A, B, C, N...> RICCI_INLINE constexpr auto operator()(A&& a, B&& b, C&& c, reduce_by<R>,
                                                                          N const&... n) const {
    return L::template call<R>(static_cast<A&&>(a), static_cast<B&&>(b), static_cast<C&&>(c), n...);
  }
};

}  // namespace ricci::nn
