// Layers one after the other, beside their input, and of two inputs, pieces and low rank.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include <ricci/nn/dense.hpp>
#include <ricci/nn/dropout.hpp>
#include <ricci/nn/losses.hpp>
#include <ricci/nn/one_hot.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/segments.hpp>
#include <ricci/nn/sequential.hpp>
#include <ricci/nn/step.hpp>
#include <ricci/nn/summary.hpp>
#include <ricci/nn/wrappers.hpp>

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {
using drops = nn::apply<[](auto const& x, auto const& mode) { return nn::dropout(x, .5f, mode); }>;
using net =
    nn::sequential<nn::linear<3, 5>, nn::apply<rc::relu>, nn::residual<nn::linear<5, 5>>, drops, nn::linear<5, 2>>;
using plain = nn::sequential<nn::linear<3, 5>, nn::apply<rc::tanh>, nn::linear<5, 2>>;
auto const x = rc::eval(rc::random::normal<float>(nn::key(1), rc::extents<4, 3>{}));
auto const y = rc::eval(rc::random::normal<float>(nn::key(2), rc::extents<4, 2>{}));
constexpr auto squares = [](auto const& p, auto const&... a) { return rc::sum(rc::square(p(a...))); };
bool near(auto const& a, auto const& b) { return double(rc::max(rc::abs(a - b))) < 1e-5; }
}  // namespace

TEST_CASE("layers one after the other") {
  auto const p = nn::init<net::params<>>(nn::key(3));
  auto const& [first, act, inner, drop, last] = p.layers;
  rc::tensor<float, 4, 5> const h = rc::relu(first(x));
  rc::tensor<float, 4, 5> const g = h + inner.inner(h);
  rc::tensor<float, 4, 2> const expected = last(g);
  CHECK(near(rc::eval(p(x, nn::inference<>{})), expected));
  nn::training<> const learns{nn::key(4)};
  rc::tensor<float, 4, 5> const some = nn::dropout(g, .5f, learns);
  rc::tensor<float, 4, 2> const noisy = last(some);
  CHECK(near(rc::eval(p(x, learns)), noisy));
  CHECK(!near(noisy, expected));
  CHECK(near(rc::eval(rc::fn([](auto const& q, auto const& v) { return q(v, nn::inference<>{}); })(p, x)), expected));
  CHECK(nn::summary(p).find("layers.2.inner.w") != std::string::npos);
  auto const q = nn::init<plain::params<>>(nn::key(3));
  CHECK(near(rc::eval(q(x)), rc::eval(std::get<2>(q.layers)(rc::eval(rc::tanh(std::get<0>(q.layers)(x)))))));
  auto const by_parts = [](auto const& w, auto const& b, auto const& u, auto const& c, auto const& v) {
    return rc::sum(rc::square(rc::matmul(rc::tanh(rc::matmul(v, w) + b), u) + c));
  };
  auto const gradient = rc::grad(squares)(q, x);
  auto const& [in, none, out] = q.layers;
  auto const [w, b, u, c] = rc::grad<0, 1, 2, 3>(by_parts)(in.w, in.b, out.w, out.b, x);
  CHECK(near(std::get<0>(gradient.layers).w, w));
  CHECK(near(std::get<2>(gradient.layers).b, c));
}
namespace {
template <class Kind = rc::values>
struct sized {
  nn::layer<nn::linear<3, rc::dyn>, Kind> up;
  nn::layer<nn::linear<rc::dyn, rc::dyn>, Kind> inner;
  nn::layer<nn::linear<rc::dyn, 2, false>, Kind> down;
  static sized init(nn::key const& k, rc::index_t width) {
    return {decltype(up)::init(k.fold(0), 3, width), nn::init<decltype(inner)>(k.fold(1), width, width),
            decltype(down)::init(k.fold(2), width, 2)};
  }
  constexpr auto operator()(auto const& v) const { return down(rc::tanh(inner(rc::tanh(up(v))))); }
};
template <class Kind = rc::values>
struct of_five {
  nn::layer<nn::linear<3, 5>, Kind> up;
  nn::layer<nn::linear<5, 5>, Kind> inner;
  nn::layer<nn::linear<5, 2, false>, Kind> down;
  constexpr auto operator()(auto const& v) const { return down(rc::tanh(inner(rc::tanh(up(v))))); }
};
constexpr auto distance = [](auto const& m, auto state, auto const&, auto const& v, auto const& t) {
  return std::pair(rc::mean(rc::square(m(v) - t)), state);
};
}  // namespace
TEST_CASE("sizes that are told when a model begins") {
  auto const a = nn::init<sized<>>(nn::key(8), 5);
  auto const b = nn::init<of_five<>>(nn::key(8));
  CHECK(bool(rc::all(a.up.w == b.up.w)));
  CHECK(bool(rc::all(a.inner.w == b.inner.w)));
  CHECK(bool(rc::all(a.down.w == b.down.w)));
  CHECK(near(rc::eval(a(x)), rc::eval(b(x))));
  auto const optimiser = nn::clip_by_global_norm{1.f} | nn::adam{} | nn::constant{.1f};
  auto of_a = nn::start(a, std::tuple<>{}, optimiser, nn::key(1));
  auto of_b = nn::start(b, std::tuple<>{}, optimiser, nn::key(1));
  auto step = nn::step_of<distance>(optimiser);
  for (int k = 0; k < 4; ++k) CHECK(float(step(of_a, x, y)) == doctest::Approx(float(step(of_b, x, y))).epsilon(1e-5));
  CHECK(near(of_a.params.inner.w, of_b.params.inner.w));
  CHECK_THROWS_AS((nn::init<nn::linear<3, rc::dyn>::params<>>(nn::key(1), 4, 5)), rc::shape_error);
  auto const wide = nn::init<sized<>>(nn::key(8), 7);
  CHECK(rc::eval(wide(x)).shape(1) == 2);
  CHECK(wide.inner.w.shape(0) == 7);
}
TEST_CASE("two inputs, pieces, and low rank") {
  auto p = nn::init<nn::bilinear<3, 2, 4>::params<>>(nn::key(5));
  p.b = rc::tensor<float, 4>{1, 2, 3, 4};
  rc::tensor<float, 4, 4> const z = p(x, y);
  bool same = true;
  for (int n = 0; n < 4; ++n)
    for (int k = 0; k < 4; ++k) {
      double sum = double(p.b(k));
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 2; ++j) sum += double(x(n, i)) * double(p.w(k, i, j)) * double(y(n, j));
      same = same && std::abs(sum - double(z(n, k))) < 1e-5;
    }
  CHECK(same);
  CHECK(near(rc::eval(p(rc::ndarray<float, 2>(x), rc::ndarray<float, 2>(y))), z));
  CHECK(near(rc::eval(p(x(0), y(0))), z(0)));

  auto const m = nn::init<nn::maxout<3, 2, 4>::params<>>(nn::key(6));
  rc::tensor<float, 4, 8> const all = rc::matmul(x, m.w) + m.b;
  rc::tensor<float, 4, 2> const most = m(x);
  for (int n = 0; n < 4; ++n)
    for (int k = 0; k < 2; ++k)
      CHECK(most(n, k) == std::fmax(std::fmax(all(n, k), all(n, 2 + k)), std::fmax(all(n, 4 + k), all(n, 6 + k))));
  CHECK(near(rc::eval(m(rc::ndarray<float, 2>(x))), most));

  auto l = nn::init<nn::lora<3, 2, 1, 2>::params<>>(nn::key(7));
  CHECK(near(rc::eval(l(x)), rc::eval(l.base(x))));
  l.up = 1.f;
  rc::tensor<float, 4, 1> const low = rc::matmul(x, l.down);
  CHECK(near(rc::eval(l(x)), rc::eval(l.base(x) + 2.f * low)));
  auto const g = rc::grad(squares)(l, x);
  CHECK(double(rc::max(rc::abs(g.base.w))) == 0);
  CHECK(double(rc::max(rc::abs(g.down))) > .01);
}

