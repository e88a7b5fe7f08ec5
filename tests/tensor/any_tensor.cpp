// Tensors of run-time type and order by themselves; that functions do with them what they do with others, the oracle
// says (tests/arrays), which hands each of its cases to them, too.
#include <doctest/doctest.h>

#include <ricci/any_tensor.hpp>
#include <ricci/dlpack.hpp>

#include <array>
#include <cmath>
#include <sstream>
#include <vector>

#include "../raised.hpp"

namespace rc = ricci;

namespace {

std::string text_of(rc::any_tensor const& a) {
  std::ostringstream s;
  s << a;
  return s.str();
}

// What the interpreter reduces x to over the axes in `mask`, and what a plain loop does.
template <class Op, class T>
void check_reduced(std::vector<T> const& x, rc::shape_t const& s, int mask) {
  rc::index_t strides[rc::max_rank]{}, m = 1;
  for (int k = s.rank - 1; k >= 0; --k)
    if (!(mask >> k & 1)) strides[k] = m, m *= s.extent[k];
  std::vector<T> expected(std::size_t(m), Op::template identity<T>), y(std::size_t(m), T(77));
  for (std::size_t n = 0; n < x.size(); ++n) {
    rc::index_t to = 0, rest = rc::index_t(n);
    for (int k = s.rank - 1; k >= 0; --k) to += rest % s.extent[k] * strides[k], rest /= s.extent[k];
    expected[std::size_t(to)] = T(Op::combine(expected[std::size_t(to)], x[n]));
  }
  rc::ir::reduction_interpreter<Op, T>::run(y.data(), x.data(), s, mask);
  CAPTURE(s.rank);
  CAPTURE(x.size());
  CAPTURE(mask);
  CHECK(y == expected);
}

}  // namespace

TEST_CASE("interpreted reductions go over any axes, in any order of memory") {
  rc::shape_t const shapes[] = {{0, {}},        {1, {1}},       {1, {31}},      {1, {1000}},       {2, {40, 5}},
                                {2, {5, 300}},  {2, {130, 33}}, {3, {7, 1, 9}}, {3, {33, 2, 67}},  {4, {3, 5, 70, 2}},
                                {3, {2, 0, 3}}, {2, {0, 4}},    {2, {70, 260}}, {3, {2, 100, 31}}, {2, {1000, 2}}};
  for (auto const& s : shapes) {
    std::vector<std::int64_t> x;
    for (rc::index_t k = 0, n = rc::size_of(s); k < n; ++k) x.push_back(k * k % 1009 - 300);
    for (int mask = 0; mask < 1 << s.rank; ++mask) {
      check_reduced<rc::sum_t>(x, s, mask);
      check_reduced<rc::max_t>(x, s, mask);
      check_reduced<rc::prod_t>(x, s, mask);
    }
  }
  std::vector<double> x(4000, 1.);
  x[1234] = std::nan(""), x[3999] = 7;
  double y[4]{};
  rc::ir::reduction_interpreter<rc::max_t, double>::run(y, x.data(), rc::shape_t{2, {4, 1000}}, 2);
  CHECK((y[0] == 1 && y[1] != y[1] && y[2] == 1 && y[3] == 7));
}

TEST_CASE("interpreted sums are as exact as compiled ones") {
  double const eps = 1.1920928955078125e-7, exact = 1e6 * double(.1f), bound = (4 + std::log2(1e6)) * eps * exact;
  rc::any_tensor const a = rc::full<float>(rc::shape(1000000), .1f);
  CHECK(std::abs(rc::sum(a).item<double>() - exact) < bound);
  rc::any_tensor const b = rc::sum(rc::reshape(a, rc::shape(250000, 4)), rc::axis<0>);
  CHECK(std::abs(b.as<float, 1>()(2) - exact / 4) < bound / 4);
}

