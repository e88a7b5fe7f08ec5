// Rearrangements by patterns of einops, against loops.
#include <doctest/doctest.h>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;
using rc::shapes::axes_pattern_in;
using rc::shapes::pattern_fault;

namespace {

constexpr auto p = axes_pattern_in("b (h p) ... -> (b h)... (p 3)");
static_assert(p.problem.fault == pattern_fault::none && p.count == 4 && p.number[3] == 3 && p.number[2] == -1);
static_assert(p.left.groups == 3 && p.left.ellipsis == 3 && p.right.groups == 3 && p.right.group[1] == 0);
static_assert(p.left.with_ellipsis(3).groups == 5 && p.left.with_ellipsis(0).groups == 2);
static_assert(p.right.with_ellipsis(2).count == 6 && p.right.with_ellipsis(2).group[4] == 3);
constexpr auto fault_of(char const* text) { return axes_pattern_in(text).problem; }
static_assert(fault_of("a b").fault == pattern_fault::unreadable && fault_of("a (b -> a b").place == 5);
static_assert(fault_of("a ((b)) -> a b").place == 3 && fault_of("a + b -> a").place == 2);
static_assert(fault_of("a b -> b a b").fault == pattern_fault::name_twice && fault_of("a b -> b a b").place == 11);
static_assert(fault_of("a -> ... a").fault == pattern_fault::ellipsis);
static_assert(fault_of("(a ...) -> a").fault == pattern_fault::ellipsis);
static_assert(fault_of("a 3b -> a").fault == pattern_fault::unreadable);

}  // namespace

TEST_CASE("rearrange, reduce and repeat") {
  rc::ndarray<double, 4> const x = rc::reshape(rc::arange<double>(0, 2 * 4 * 6 * 3), rc::shape(2, 4, 6, 3));
  auto const check = [&](auto const& patches, auto const& pooled) {
    CHECK(shape_of(patches) == numbers{2, 4, 18});
    CHECK(shape_of(pooled) == numbers{2, 2, 3});
    numbers expected{}, sums{};
    for (int b = 0; b < 2; ++b)
      for (int h = 0; h < 2; ++h)
        for (int w = 0; w < 2; ++w)
          for (int p1 = 0; p1 < 2; ++p1)
            for (int q = 0; q < 3; ++q)
              for (int c = 0; c < 3; ++c) expected.push(x(b, 2 * h + p1, 3 * w + q, c));
    for (int b = 0; b < 2; ++b)
      for (int h = 0; h < 2; ++h)
        for (int c = 0; c < 3; ++c) {
          double s = 0;
          for (int p1 = 0; p1 < 2; ++p1)
            for (int w = 0; w < 6; ++w) s += x(b, 2 * h + p1, w, c);
          sums.push(s);
        }
    CHECK(numbers(patches) == expected);
    CHECK(numbers(pooled) == sums);
  };
  check(
      rc::eval(rc::einops::rearrange<"b (h p) (w q) c -> b (h w) (p q c)">(x, rc::length<"p">(2), rc::length<"q">(3))),
      rc::eval(rc::einops::reduce<"b (h 2) w c -> b h c", rc::sum>(x)));
  rc::tensor<double, 2, 4, 6, 3> const y = x;
  auto const patches = rc::eval(rc::einops::rearrange<"b (h p) (w q) ... -> b (h w) (p q ...)">(
      y, rc::length<"p", 2>, rc::length<"q">(std::integral_constant<int, 3>{})));
  static_assert(std::is_same_v<decltype(patches), rc::tensor<double, 2, 4, 18> const>);
  check(patches, rc::eval(rc::einops::reduce<"b (h 2) w c -> b h c", rc::sum>(y)));

  rc::tensor<int, 2, 3> const i{{1, 2, 3}, {4, 5, 6}};
  CHECK(numbers(rc::eval(rc::einops::repeat<"i j -> (j 2) i">(i))) == numbers{1, 4, 1, 4, 2, 5, 2, 5, 3, 6, 3, 6});
  auto const copies = rc::eval(rc::einops::repeat<"... -> n ... 1">(i, rc::length<"n">(2)));
  CHECK(shape_of(copies) == numbers{2, 2, 3, 1});
  CHECK(numbers(copies) == numbers{1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6});
  static_assert(std::is_same_v<decltype(rc::eval(rc::einops::reduce<"i j -> i", rc::mean>(i)))::value_type, double>);
  CHECK(rc::einops::reduce<"... -> ", rc::max>(i).item() == 6);

  // in functions, with lengths that are extents
  auto const f = [](auto z) {
    return rc::sum(rc::square(rc::einops::rearrange<"b (h p) w c -> (c p) (b h w)">(z, rc::length<"p">(z.shape(0)))));
  };
  CHECK(numbers(rc::grad(f)(x)) == numbers(rc::eval(2. * x)));
  CHECK(raised([&] { rc::eval(rc::einops::rearrange<"b (h p) w c -> b h p w c">(x, rc::length<"p">(3))); }) ==
        "shape_error: rearrange: (2, 4, 6, 3)");
}
