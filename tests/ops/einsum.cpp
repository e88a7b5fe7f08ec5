// einsum and tensordot against loops over all letters.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

struct operand {
  std::vector<rc::index_t> shape;
  std::vector<double> values;
};
template <class X>
operand read(X const& x) {
  operand o{{}, numbers(x).values};
  for (int k = 0; k < X::rank; ++k) o.shape.push_back(x.shape(k));
  return o;
}

// by a loop over all letters; axes of extent 1 broadcast
numbers by_loops(std::string const& text, std::vector<operand> const& x) {
  std::vector<std::string> parts{""};
  for (char const c : text) {
    if (c == ',' || c == '>')
      parts.emplace_back();
    else if (c != '-')
      parts.back() += c;
  }
  rc::index_t extent[128]{}, at[128]{};
  std::string letters = parts.back();
  for (std::size_t k = 0; k < x.size(); ++k)
    for (std::size_t d = 0; d < parts[k].size(); ++d) {
      auto const c = static_cast<std::size_t>(parts[k][d]);
      extent[c] = std::max(extent[c], x[k].shape[d]);
      if (letters.find(parts[k][d]) == std::string::npos) letters += parts[k][d];
    }
  auto const place = [&](std::string const& part, std::vector<rc::index_t> const& shape) {
    rc::index_t i = 0;
    for (std::size_t d = 0; d < part.size(); ++d)
      i = i * shape[d] + (shape[d] == 1 ? 0 : at[static_cast<std::size_t>(part[d])]);
    return static_cast<std::size_t>(i);
  };
  std::vector<rc::index_t> shape;
  std::size_t size = 1;
  for (char const c : parts.back()) {
    shape.push_back(extent[static_cast<std::size_t>(c)]);
    size *= static_cast<std::size_t>(shape.back());
  }
  numbers y{};
  y.values.resize(size);
  for (;;) {
    double p = 1;
    for (std::size_t k = 0; k < x.size(); ++k) p *= x[k].values[place(parts[k], x[k].shape)];
    y.values[place(parts.back(), shape)] += p;
    std::size_t d = letters.size();
    while (d > 0) {
      auto const c = static_cast<std::size_t>(letters[d - 1]);
      if (++at[c] < extent[c]) break;
      at[c] = 0, --d;
    }
    if (d == 0) return y;
  }
}

template <rc::pattern Subscripts, class... X>
void agrees_with(std::string const& letters, X const&... x) {
  CAPTURE(letters);
  CHECK(numbers(rc::eval(rc::einsum<Subscripts>(x...))).near(by_loops(letters, {read(x)...})));
}
template <rc::pattern Subscripts, class... X>
void agrees(X const&... x) {
  agrees_with<Subscripts>(Subscripts.text, x...);
}

rc::ndarray<double, 2> waves(rc::index_t m, rc::index_t n, double rate) {
  return rc::sin(rate * rc::reshape(rc::arange<double>(0, double(m * n)), rc::shape(m, n)));
}

}  // namespace

TEST_CASE("einsum of one and two operands") {
  auto const a = waves(3, 4, 1.1), b = waves(4, 5, .7), s = waves(4, 4, .9);
  rc::ndarray<double, 3> const x = rc::reshape(waves(6, 4, .3), rc::shape(2, 3, 4)),
                               y = rc::reshape(waves(8, 5, .4), rc::shape(2, 4, 5));
  rc::ndarray<double, 1> const v = waves(1, 4, .6)(0);
  agrees<"ij,jk->ik">(a, b);
  agrees<"ij,jk->ki">(a, b);
  agrees<"j,ij->i">(v, a);
  agrees<"ij,ij->">(a, a);
  agrees<"bij,bjk->ibk">(x, y);
  agrees<"bij,bjk->ki">(x, y);  // two axes are summed over: they become one
  agrees<"bij,kj->kib">(x, a);  // several rows
  agrees<"bij,bkl->jl">(x, y);  // axes that one operand has alone are summed first
  agrees<"ii,jj->ij">(s, waves(5, 5, 1.));
  agrees<"iji->j">(rc::eval(rc::reshape(waves(8, 4, .2), rc::extents<4, 2, 4>{})));
  agrees<"i,j->ji">(v, v);
  agrees<"bij->jb">(x);
  // implicit: letters that stand once, in the order of the alphabet
  CHECK(numbers(rc::eval(rc::einsum<"ji, kj">(b, a))).near(by_loops("ji,kj->ik", {read(b), read(a)})));
  CHECK(rc::einsum<"ii">(s).item() == doctest::Approx(s(0, 0) + s(1, 1) + s(2, 2) + s(3, 3)));
}

