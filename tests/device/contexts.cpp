// The device as a context: statements, views, functions and records there, copies to and from it, its memory, its
// errors.
#include "there.hpp"

#include <sstream>

#include "../ops/own_calls.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

template <class Kind = rc::values>
struct params {
  rc::field<Kind, double, 3, 2> w;
  rc::field<Kind, double, 2> b;
};
constexpr auto loss = [](auto p, auto x, auto y) {
  return rc::mean(rc::square(rc::tanh(rc::matmul(x, p.w)) + p.b - y));
};

// ---- what a context is to programs (exec/backend.hpp) ----

using on_host = rc::exec::backend_of<rc::expr::host_memory>;
using on_device = rc::exec::backend_of<rc::expr::device_memory>;
using program = rc::exec::usual_statement<decltype(std::declval<rc::tensor<float, 4>&>() + 1.f), float, rc::extents<4>,
                                          rc::exec::fit::exact, true>;
static_assert(rc::exec::Program<program> && !rc::exec::Program<int> && !rc::exec::Program<rc::tensor<float, 4>>);
static_assert(rc::exec::Runs<on_host, program> && rc::exec::Runs<on_device, program>);
static_assert(!rc::exec::Runs<on_host, int> && !rc::exec::Backend<rc::cpu> && !rc::exec::Backend<program>);

}  // namespace

TEST_CASE("explain says what a device does, not what the CPU would do") {
  auto const x = rc::copy(rc::tensor<float, 4, 3>{}, there);
  auto const f = [](auto a, auto b) { return rc::sum(rc::tanh(rc::matmul(a, b)), rc::axis<1>); };
  std::string const text = rc::explain(f, x, rc::copy(rc::tensor<float, 3, 4>{}, there)).text;
  CHECK(text.find("matrix product of 4 x 4 x 3, on a device") != std::string::npos);
  CHECK(text.find("reduction of 4 x 4, on a device") != std::string::npos);
  CHECK(text.find("lanes") == std::string::npos);
}

TEST_CASE("tensors are made there, and types say where they lie") {
  auto const x = rc::linspace<double>(0., 1., 5, there);
  static_assert(std::is_same_v<decltype(x), rc::device_tensor<double, rc::dyn> const>);
  CHECK(elements(x) == numbers{0, 0.25, 0.5, 0.75, 1});
  CHECK(elements(rc::zeros<float>(rc::shape(2, 2), there)) == numbers{0, 0, 0, 0});
  CHECK(elements(rc::full<float>(rc::extents<3>{}, 2, there)) == numbers{2, 2, 2});
  CHECK(elements(rc::eye<float>(2, 3, there)) == numbers{1, 0, 0, 0, 1, 0});
  CHECK(elements(rc::arange<int>(4, there)) == numbers{0, 1, 2, 3});
  CHECK(elements(rc::asarray<float>(std::vector{1.f, 2.f}, there)) == numbers{1, 2});
  CHECK(elements(rc::zeros_like(x)) == numbers{0, 0, 0, 0, 0});
  CHECK(elements(rc::full_like(rc::tensor<float, 2>{}, 3, there)) == numbers{3, 3});
  static_assert(std::is_same_v<decltype(rc::eval(x + 1.)), rc::device_tensor<double, rc::dyn>>);
  static_assert(std::is_same_v<decltype(rc::eval(x + 1., rc::cpu{})), rc::tensor<double, rc::dyn>>);
  static_assert(std::is_same_v<decltype(rc::eval(rc::tensor<float, 2>{} + 1.f, there)), rc::device_tensor<float, 2>>);
  rc::device_tensor<double> const number = 3.5;
  CHECK(number.item() == 3.5);
  CHECK(double(rc::sum(x)) == 2.5);
  CHECK(bool(rc::sum(x) > 2.));
  std::ostringstream s;
  s << rc::eval(x + 1.) << number;
  CHECK(s.str() == "[1 1.25 1.5 1.75 2]3.5");
}

