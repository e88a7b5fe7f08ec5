// std::mdspan and tensors, with a standard library that has it.
#include <doctest/doctest.h>

#include <version>
#if defined(__cpp_lib_mdspan)
#include <ricci/mdspan.hpp>

#include "../raised.hpp"

namespace rc = ricci;

TEST_CASE("spans and tensors look at the same elements") {
  double elements[6]{1, 2, 3, 4, 5, 6};
  auto v = rc::from_mdspan(std::mdspan<double, std::extents<int, 2, std::dynamic_extent>>(elements, 3));
  static_assert(std::is_same_v<decltype(v)::extents, rc::extents<2, rc::dyn>>);
  v(1, rc::all) *= 10.;
  CHECK((elements[3] == 40 && v(0, 2) == 3));
  auto columns = rc::from_mdspan(std::mdspan<double const, std::dextents<long, 2>, std::layout_left>(elements, 2, 3));
  static_assert(std::is_same_v<decltype(columns(0, 0)), double const&>);
  CHECK((columns(1, 0) == 2 && columns(0, 1) == 3));

  rc::tensor<float, rc::dyn, 3> x{{1, 2, 3}, {4, 5, 6}};
  auto span = rc::to_mdspan(x);
  static_assert(std::is_same_v<decltype(span)::layout_type, std::layout_right> && span.static_extent(1) == 3);
  span[1, 0] = 7;
  CHECK((span.extent(0) == 2 && x(1, 0) == 7));
  auto part = rc::to_mdspan(x(rc::all, rc::range(0, 3, 2)));
  CHECK((part.stride(0) == 3 && part[1, 1] == 6));
  CHECK(raised([&] { rc::to_mdspan(x(rc::all, rc::range(2, -4, -1))); }) ==
        "value_error: to_mdspan: axis 1 has the stride -1, and std::mdspan takes positive ones");
  CHECK(rc::to_mdspan(x(rc::all, rc::newaxis, rc::range(0, 3, 2))).stride(1) == 1);
  CHECK(raised([&] {
          rc::to_mdspan(rc::view<float, rc::extents<3, 2>, rc::layout::strided>(x.data(), {}, {{0, 1}}));
        }) == "value_error: to_mdspan: axis 0 has the stride 0, and std::mdspan takes positive ones");
}
#endif
