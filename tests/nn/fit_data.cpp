// Training on what is no record of tensors: padded sequences in buckets, and a plain tensor.
#include <doctest/doctest.h>

#include <vector>

#include <ricci/data/buckets.hpp>
#include <ricci/data/ragged.hpp>
#include <ricci/nn/batches.hpp>
#include <ricci/nn/fit.hpp>
#include <ricci/nn/init.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/random/continuous.hpp>

namespace rc = ricci;
namespace nn = ricci::nn;
namespace data = ricci::data;

namespace {

template <class Kind = rc::values>
struct line {
  rc::field<Kind, float> slope, offset;
};
struct readings {
  data::ragged<float> x;
  rc::ndarray<float, 1> y;
};
// y is a line of the mean of a sequence
constexpr auto of_means = [](auto const& model, auto state, auto const&, auto const& sequences, auto const& y) {
  auto const sum = rc::sum(rc::where(sequences.mask, sequences.values, 0.f), rc::axis<1>);
  auto const found = model.slope * sum / rc::astype<float>(sequences.lengths) + model.offset;
  return std::pair(rc::mean(rc::square(found - y)), state);
};
constexpr auto of_numbers = [](auto const& model, auto state, auto const&, auto const& x) {
  return std::pair(rc::mean(rc::square(model.offset - x)), state);
};

}  // namespace

TEST_CASE("sequences in buckets, padded, with a mask: the line that made them is found") {
  nn::key const key(4);
  std::vector<std::vector<float>> all;
  readings set;
  set.y = rc::zeros<float>(rc::shape(120));
  for (int i = 0; i < 120; ++i) {
    rc::ndarray<float, 1> const x = rc::random::normal<float>(key.fold(i), rc::shape(1 + i * 7 % 19));
    all.emplace_back();
    for (rc::index_t k = 0; k < x.shape(0); ++k) all.back().push_back(x(k));
    set.y(i) = 3.f * float(rc::mean(x)) - .5f;
  }
  set.x = data::ragged_of(all);
  set.x.padding = 1e6f;  // which would show where a mask is forgotten
  auto const lengths = set.x.lengths();
  auto const epochs = [&](nn::key const& k) {
    return data::batches(set, data::bucketed(lengths, {.ends = {5, 12}, .size = 16}, k));
  };
  constexpr auto optimiser = nn::adam{} | nn::constant{.05f};
  auto run = nn::start(line<>{}, std::tuple<>{}, optimiser, key);
  nn::fit<of_means>(run, optimiser, epochs, {.epochs = 60, .prefetch = 2}, [](auto const&) { return 0.f; });
  CHECK(float(run.params.slope) == doctest::Approx(3.).epsilon(1e-3));
  CHECK(float(run.params.offset) == doctest::Approx(-.5).epsilon(1e-3));
}

TEST_CASE("a tensor alone is a data set: its mean is found") {
  nn::key const key(5);
  rc::ndarray<float, 1> const x = 2.f + rc::random::normal<float>(key, rc::shape(64));
  constexpr auto optimiser = nn::sgd{} | nn::constant{.1f};
  auto run = nn::start(line<>{}, std::tuple<>{}, optimiser, key);
  nn::fit<of_numbers>(run, optimiser, x, {.epochs = 80, .batch = {.size = 64}}, [](auto const&) { return 0.f; });
  CHECK(float(run.params.offset) == doctest::Approx(float(rc::mean(x))).epsilon(1e-4));
  CHECK(run.step == 80);
}