TEST_CASE("an any_tensor knows its type and order, and is seen as a view of them") {
  rc::ndarray<float, 2> x{{1, 2, 3}, {4, 5, 6}};
  rc::any_tensor a = x, of_expression = x + 1.f, number(2.5);
  x(0, 0) = 7;
  CHECK(a.dtype() == rc::dtype::float32);
  CHECK(a.order() == 2);
  CHECK(a.shape(-1) == 3);
  CHECK(a.size() == 6);
  CHECK(a.as<float, 2>()(0, 0) == 1);
  CHECK(of_expression.as<float, 2>()(1, 2) == 7);
  CHECK(number.item<int>() == 2);
  CHECK(rc::any_tensor().size() == 0);
  std::vector<long> const shape{2, 0}, pair{2};
  std::int16_t const numbers[] = {3, 4};
  CHECK(rc::any_tensor(rc::dtype::int16, shape, nullptr).shape(1) == 0);
  CHECK(text_of(rc::any_tensor(rc::dtype::int16, pair, numbers)) == "[3 4]");
  CHECK(text_of(rc::any_tensor()) == "nothing");
  std::vector<long> const rows{1001, 0};
  CHECK(text_of(rc::any_tensor(rc::dtype::int16, rows, nullptr)) == "[[]\n []\n []\n ...\n []\n []\n []]");
  CHECK(raised([&] { a.as<double, 2>(); }) == "value_error: as: a tensor of float32, not float64");
  CHECK(raised([&] { a.as<float, 1>(); }) == "shape_error: as: a tensor of order 2, not 1");
  CHECK(raised([&] { a.item<float>(); }) == "shape_error: item: a tensor of order 2 is no number");
  auto const twice = [](auto const& v) { return v * 2; };
  rc::any_tensor const doubled = rc::visit<rc::type_list<float, std::int32_t>, rc::orders<1, 2>>(twice, a);
  CHECK(text_of(doubled) == "[[2 4 6]\n [8 10 12]]");
  auto const count = [](auto const& v) { return v.size(); };
  CHECK(rc::visit<rc::type_list<float>, rc::orders<0, 2>>(count, a) == 6);
  CHECK(raised([&] { rc::visit<rc::type_list<double>, rc::orders<0, 2>>(count, a); }) ==
        "value_error: visit: float32 of order 2 is not among the types and orders that are visited");
}

TEST_CASE("what types would have shown is raised") {
  rc::any_tensor const a = rc::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}}, pair = rc::tensor<float, 2>{1, 2};
  rc::any_tensor const condition = a > 3.f, z = rc::tensor<std::complex<float>, 2>{1, 2};
  CHECK(text_of(a + rc::tensor<int, 3>{1, 0, -1}) == "[[2 2 2]\n [5 5 5]]");
  CHECK(rc::name_of((a + rc::tensor<int, 3>{1, 0, -1}).dtype()) == std::string("float64"));
  CHECK((a + 1).dtype() == rc::dtype::float32);
  CHECK(bool(rc::all((a < 4) == !condition)));
  rc::any_tensor const bits = rc::tensor<int, 3>{1, 2, 6};
  CHECK(text_of(a / a) == "[[1 1 1]\n [1 1 1]]");
  CHECK(text_of(pair / 2) == "[0.5 1]");
  CHECK(raised([&] { bits / bits; }) == "value_error: /: integers have no operator /, but floor_divide and divide");
  CHECK(rc::pow(bits, 2).dtype() == rc::dtype::int32);
  CHECK(text_of(bits & 3) == "[1 2 2]");
  CHECK(text_of(condition & bits) == "[[0 0 0]\n [1 0 0]]");
  CHECK(raised([&] { a& condition; }) == "value_error: bitwise_and: is not defined for float32");
  CHECK((condition & true).dtype() == rc::dtype::boolean);
  CHECK(text_of(rc::sum(a, -1)) == "[6 15]");
  CHECK(raised([&] { a + pair; }) == "shape_error: add: (2, 3) (2,)");
  CHECK(raised([&] { rc::matmul(a, a); }) == "shape_error: matmul: (2, 3) (2, 3)");
  CHECK(raised([&] { rc::sum(a, rc::axis<2>); }) == "index_error: sum: axis 2 of a tensor of order 2");
  CHECK(raised([&] { rc::sum(a, 2); }) == "index_error: sum: axis 2 of a tensor of order 2");
  CHECK(raised([&] { condition - condition; }) == "value_error: subtract: is not defined for bool");
  CHECK(raised([&] { rc::max(z); }) == "value_error: max: is not defined for complex64");
  CHECK(raised([&] { rc::bitwise_and(a, a); }) == "value_error: bitwise_and: is not defined for float32");
  CHECK(raised([&] {
          rc::take(a, rc::asarray<int>(std::array{0, 1}));
        }) == "value_error: take: of a tensor of order 2 the axis is named, rc::take(x, indices, rc::axis<0>)");
  CHECK(raised([&] { rc::take(a, a, rc::axis<0>); }) == "value_error: take: the indices are integers, and not float32");
  CHECK(raised([&] { a + rc::any_tensor(); }) == "value_error: any_tensor: an any_tensor that holds nothing is given");
}

