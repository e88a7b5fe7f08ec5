// Views of a user's own: an operation that says by `map` which element of its operand it shows is read through like the
// library's, in statements, functions, derivatives, batches and the interpreter.
#include <doctest/doctest.h>

#include "../numbers.hpp"

namespace rc = ricci;
namespace ir = rc::ir;

namespace {

// A view of what lies along the last axes: in a batch it is the same of an operand with one more axis, the first.
template <class Derived>
struct view_of_last_axes : rc::view_without_attributes<Derived> {
  template <class V>
  static constexpr V batched(ir::application<V> const&, V x) {
    return Derived::record(rc::no_attributes{}, x);
  }
};

// The two last axes exchanged.
struct swapped_t : view_of_last_axes<swapped_t> {
  static constexpr auto name = "swapped";
  static constexpr bool one_to_one = true;
  template <class Context>
  static constexpr rc::shape_t shape_of(Context&, rc::no_attributes, rc::shape_t s) {
    rc::index_t const last = s.extent[s.rank - 1];
    s.extent[s.rank - 1] = s.extent[s.rank - 2];
    s.extent[s.rank - 2] = last;
    return s;
  }
  static constexpr rc::affine_map map(rc::index_t const*, rc::shape_t const& x, rc::shape_t const&) {
    rc::affine_map m{};
    m.rank = x.rank;
    for (int k = 0; k < x.rank; ++k) add_term(m, k, k < x.rank - 2 ? k : 2 * x.rank - 3 - k);
    return m;
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const&, V ct, V* out) {
    out[0] = record(rc::no_attributes{}, ct);
  }
};
inline constexpr swapped_t swapped{};

// The diagonal of the last two axes, which have one extent; the cotangent is put back among zeros.
struct diagonal_t : view_of_last_axes<diagonal_t> {
  static constexpr auto name = "diagonal";
  static constexpr bool one_to_one = true;
  template <class Context>
  static constexpr rc::shape_t shape_of(Context& c, rc::no_attributes, rc::shape_t s) {
    if (s.rank < 2) return c.fail(), s;
    s.extent[s.rank - 2] = c.same(s.extent[s.rank - 2], s.extent[s.rank - 1]);
    --s.rank;
    return s;
  }
  static constexpr rc::affine_map map(rc::index_t const*, rc::shape_t const& x, rc::shape_t const& y) {
    rc::affine_map m{};
    m.rank = x.rank;
    for (int k = 0; k < x.rank; ++k) add_term(m, k, k < y.rank ? k : y.rank - 1);
    return m;
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    auto const x = at.operand(0);
    V const k = ir::positions<typename V::mode>(*x.g, x.shape().extent[x.rank() - 1]);
    out[0] = rc::where(ir::expand(k, 1) == ir::expand(k, 0), ir::expand(ct, ct.rank()), ir::zeros_like(x));
  }
};
inline constexpr diagonal_t diagonal{};

// The last axis backwards: it starts where the extent says.
struct backwards_t : view_of_last_axes<backwards_t> {
  static constexpr auto name = "backwards";
  static constexpr bool one_to_one = true;
  template <class Context>
  static constexpr rc::shape_t shape_of(Context&, rc::no_attributes, rc::shape_t s) {
    return s;
  }
  template <class Context>
  static constexpr void starts(Context& c, rc::shape_t const& x, rc::shape_t const&, rc::index_t* start) {
    start[x.rank - 1] = c.minus(x.extent[x.rank - 1], 1);
  }
  static constexpr rc::affine_map map(rc::index_t const*, rc::shape_t const& x, rc::shape_t const&) {
    rc::affine_map m = rc::identity_map(x.rank);
    m.terms[x.rank - 1].step = -1;
    return m;
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const&, V ct, V* out) {
    out[0] = record(rc::no_attributes{}, ct);
  }
};
inline constexpr backwards_t backwards{};

// The other diagonal of the last two axes, from the last element of the first row on.
struct antidiagonal_t : view_of_last_axes<antidiagonal_t> {
  static constexpr auto name = "antidiagonal";
  static constexpr bool one_to_one = true;
  template <class Context>
  static constexpr rc::shape_t shape_of(Context& c, rc::no_attributes none, rc::shape_t const& s) {
    return diagonal_t::shape_of(c, none, s);
  }
  template <class Context>
  static constexpr void starts(Context& c, rc::shape_t const& x, rc::shape_t const& y, rc::index_t* start) {
    backwards_t::starts(c, x, y, start);
  }
  static constexpr rc::affine_map map(rc::index_t const*, rc::shape_t const& x, rc::shape_t const& y) {
    rc::affine_map m = diagonal_t::map(nullptr, x, y);
    m.terms[x.rank - 1].step = -1;
    return m;
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    diagonal_t::vjp(at, ct, out);
    out[0] = backwards_t::record(rc::no_attributes{}, out[0]);
  }
};
inline constexpr antidiagonal_t antidiagonal{};

// All runs of three elements along the last axis: (..., n) to (..., n - 2, 3).
struct windows_t : view_of_last_axes<windows_t> {
  static constexpr auto name = "windows";
  static constexpr bool one_to_one = false;
  template <class Context>
  static constexpr rc::shape_t shape_of(Context& c, rc::no_attributes, rc::shape_t s) {
    s.extent[s.rank - 1] = c.minus(s.extent[s.rank - 1], 2);
    s.push(3);
    return s;
  }
  static constexpr rc::affine_map map(rc::index_t const*, rc::shape_t const& x, rc::shape_t const&) {
    rc::affine_map m{};
    m.rank = x.rank;
    for (int k = 0; k < x.rank; ++k) add_term(m, k, k);
    add_term(m, x.rank - 1, x.rank);
    return m;
  }
  // element k of every window goes back to k elements behind its start
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    V const x = at.operand(0);
    int const last = x.rank() - 1;
    for (int k = 0; k < 3; ++k) {
      rc::index_t start[rc::max_rank]{}, step[rc::max_rank]{};
      for (auto& s : step) s = 1;
      rc::shape_t part = ct.shape();
      part.extent[last + 1] = 1, start[last + 1] = k;
      V const column = ir::slice(ct, ir::intern(*ct.g, part), start, step);
      --part.rank, start[last] = k;
      V const back = ir::update_slice(ir::zeros_like(x), ir::reshape(column, ir::intern(*ct.g, part)), start, step);
      out[0] = out[0] ? out[0] + back : back;
    }
  }
};
inline constexpr windows_t windows{};