TEST_CASE("statements, copies and views there") {
  rc::ndarray<double, 2> const h = rc::reshape(rc::arange<double>(12), rc::shape(3, 4));
  auto a = rc::copy(h, there);
  auto b = a;  // a copy of its own
  a += 1.;
  CHECK(elements(b) == numbers(h));
  CHECK(elements(a) == numbers{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12});
  a = b * a(0) - 2. * b;  // (3, 4) and a row
  CHECK(elements(a) == numbers(rc::eval(h * (h(0) + 1.) - 2. * h)));
  CHECK(elements(rc::eval(b(rc::all, rc::range(3, -5, -2)))) == numbers{3, 1, 7, 5, 11, 9});
  b(1) = 0.;
  b(rc::all, 0) = b(rc::all, 3);
  CHECK(elements(b) == numbers{3, 1, 2, 3, 0, 0, 0, 0, 11, 9, 10, 11});
  CHECK(elements(rc::eval(b.T())) == numbers{3, 0, 11, 1, 0, 9, 2, 0, 10, 3, 0, 11});
  CHECK(b(2, 1).item() == 9);
  b = rc::eval(b.T());  // other extents: new memory
  CHECK(b.shape(0) == 4);
  auto v = rc::arange<double>(5, there);
  v(rc::range(1, 5)) = v(rc::range(0, 4));  // reads what it writes
  CHECK(elements(v) == numbers{0, 0, 1, 2, 3});
  v = rc::flip(v);
  CHECK(elements(v) == numbers{3, 2, 1, 0, 0});
  CHECK(elements(rc::eval(rc::sort(-v))) == numbers{-3, -2, -1, 0, 0});
  // views of views
  auto w = rc::copy(h, there);
  w.T()(0) = 7.;
  rc::flip(w)(0) += 1.;
  rc::reshape(w, rc::shape(2, 6))(0, rc::range(1, 3)) = 0.;
  CHECK(elements(w) == numbers{7, 0, 0, 3, 7, 5, 6, 7, 8, 10, 11, 12});
  CHECK(w.T()(1, 2).item() == 10);
  // broadcasting that shows only at run time, both ways
  auto const column = rc::ones<double>(rc::shape(3, 1), there);
  auto const matrix = rc::copy(h, there);
  CHECK(elements(rc::eval(matrix + column)) == numbers(rc::eval(h + 1.)));
  CHECK(rc::flip(matrix)(0, 1) == 10);
  auto const f = [](auto x, auto y) { return rc::sum(x * y, rc::axis<0>); };
  CHECK(elements(rc::fn(f)(matrix, column)) == numbers(rc::eval(rc::sum(h, rc::axis<0>))));
  auto masked = rc::arange<double>(5, there);
  masked(masked > 2.) = -1.;
  CHECK(elements(masked) == numbers{0, 1, 2, -1, -1});
  auto const rows = rc::asarray<int>(std::vector{2, 0, -1}, there);
  CHECK(elements(rc::eval(matrix(rows))) == numbers{8, 9, 10, 11, 0, 1, 2, 3, 8, 9, 10, 11});
}

TEST_CASE("functions there give what they give here") {
  auto const x = rc::linspace<double>(-1., 1., 1000), w = rc::eval(rc::cos(3. * x));
  auto const dx = rc::copy(x, there), dw = rc::copy(w, there);
  auto const f = [](auto a, auto b) { return rc::mean(rc::square(rc::exp(-a * b) - 0.5)); };
  CHECK(double(rc::fn(f)(dw, dx)) == doctest::Approx(double(rc::fn(f)(w, x))).epsilon(1e-13));
  CHECK(elements(rc::grad(f)(dw, dx)).near(numbers(rc::grad(f)(w, x)), 1e-12));
  auto const [value, gradients] = rc::value_and_grad<0, 1>(f)(dw, dx);
  CHECK(elements(std::get<1>(gradients)).near(numbers(rc::grad<1>(f)(w, x)), 1e-12));
  auto const [v, t] = rc::jvp(f)(dw, dx)(dx, dw);
  CHECK(t.item() == doctest::Approx(rc::jvp(f)(w, x)(x, w).second.item()).epsilon(1e-12));
  auto const [q, pull] = rc::vjp(f)(dw, dx);
  CHECK(elements(std::get<0>(pull(2.))).near(numbers(rc::eval(2. * rc::grad(f)(w, x))), 1e-12));
  CHECK(elements(rc::interpret(rc::grad(f))(dw, dx)).near(numbers(rc::grad(f)(w, x)), 1e-12));
  constexpr auto constants = [](auto a) { return a(rc::slice<3>(1)) * rc::tensor<double, 3>{1, 2, 4}; };
  CHECK(elements(rc::fn(constants)(dx)).near(numbers(rc::fn(constants)(x)), 1e-15));
  auto out = rc::zeros_like(dx);
  rc::grad(f).into(out)(dw, dx);
  CHECK(elements(out).near(numbers(rc::grad(f)(w, x)), 1e-12));
  out = dw;
  rc::grad(f).into(out)(out, dx);  // written to what it reads
  CHECK(elements(out).near(numbers(rc::grad(f)(w, x)), 1e-12));
}