TEST_CASE("an index selects") {
  rc::any_tensor const a = rc::reshape(rc::arange<std::int16_t>(0, 24), rc::shape(2, 3, 4));
  CHECK(a(1, 2, 3).item<int>() == 23);
  CHECK(a(-1, 0, -4).order() == 0);
  CHECK(text_of(a(1, 0)) == "[12 13 14 15]");
  CHECK(a(1).data() == static_cast<std::int16_t const*>(a.data()) + 12);  // shared
  CHECK(text_of(a(rc::all, 1, rc::range(0, rc::end, 2))) == "[[4 6]\n [16 18]]");
  CHECK(text_of(a(rc::ellipsis, 3)(1)) == "[15 19 23]");
  CHECK(text_of(a(0, rc::range(rc::end, rc::end, -1), rc::newaxis, 0)) == "[[8]\n [4]\n [0]]");
  CHECK(text_of(a(0, rc::slice<2>(1), rc::range<3, 4>()) + 1) == "[[8]\n [12]]");
  CHECK(a(rc::all, rc::range(1, 1)).size() == 0);
  CHECK(raised([&] { a(2); }).find("index_error") == 0);
  CHECK(raised([&] { a(0, 0, 0, 0); }) == "index_error: an index names 4 axes of a tensor of order 3");
  CHECK(raised([&] { a(0, rc::range(0, 5)); }).find("index_error: range(0, 5, 1)") == 0);
}

TEST_CASE("masks and integer tensors select, beside one another and other items, as NumPy has it") {
  rc::any_tensor const a = rc::reshape(rc::arange<std::int16_t>(0, 60), rc::shape(5, 3, 4));
  rc::any_tensor const i = rc::tensor<std::int8_t, 2>{0, -1}, j = rc::tensor<int, 2, 1>{{1}, {2}}, above = a > 30;
  rc::tensor<bool, 3> const middle_left_out{true, false, true};
  // shape, sum, and sum of the elements times their places, as NumPy has them
  auto const says = [](rc::any_tensor const& x) {
    std::ostringstream s;
    long sum = 0, placed = 0;
    for (rc::index_t k = 0; k < x.size(); ++k) {
      long const e = static_cast<std::int16_t const*>(x.data())[k];
      sum += e, placed += e * k;
    }
    for (int k = 0; k < x.order(); ++k) s << x.shape(k) << " ";
    s << sum << " " << placed;
    return s.str();
  };
  CHECK(says(a(i)) == "2 3 4 708 11884");
  CHECK(says(a(rc::all, i, i)) == "5 2 295 1835");
  CHECK(says(a(rc::all, i, rc::ellipsis, i)) == "2 5 295 1705");
  CHECK(says(a(1, rc::all, i)) == "2 3 105 292");
  CHECK(says(a(rc::ellipsis, j, i)) == "5 2 2 630 7960");
  CHECK(says(a(i, rc::range(1, 3), j)) == "2 2 2 252 1090");
  CHECK(says(a(rc::newaxis, i, 1, rc::range(0, 4, 2))) == "1 2 2 116 272");
  CHECK(says(a(above)) == "29 1305 20300");
  CHECK(says(a(above(rc::all, 2, 3))) == "3 3 4 1494 30030");
  CHECK(says(a(rc::all, middle_left_out, i)) == "5 2 295 1835");
  CHECK(says(a(rc::all, middle_left_out, rc::range(rc::end, rc::end, -1))) == "5 2 4 1180 30960");
  CHECK(says(a(j(0, 0))) == "3 4 210 1298");
  CHECK(says(a(above & (a < 0))) == "0 0 0");
  CHECK(says(a(rc::range(1, 1), i)) == "0 2 4 0 0");

  rc::any_tensor b = a;
  b.set(rc::tensor<float, 2>{7.5f, 8}, rc::all, 1, i);
  CHECK(says(b) == "5 3 4 1550 60825");
  CHECK(says(a) == "5 3 4 1770 70210");  // which b has shared until then
  void const* const own = b.data();
  b.set(-1, b > 30);
  CHECK(says(b) == "5 3 4 442 9125");
  b.add(rc::tensor<int, 1>{2}, rc::tensor<int, 3>{1, 1, 4}, 0);
  CHECK(says(b) == "5 3 4 466 9737");
  CHECK(b.data() == own);
  b.set(b(1) * 2, 2);
  CHECK(says(b) == "5 3 4 706 17386");
  b.set(b(0), 1);
  b.add(1, rc::ellipsis, rc::range(0, 4, 2));
  CHECK(says(b) == "5 3 4 600 15940");
  b.set(5);
  CHECK(says(b) == "5 3 4 300 8850");

  CHECK(raised([&] {
          a(rc::tensor<int, 2>{0, 5});
        }) == "index_error: index 5 is out of range for axis 0 with extent 5");
  CHECK(raised([&] { a(above, 0); }) == "index_error: an index names 4 axes of a tensor of order 3");
  CHECK(raised([&] { a(middle_left_out); }) ==
        "shape_error: a mask of shape (3,) stands for the axes from 0 on of a tensor of shape (5, 3, 4)");
  CHECK(raised([&] {
          a(i, rc::tensor<int, 3>{0, 1, 2});
        }) == "shape_error: tensors in an index do not go together: (2,) (3,)");
  CHECK(raised([&] { a(i * .5); }) == "value_error: an index has tensors of integers, or masks, and not of float64");
  CHECK(raised([&] { b.set(i, 0); }) == "shape_error: an index names parts of shape (3, 4), which are assigned (2,)");
  CHECK(raised([&] { b.set(std::complex<float>(1, 2), 0); }).find("value_error") == 0);
  CHECK(says(b) == "5 3 4 300 8850");
}