// Joins of a user's own say by `part` where their operands lie; what two operands of one shape have in common.
template <class Derived>
struct join_of_two : rc::assembly {
  static constexpr bool parts_overlap = false;

  template <class A, class B>
  requires rc::tensor_operands<A, B>
  constexpr auto operator()(A&& a, B&& b) const {
    return rc::call_operation<Derived>(rc::no_attributes{}, static_cast<A&&>(a), static_cast<B&&>(b));
  }
  static constexpr rc::dtype type_of_result(rc::dtype a, rc::dtype b) { return rc::promote(a, b); }
  template <class Context>
  static constexpr rc::shape_t shape_of(Context& c, rc::no_attributes, rc::shape_t s, rc::shape_t const& t) {
    if (t.rank != s.rank) return c.fail(), s;
    for (int k = 0; k < s.rank; ++k) s.extent[k] = c.same(s.extent[k], t.extent[k]);
    s.extent[s.rank - 1] = c.plus(s.extent[s.rank - 1], s.extent[s.rank - 1]);
    return s;
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(rc::no_attributes none, ir::value<Mode> a, ir::value<Mode> b) {
    ir::graph_context<typename Mode::graph> c{*a.g, ir::facts_of<Derived>(), a.shape_id(), b.shape_id()};
    int const shape = ir::intern(*a.g, shape_of(c, none, a.shape(), b.shape()));
    rc::dtype const type = rc::promote(a.type(), b.type());
    return of(ir::cast(a, type), ir::cast(b, type), shape);
  }
  template <class V>
  static constexpr V of(V a, V b, int shape) {
    int const operands[] = {a.id, b.id};
    return ir::record<Derived, typename V::mode>(*a.g, a.type(), shape, {operands, 2});
  }
  template <class V>
  static constexpr V batched(ir::application<V> const& at, V const* x) {
    return of(x[0], x[1], ir::with_first_axis(*x[0].g, x[0].shape().extent[0], at.y.shape()));
  }
  template <class V>
  static constexpr V jvp(ir::application<V> const& at, V const* t) {
    auto const tangent = [&](int k) { return t[k] ? t[k] : ir::zeros_like(at.operand(k)); };
    return t[0] || t[1] ? of(tangent(0), tangent(1), at.y.shape_id()) : V{};
  }
};

// Both operands in turns along the last axis.
struct interleaved_t : join_of_two<interleaved_t> {
  static constexpr auto name = "interleaved";
  static constexpr rc::part_map part(rc::index_t const*, rc::shape_t const& x, int k) {
    rc::part_map p{rc::identity_map(x.rank)};
    p.map.start[x.rank - 1] = k, p.map.terms[x.rank - 1].step = 2;
    return p;
  }
  template <class V>
  static constexpr void vjp(ir::application<V> const& at, V ct, V* out) {
    rc::index_t start[rc::max_rank]{}, step[rc::max_rank]{};
    for (auto& s : step) s = 1;
    step[ct.rank() - 1] = 2;
    for (int k = 0; k < 2; ++k) {
      start[ct.rank() - 1] = k;
      out[k] = ir::slice(ct, at.operand(k).shape_id(), start, step);
    }
  }
};
inline constexpr interleaved_t interleaved{};

// One behind the other along the last axis; only the second asks where the one before it ends.
struct appended_t : join_of_two<appended_t> {
  static constexpr auto name = "appended";
  static constexpr rc::part_map part(rc::index_t const*, rc::shape_t const& x, int k) {
    return {rc::identity_map(x.rank), k == 0 ? -1 : x.rank - 1};
  }
};
inline constexpr appended_t appended{};

// A function that does not say how it is derived.
struct cubed_t : rc::elementwise<cubed_t, 1> {
  static constexpr auto name = "cubed";
  RICCI_FN kernel(auto x) { return x * x * x; }
};
inline constexpr cubed_t cubed{};

// One whose derivative is made of numbers, which are doubles.
struct twice_positive_t : rc::elementwise<twice_positive_t, 1> {
  static constexpr auto name = "twice_positive";
  RICCI_FN kernel(auto x) {
    using ricci::scalar::abs;
    return abs(x) + x;
  }
  static constexpr auto partials(auto, auto x) { return rc::where(x > 0., 2., 0.); }
};
inline constexpr twice_positive_t twice_positive{};

// as many terms as there may be: tests/fail/view_terms_25.cpp is one past it
constexpr rc::affine_map largest_map() {
  rc::affine_map m{12, {}, 0, {}, 0};
  for (int k = 23; k >= 0; --k) add_term(m, k / 2, k % 2, k);
  return m;
}
static_assert(largest_map().count == 24 && largest_map().terms[23].step == 23 && largest_map().terms[1].with == 1);

// f of x, compiled and interpreted
template <class F, class... X>
void check(numbers const& wanted, F const& f, X const&... x) {
  CHECK(numbers(rc::fn(f)(x...)) == wanted);
  CHECK(numbers(rc::interpret(f)(x...)) == wanted);
}

}  // namespace

