// Steps of the rows that a batch names: beside PyTorch's sparse gradients, and beside steps of the whole table.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include <ricci/nn/embedding.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/on_rows.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>

#include "../raised.hpp"
#include "torch_sparse_adam.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

template <class Kind = rc::values>
struct table {
  nn::layer<nn::embedding<rc::dyn, 3>, Kind> words;
};
constexpr auto weighed = [](auto const& m, auto state, auto const&, auto const& tokens, auto const& factors) {
  return std::pair(rc::sum(rc::tanh(m.words(tokens)) * factors), state);
};
template <class O>
void check(O const& o, float const (&expected)[21]) {
  table<> first{};
  first.words.w = rc::zeros<float>(rc::shape(7, 3));
  for (int k = 0; k < 21; ++k) first.words.w.data()[k] = sparse_table::start[k];
  auto run = nn::start(first, std::tuple<>{}, o, nn::key(1));
  auto const step = nn::on_rows<"words.w">(nn::step_of<weighed>(o));
  for (int k = 0; k < 6; ++k) {
    rc::tensor<int, 3> t{};
    rc::tensor<float, 3, 3> f{};
    for (int i = 0; i < 3; ++i) t(i) = sparse_table::tokens[3 * k + i];
    for (int i = 0; i < 9; ++i) f.data()[i] = sparse_table::factors[9 * k + i];
    (void)step(run, t, f);
  }
  REQUIRE(run.params.words.w.shape(0) == 7);
  for (int k = 0; k < 21; ++k) CHECK(run.params.words.w.data()[k] == doctest::Approx(expected[k]).epsilon(1e-5));
}

template <class Kind = rc::values>
struct net {
  nn::layer<nn::embedding<rc::dyn, 8>, Kind> words;
  nn::layer<nn::linear<8, 4>, Kind> out;
  static net init(nn::key const& k, rc::index_t count) {
    return {nn::init<nn::embedding<rc::dyn, 8>::params<>>(k.fold(0), count),
            nn::init<nn::linear<8, 4>::params<>>(k.fold(1))};
  }
};
constexpr auto loss = [](auto const& m, auto state, auto const&, auto const& tokens, auto const& y) {
  return std::pair(rc::mean(rc::square(m.out(rc::eval(rc::mean(m.words(tokens), rc::axis<1>))) - y)), state);
};

template <class Kind = rc::values>
struct part {
  nn::layer<nn::embedding<rc::dyn, 2>, Kind> words;
};
template <class Kind = rc::values>
struct both {
  nn::layer<nn::embedding<rc::dyn, 2>, Kind> words;
  part<Kind> decoder;
};
constexpr auto both_loss = [](auto const& m, auto state, auto const&, auto const& a, auto const& b) {
  return std::pair(rc::sum(rc::square(m.words(a) - 1.f)) + rc::sum(rc::square(m.decoder.words(b) - 2.f)), state);
};

}  // namespace

TEST_CASE("rows that a batch names are those of sparse gradients") {
  check(nn::adam{} | nn::constant{.1f}, sparse_table::adam);
  check(nn::sgd{} | nn::constant{.1f}, sparse_table::sgd);
}

TEST_CASE("plain descent with clipping is that of the whole table, and errors change nothing") {
  auto const o = nn::clip_by_global_norm{.05f} | nn::sgd{} | nn::constant{.5f};
  auto whole = nn::start(nn::init<net<>>(nn::key(2), 50), std::tuple<>{}, o, nn::key(1));
  auto parts = whole;
  auto const step = nn::step_of<loss>(o);
  auto const part = nn::on_rows<"words.w">(nn::step_of<loss>(o));
  rc::ndarray<int, 2> tokens(6, 5);
  rc::ndarray<float, 2> const y = rc::random::normal<float>(nn::key(3), rc::shape(6, 4));
  for (int n = 0; n < 4; ++n) {
    tokens = rc::random::randint<int>(nn::key(10 + n), rc::shape(6, 5), 0, 50);
    float const a = step(whole, tokens, y), b = part(parts, tokens, y);
    CHECK(a == doctest::Approx(b).epsilon(1e-6));
    CHECK(float(rc::max(rc::abs(whole.params.words.w - parts.params.words.w))) < 1e-6f);
    CHECK(float(rc::max(rc::abs(whole.params.out.w - parts.params.out.w))) < 1e-6f);
  }
  auto const before = rc::eval(parts.params.words.w);
  tokens(3, 2) = 50;
  CHECK(raised([&] { (void)part(parts, tokens, y); }).find("index_error") == 0);
  tokens(3, 2) = 0;
  CHECK(raised([&] { (void)part(parts, tokens, rc::eval(y(rc::range(0, 3)))); }).find("shape_error") == 0);
  CHECK(parts.params.words.w.shape(0) == 50);
  CHECK(bool(rc::all(parts.params.words.w == before)));
  // what groups remember has no names
  auto const grouped =
      nn::groups(nn::on<"words.w">(nn::adam{} | nn::constant{.1f}), nn::on<"*">(nn::sgd{} | nn::constant{.1f}));
  auto run = nn::start(nn::init<net<>>(nn::key(2), 50), std::tuple<>{}, grouped, nn::key(1));
  auto const of_groups = nn::on_rows<"words.w">(nn::step_of<loss>(grouped));
  CHECK(raised([&] { (void)of_groups(run, tokens, y); }).find("shape_error") == 0);
  CHECK(run.params.words.w.shape(0) == 50);
}
TEST_CASE("names are whole ones, and rows are not counted from the end") {
  auto const o = nn::adam{} | nn::constant{.1f};
  both<> m{};
  m.words.w = rc::zeros<float>(rc::shape(5, 2)), m.decoder.words.w = rc::zeros<float>(rc::shape(5, 2));
  auto whole = nn::start(m, std::tuple<>{}, o, nn::key(1)), rows = whole;
  rc::ndarray<int, 1> const a{2, 4}, b{1, 0};
  auto const step = nn::step_of<both_loss>(o);
  auto const on_rows = nn::on_rows<"words.w">(step);
  (void)step(whole, a, b), (void)on_rows(rows, a, b);
  CHECK(float(rc::max(rc::abs(whole.params.words.w - rows.params.words.w))) == 0);
  CHECK(float(rc::max(rc::abs(whole.params.decoder.words.w - rows.params.decoder.words.w))) == 0);
  CHECK(float(rc::max(rc::abs(rows.params.decoder.words.w))) > .01f);
  auto const before = rows;
  CHECK(raised([&] {
          (void)on_rows(rows, rc::ndarray<int, 1>{-1, 4}, b);
        }) == "index_error: nn::on_rows: row -1, where 0 or more was expected");
  CHECK(bool(rc::all(rows.params.words.w == before.params.words.w)));
}