TEST_CASE("what looks through elements, and what is written in patterns") {
  rc::any_tensor const a = rc::reshape(rc::arange<float>(0, 6), rc::shape(2, 3)),
                       b = rc::reshape(rc::arange<double>(0, 12), rc::shape(3, 4)),
                       v = rc::tensor<int, 5>{3, 1, 3, 0, 5}, w = rc::tensor<float, 3>{1, 5, 2};
  CHECK(text_of(rc::diag(w, 1)) == "[[0 1 0 0]\n [0 0 5 0]\n [0 0 0 2]\n [0 0 0 0]]");
  CHECK(text_of(rc::diag(b, 1)) == "[1 6 11]");
  CHECK((rc::array_equal(a, a) && !rc::array_equal(a, b) && !rc::array_equal(v, v + 1)));
  CHECK((rc::array_equal(a * NAN, a * NAN, rc::equal_nan) && !rc::array_equal(a * NAN, a * NAN)));
  CHECK(text_of(rc::put(a, rc::tensor<int, 2>{1, -1}, 9)) == "[[0 9 2]\n [3 4 9]]");
  CHECK(text_of(rc::bincount(v)) == "[1 1 0 2 0 1]");
  CHECK(text_of(rc::bincount(v, v * .5f, rc::minlength{7})) == "[0 0.5 0 3 0 2.5 0]");
  CHECK(text_of(rc::bincount(v, rc::shape(7))) == "[1 1 0 2 0 1 0]");
  auto const [counts, edges] = rc::histogram(v, 5);
  CHECK((text_of(counts) == "[1 1 0 2 1]" && text_of(edges) == "[0 1 2 3 4 5]"));
  CHECK(text_of(rc::histogram(v, 5, rc::interval{0, 10}).first) == "[2 2 1 0 0]");
  rc::any_tensor const two_bins = rc::tensor<double, 3>{0, 2, 6};
  CHECK(text_of(rc::histogram(v, two_bins, rc::weights(v), rc::density).first * 48) == "[2 11]");
  auto const [greatest, at] = rc::top_k(b, 2);
  CHECK((text_of(greatest) == "[[3 2]\n [7 6]\n [11 10]]" && text_of(at) == "[[3 2]\n [3 2]\n [3 2]]"));
  CHECK(text_of(rc::compress(rc::tensor<bool, 2>{false, true}, a, rc::axis<1>)) == "[[1]\n [4]]");
  CHECK(text_of(rc::argwhere(a > 2)) == "[[1 0]\n [1 1]\n [1 2]]");
  CHECK(rc::eval(a).data() == a.data());
  CHECK((rc::copy(a, rc::cpu{}).data() != a.data() && rc::array_equal(rc::copy(a, rc::cpu{}), a)));
  double sum = 0;
  for (auto const& row : rc::rows(b)) sum = 10 * sum + row(1).item<double>();
  for (auto const& column : rc::rows(b, rc::axis<-1>)) sum += column(2).item<double>();
  CHECK(sum == 159 + 38);
  CHECK(text_of(rc::union1d(v, w)) == "[0 1 2 3 5]");
  CHECK(text_of(rc::intersect1d(v, w)) == "[1 5]");
  CHECK(text_of(rc::setdiff1d(v, w)) == "[0 3]");
  CHECK(text_of(rc::einsum<"ij,jk->ik">(a, b)) == "[[20 23 26 29]\n [56 68 80 92]]");
  CHECK(text_of(rc::einsum<"...j->...">(a)) == "[3 12]");
  CHECK(text_of(rc::einops::rearrange<"(h p) w -> h (w p)">(b, rc::length<"p">(3))) == "[[0 4 8 1 5 9 2 6 10 3 7 11]]");
  CHECK(text_of(rc::einops::reduce<"h (w 2) -> w", rc::max>(b)) == "[9 11]");
  CHECK(text_of(rc::einops::repeat<"... b -> ... (2 b)">(a)) == "[[0 1 2 0 1 2]\n [3 4 5 3 4 5]]");
  rc::tensor<int, 2> const often{2, 1};
  CHECK(text_of(rc::repeat(a, often, rc::axis<0>)) == "[[0 1 2]\n [0 1 2]\n [3 4 5]]");
  CHECK(text_of(rc::repeat(a, rc::any_tensor(rc::tensor<std::uint8_t, 3>{1, 0, 2}), rc::axis<-1>)) ==
        "[[0 2 2]\n [3 5 5]]");
  CHECK(text_of(rc::repeat(often, rc::any_tensor(often))) == "[2 2 1]");
  CHECK(raised([&] { rc::repeat(a, often, rc::axis<1>); }) == "shape_error: repeat: (3,) (2,)");
  CHECK(raised([&] { rc::repeat(a, a, rc::axis<1>); }).starts_with("value_error: repeat: counts are integers"));

  CHECK(raised([&] { rc::einsum<"ij,jk->ik">(a, a); }) == "shape_error: einsum: (2, 3) (2, 3)");
  CHECK(raised([&] { rc::einsum<"...j->...">(b(0, 0)); }) == "shape_error: einsum: ()");
  CHECK(raised([&] { rc::einops::reduce<"h (w 2) -> w", rc::max>(a); }) == "shape_error: reduce: (2, 3)");
  CHECK(raised([&] { rc::einops::reduce<"h (w 2) -> w", rc::max>(v); }) == "shape_error: reduce: (5,)");
  CHECK(raised([&] { rc::diag(rc::stack(std::vector{a, a})); }) == "shape_error: diag: (2, 2, 3)");
  CHECK(raised([&] { rc::bincount(w); }) == "value_error: bincount: what is counted are integers, and not float32");
  CHECK(raised([&] { rc::bincount(v - 1); }) == "value_error: bincount: -1 is negative");
  CHECK(raised([&] { rc::top_k(a, 4); }) == "value_error: top_k: 4 of 3 elements");
  CHECK(raised([&] { rc::put(a, a, 1); }) == "value_error: put: the indices are integers, and not float32");
  CHECK(raised([&] { rc::histogram(v, 0); }) == "value_error: histogram: there are 0 bins");
  CHECK(raised([&] {
          rc::compress(rc::tensor<bool, 3>{true, false, true}, a);
        }) == "index_error: compress: index 2 is out of range for an axis of 2");
  CHECK(raised([&] { rc::compress(a, a); }) == "shape_error: compress: (2, 3)");
}