TEST_CASE("elements of one and two bytes and without a sign") {
  auto const f = [](auto a, auto b, auto i) {
    auto const rows = rc::take(a, i, rc::axis<0>);  // and its columns, from behind, strided, repeated
    return rc::sum(rc::concat(rows * b + 200, rc::flip(b.T()), b(1)(rc::newaxis)), rc::axis<0>) + rc::max(a.T());
  };
  auto const check = [&](auto const& a, auto const& b, auto const& i) {
    auto const y = rc::fn(f)(rc::copy(a, there), rc::copy(b, there), rc::copy(i, there));
    CHECK(elements(y) == numbers(rc::interpret(f)(a, b, i)));
  };
  rc::tensor<std::uint8_t, 3> const i{2, 0, 1};
  rc::tensor<std::uint8_t, 3, 3> const a{{250, 3, 7}, {0, 255, 100}, {9, 8, 200}},
      b{{2, 0, 1}, {255, 254, 3}, {1, 2, 8}};
  check(a, b, i);
  check(rc::eval(rc::astype<std::uint32_t>(a) - 1000u), rc::eval(rc::astype<std::uint32_t>(b) * 0x1010101u), i);
  check(rc::eval(rc::astype<rc::float16>(a) - 99.5f), rc::eval(rc::astype<rc::float16>(b)), i);
}

TEST_CASE("calls of a program's own, an index for each core") {
  rc::ndarray<double, 3> a(4, 3, 3);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j)
      for (int k = 0; k < 3; ++k) a(i, j, k) = (i + j * j * 5 + k * 3) % 7 + (j == k ? 9 : 0);
  auto const f = [](auto m) {
    auto const [mean, variance] = own_calls::moments(m);
    return rc::sum(rc::square(own_calls::solve(m, mean))) + rc::sum(variance);
  };
  auto const x = rc::copy(a, there);
  CHECK(elements(rc::fn(f)(x)).near(numbers(rc::fn(f)(a))));
  CHECK(elements(rc::grad(f)(x)).near(numbers(rc::grad(f)(a))));
  CHECK(elements(rc::eval(own_calls::differences(rc::matrix_transpose(x)))) ==
        numbers(rc::eval(own_calls::differences(rc::matrix_transpose(a)))));
}

TEST_CASE("loops and branches there") {
  rc::ndarray<double, 2> a(5, 3);
  for (int i = 0; i < 5; ++i)
    for (int k = 0; k < 3; ++k) a(i, k) = (i * 5 + k * 3) % 7 - 3;
  auto const f = [](auto m) {
    auto const [last, ys] = rc::scan(
        [](auto h, auto x) {
          auto const next = rc::cond(
              rc::sum(x) > 0., [x](auto t) { return rc::tanh(t + x); }, [](auto t) { return .5 * t; }, h);
          return std::pair(next, rc::sum(next * x));
        },
        m(0) * 0., m);
    return rc::sum(last) + rc::sum(ys * ys);
  };
  auto const x = rc::copy(a, there);
  CHECK(elements(rc::fn(f)(x)).near(numbers(rc::fn(f)(a))));
  CHECK(elements(rc::grad(f)(x)).near(numbers(rc::grad(f)(a))));
}

TEST_CASE("a sum of nothing is written behind the maps that wait and read its memory") {
  check_there(rc::fn([](auto v, auto w, auto n) {
                auto const [c, y] = rc::scan([=](auto u, auto i) { return std::pair(rc::tanh(u), v(i % 3) > .5); },
                                             w(0, n % 3), rc::arange<int>(rc::extents<0>{}, rc::like(w)));
                return c + 100. * rc::sum(rc::astype<double>(y));
              }),
              rc::tensor<double, 3>{1, 2, 3}, rc::tensor<double, 1, 3>{{.3, .6, .9}}, rc::tensor<int>(3));
}

