// A run that ends in the middle of an epoch, is saved and loaded, and goes on, is bit for bit one that never ended.
#include <doctest/doctest.h>

#include <filesystem>
#include <string>

#include <ricci/nn/batches.hpp>
#include <ricci/nn/best_checkpoint.hpp>
#include <ricci/nn/checkpoint.hpp>
#include <ricci/nn/dropout.hpp>
#include <ricci/nn/fit.hpp>
#include <ricci/nn/init.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/losses.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/ops/math.hpp>
#include <ricci/random/continuous.hpp>

#include "raised.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;
namespace data = ricci::data;

namespace {

template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<3, 1>, Kind> only;
  constexpr auto operator()(auto const& x, auto const& mode) const { return only(nn::dropout(x, .25f, mode)); }
};
constexpr auto loss = [](auto const& model, auto state, auto const& mode, auto const& x, auto const& y) {
  return std::pair(rc::mean(rc::square(model(x, mode) - y)), state);
};
struct examples {
  rc::ndarray<float, 2> x, y;
};
constexpr auto optimiser = nn::adam{} | nn::warmup_cosine{.peak = 1e-2f, .warmup = 5, .total = 60};
constexpr auto measure = [](auto const&) { return 0.f; };

struct record_of_losses {  // what an observer hears, and an end after so many steps
  std::vector<float>* steps;
  std::vector<float>* epochs;
  int last = 1000;
  template <class Run>
  record_of_losses of() const {
    return *this;
  }
  bool step(auto const& r, float l) const { return steps->push_back(l), r.step < last; }
  bool epoch(auto const&, float mean, float) const { return epochs->push_back(mean), true; }
  void finish(auto const&) const {}
};

struct fails_at {
  int last;
  template <class Run>
  fails_at of() const {
    return *this;
  }
  bool step(auto const& r, float) const {
    if (r.step == last) rc::core::raise<rc::value_error>(rc::core::text() << "step " << last);
    return true;
  }
  bool epoch(auto const&, float, float) const { return true; }
  void finish(auto const&) const {}
};

}  // namespace

TEST_CASE(
    "interrupted in mid-epoch, saved, loaded, resumed: equal losses and parameters, in batches and by a function") {
  nn::key const key(11);
  examples const all{rc::random::normal<float>(key.fold(1), rc::shape(50, 3)),
                     rc::random::normal<float>(key.fold(2), rc::shape(50, 1))};
  auto const fresh = [&] { return nn::start(nn::init<net<>>(key), std::tuple<>{}, optimiser, key); };
  auto const path = (std::filesystem::temp_directory_path() / "ricci_nn_resume.safetensors").string();
  auto const noisy = [&](nn::key const& k) {
    return data::batches(all, {.size = 8}, k)
        .map(
            [](examples b, nn::key const& each) {
              b.x += .1f * rc::random::normal<float>(each, rc::shape_of(b.x));
              return b;
            },
            k.fold(1));
  };
  auto const check = [&](auto const& source, nn::fit_options options) {
    std::vector<float> steps, epochs, parts, part_epochs;
    auto run = fresh();
    nn::fit<loss>(run, optimiser, source, options, measure, record_of_losses{&steps, &epochs});
    CHECK(run.step == 4 * 6);  // 8 in five batches, 10 in the sixth
    CHECK(run.batch == 0);
    for (int const last : {3, 9, 12, 13, 23}) {
      parts.clear(), part_epochs.clear();
      auto begun = fresh();
      nn::fit<loss>(begun, optimiser, source, options, measure, record_of_losses{&parts, &part_epochs, last},
                    nn::checkpoint{path});
      CHECK(begun.step == last);
      CHECK(begun.batch == last % 6);
      auto again = nn::start(nn::init<net<>>(key.fold(9)), std::tuple<>{}, optimiser, key.fold(9));
      nn::load(path, again);
      CHECK(again.batch == last % 6);
      options.prefetch = last % 3;  // whoever makes the batches
      nn::fit<loss>(again, optimiser, source, options, measure, record_of_losses{&parts, &part_epochs});
      CHECK(parts == steps);
      CHECK(part_epochs == epochs);
      CHECK(bool(rc::all(again.params.only.w == run.params.only.w)));
      CHECK(bool(rc::all(again.params.only.b == run.params.only.b)));
    }
  };
  check(all, {.epochs = 4, .batch = {.size = 8}});
  check(noisy, {.epochs = 4});

  // after every 7 steps: what a process that ends at step 8 leaves behind
  auto killed = fresh();
  CHECK(raised([&] {
          nn::fit<loss>(killed, optimiser, all, {.epochs = 2, .batch = {.size = 8}}, measure, nn::checkpoint{path, 7},
                        fails_at{8});
        }) == "value_error: step 8");
  auto left = fresh();
  nn::load(path, left);
  CHECK(left.step == 7);
  CHECK(left.batch == 1);
  CHECK(killed.batch == 2);
  std::filesystem::remove(path);

  left.batch = 7;
  CHECK(raised([&] { nn::fit<loss>(left, optimiser, all, {.epochs = 4, .batch = {.size = 8}}, measure); }) ==
        "value_error: nn::fit: the run is at batch 7 of an epoch of 6: other data, or batches of another size");
  CHECK(raised([&] { nn::fit<loss>(left, optimiser, noisy, {.epochs = 4, .batch = {.size = 8}}, measure); }) ==
        "value_error: nn::fit: batches of 8 examples are asked for, and the function of the key makes them");
  CHECK(raised([&] { nn::fit<loss>(left, optimiser, all, {.epochs = 4}, measure); }) ==
        "value_error: data: batches of 0 examples, where 1 or more was expected");
}