TEST_CASE("lists of axes, extents and tensors are made at run time") {
  using list = std::vector<int>;
  rc::any_tensor const a = rc::reshape(rc::arange<int>(0, 24), rc::shape(2, 3, 4));
  CHECK(text_of(rc::sum(a, list{0, 2})) == "[60 92 124]");
  CHECK(text_of(rc::sum(a, list{-1, 0}, rc::keepdims)) == "[[[60]\n  [92]\n  [124]]]");
  CHECK(rc::mean(a, std::array{0, 1, 2}).item<double>() == 11.5);
  CHECK(raised([&] { rc::sum(a, list{3}); }) == "index_error: sum: axis 3 of a tensor of order 3");
  CHECK(raised([&] { rc::sum(a, list{}); }) == "value_error: sum: an empty list names no axes");
  CHECK(raised([&] { rc::sum(a, list{1, -2}); }) == "shape_error: sum: (2, 3, 4)");
  rc::any_tensor const turned = rc::permute_dims(a, list{2, 0, -2});
  CHECK((turned.shape(0) == 4 && turned.shape(1) == 2 && turned(3, 1, 2).item<int>() == 23));
  CHECK(raised([&] { rc::permute_dims(a, list{0, 1}); }) == "shape_error: permute_dims: (2, 3, 4)");
  rc::any_tensor const flat = rc::reshape(a, std::vector<long>{6, -1}), array = rc::reshape(a, std::array{24});
  CHECK((flat.order() == 2 && flat.shape(1) == 4 && array.order() == 1));
  CHECK(rc::reshape(a(0, 0, 0), list{}).order() == 0);
  CHECK(raised([&] { rc::reshape(a, list{5, 5}); }).find("shape_error: reshape") == 0);
  CHECK(rc::broadcast_to(a(0, 0), list{3, 4}).size() == 12);

  std::vector<rc::any_tensor> parts;
  for (int k = 0; k < 130; ++k) parts.push_back(rc::any_tensor(k % 2 ? a(0) : a(1) + .5));
  rc::any_tensor const rows = rc::concat(parts), stacked = rc::stack(parts, -1);
  CHECK((rows.shape(0) == 390 && rows.dtype() == rc::dtype::float64));
  CHECK((rows(389, 3).item<double>() == 11 && rows(3 * 100, 1).item<double>() == 13.5));
  CHECK((stacked.order() == 3 && stacked(0, 1, 100).item<double>() == 13.5 && stacked(2, 3, 129).item<int>() == 11));
  CHECK(rc::stack(parts, rc::axis<0>).shape(0) == 130);
  CHECK(rc::concat(std::vector{a, a, a}, 2).shape(2) == 12);
  CHECK(raised([&] { rc::concat(std::vector<rc::any_tensor>{}); }) == "value_error: concat: an empty list of tensors");
  CHECK(raised([&] { rc::stack(std::vector{a, flat}); }) == "shape_error: stack: (2, 3, 4) (6, 4)");
  CHECK(raised([&] { rc::concat(parts, 2); }) == "index_error: concat: axis 2 of a tensor of order 2");

  rc::any_tensor const of_12 = rc::ones(rc::dtype::int8, std::vector<int>(12, 1));
  std::string const too_many = "shape_error: a tensor has more than 12 axes, which are the most";
  CHECK(raised([&] { rc::expand_dims(of_12, rc::axis<0>); }).find("shape_error: expand_dims: (1, 1,") == 0);
  CHECK(raised([&] { rc::stack(std::vector{of_12, of_12}); }) == too_many);
  CHECK(raised([&] { rc::reshape(of_12, std::vector<int>(13, 1)); }) == too_many);
  CHECK(raised([&] { of_12(rc::newaxis); }) == too_many);
}