TEST_CASE("loops of a number of iterations that is a value there") {
  auto const power = [](auto x, auto n) {
    return rc::fori_loop(
        0, n, [=](auto i, auto y) { return y * x + i; }, rc::ones_like(x));
  };
  auto const root = [](auto a) {
    return rc::while_loop([=](auto t) { return rc::max(rc::abs(t * t - a)) > 1e-12; },
                          [=](auto t) { return .5 * (t + a / t); }, a, rc::at_most<8>);
  };
  rc::tensor<double, 3> const a{1, 2, 3};
  auto const x = rc::copy(a, there);
  CHECK(elements(rc::fn(power)(x, 4)).near(numbers(rc::fn(power)(a, 4))));
  CHECK(elements(rc::fn(power)(x, 0)) == numbers{1, 1, 1});
  CHECK(elements(rc::fn(power)(x, std::int64_t(4))).near(numbers(rc::fn(power)(a, 4))));
  CHECK(elements(rc::fn(power)(x, rc::copy(rc::tensor<std::int64_t>{4}, there))).near(numbers(rc::fn(power)(a, 4))));
  CHECK(elements(std::get<1>(rc::jvp(power)(x, 4)(x, 0))).near(numbers(std::get<1>(rc::jvp(power)(a, 4)(a, 0)))));
  CHECK(elements(rc::fn(root)(x)).near(numbers(rc::fn(root)(a))));
  auto const total = [root](auto t) { return rc::sum(root(t)); };
  CHECK(elements(rc::grad(total)(x)).near(numbers(rc::grad(total)(a))));
  auto const large = rc::copy(rc::tensor<double, 3>{1, 1e6, 2}, there);
  CHECK(raised([&] { rc::fn(root)(large); }) ==
        "value_error: while_loop: is not done after 8 iterations, its rc::at_most");
}

TEST_CASE("products: every layout, batches, integers") {
  rc::ndarray<float, 2> const a = rc::reshape(rc::arange<float>(6), rc::shape(2, 3)),
                              b = rc::reshape(rc::arange<float>(12), rc::shape(3, 4));
  auto const da = rc::copy(a, there), db = rc::copy(b, there);
  numbers const ab(rc::eval(rc::matmul(a, b)));
  CHECK(elements(rc::eval(rc::matmul(da, db))) == ab);
  auto const at = rc::eval(da.T()), bt = rc::eval(db.T());
  CHECK(elements(rc::eval(rc::matmul(at.T(), db))) == ab);
  CHECK(elements(rc::eval(rc::matmul(da, bt.T()))) == ab);
  CHECK(elements(rc::eval(rc::matmul(at.T(), bt.T()))) == ab);
  // parts: columns and rows of larger matrices, with steps and backwards
  CHECK(elements(rc::eval(rc::matmul(da(rc::all, rc::range(0, 3, 2)), db(rc::range(0, 3, 2))))) ==
        numbers(rc::eval(rc::matmul(a(rc::all, rc::range(0, 3, 2)), b(rc::range(0, 3, 2))))));
  CHECK(elements(rc::eval(rc::matmul(da(rc::all, rc::range(2, -4, -1)), db(rc::all, rc::range(1, 3))))) ==
        numbers(rc::eval(rc::matmul(a(rc::all, rc::range(2, -4, -1)), b(rc::all, rc::range(1, 3))))));
  auto const fused = [](auto x, auto y) { return rc::relu(rc::matmul(x, y) - 20.f) + x(rc::all, rc::range<0, 1>()); };
  CHECK(elements(rc::fn(fused)(da, db)) == numbers(rc::fn(fused)(a, b)));
  rc::ndarray<float, 3> const c = rc::reshape(rc::arange<float>(24), rc::shape(2, 3, 4));
  auto const dc = rc::copy(c, there);
  CHECK(elements(rc::eval(rc::matmul(dc, rc::permute_dims(dc, rc::axis<0, 2, 1>)))) ==
        numbers(rc::eval(rc::matmul(c, rc::permute_dims(c, rc::axis<0, 2, 1>)))));
  CHECK(elements(rc::eval(rc::matmul(da(0, rc::newaxis), dc))) == numbers(rc::eval(rc::matmul(a(0, rc::newaxis), c))));
  auto const i = rc::copy(rc::tensor<int, 2, 2>{{1, 2}, {3, 4}}, there);
  CHECK(elements(rc::eval(rc::matmul(i, i))) == numbers{7, 10, 15, 22});
  rc::ndarray<float, 2> const none(2, 0);
  CHECK(elements(rc::eval(rc::matmul(rc::copy(none, there), rc::zeros<float>(rc::shape(0, 2), there)))) ==
        numbers{0, 0, 0, 0});
}