namespace {
using bent = nn::sequential<nn::apply<rc::tanh>, nn::linear<3, 2>, nn::apply<rc::tanh>>;
constexpr auto loss = [](auto const& m, auto s, auto const&, auto const& in, auto const& out) {
  return std::pair(nn::mse(m(in), out), s);
};
}  // namespace

TEST_CASE("layers without parameters stand before others in a step") {
  auto const optimiser = nn::skip_nonfinite(nn::clip_by_global_norm{1.f} | nn::adam{} | nn::constant{.1f});
  auto run = nn::start(nn::init<bent::params<>>(nn::key(8)), std::tuple<>{}, optimiser, nn::key(9));
  auto const step = nn::step_of<loss>(optimiser);
  rc::tensor<float, 4, 2> const target = rc::tanh(y);
  float const first = step(run, x, target);
  float last = 0;
  for (int k = 0; k < 30; ++k) last = step(run, x, target);
  CHECK(last < .7f * first);
}

TEST_CASE("labels as rows with a one, and rows by the segments that they belong to") {
  rc::tensor<int, 2, 2> const labels{{0, 2}, {-1, 3}};
  rc::tensor<float, 2, 2, 3> const rows{{{1, 0, 0}, {0, 0, 1}}, {{0, 0, 0}, {0, 0, 0}}};
  CHECK(bool(rc::all(nn::one_hot<3>(labels) == rows)));
  CHECK(bool(rc::all(rc::fn([](auto const& l) { return nn::one_hot<3, double>(l) * 2.; })(labels) ==
                     2. * rc::astype<double>(rows))));
  // as jax.ops.segment_sum of the same
  rc::ndarray<double, 2> const v = rc::reshape(rc::arange<double>(10), rc::shape(5, 2));
  rc::tensor<int, 5> const of{0, 2, 2, 0, 0};
  CHECK(bool(rc::all(nn::segment_sum(v, of, 4) == rc::tensor<double, 4, 2>{{14, 17}, {0, 0}, {6, 8}, {0, 0}})));
  CHECK(near(nn::segment_mean(v, of, 4), rc::tensor<double, 4, 2>{{14. / 3, 17. / 3}, {0, 0}, {3, 4}, {0, 0}}));
  CHECK(bool(rc::all(nn::segment_sum(rc::eval(v(rc::all, 1)), of, 3) == rc::tensor<double, 3>{17, 0, 8})));
  auto const f = [](auto const& rows_of, auto const& s) {
    return rc::sum(rc::square(nn::segment_sum(rows_of, s, rows_of.shape(0)))) +
           rc::sum(rc::tanh(nn::segment_mean(rows_of, s, rows_of.shape(0))));
  };
  CHECK(rc::check_grads([&](auto const& w) { return f(w, rc::tensor<int, 5>{0, 2, 2, 0, 0}); }, v));
  CHECK_THROWS_AS(nn::segment_sum(v, of, 2), rc::index_error);
  char const* const said = "segment_sum: index -1 is out of range for an axis of 4";
  CHECK_THROWS_WITH_AS(nn::segment_sum(v, rc::tensor<int, 5>{0, 2, -1, 0, 0}, 4), said, rc::index_error);
  // labels of few bits stand for no class that has more
  CHECK(float(rc::sum(nn::one_hot<300>(rc::tensor<std::uint8_t, 1>{3}))) == 1);
  CHECK(float(rc::sum(nn::one_hot<200>(rc::tensor<std::int8_t, 1>{-56}))) == 0);
}