TEST_CASE("tensors of run-time order beside and below one another, and turned") {
  rc::any_tensor const a = rc::tensor<int, 2, 2>{{1, 2}, {3, 4}}, v = rc::tensor<double, 2>{5, 6};
  CHECK(text_of(rc::vstack(a, v)) == "[[1 2]\n [3 4]\n [5 6]]");
  CHECK(text_of(rc::hstack(std::vector{a, a})) == "[[1 2 1 2]\n [3 4 3 4]]");
  CHECK(text_of(rc::hstack(v, 7, rc::tensor<float, 1>{8})) == "[5 6 7 8]");
  CHECK(rc::vstack(v, v).dtype() == rc::dtype::float64);
  CHECK(raised([&] { rc::hstack(v, a); }).starts_with("shape_error: concat: "));
  CHECK(raised([&] { rc::vstack(std::vector<rc::any_tensor>{}); }) == "value_error: concat: an empty list of tensors");
  for (int k = -2; k < 6; ++k) {
    rc::any_tensor turned = a;
    for (int i = 0; i < (k + 4) % 4; ++i) turned = rc::rot90(turned);
    CHECK(text_of(rc::rot90(a, k)) == text_of(turned));
  }
  CHECK(text_of(rc::rot90(a)) == "[[2 4]\n [1 3]]");
  CHECK(text_of(rc::rot90(a, 1, rc::axis<1, 0>)) == "[[3 1]\n [4 2]]");
  CHECK(raised([&] { rc::rot90(v); }).starts_with("index_error: rot90: axis 1"));
  CHECK(raised([&] { rc::rot90(a, 1, rc::axis<1, -1>); }).starts_with("value_error: rot90: "));
}

