// Graphs with regions stay well formed, whatever passes do with them: an operand stands before its users, in their
// region or in one around it, and a body behind its region's beginning. And derivatives of loops and branches whose
// condition or extent is rewritten are right.
#include <doctest/doctest.h>

#include <tuple>

#include "../numbers.hpp"
#include "../raised.hpp"

namespace rc = ricci;

namespace {

template <class G>
constexpr bool is_well_formed(G const& g) {
  using enum rc::ir::op_kind;
  int begin[rc::ir::max_scopes]{};
  auto const sees = [&](int from, int scope) {
    for (; from != scope; from = g.outer[from])
      if (from == 0) return false;
    return true;
  };
  for (int id = 1; id < g.size; ++id) {
    auto const& i = g.ins[id];
    if (i.op->kind == region) begin[i.scope] = id;
    if (i.scope != 0 && begin[i.scope] == 0) return false;
    for (int k = 0; k < i.count; ++k) {
      int const x = g.in(id, k);
      bool const seen = i.op->kind == loop ? g.outer[g.ins[x].scope] == i.scope : sees(i.scope, g.ins[x].scope);
      if (x >= id || !seen) return false;
    }
  }
  return true;
}
template <class F, class... A>
bool stays_well_formed(F const&, A const&...) {
  using call = rc::inspect::call_of<F>;
  using program = rc::tracing::usual_program<typename call::transform, typename call::function, A...>;
  constexpr bool planned = is_well_formed(program::graph), recorded = is_well_formed(program::trace().g);
  return planned && recorded;
}

template <class F, class... A>
void compare(F const& f, A const&... a) {
  auto const g = rc::grad(f);
  CHECK(stays_well_formed(g, a...));
  auto const expected = rc::interpret(g)(a...);
  CHECK_MESSAGE(numbers(g(a...)).near(numbers(expected), 1e-12), numbers(g(a...)), " and ", numbers(expected));
  auto const [value, pull] = rc::vjp(f)(a...);
  CHECK(value.item() == doctest::Approx(rc::interpret(f)(a...).item()));
  CHECK(numbers(std::get<0>(pull(1.))).near(numbers(expected), 1e-12));
  auto const both = rc::value_and_grad(f);
  CHECK(stays_well_formed(both, a...));
  CHECK(std::get<0>(both(a...)).item() == doctest::Approx(value.item()));
  auto const second = [f](auto x, auto... rest) { return rc::sum(rc::square(rc::grad(f)(x, rest...))); };
  CHECK(stays_well_formed(rc::grad(second), a...));
  CHECK(numbers(rc::grad(second)(a...)).near(numbers(rc::interpret(rc::grad(second))(a...)), 1e-10));
}

rc::tensor<double, 4> const x{1, -.5, 2, .25};

constexpr auto chosen = [](auto p, auto v) {
  return rc::cond(
      p > 0., [](auto u) { return rc::sum(u * u); }, [](auto u) { return rc::sum(rc::exp(u)); }, v);
};

}  // namespace