TEST_CASE("einsum of static extents, of expressions and of many operands") {
  rc::tensor<double, 3, 4> const a = waves(3, 4, 1.1);
  rc::tensor<double, 4, 5> const b = waves(4, 5, .7);
  rc::tensor<double, 5, 2> const c = waves(5, 2, .5);
  auto const abc = rc::eval(rc::einsum<"ij,jk,kl->li">(a, b, c));
  static_assert(std::is_same_v<decltype(abc), rc::tensor<double, 2, 3> const>);
  CHECK(numbers(abc).near(by_loops("ij,jk,kl->li", {read(a), read(b), read(c)})));
  rc::ndarray<double, 2> const d = a, e = b;
  auto const of_expressions = rc::eval(2. * rc::einsum<"ij,jk,jk,k->i">(-d, e + e, e, c(rc::all, 0)) + 1.);
  auto const same = by_loops("ij,jk,jk,k->i", {read(d), read(e), read(e), read(rc::eval(c(rc::all, 0)))});
  for (std::size_t k = 0; k < 3; ++k) CHECK(of_expressions(rc::index_t(k)) == doctest::Approx(1 - 4 * same.values[k]));
  // beyond six: greedily
  auto const s = waves(3, 3, .8);
  agrees<"ab,bc,cd,de,ef,fg,ga->cf">(s, s, s, s, s, s, s);
}

TEST_CASE("einsum with axes that broadcast") {
  rc::ndarray<double, 3> const x = rc::reshape(waves(6, 4, .3), rc::shape(2, 3, 4));
  rc::ndarray<double, 2> const a = waves(4, 5, .6);
  rc::ndarray<double, 4> const one = rc::reshape(waves(6, 4, .4), rc::shape(3, 1, 2, 4));
  agrees_with<"...ij, jk -> ...ik">("bij,jk->bik", x, a);
  // extents of 1 that show at run time, and in the type
  agrees_with<"...ij, ...kj -> ...ik">("bij,cbkj->cbik", x, one);
  agrees_with<"...ij, ...kj -> ...ik">("bij,cbkj->cbik", x, rc::tensor<double, 3, 1, 2, 4>(one));
}

TEST_CASE("einsum: types, nothing to sum, errors") {
  rc::tensor<std::int32_t, 2, 2> const i{{100, 2147483647}, {3, 4}};
  auto const rows = rc::eval(rc::einsum<"ij->i">(i));
  static_assert(std::is_same_v<decltype(rows)::value_type, std::int32_t>);
  CHECK(numbers(rows) == numbers{-2147483549, 7});
  static_assert(std::is_same_v<decltype(rc::eval(rc::einsum<"ij,j">(i, rows)))::value_type, std::int32_t>);
  rc::tensor<bool, 2, 2> const t{{true, true}, {false, true}};
  static_assert(std::is_same_v<decltype(rc::eval(rc::einsum<"ii->i">(t)))::value_type, bool>);
  CHECK(numbers(rc::eval(rc::einsum<"ij->i">(t))) == numbers{1, 1});
  rc::ndarray<double, 2> const none(0, 3), three(4, 3);
  CHECK(numbers(rc::eval(rc::einsum<"ij,ik->jk">(none, none))) == numbers{0, 0, 0, 0, 0, 0, 0, 0, 0});
  CHECK(raised([&] { rc::eval(rc::einsum<"ij,jk->ik">(three, three)); }) == "shape_error: einsum: (4, 3) (4, 3)");
  CHECK(raised([&] { rc::eval(rc::einsum<"ii">(three)); }) == "shape_error: einsum: (4, 3)");
}