TEST_CASE("records train there") {
  rc::tensor<double, 8, 3> x;
  rc::tensor<double, 8, 2> y;
  for (int k = 0; k < 24; ++k) x.data()[k] = 0.1 * (k % 7) - 0.3;
  for (int k = 0; k < 16; ++k) y.data()[k] = 0.2 * (k % 5) - 0.4;
  auto const train = [&](auto context) {
    auto p = rc::copy(params<>{{{0.1, -0.2}, {0.3, 0.4}, {-0.5, 0.6}}, {0, 0}}, context);
    auto const cx = rc::copy(x, context);
    auto const cy = rc::copy(y, context);
    for (int step = 0; step < 50; ++step) {
      auto const g = rc::grad(loss)(p, cx, cy);
      static_assert(std::is_same_v<std::remove_const_t<decltype(g)>, decltype(p)>);
      rc::tree_map([](auto& to, auto const& by) { to -= 0.5 * by; }, p, g);
    }
    return rc::copy(p, rc::cpu{});
  };
  auto const here = train(rc::cpu{}), other = train(rc::device{});
  static_assert(std::is_same_v<decltype(rc::copy(here, there)), params<rc::values_in<rc::device>>>);
  CHECK(numbers(other.w).near(numbers(here.w), 1e-12));
  CHECK(numbers(other.b).near(numbers(here.b), 1e-12));
  // a batch
  auto const each = rc::vmap(rc::grad(loss), rc::in_axes<rc::unbatched, 0>);
  auto const gradients = each(rc::copy(here, there), rc::copy(x, there), rc::copy(y, there));
  static_assert(std::is_same_v<decltype(gradients), params<rc::batched<rc::values_in<rc::device>, 8>> const>);
  CHECK(elements(gradients.w).near(numbers(each(here, x, y).w), 1e-12));
}

// Who owns memory and what becomes of it is decided by the host's code, which is the same under every compiler; the
// kernels of these cases are of kinds that others have. nvcc, which takes minutes for the kernels of this file,
// compiles them in `full` only.
#if !defined(__CUDACC__) || defined(RICCI_TEST_FULL)
TEST_CASE("memory: read, limited, given back") {
  auto& pool = rc::device_memory();
  CHECK(pool.in_use() == 0);
  pool.trim();
  CHECK(pool.reserved() == 0);
  {
    auto const x = rc::zeros<float>(rc::shape(1000, 1000), there);
    CHECK(pool.in_use() >= 4000000);
    CHECK(pool.in_use() < 4600000);
    pool.reset_peak();
    { auto const y = rc::eval(rc::sum(rc::exp(x) * x + x, rc::axis<0>)); }
    CHECK(pool.peak() < 4800000);  // one kernel: nothing as large as x in between
    auto const view = x(rc::range(0, 10));
    CHECK(pool.in_use() < 4600000);
#if RICCI_EXCEPTIONS  // a handler that jumps back leaves behind what the statement holds
    pool.set_limit(6000000);
    CHECK(raised([&] { auto const z = rc::eval(x + 1.f); }).starts_with("device_error: device:0 has no memory for"));
    pool.set_limit(rc::index_t(1) << 60);
#endif
    auto const z = rc::eval(x + 1.f);
    CHECK(double(float(rc::max(z))) == 1);
  }
  CHECK(pool.in_use() == 0);
  CHECK(pool.reserved() > 0);  // for the next
  pool.trim();
  CHECK(pool.reserved() == 0);
  // what was not used for longest goes first
  auto const block = [&](rc::index_t bytes) { return rc::exec::device_array<char>(bytes, 0); };
  {
    auto const a = block(1 << 20);
    { auto const b = block(1 << 21); }
    { auto const c = block(1 << 22); }
    pool.set_keep(1 << 22);
    CHECK(pool.reserved() == (1 << 20) + (1 << 22));
    // the same size again and again comes from the same block, however large it is
    auto const before = pool.reserved();
    for (int k = 0; k < 3; ++k) {
      auto const c = block(1 << 22);
    }
    CHECK(pool.reserved() == before);
  }
  pool.set_keep(rc::index_t(1) << 60);
  pool.trim();
  CHECK(pool.reserved() == 0);
  // a tensor of static extents has memory when somebody looks at it, and is zero
  {
    rc::device_tensor<float, 3> const zeros;
    CHECK(pool.in_use() == 0);
    CHECK(elements(zeros) == numbers{0, 0, 0});
    CHECK(pool.in_use() > 0);
  }
}