TEST_CASE("unsigned indices never count from the end") {
  rc::any_tensor const x = rc::ndarray<double, 1>{1, 2, 3}, i = rc::ndarray<std::uint64_t, 1>{~std::uint64_t(0)};
  CHECK(raised([&] { x(i); }).find("index_error") == 0);
  CHECK(raised([&] { rc::take(x, i); }).find("index_error") == 0);
}

TEST_CASE("sets of complex numbers of run-time type") {
  rc::any_tensor const z = rc::tensor<std::complex<float>, 4>{{2, 1}, {1, 5}, {2, -1}, {1, 5}};
  auto const u = rc::unique_all(z);
  CHECK(text_of(u.values) == "[1+5j 2-1j 2+1j]");
  CHECK(text_of(u.inverse_indices) == "[2 0 1 0]");
  CHECK(text_of(rc::isin(z, rc::tensor<std::complex<double>, 1>{{2, 1}})) == "[true false false false]");
  CHECK(text_of(rc::nan_to_num(z)) == "[2+1j 1+5j 2-1j 1+5j]");
}

TEST_CASE("quantiles and positions of what is no NaN") {
  double const nothing = std::nan("");
  rc::any_tensor const a = rc::tensor<double, 2, 3>{{1, nothing, 3}, {4, 5, 0}};
  CHECK(text_of(rc::nanquantile(a, .5, rc::axis<1>)) == "[2 4]");
  CHECK(text_of(rc::nanpercentile(a, 100)) == "5");
  CHECK(text_of(rc::nanargmax(a, rc::axis<1>)) == "[2 1]");
  CHECK(text_of(rc::nanargmin(a, rc::axis<0>, rc::keepdims)) == "[[0 1 1]]");
  CHECK(text_of(rc::nanargmin(a)) == "5");
}

TEST_CASE("types that are values") {
  CHECK(rc::promote_types(rc::dtype::int8, rc::dtype::uint8, rc::dtype::float32) == rc::dtype::float32);
  CHECK(rc::finfo(rc::dtype::float16).max == 65504);
  CHECK(rc::finfo(rc::dtype::complex64).eps == 1.1920928955078125e-7);
  CHECK(rc::finfo(rc::dtype::complex64).dtype == rc::dtype::float32);
  CHECK(rc::iinfo(rc::dtype::uint64).max == ~std::uint64_t(0));
  CHECK((rc::iinfo(rc::dtype::int8).min == -128 && rc::iinfo(rc::dtype::int8).bits == 8));
  CHECK(raised([] { rc::finfo(rc::dtype::int8); }) == "value_error: finfo: int8 has no fractions");
  CHECK(raised([] { rc::iinfo(rc::dtype::boolean); }) == "value_error: iinfo: bool is no integer");
  CHECK(raised([] { rc::finfo(rc::dtype::none); }).find("value_error: finfo") == 0);
}