TEST_CASE("products of conditions are conditions, as in NumPy") {
  rc::ndarray<double, 2> const x = rc::reshape(rc::sin(rc::arange<double>(12) * 3.), rc::shape(3, 4));
  rc::ndarray<bool, 2> const a = x > .3, b = rc::reshape(x < -.5, rc::shape(4, 3));
  rc::ndarray<bool, 3> const c = rc::stack(a, a & (x < .9));
  auto const counted = [](auto const& y) { return numbers(rc::eval(y != 0)); };
  rc::ndarray<int, 2> const ia = rc::astype<int>(a), ib = rc::astype<int>(b);
  rc::ndarray<int, 3> const ic = rc::astype<int>(c);
  auto const same = [&](auto const& y, auto const& of_numbers) {
    static_assert(std::is_same_v<typename std::remove_cvref_t<decltype(y)>::value_type, bool>);
    return numbers(rc::eval(y)) == counted(of_numbers);
  };
  CHECK(numbers(rc::eval(rc::matmul(a, b))).values != numbers(rc::eval(rc::matmul(ia, ib))).values);
  CHECK(same(rc::matmul(a, b), rc::matmul(ia, ib)));
  CHECK(same(rc::matmul(b, a), rc::matmul(ib, ia)));
  CHECK(same(rc::matmul(c, b), rc::matmul(ic, ib)));
  CHECK(same(rc::matmul(a, b(rc::all, 0)), rc::matmul(ia, ib(rc::all, 0))));
  CHECK(same(rc::dot(a, rc::permute_dims(c, rc::axis<0, 2, 1>)), rc::dot(ia, rc::permute_dims(ic, rc::axis<0, 2, 1>))));
  CHECK(same(rc::inner(a, c), rc::inner(ia, ic)));
  CHECK(same(rc::vecdot(a, c), rc::vecdot(ia, ic)));
  CHECK(same(rc::outer(a(0), b(0)), rc::outer(ia(0), ib(0))));
  CHECK(same(rc::kron(a, b), rc::kron(ia, ib)));
  CHECK(same(rc::tensordot<1>(c, b), rc::tensordot<1>(ic, ib)));
  CHECK(same(rc::einsum<"ij, jk, lim -> lk">(a, b, c), rc::einsum<"ij, jk, lim -> lk">(ia, ib, ic)));
  CHECK(same(rc::einsum<"ij -> j">(a), rc::einsum<"ij -> j">(ia)));
  CHECK(same(rc::einsum<"ij -> ji">(a), rc::einsum<"ij -> ji">(ia)));
  auto const product = [](auto p, auto q) { return rc::matmul(p, q); };
  CHECK(same(rc::fn(product)(a, b), rc::matmul(ia, ib)));
  CHECK(same(rc::interpret(product)(a, b), rc::matmul(ia, ib)));
  CHECK(numbers(rc::eval(rc::matmul(a, b, rc::result<int>))) == numbers(rc::eval(rc::matmul(ia, ib))));
  constexpr rc::tensor<bool, 2, 2> p{{true, false}, {true, true}}, q{{false, true}, {false, true}};
  constexpr rc::tensor<bool, 2, 2> r = rc::matmul(p, q);
  static_assert(!r(0, 0) && r(0, 1) && !r(1, 0) && r(1, 1));
}

TEST_CASE("tensordot") {
  rc::ndarray<double, 3> const x = rc::reshape(waves(6, 4, .3), rc::shape(2, 3, 4));
  rc::tensor<double, 4, 5, 3> const y = rc::reshape(waves(12, 5, .7), rc::shape(4, 5, 3));
  auto const z = rc::eval(rc::tensordot(x, y, rc::axes<-1, 1>, rc::axes<0, 2>));
  static_assert(std::is_same_v<decltype(z), rc::tensor<double, rc::dyn, 5> const>);
  CHECK(numbers(z).near(by_loops("abc,cdb->ad", {read(x), read(y)})));
  CHECK(numbers(rc::eval(rc::tensordot(x, x, rc::axes<1, 2>, rc::axes<1, 2>)))
            .near(by_loops("abc,dbc->ad", {read(x), read(x)})));
  CHECK(numbers(rc::eval(rc::tensordot<1>(x, y))).near(by_loops("abc,cde->abde", {read(x), read(y)})));
  CHECK(raised([&] { rc::eval(rc::tensordot(x, x, rc::axes<0>, rc::axes<1>)); }) ==
        "shape_error: tensordot: (2, 3, 4) (2, 3, 4)");
}
