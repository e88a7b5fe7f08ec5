// CTC, NLL, NT-Xent and sparsemax against PyTorch; CTC against all alignments, one after the other.
#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <vector>

#include <ricci/ricci.hpp>

#include <ricci/nn/sequence_losses.hpp>
#include <ricci/random.hpp>

#include "../raised.hpp"
#include "near_table.hpp"
#include "torch_sequences.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;
namespace of = sequences_table;

namespace {

template <class T, std::size_t N>
T integers(int const (&values)[N]) {
  T t;
  for (std::size_t k = 0; k < N; ++k) t.data()[k] = values[k];
  return t;
}
auto const scores = of_table<rc::tensor<double, 4, 6, 4>>(of::scores);
auto const labels = integers<rc::tensor<int, 4, 3>>(of::labels);
auto const lengths = integers<rc::tensor<int, 4>>(of::lengths);
auto const label_lengths = integers<rc::tensor<int, 4>>(of::label_lengths);
auto const a = of_table<rc::tensor<double, 5, 3>>(of::a), b = of_table<rc::tensor<double, 5, 3>>(of::b);

// the sum over rows, by weights 1, 2, ...
constexpr auto weighted = [](auto const& x) {
  auto const flat = rc::eval(rc::reshape(x, rc::shape(-1)));
  return rc::eval(rc::sum(flat * rc::cumulative_sum(rc::zeros_like(flat) + 1.)));
};
// the probability of the labels: over all sequences of classes those that become them without repetitions and blanks
double by_enumeration(int n) {
  rc::tensor<double, 4, 6, 4> const p = rc::softmax(scores, rc::axis<2>);
  int const places = lengths(n);
  double all = 0;
  for (int path = 0; path < 1 << 2 * places; ++path) {
    std::vector<int> read;
    double likely = 1;
    for (int t = 0, before = 0; t < places; ++t) {
      int const c = path >> 2 * t & 3;
      likely *= p(n, t, c);
      if (c != 0 && c != before) read.push_back(c);
      before = c;
    }
    bool same = int(read.size()) == label_lengths(n);
    for (std::size_t k = 0; same && k < read.size(); ++k) same = read[k] == labels(n, rc::index_t(k));
    if (same) all += likely;
  }
  return -std::log(all);
}

}  // namespace

