// Tensors of orders 0 to 8, static and dynamic, also with extents 1 and 0: a fused chain with broadcasting, reductions
// over the first axis, over the last and over all, and the axes in reverse order, against plain loops.
#include <doctest/doctest.h>

#include <utility>

#include "reference.hpp"

namespace rc = ricci;
using reference::array;

namespace {

// the extents of the tensors of order 8; those of lower order have the last of them
constexpr rc::index_t full[] = {2, 1, 3, 2, 1, 2, 3, 5};
constexpr rc::index_t empty[] = {2, 1, 3, 0, 1, 2, 0, 5};

template <class T, rc::index_t const (&E)[8], std::size_t... I>
auto tensor_in_place(std::index_sequence<I...>) {
  return rc::tensor<T, E[8 - sizeof...(I) + I]...>{};
}
template <class T, rc::index_t const (&E)[8], std::size_t... I>
auto dynamic_tensor(std::index_sequence<I...>) {
  return rc::ndarray<T, sizeof...(I)>(E[8 - sizeof...(I) + I]...);
}
// axes I - 1 down to 0
template <std::size_t... I>
auto reversed(std::index_sequence<I...>) {
  return rc::axis<(static_cast<rc::index_t>(sizeof...(I)) - 1 - static_cast<rc::index_t>(I))...>;
}

template <class X>
void check_order(X x) {
  constexpr int order = X::rank;
  CAPTURE(order);
  reference::fill(x);
  array const a(x);
  auto const add = [](double p, double q) { return p + q; };
  double const tolerance = 1e-5;

  // a row and a number beside it: both are broadcast, the number to any order
  rc::tensor<float, order == 0 ? 1 : 5> row_of_five;
  reference::fill(row_of_five, 0.9);
  rc::tensor<float> scalar = 0.25f;
  auto const& row = [&]() -> auto& {
    if constexpr (order == 0)
      return scalar;
    else
      return row_of_five;
  }
  ();
  auto const chain = rc::eval(rc::exp(x) * row - scalar / (x * x + 1.f));
  CHECK(array(chain).near(
      reference::combined(a, array(row), [](double p, double q) { return std::exp(p) * q - 0.25 / (p * p + 1); }),
      tolerance));

  std::vector<bool> over(static_cast<std::size_t>(order), true);
  CHECK(array(rc::eval(rc::sum(x))).near(reference::reduced(a, over, false, 0, add), tolerance));
  CHECK(array(rc::eval(rc::sum(x, rc::keepdims))).near(reference::reduced(a, over, true, 0, add), tolerance));
  if constexpr (order > 0) {
    std::vector<bool> first(static_cast<std::size_t>(order), false), last = first;
    first.front() = true, last.back() = true;
    CHECK(array(rc::eval(rc::sum(x * 2.f, rc::axis<0>)))
              .near(reference::reduced(a, first, false, 0, [](double p, double q) { return p + 2 * q; }), tolerance));
    CHECK(array(rc::eval(rc::prod(x, rc::axis<-1>, rc::keepdims)))
              .near(reference::reduced(a, last, true, 1, [](double p, double q) { return p * q; }), tolerance));
  }
  if constexpr (order > 1) {
    auto const turned = rc::eval(rc::permute_dims(x, reversed(std::make_index_sequence<order>{})) * 3.f);
    reference::shape s(a.extents.rbegin(), a.extents.rend());
    CHECK(array(turned).near(
        array(s, [&](reference::index const& at) { return 3 * a(reference::index(at.rbegin(), at.rend())); }),
        tolerance));
  }
  if constexpr (order > 2) {  // outer axes and the innermost one together
    std::vector<bool> ends(static_cast<std::size_t>(order), false);
    ends.front() = ends.back() = true;
    CHECK(array(rc::eval(rc::max(x, rc::axis<0, -1>)))
              .near(reference::reduced(a, ends, false, -INFINITY, [](double p, double q) { return p > q ? p : q; }),
                    tolerance));
  }
}

template <bool Static, rc::index_t const (&E)[8], std::size_t... Order>
void check_orders(std::index_sequence<Order...>) {
  if constexpr (Static)
    (check_order(tensor_in_place<float, E>(std::make_index_sequence<Order>{})), ...);
  else
    (check_order(dynamic_tensor<float, E>(std::make_index_sequence<Order>{})), ...);
}

}  // namespace

TEST_CASE("orders 0 to 8, static extents") { check_orders<true, full>(std::make_index_sequence<9>{}); }
TEST_CASE("orders 0 to 8, dynamic extents") { check_orders<false, full>(std::make_index_sequence<9>{}); }
TEST_CASE("orders 2 to 8 with extents 0, static extents") { check_orders<true, empty>(std::index_sequence<2, 5, 8>{}); }
TEST_CASE("orders 2 to 8 with extents 0, dynamic extents") {
  check_orders<false, empty>(std::index_sequence<2, 3, 5, 8>{});
}