TEST_CASE("no type, and complex numbers where there are real ones") {
  using extents = std::vector<rc::index_t>;
  rc::any_tensor const a = rc::arange(rc::dtype::int32, 0, 3);
  CHECK(raised([] { rc::zeros(rc::dtype::none, extents{2}); }) == "value_error: any_tensor: none is no element type");
  CHECK(raised([] { rc::any_tensor(rc::dtype::none, extents{2}, "12"); }).find("value_error") == 0);
  CHECK(raised([&] { rc::astype(a, rc::dtype::none); }).find("value_error") == 0);
  std::complex<double> const z{1, 2};
  CHECK(raised([&] { rc::full(rc::dtype::float32, extents{2}, z); }).find("value_error: a complex value") == 0);
  CHECK(raised([&] { rc::any_tensor(z).item<double>(); }) == "value_error: item: a complex128 is no real number");
  CHECK(rc::any_tensor(z).item<std::complex<double>>() == z);
  CHECK(raised([&] { rc::put(a, 0, rc::any_tensor(z)); }) == "value_error: put: is not defined for complex128");
  CHECK(raised([&] { rc::pad(a, 1, z); }) == "value_error: pad: is not defined for complex128");
  CHECK(raised([&] { rc::nan_to_num(rc::any_tensor(1.5), z); }) ==
        "value_error: nan_to_num: is not defined for complex128");
}

TEST_CASE("numbers beside narrow integers, int64 beside uint64") {
  rc::any_tensor const bytes = rc::astype(rc::arange(rc::dtype::int32, 0, 3), rc::dtype::int8);
  CHECK(text_of(rc::trapezoid(bytes, 300)) == "600");
  CHECK(text_of(rc::isclose(bytes, 256)) == "[false false false]");
  auto const beyond = [](auto compare) {
    return raised(compare) == "value_error: a comparison of int8 with 300, which that type does not hold";
  };
  CHECK(beyond([&] { (void)(bytes < 300); }));
  CHECK(beyond([&] { (void)(300 == bytes); }));
  CHECK(beyond([&] { rc::isin(bytes, 300); }));
  CHECK(beyond([&] { rc::searchsorted(bytes, 300); }));
  CHECK(text_of(bytes < 2) == "[true true false]");
  CHECK(text_of(rc::astype(bytes, rc::dtype::float32) < 300) == "[true true true]");
  rc::any_tensor const i = rc::ndarray<std::int64_t, 1>{9007199254740993, -1},
                       u = rc::ndarray<std::uint64_t, 1>{9007199254740992u, 0};
  CHECK(text_of(i > u) == "[true false]");
  CHECK(text_of(i == u) == "[false false]");
}

TEST_CASE("a tensor of another library, of the type and order that it says") {
  static int deleted = 0;
  float elements[] = {1, 2, 3, 4, 5, 6};
  std::int64_t shape[] = {2, 3}, turned[] = {1, 2};
  rc::dlpack::unversioned m{{elements, {1, 0}, 2, {2, 32, 1}, shape, nullptr, 0}, nullptr, [](auto*) { ++deleted; }};
  {
    auto const a = rc::from_dlpack<rc::any_tensor>(&m);
    CHECK((a.data() == elements && a.dtype() == rc::dtype::float32));
    CHECK(a.shape() == rc::shape(2, 3));
    CHECK(a.shape() != rc::shape(2, 3, 1));
    auto const row = a(1);
    CHECK(text_of(row + a) == "[[5 7 9]\n [8 10 12]]");
    CHECK(deleted == 0);
  }
  CHECK(deleted == 1);
  m.dl_tensor.strides = turned;
  CHECK(text_of(rc::from_dlpack<rc::any_tensor>(&m)) == "[[1 3 5]\n [2 4 6]]");
  CHECK(deleted == 2);
  m.dl_tensor.dtype.lanes = 2;
  CHECK(raised([&] { rc::from_dlpack<rc::any_tensor>(&m); }) ==
        "value_error: from_dlpack: no element type is DLPack's type code 2 with 32 bits");
  m.dl_tensor.dtype.lanes = 1, m.dl_tensor.ndim = -1;
  CHECK(raised([&] { rc::from_dlpack<rc::any_tensor>(&m); }) ==
        "shape_error: any_tensor: order -1, where 0 to 12 are possible");
  m.dl_tensor.ndim = 2, m.dl_tensor.byte_offset = 2;
  CHECK(raised([&] { rc::from_dlpack<rc::any_tensor>(&m); }).find("value_error") == 0);
  CHECK(deleted == 2);
}