TEST_CASE("CTC as PyTorch has it, and by all alignments") {
  auto const loss = [](auto const& s, auto const& l, auto const& n, auto const& m) {
    return weighted(nn::ctc(s, l, n, m));
  };
  rc::tensor<double, 4> const each = nn::ctc(scores, labels, lengths, label_lengths);
  CHECK(near_table(each, of::ctc, 1e-12));
  for (int n = 0; n < 4; ++n) CHECK(each(n) == doctest::Approx(by_enumeration(n)).epsilon(1e-12));
  CHECK(near_table(rc::grad(loss)(scores, labels, lengths, label_lengths), of::ctc_gradient, 1e-12));
  CHECK(rc::check_grads(loss, scores, labels, lengths, label_lengths));
  rc::tensor<int, 4, 3> const others = labels % 3;
  CHECK(near_table(nn::ctc<3>(scores, others, lengths, label_lengths), of::ctc_last, 1e-12));
  // whatever stands behind the labels and places, and for dynamic extents
  rc::ndarray<double, 3> padded = rc::zeros<double>(rc::shape(4, 8, 4));
  padded(rc::all, rc::range(0, 6)) = scores;
  rc::ndarray<int, 2> more = rc::full<int>(rc::shape(4, 5), -7);
  more(rc::all, rc::range(0, 3)) = labels;
  CHECK(near_table(nn::ctc(padded, more, lengths, label_lengths), of::ctc, 1e-12));
}
TEST_CASE("CTC of labels that do not fit") {
  rc::tensor<float, 2, 2, 3> const s{{{1, 2, 3}, {0, 1, 0}}, {{1, 2, 3}, {0, 1, 0}}};
  rc::tensor<int, 2, 2> const l{{1, 1}, {1, 2}};
  rc::tensor<int, 2> const both{2, 2};
  auto const loss = [](auto const& x, auto const& y, auto const& n) { return rc::eval(nn::ctc(x, y, n, n)); };
  rc::tensor<float, 2> const each = loss(s, l, both);
  CHECK((each(0) == std::numeric_limits<float>::infinity() && each(1) > 0 && each(1) < 10));
  auto const g = rc::grad(
      [=](auto const& x, auto const& y, auto const& n) { return rc::eval(rc::sum(loss(x, y, n))); })(s, l, both);
  CHECK(float(rc::max(rc::abs(g(0)))) == 0);
  CHECK(std::isfinite(float(rc::sum(rc::abs(g)))));
  CHECK(float(rc::max(rc::abs(g(1)))) > .1f);
}
TEST_CASE("pairs, logarithms of probabilities, and sparse ones") {
  auto const pairs = [](auto const& x, auto const& y) { return nn::nt_xent(x, y, .5); };
  CHECK(near_table(rc::eval(pairs(a, b)), of::nt_xent, 1e-12));
  CHECK(near_table(rc::grad(pairs)(a, b), of::nt_xent_gradient, 1e-12));
  CHECK(rc::check_grads(pairs, a, b));
  auto const sparse = [](auto const& x) { return weighted(nn::sparsemax(x)); };
  rc::tensor<double, 5, 3> const p = nn::sparsemax(a);
  CHECK(near_table(p, of::sparsemax, 1e-12));
  CHECK(near_table(rc::grad(sparse)(a), of::sparsemax_gradient, 1e-12));
  CHECK(rc::check_grads(sparse, a));
  CHECK(bool(rc::all(rc::abs(rc::sum(p, rc::axis<1>) - 1.) < 1e-14)));
  CHECK(float(rc::min(p)) == 0);
  rc::tensor<int, 4, 6> places;
  for (int k = 0; k < 24; ++k) places.data()[k] = 7 * k % 4;
  auto const loss = [](auto const& s, auto const& l) {
    auto const logs = rc::eval(nn::log_softmax(s));
    return rc::eval(nn::nll(logs, l));
  };
  CHECK(near_table(rc::eval(rc::value_and_grad(loss)(scores, places).first), of::nll, 1e-12));
  CHECK(near_table(rc::grad(loss)(scores, places), of::nll_gradient, 1e-12));
}
TEST_CASE("a pair with a row of zeros") {
  rc::tensor<double, 2, 2> const x{{0, 0}, {3, 4}}, y{{1, 0}, {4, 3}};
  auto const pairs = [](auto const& u, auto const& v) { return nn::nt_xent(u, v, .5); };
  // twice the cosines: 0 of the row of zeros, of the others 2 * .6, 2 * .8 and 2 * .96
  double const e6 = std::exp(1.2), e8 = std::exp(1.6), e96 = std::exp(1.92);
  double const of_x = std::log(3.) + std::log(1 + e6 + e96) - 1.92;
  double const of_y = std::log(1 + e6 + e8) + std::log(1 + e8 + e96) - 1.92;
  CHECK(double(pairs(x, y)) == doctest::Approx((of_x + of_y) / 4).epsilon(1e-12));
  auto const g = rc::grad(pairs)(x, y);
  CHECK((double(rc::max(rc::abs(g(0)))) == 0 && bool(rc::all(rc::isfinite(g))) && double(rc::max(rc::abs(g(1)))) > 0));
}
TEST_CASE("labels and lengths outside are errors, and those of few bits do not wrap") {
  rc::tensor<double, 1, 2, 3> const s{{{1, 2, 3}, {1, 2, 3}}};
  rc::tensor<int, 1, 1> const l{{1}};
  auto const of = [&](rc::tensor<int, 1, 1> const& label, int places, int count) {
    return raised([&] { (void)rc::eval(nn::ctc(s, label, rc::tensor<int, 1>{places}, rc::tensor<int, 1>{count})); });
  };
  CHECK(of({{-1}}, 2, 1) == "index_error: ctc: index -1 is out of range for an axis of 3");
  CHECK(of({{3}}, 2, 1) == "index_error: ctc: index 3 is out of range for an axis of 3");
  CHECK(of({{3}}, 2, 0) == "");  // behind the end
  CHECK(of(l, 3, 1) == "index_error: ctc, a length: index 3 is out of range for an axis of 3");
  CHECK(of(l, -1, 1) == "index_error: ctc, a length: index -1 is out of range for an axis of 3");
  CHECK(of(l, 2, 2) == "index_error: ctc, a number of labels: index 2 is out of range for an axis of 2");
  CHECK(of(l, 2, -1) == "index_error: ctc, a number of labels: index -1 is out of range for an axis of 2");
  rc::ndarray<double, 3> const many = rc::random::normal<double>(rc::random::key(1), rc::shape(1, 500, 4));
  rc::ndarray<int, 2> const labels_of_many = rc::random::randint<int>(rc::random::key(2), rc::shape(1, 200), 1, 4);
  rc::ndarray<std::uint8_t, 2> const bytes = rc::astype<std::uint8_t>(labels_of_many);
  rc::tensor<double, 1> const a_loss = nn::ctc(many, labels_of_many, rc::tensor<int, 1>{500}, rc::tensor<int, 1>{200}),
                              b_loss = nn::ctc(many, bytes, rc::tensor<std::int16_t, 1>{500},
                                               rc::tensor<std::uint8_t, 1>{200});
  CHECK(a_loss(0) == b_loss(0));
  rc::tensor<double, 2, 3> const logs{{-1, -2, -3}, {-1, -2, -3}};
  CHECK(raised([&] {
          (void)double(nn::nll(logs, rc::tensor<int, 2>{0, -1}));
        }) == "index_error: nll: index -1 is out of range for an axis of 3");
  rc::ndarray<double, 2> const dynamic = logs;
  CHECK(raised([&] { (void)double(nn::nll(dynamic, rc::ndarray<int, 1>{1})); }) == "shape_error: nll: (2, 3) (1,)");
}
TEST_CASE("sparsemax knows differences alone, and gives 0 to what is ruled out") {
  rc::tensor<float, 2> const large = nn::sparsemax(rc::tensor<float, 2>{1e8f, 0.f});
  CHECK((large(0) == 1 && large(1) == 0));
  float const infinity = std::numeric_limits<float>::infinity();
  rc::tensor<float, 3> const x{1, .5f, -infinity}, p = nn::sparsemax(x);
  CHECK((p(0) == .75f && p(1) == .25f && p(2) == 0));
  auto const g = rc::grad([](auto const& v) { return rc::sum(nn::sparsemax(v) * rc::tensor<float, 3>{1, 3, 5}); })(x);
  CHECK((g(0) == -1 && g(1) == 1 && g(2) == 0));
}
TEST_CASE("pairs in half precision: squares do not overflow") {
  using half = rc::float16;
  rc::tensor<float, 2, 2> const u{{300, -300}, {-300, 300}};
  auto const cost = [](auto const& v, auto const& w) { return nn::nt_xent(v, w, .5f); };
  rc::tensor<half, 2, 2> const h = rc::astype<half>(u);
  CHECK(float(rc::eval(cost(h, h))) == doctest::Approx(float(rc::eval(cost(u, u)))).epsilon(1e-3));
}