TEST_CASE("a derivative has the type of its value") {
  rc::tensor<float, 3> const x{-1, 2, 3};
  auto const f = [](auto a) { return twice_positive(a); };
  check({0, 2, 2}, rc::grad([=](auto a) { return rc::sum(f(a)); }), x);
  auto const tangent = rc::eval(rc::jvp(f)(x)(x).second);
  static_assert(std::is_same_v<decltype(tangent)::value_type, float>);
  CHECK(numbers(tangent) == numbers{0, 4, 6});
}

TEST_CASE("an own view that exchanges axes") {
  rc::ndarray<double, 2> x{{1, 2, 3}, {4, 5, 6}};
  rc::tensor<double, 2, 3> const fixed{{1, 2, 3}, {4, 5, 6}};
  CHECK(numbers(rc::eval(swapped(x))) == numbers{1, 4, 2, 5, 3, 6});
  CHECK(numbers(rc::eval(swapped(fixed) + 1.)) == numbers{2, 5, 3, 6, 4, 7});
  check(
      {1, 4, 2, 5, 3, 6}, [](auto a) { return swapped(a); }, x);
  check(
      {1, 2, 3, 4, 5, 6}, [](auto a) { return swapped(swapped(a)); }, fixed);
  check(
      {2, 13, 3, 15, 4, 17}, [](auto a) { return swapped(a + rc::flip(a, rc::axis<1>)) + swapped(a); },
      rc::ndarray<double, 2>{{0, 1, 2}, {3, 5, 7}});
  CHECK(shape_of(rc::eval(swapped(x))) == numbers{3, 2});
  rc::ndarray<double, 2> square{{1, 2}, {3, 4}};
  square = swapped(square) + square;
  CHECK(numbers(square) == numbers{2, 5, 5, 8});
}