TEST_CASE("who owns what there") {
  auto x = rc::copy(rc::arange<double>(4), there);
  using vector = decltype(x);
  auto const cube = [](auto a) { return a * a * a; };
  auto const pull = rc::vjp(cube)(x).second;
  auto const one = rc::eval(rc::ones_like(x));
  {
    auto const view = x(rc::range(1, 3));
    auto const lazy = x + 1.;
    vector const other = 2. * x;
    x = other;
    CHECK(elements(view) == numbers{2, 4});
    x = rc::eval(3. * x);
    CHECK(elements(view) == numbers{6, 12});
    x = rc::flip(x);
    CHECK(elements(view) == numbers{12, 6});
    CHECK(elements(rc::eval(lazy)) == numbers{19, 13, 7, 1});
    rc::fn([](auto a) { return rc::flip(a); }).into(x)(x);
    CHECK(elements(view) == numbers{6, 12});
    x = rc::eval(x(rc::range(0, 2)));  // another shape: other memory
    CHECK(elements(view) == numbers{6, 12});
  }
  CHECK(elements(std::get<0>(pull(one))) == numbers{0, 3, 12, 27});
  vector const taken = std::move(x);
  CHECK(x.size() == 0);
  vector const copy = x;
  CHECK(elements(copy) == numbers{});
  auto fixed = rc::copy(rc::tensor<double, 3>{1, 2, 3}, there);
  auto const from_fixed = std::move(fixed);
  CHECK(elements(rc::eval(fixed + from_fixed)) == numbers{1, 2, 3});
}

#if RICCI_EXCEPTIONS
TEST_CASE("where memory is short, nothing leaks there, and targets keep their value") {
  auto& pool = rc::device_memory();
  auto const a = rc::copy(rc::eval(rc::reshape(rc::arange<double>(1600), rc::shape(40, 40)) * 1e-3), there);
  auto const sums = rc::eval(rc::sum(a, rc::axis<0>));
  auto p = a, q = a;
  auto r = sums;
  auto const f = [](auto x, auto y) { return std::tuple(rc::matmul(x, rc::exp(y)), rc::matmul(rc::exp(y), x)); };
  auto const fails_cleanly = [&](auto const& program) {
    for (int failures = 0;; ++failures) {
      p = a, q = a, r = sums;
      rc::index_t const before = pool.in_use();
      pool.trim();
      pool.set_limit(before + failures * 1024);
      bool const done = raised(program).empty();
      pool.set_limit(rc::index_t(1) << 60);
      if (done) return failures;
      CHECK(pool.in_use() == before);
      CHECK(elements(p) == elements(a));
      CHECK(elements(q) == elements(a));
      CHECK(elements(r) == elements(sums));
    }
  };
  CHECK(fails_cleanly([&] { rc::fn(f).into(p, q)(p, q); }) > 2);
  // memory that a later step takes, or the step that has written another result
  auto const first_written = [](auto x) {
    return std::tuple(x + 1., rc::sum(rc::exp(rc::matmul(x, x.T())), rc::axis<0>), 2. * rc::sort(-x));
  };
  auto const in_one_step = [](auto x) {
    auto y = rc::exp(x);
    return std::tuple(y, rc::sum(y, rc::axis<0>));
  };
  CHECK(fails_cleanly([&] { rc::fn(first_written).into(p, r, q)(a); }) > 2);
  // (kernels of the library's own take no memory for this one)
  CHECK(fails_cleanly([&] { rc::fn(in_one_step).into(p, r)(a); }) >= (rc::exec::device_backend::is_cuda ? 0 : 1));
  CHECK(elements(r) == elements(rc::eval(rc::sum(p, rc::axis<0>))));
  CHECK(fails_cleanly([&] { rc::fn(in_one_step).into(p, r)(p); }) >= (rc::exec::device_backend::is_cuda ? 0 : 1));
  CHECK(elements(p) == elements(rc::eval(rc::exp(a))));
  CHECK(fails_cleanly([&] { p = rc::matmul(p, q) + p.T(); }) > 2);
  auto const expected = elements(p);
  p = a;
  p = rc::eval(rc::matmul(p, q) + p.T());
  CHECK(elements(p) == expected);
  // a part that is computed beside the memory that it spans
  CHECK(fails_cleanly([&] {
          p(rc::range(0, 40, 3), rc::range(1, 40, 2)) = 2. * p(rc::range(39, -41, -3), rc::range(1, 40, 2));
        }) > 2);
  auto h = rc::copy(a, rc::cpu{});
  h(rc::range(0, 40, 3), rc::range(1, 40, 2)) = 2. * h(rc::range(39, -41, -3), rc::range(1, 40, 2));
  CHECK(elements(p) == numbers(h));
}
#endif
#endif  // under nvcc