TEST_CASE("a training that was interrupted knows its best epoch, and how long ago that was") {
  nn::key const key(12);
  examples const all{rc::random::normal<float>(key.fold(1), rc::shape(50, 3)),
                     rc::random::normal<float>(key.fold(2), rc::shape(50, 1))};
  auto const folder = std::filesystem::temp_directory_path();
  auto const path = (folder / "ricci_nn_run.safetensors").string(),
             best = (folder / "ricci_nn_best.safetensors").string();
  auto const fresh = [&] { return nn::start(nn::init<net<>>(key), std::tuple<>{}, optimiser, key); };
  constexpr float measures[] = {1, 5, 2, 3, 4, 0};
  auto const scripted = [&](auto const& r) { return measures[r.epoch - 1]; };
  auto const trained = [&](auto& run, int epochs, int patience) {
    nn::fit<loss>(run, optimiser, all, {.epochs = epochs, .batch = {.size = 8}}, scripted, nn::checkpoint{path},
                  nn::best_checkpoint{.path = best, .patience = patience});
  };
  std::filesystem::remove(best);
  auto whole = fresh();
  trained(whole, 6, 10);
  CHECK(whole.epoch == 2);
  nn::best_of<decltype(whole)> read{fresh()};
  nn::load(best, read);
  CHECK(read.measure == 5);
  CHECK(bool(rc::all(read.run.params.only.w == whole.params.only.w)));

  auto const go_on = [&](int patience) {  // behind epoch 4, whose measure was 3
    auto killed = fresh();
    CHECK(!raised([&] {
             nn::fit<loss>(killed, optimiser, all, {.epochs = 6, .batch = {.size = 8}}, scripted, nn::checkpoint{path},
                           nn::best_checkpoint{.path = best, .patience = 10}, fails_at{25});
           }).empty());
    auto again = fresh();
    nn::load(path, again);
    CHECK(again.epoch == 4);
    trained(again, 6, patience);
    CHECK(again.epoch == 2);
    CHECK(bool(rc::all(again.params.only.w == whole.params.only.w)));
  };
  go_on(10);
  go_on(3);              // one more epoch
  auto other = fresh();  // begins anew, whatever the file says
  trained(other, 1, 10);
  nn::load(best, read);
  CHECK(read.measure == 1);
  std::filesystem::remove(path);
  std::filesystem::remove(best);
}
