// Learning on the device: a run whose parameters lie there takes the steps that it takes here, from batches that lie
// there or are brought there one by one; its key stays on the host. Its file is that of any run.
#include <cstdio>
#include <filesystem>

#include <ricci/nn.hpp>

#include "there.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<4, 8, false>, Kind> in;
  nn::layer<nn::batch_norm<8>, Kind> bn;
  nn::layer<nn::linear<8, 3>, Kind> out;
  constexpr auto operator()(auto const& x, auto& state, auto const& mode) const {
    return out(nn::dropout(rc::relu(bn(in(x), state.bn, mode)), .2f, mode));
  }
};
template <class Kind = rc::values>
struct net_state {
  nn::state<nn::batch_norm<8>, Kind> bn;
};
constexpr auto loss = [](auto const& model, auto state, auto const& mode, auto const& x, auto const& labels) {
  auto const scores = model(x, state, mode);
  return std::pair(nn::cross_entropy(scores, labels), state);
};
struct examples {
  rc::ndarray<float, 2> x;
  rc::ndarray<int, 1> labels;
};
rc::random::key const key(3);
examples data() {
  examples d;
  d.labels = rc::random::randint<int>(key, rc::shape(70), 0, 3);
  d.x = rc::random::normal<float>(key.fold(1), rc::shape(70, 4)) + rc::astype<float>(d.labels)(rc::all, rc::newaxis);
  return d;
}
auto const optimiser = nn::clip_by_global_norm{1.f} | nn::adam{} | nn::add_decayed_weights{1e-3f} |
                       nn::warmup_cosine{.peak = 1e-2f, .warmup = 2, .total = 20};
auto started(auto const& context) {
  return nn::start(rc::copy(nn::init<net<>>(key.fold(2)), context), rc::copy(nn::init<net_state<>>(key), context),
                   optimiser, key);
}
// after two epochs
auto trained(auto const& context, auto const& of_key, auto const&... observers) {
  auto run = started(context);
  nn::fit<loss>(
      run, optimiser, of_key, {.epochs = 2}, [](auto const&) { return 0.f; }, observers...);
  return run;
}
auto const brought_to = [](auto const& d, auto const& context) {
  return [&](nn::key const& k) {
    return nn::batches(d, {.size = 16}, k).map([&](auto const& b) {
      return std::pair(rc::copy(b.x, context), rc::copy(b.labels, context));
    });
  };
};
void check_equal(auto const& a, auto const& b) {
  CHECK(a.step == b.step);
  CHECK(elements(a.params.in.w).near(elements(b.params.in.w), 1e-5));
  CHECK(elements(a.params.out.b).near(elements(b.params.out.b), 1e-5));
  CHECK(elements(a.state.bn.mean).near(elements(b.state.bn.mean), 1e-5));
}

}  // namespace

TEST_CASE("a run on the device is the run on the host, with batches that are brought there") {
  examples const d = data();
  auto const here = trained(rc::cpu{}, brought_to(d, rc::cpu{}));
  check_equal(trained(there, brought_to(d, there)), here);
  CHECK(float(rc::max(rc::abs(here.params.in.w - started(rc::cpu{}).params.in.w))) > .01f);
}

TEST_CASE("a data set on the device gives batches there, split by a key of the host") {
  examples const d = data();
  auto const there_too = std::tuple(rc::copy(d.x, there), rc::copy(d.labels, there));
  auto const [training, held_out] = nn::split(there_too, .25f, key);
  auto const [training_here, held_out_here] = nn::split(d, .25f, key);
  CHECK(elements(std::get<0>(held_out)).near(elements(held_out_here.x), 0));
  auto run = started(there);
  auto here = started(rc::cpu{});
  auto const measure = [](auto const&) { return 0.f; };
  nn::fit<loss>(run, optimiser, training, {.epochs = 1, .batch = {.size = 16}}, measure);
  nn::fit<loss>(here, optimiser, training_here, {.epochs = 1, .batch = {.size = 16}}, measure);
  check_equal(run, here);
}

TEST_CASE("the file of a run on the device is loaded there and here; a file of another model changes nothing") {
  examples const d = data();
  auto const file = (std::filesystem::temp_directory_path() / "ricci_test_learning_device.safetensors").string();
  auto const run = trained(there, brought_to(d, there), nn::early_stopping{.patience = 5}, nn::checkpoint{file});
  auto again = started(there);
  nn::load(file, again);
  CHECK(elements(again.params.in.w).near(elements(run.params.in.w), 0));
  auto here = started(rc::cpu{});
  nn::load(file, here);
  check_equal(here, run);
  nn::layer<nn::linear<2, 3>, rc::values_in<rc::device>> other{};
  CHECK_THROWS_AS(nn::load(file, other), rc::io_error);
  std::filesystem::remove(file);
}