TEST_CASE("contexts by name, and errors") {
  // (errors leave memory behind where they are not exceptions, so they are looked at last)
  CHECK(raised([&] {
          rc::eval(own_calls::solve(rc::copy(rc::ndarray<double, 2>(0, 0), there),
                                    rc::copy(rc::ndarray<double, 1>(0), there)));
        }) == "value_error: solve: no equations");
  auto const total = [](auto context) { return double(float(rc::sum(rc::ones<float>(rc::shape(10), context)))); };
  for (char const* name : {"cpu", "cpu:3", "device", "device:0"})
    CHECK(rc::with_context<rc::cpu, rc::device>(name, total) == 10);
  CHECK(rc::with_context<rc::cpu>(std::string("cpu:2"), total) == 10);
  CHECK(raised([&] { rc::with_context<rc::cpu, rc::device>("gpu:0", total); }) ==
        "context_error: no context 'gpu:0': there are cpu, device");
  CHECK(raised([&] { rc::with_context<rc::cpu, rc::device>("cpu:x", total); }) ==
        "context_error: no context 'cpu:x': there are cpu, device");
  CHECK(raised([&] { rc::with_context<rc::cpu, rc::device>("cpu:0", total); }) ==
        "context_error: a context needs at least one thread, not 0");
  CHECK(raised([&] {
          rc::ones<float>(rc::shape(1), rc::device{99});
        }).starts_with("context_error: there is no device:99: this machine has "));
  auto const a = rc::ones<float>(rc::shape(3), there);
  if (rc::exec::device_backend::device_count() > 1) {
    auto const b = rc::ones<float>(rc::shape(3), rc::device{1});
    CHECK(raised([&] { rc::eval(a + b); }).starts_with("context_error: operands lie on device:0 and on another one"));
    CHECK(elements(rc::eval(a + rc::copy(b, rc::device{0}))) == numbers{2, 2, 2});
  }
  CHECK(raised([&] { rc::eval(a + rc::ones<float>(rc::shape(4), there)); }) == "shape_error: add: (3,) (4,)");
  CHECK(raised([&] {
          elements(rc::take(a, rc::asarray<int>(std::vector{0, 3}, there)));  // under CUDA who waits is told
        }) == "index_error: take: index 3 is out of range for an axis of 3");
  // before another step writes the result
  auto z = rc::zeros<float>(rc::shape(3), there);
  auto const two = rc::ones<float>(rc::shape(2), there);
  CHECK(raised([&] {
          z = rc::put_rows<0>(a * 2.f, rc::asarray<int>(std::vector{0, 3}, there), two);
        }) == "index_error: put_rows: index 3 is out of range for an axis of 3");
  CHECK(elements(z) == numbers{0, 0, 0});
}