TEST_CASE("conditions that are rewritten") {
  compare([](auto v) { return chosen(rc::mean(v), v); }, x);
  compare([](auto v) { return chosen(rc::sum(v) * 1. - rc::sum(v * v), v); }, x);
  compare([](auto v) { return chosen(rc::mean(v), v) * chosen(rc::mean(v) - 1., v * 2.); }, x);
}
TEST_CASE("extents that are found equal behind the loop") {
  auto const f = [](auto w, auto xs) {
    auto const [h, ys] =
        rc::scan([](auto c, auto row) { return std::pair(c + rc::sum(row * row), row * c); }, rc::sum(w), xs);
    return rc::sum(rc::matmul(ys, w)) + h;
  };
  rc::ndarray<double, 2> xs(3, 4);
  for (int k = 0; k < 12; ++k) xs.data()[k] = .1 * (k % 5) - .2;
  rc::ndarray<double, 1> const w = x;
  compare(f, w, xs);
  compare([f](auto a, auto b) { return f(b, a); }, xs, w);
}
TEST_CASE("branches in loops, derivatives in bodies") {
  auto const f = [](auto v, auto times) {
    auto const step = [v](auto h, auto t) {
      auto const y = rc::cond(
          rc::mean(v) * h - t > 0., [](auto a, auto b) { return a * rc::mean(b); },
          [](auto a, auto b) { return a - rc::sum(b * b); }, h, v);
      return std::pair(y, h * t);
    };
    auto const [last, all] = rc::scan(step, rc::sum(v), times);
    return last + rc::sum(all);
  };
  rc::tensor<double, 3> const times{.5, 2, -1};
  compare(f, x, times);
  auto const inner = [](auto v, auto t) {
    auto const step = [v](auto h, auto s) {
      auto const g = rc::grad([](auto u, auto k) { return chosen(rc::mean(u) - k, u); })(v * h, s);
      return std::pair(h + rc::sum(g) * .1, h);
    };
    return std::get<0>(rc::scan(step, rc::mean(v), t));
  };
  compare(inner, x, times);
}
TEST_CASE("carries that no iteration reads") {
  auto const replaced = [](auto v, auto m) {
    auto const k = rc::sin(v);
    auto const [last, unused] = rc::scan([](auto, auto e) { return std::pair(e, 0.); }, k, m);
    return last + rc::sum(k);
  };
  rc::tensor<double, 2> const u{0, 1};
  rc::tensor<double, 2, 2> const m{{10, 20}, {30, 40}};
  CHECK(numbers(rc::fn(replaced)(u, m)).near(numbers{30 + std::sin(1.), 40 + std::sin(1.)}));
  auto const softened = [](auto v, auto e) {
    auto const k = rc::sin(v);
    auto const [last, unused] =
        rc::scan([](auto c, auto row) { return std::pair(std::tuple(std::get<1>(c), row), std::get<0>(c)); },
                 std::tuple(k, rc::exp(k)), e);
    return rc::sum(rc::softmax(k + std::get<0>(last)) * std::get<1>(last));
  };
  compare(softened, u, m);
  auto const of_branch = [](auto p, auto v) {
    return rc::tanh(rc::cond(
        p > 0., [v](auto) { return v; }, [](auto q) { return q; }, p));
  };
  auto const squared = [of_branch](auto p, auto v) { return rc::square(rc::grad<1>(of_branch)(p, v)); };
  rc::tensor<double> const p(.4), v(.7);
  CHECK(rc::grad<1>(squared)(p, v).item() == doctest::Approx(rc::interpret(rc::grad<1>(squared))(p, v).item()));
}
TEST_CASE("bodies in bodies that compute the same values") {
  rc::tensor<double> const one(.7);
  compare(
      [](auto a, auto us) {
        auto const [l, y] = rc::scan(
            [=](auto c, auto e) {
              auto const [m, z] = rc::scan([=](auto, auto) { return std::pair(rc::sin(a), c); }, a, us);
              return std::pair(rc::sin(a), m * e);
            },
            a, us * a);
        return std::get<0>(rc::scan([](auto c, auto e) { return std::pair(c + e, 0.); }, l * y(2), us * rc::sum(y)));
      },
      one, x);
  compare(
      [](auto a, auto us) {
        return std::get<0>(rc::scan(
            [us](auto b, auto) {
              auto const [l, y] = rc::scan(
                  [](auto c, auto e) {
                    return std::pair(rc::cond(
                                         c * e > 0., [e](auto d) { return d * e; }, [](auto d) { return d + 1.; }, c),
                                     0.);
                  },
                  b, us);
              return std::pair(l, 0.);
            },
            a, us));
      },
      one, x);
  compare(
      [](auto a, auto us) {
        auto const [l, y] = rc::scan(
            [](auto c, auto) {
              auto const n = rc::cond(
                  c > 0., [](auto d) { return d * d; }, [](auto d) { return d + 1.; }, c);
              return std::pair(n, rc::cond(
                                      n > 0., [](auto d) { return d; }, [](auto d) { return d * d; }, n));
            },
            a, us);
        return l + rc::sum(y);
      },
      one, x);
}
TEST_CASE("bodies do not take values for their own that are recorded behind the loop") {
  auto const twice = [](auto v) {
    auto const w = rc::cond(
        rc::sum(v) > .05, [](auto u) { return rc::tanh(rc::max(u)); }, [](auto u) { return rc::sum(u * u); }, v);
    return rc::cond(
        rc::max(v) > -.2, [](auto u) { return rc::exp(u); }, [](auto u) { return u; }, w);
  };
  rc::tensor<double, 4, 3> const xs{{.11, .22, .33}, {-.44, .55, .66}, {.77, -.88, .99}, {1.01, 1.12, -1.23}};
  auto const batch = rc::vmap(twice);
  CHECK(numbers(batch(xs)).near(numbers(rc::interpret(batch)(xs)), 1e-12));
  compare([twice](auto a) { return rc::sum(rc::vmap(twice)(a)); }, xs);
  CHECK(rc::explain(twice, x).text.find("-0.2") != std::string::npos);
}
TEST_CASE("a body of a batch that computes what is computed outside of it, too") {
  // by what is the same for the whole batch: the body is not to find the value before the loop
  auto const f = [](auto t, auto w) {
    auto const v = rc::cond(
        t > 0., [=](auto) { return rc::eval(rc::tanh(w)); }, [=](auto u) { return rc::eval(u * 1.); }, t);
    return rc::eval(rc::tanh(w) + v);
  };
  auto const g = [f](auto w, auto ts) {
    return rc::sum(rc::square(rc::vmap(f, rc::in_axes<0, rc::unbatched>)(ts, w)));
  };
  rc::tensor<double> const w = .5;
  rc::tensor<double, 3> const ts{-1, 2, 3};
  compare(g, w, ts);
  // nor a body in a body the value behind it
  auto const h = [](auto t) {
    auto const v = rc::cond(
        rc::sum(t) > 5., [](auto u) { return rc::eval(u * 2.); },
        [t](auto u) {
          return rc::cond(
              rc::sum(u) > 0., [t](auto z) { return rc::eval(rc::tanh(t) + z); },
              [](auto z) { return rc::eval(z * 3.); }, u);
        },
        t);
    return rc::sum(rc::square(v)) + rc::sum(rc::tanh(t));
  };
  rc::tensor<double, 3, 2> const rows{{.5, 1}, {-1, -2}, {4, 5}};
  CHECK(numbers(rc::vmap(h)(rows)).near(numbers(rc::interpret(rc::vmap(h))(rows)), 1e-12));
  CHECK(numbers(rc::vmap(rc::grad(h))(rows)).near(numbers(rc::interpret(rc::vmap(rc::grad(h)))(rows)), 1e-12));
}

TEST_CASE("carries and branches keep their shapes at run time") {
  auto const grown = [](auto h, auto m) {
    return std::get<0>(rc::scan([](auto c, auto row) { return std::pair(c + row, 0.); }, h, m));
  };
  rc::ndarray<double, 2> const m = rc::ones<double>(rc::shape(2, 3));
  rc::ndarray<double, 1> const one = rc::ones<double>(rc::shape(1)), three = rc::ones<double>(rc::shape(3));
  CHECK(numbers(rc::fn(grown)(three, m)) == numbers{3, 3, 3});
  CHECK(raised([&] { rc::fn(grown)(one, m); }) == "shape_error: scan: (1,) (3,)");
  CHECK(raised([&] { rc::interpret(grown)(one, m); }) == "shape_error: scan: (1,) (3,)");
  auto const either = [](auto a, auto b) {
    return rc::cond(
        rc::sum(a) > 0., [a] { return a * 2.; }, [b] { return b * 3.; });
  };
  CHECK(numbers(rc::fn(either)(three, three)) == numbers{2, 2, 2});
  CHECK(raised([&] { rc::fn(either)(three, one); }).rfind("shape_error: cond: ", 0) == 0);
}
