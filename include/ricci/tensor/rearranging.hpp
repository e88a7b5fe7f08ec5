// `rc::repeat(x, 3)`, `rc::repeat(x, counts, rc::axis<0>)` with a count for each element, and `rc::flatten(x)`.
#pragma once

#include <ricci/ops/rearranging.hpp>
#include <ricci/tensor/searching.hpp>

namespace ricci {

namespace storage {
inline namespace RICCI_ABI {

// 0, 1, ... n - 1, each as often as its count says
template <class Counts>
auto repeated_positions(Counts const& counts, index_t n) {
  auto const& v = stored_value(counts);
  if (v.size() != n) shapes::raise_misfit(repeat_t::name, shape_t{1, {n}}, shape_t{1, {v.size()}});
  index_t whole = 0;
  for (auto const c : v) {
    if (static_cast<index_t>(c) < 0)
      core::raise<value_error>(core::text() << "repeat: a count is " << static_cast<index_t>(c));
    whole = core::sum_of_extents(whole, static_cast<index_t>(c));
  }
  auto places = new_indices<Counts>(whole);
  auto* to = places.data();
  for (index_t k = 0; k < n; ++k)
    for (auto left = static_cast<index_t>(v.data()[k]); left > 0; --left) *to++ = k;
  return places;
}

}  // namespace RICCI_ABI
}  // namespace storage

// Every element several times, one after the other, along an axis or, without one, of x as if it were flat. How often
// is a number, or an integer tensor of order 1 with a count for each, (m,): then the result is a tensor, computed at
// once. A negative count is a value_error, another number of them a shape_error.
struct repeat_function : repeat_t {
  using repeat_t::operator();
  template <class X, class Counts, index_t A>
  requires(typed_operands<X, Counts>&& Tensor<Counts> && !Numbers<Counts>) auto operator()(X const& x,
                                                                                           Counts const& counts,
                                                                                           axes_t<A> axis) const {
    (void)sizeof(storage::shape_depends_on_elements_of<X>);
    (void)sizeof(storage::shape_depends_on_elements_of<Counts>);
    (void)sizeof(derived_by_nobody<X>);
    static_assert(rank_of<Counts> == 1 && is_integer(dtype_of<value_type_of<Counts>>),
                  "repeat: counts are a number, or integers of order 1");
    auto const extents = x.shape();
    static_assert(A >= -rank_of<X> && A < rank_of<X>, "repeat: an axis that the tensor does not have");
    return eval(
        take(x, storage::repeated_positions(counts, extents[std::size_t(axis_from_start(A, rank_of<X>))]), axis));
  }
  template <class X, class Counts>
  requires(typed_operands<X, Counts>&& Tensor<Counts> && !Numbers<Counts>) auto operator()(X const& x,
                                                                                           Counts const& counts) const {
    return (*this)(ravel(x), counts, axis<0>);
  }
  template <class X, class Counts, index_t A>
  requires(any_operands<X, Counts> && !Numbers<Counts>) auto operator()(X const& x, Counts const& counts,
                                                                        axes_t<A> axis) const {
    return repeat_at_run_time(x, counts, axis);
  }
  template <class X, class Counts>
  requires(any_operands<X, Counts> && !Numbers<Counts>) auto operator()(X const& x, Counts const& counts) const {
    return repeat_at_run_time(ravel(x), counts, axis<0>);
  }
  RICCI_WRONG_CALL_OF_OBJECT(
      "repeat takes a tensor, how often each element stands there, an integer or a tensor of integers, and the axis: "
      "rc::repeat(x, 2, rc::axis<0>); without an axis it goes through all elements")
};
inline constexpr repeat_function repeat{};

// A copy of x, its elements in row-major order along one axis; of a symbol in a traced function `rc::ravel`.
template <class X>
requires(Tensor<X>) constexpr auto flatten(X const& x) { return storage::now(ravel(x)); }

}  // namespace ricci