TEST_CASE("derivatives and batches of an own view that exchanges axes") {
  rc::ndarray<double, 2> const x{{1, 2, 3}, {4, 5, 6}}, w{{1, 2}, {3, 4}, {5, 6}};
  auto const f = [](auto a, auto b) { return rc::sum(swapped(a * a) * b); };
  check({2, 12, 30, 16, 40, 72}, rc::grad(f), x, w);
  rc::ndarray<double, 3> const xs = rc::stack(x, 2. * x);
  check({2, 12, 30, 16, 40, 72, 4, 24, 60, 32, 80, 144}, rc::vmap([=](auto a, auto b) { return rc::grad(f)(a, b); }),
        xs, rc::ndarray<double, 3>(rc::stack(w, w)));
  check({1, 4, 2, 5, 3, 6, 2, 8, 4, 10, 6, 12}, rc::vmap([](auto a) { return swapped(a); }), xs);
}

TEST_CASE("an own view of a diagonal") {
  rc::ndarray<double, 2> const x{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  CHECK(numbers(rc::eval(diagonal(x) * 2.)) == numbers{2, 10, 18});
  check(
      {1, 5, 9}, [](auto a) { return diagonal(swapped(a)); }, x);
  check(
      {3, 5, 7}, [](auto a) { return diagonal(rc::flip(a, rc::axis<1>)); }, x);
  // an infinite cotangent goes to the diagonal alone
  check({INFINITY, 0, 0, .5}, rc::grad([](auto a) { return rc::sum(rc::log(diagonal(a))); }),
        rc::ndarray<double, 2>{{0, 1}, {1, 2}});
  check({2, 0, 0, 0, 10, 0, 0, 0, 18}, rc::grad([](auto a) { return rc::sum(diagonal(a * a)); }), x);
  check({1, 5, 9, 2, 10, 18}, rc::vmap([](auto a) { return diagonal(a); }),
        rc::ndarray<double, 3>(rc::stack(x, 2. * x)));
}

TEST_CASE("own views that start where their extents say") {
  rc::ndarray<double, 2> x{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  rc::tensor<double, 2, 2> const fixed{{1, 2}, {3, 4}};
  CHECK(numbers(rc::eval(antidiagonal(x) * 2.)) == numbers{6, 10, 14});
  CHECK(numbers(rc::eval(antidiagonal(x * 2.))) == numbers{6, 10, 14});
  CHECK(numbers(rc::eval(antidiagonal(fixed + 1.))) == numbers{3, 4});
  CHECK(numbers(rc::eval(backwards(x.T()) + x)) == numbers{8, 6, 4, 12, 10, 8, 16, 14, 12});
  check(
      {7, 5, 3}, [](auto a) { return antidiagonal(swapped(a)); }, x);
  check(
      {1, 5, 9}, [](auto a) { return antidiagonal(backwards(a)); }, x);
  check(
      {9, 5, 1}, [](auto a) { return backwards(antidiagonal(backwards(a))); }, x);
  check({0, 0, 6, 0, 10, 0, 14, 0, 0}, rc::grad([](auto a) { return rc::sum(antidiagonal(a * a)); }), x);
  check({0, 4, 6, 0}, rc::grad([](auto a) { return rc::sum(antidiagonal(a * a)); }), fixed);
  check({3, 5, 7, 6, 10, 14}, rc::vmap([](auto a) { return antidiagonal(a); }),
        rc::ndarray<double, 3>(rc::stack(x, 2. * x)));
  check({3, 2, 1}, rc::grad([](auto a, auto b) { return rc::sum(backwards(a) * b); }), rc::ndarray<double, 1>{7, 8, 9},
        rc::ndarray<double, 1>{1, 2, 3});
  CHECK(backwards(x)(1, 0) == 6);
  antidiagonal(x) = 0.;
  antidiagonal(x)(0) += 10.;
  CHECK(numbers(x) == numbers{1, 2, 10, 4, 0, 6, 0, 8, 9});
  // of no elements
  rc::ndarray<double, 2> const none(0, 0);
  CHECK(rc::eval(antidiagonal(none)).size() == 0);
  CHECK(rc::eval(rc::sum(antidiagonal(none + 1.))) == 0);
  CHECK(rc::eval(rc::sum(antidiagonal(rc::tensor<double, 0, 0>{} + 1.))) == 0);
  check(
      {0}, [](auto a) { return rc::sum(antidiagonal(a)); }, none);
}

TEST_CASE("an own view of windows") {
  rc::ndarray<double, 1> const x{1, 2, 3, 4, 5};
  rc::tensor<double, 5> const fixed{1, 2, 3, 4, 5};
  CHECK(numbers(rc::eval(windows(x))) == numbers{1, 2, 3, 2, 3, 4, 3, 4, 5});
  CHECK(numbers(rc::eval(rc::sum(windows(fixed), rc::axis<1>))) == numbers{6, 9, 12});
  static_assert(std::is_same_v<decltype(rc::eval(windows(fixed))), rc::tensor<double, 3, 3>>);
  // also where nothing asks for memory
  CHECK_THROWS_AS((void)rc::eval(windows(rc::ndarray<double, 1>(1))), rc::value_error);
  CHECK_THROWS_AS((void)rc::eval(rc::sum(windows(rc::ndarray<double, 1>(1)))), rc::value_error);
  CHECK_THROWS_AS((void)rc::fn([](auto a) { return rc::sum(windows(a)); })(rc::ndarray<double, 1>(1)), rc::value_error);
  check(
      {5, 4, 3, 4, 3, 2, 3, 2, 1}, [](auto a) { return windows(rc::flip(a)); }, x);
  check(
      {1, 3, 5}, [](auto a) { return diagonal(windows(a)); }, x);
  check(
      {6, 9, 12}, [](auto a) { return rc::sum(windows(windows(a)), rc::axis<1, 2>); }, x);
  // every element is in up to three windows
  check({2, 8, 18, 16, 10}, rc::grad([](auto a) { return rc::sum(windows(a * a)); }), x);
  check({6, 9, 12, 12, 18, 24}, rc::vmap([](auto a) { return rc::sum(windows(a), rc::axis<1>); }),
        rc::ndarray<double, 2>(rc::stack(x, 2. * x)));
}

TEST_CASE("an own operation without derivatives has none, rather than zeros") {
  rc::ndarray<double, 2> const x{{1, 2, 3}, {4, 5, 6}};
  // (where it is compiled: tests/fail/derivative_of_own_view.cpp, derivative_of_own_function.cpp)
  CHECK_THROWS_AS(rc::interpret(rc::grad([](auto a) { return rc::sum(appended(a, a)); }))(x), rc::value_error);
  CHECK_THROWS_AS(rc::interpret(rc::grad([](auto a) { return rc::sum(cubed(a)); }))(x), rc::value_error);
  // one that is constant between its jumps says so
  check({0, 0, 0, 0, 0, 0}, rc::grad([](auto a) { return rc::sum(rc::floor(a) + rc::sign(a)); }), x);
}

TEST_CASE("elements and parts of own views lie where those of their operands do, and can be written") {
  rc::ndarray<double, 2> x{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}};
  CHECK(diagonal(x)(1) == 5);
  CHECK(numbers(diagonal(x)(rc::range(1, 3))) == numbers{5, 9});
  CHECK(numbers(windows(x)(0, 0)) == numbers{1, 2, 3});
  diagonal(x) = 0.;
  diagonal(x)(2) += 10.;
  swapped(x)(0) = rc::tensor<double, 3>{-1, -4, -7};
  CHECK(numbers(x) == numbers{-1, 2, 3, -4, 0, 6, -7, 8, 10});
  x = swapped(x);
  CHECK(numbers(x) == numbers{-1, -4, -7, 2, 0, 8, 3, 6, 10});
  rc::ndarray<double, 2> const wide(2, 3);
  CHECK_THROWS_AS((void)diagonal(wide)(0), rc::shape_error);
}

TEST_CASE("an own join of parts that lie in turns") {
  rc::ndarray<double, 2> const x{{1, 2, 3}, {4, 5, 6}}, y{{10, 20, 30}, {40, 50, 60}};
  rc::tensor<double, 2, 3> const fixed{{1, 2, 3}, {4, 5, 6}};
  CHECK(numbers(rc::eval(interleaved(x, y) + 1.)) == numbers{2, 11, 3, 21, 4, 31, 5, 41, 6, 51, 7, 61});
  CHECK(numbers(rc::eval(interleaved(x.T(), 2. * y.T()))) == numbers{1, 20, 4, 80, 2, 40, 5, 100, 3, 60, 6, 120});
  check(
      {1, 3, 2, 4, 3, 5, 4, 6, 5, 7, 6, 8}, [](auto a, auto b) { return interleaved(a, b + 2.); }, fixed, fixed);
  check({2, 4, 6, 8, 10, 12}, rc::grad([](auto a, auto b) { return rc::sum(interleaved(a * a, b)); }), x, y);
  check({1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60}, rc::vmap([](auto a, auto b) { return interleaved(a, b); }), x, y);
  CHECK_THROWS_AS((void)rc::eval(interleaved(x, rc::ndarray<double, 2>(2, 4))), rc::shape_error);
  check(
      {1, 2, 3, 10, 20, 30, 4, 5, 6, 40, 50, 60}, [](auto a, auto b) { return appended(a, b); }, x, y);
}
