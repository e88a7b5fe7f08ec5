// A model with state, noise and an array of layers is trained, saved, refused where it does not fit, and goes on as it
// was.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <ricci/nn.hpp>

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<4, 8>, Kind> in;
  nn::layer<nn::batch_norm<8>, Kind> bn;
  std::array<nn::layer<nn::linear<8, 8>, Kind>, 2> hidden;
  nn::layer<nn::linear<8, 2>, Kind> out;
  constexpr auto operator()(auto const& x, auto& state, auto const& mode) const {
    auto h = bn(in(x), state.bn, mode);
    for (auto const& l : hidden) h = h + nn::dropout(rc::relu(l(h)), .1f, mode);
    return out(h);
  }
};
template <class Kind = rc::values>
struct net_state {
  nn::state<nn::batch_norm<8>, Kind> bn;
};
constexpr auto loss = [](auto const& model, auto state, auto const& mode, auto const& x, auto const& labels) {
  auto scores = model(x, state, mode);
  return std::pair(nn::cross_entropy(scores, labels), state);
};
constexpr auto predict = [](auto const& model, auto state, auto const& x) {
  return rc::argmax(model(x, state, nn::inference<>{}), rc::axis<1>);
};
struct examples {
  rc::ndarray<float, 2> x;
  rc::ndarray<int, 1> labels;
};
// the sign of a product of two coordinates: no linear model separates it
examples of_both_signs(nn::key const& key, rc::index_t n) {
  examples all;
  all.x = rc::random::normal<float>(key, rc::shape(n, 4));
  all.labels = rc::astype<int>(all.x(rc::all, 0) * all.x(rc::all, 1) > 0.f);
  return all;
}
constexpr auto optimiser = nn::clip_by_global_norm{1.f} | nn::adam{} | nn::add_decayed_weights{1e-4f} |
                           nn::warmup_cosine{.peak = 1e-2f, .warmup = 10, .total = 400};

}  // namespace

TEST_CASE("a run is trained, saved and loaded, and its next steps are the same bit for bit") {
  nn::key const key(3);
  auto const [training, held_out] = nn::split(of_both_signs(key.fold(0), 640), .25f, key.fold(1));
  CHECK(training.x.shape(0) == 480);
  CHECK(held_out.labels.shape(0) == 160);
  auto run = nn::start(nn::init<net<>>(key.fold(2)), nn::init<net_state<>>(key), optimiser, key);
  auto const right = [&](auto const& r) {
    auto const found = rc::fn(predict)(r.params, r.state, held_out.x);
    return float(rc::mean(rc::astype<float>(found == held_out.labels)));
  };
  auto const path = (std::filesystem::temp_directory_path() / "ricci_nn_training.safetensors").string();
  nn::fit<loss>(run, optimiser, training, {.epochs = 25, .batch = {.size = 32}}, right, nn::early_stopping{25},
                nn::checkpoint{path}, nn::log{path + ".csv"});
  auto const lines = rc::io::load<rc::ndarray<float, 2>>(path + ".csv", {.skip_rows = 1});
  CHECK(lines.shape(0) == 25);
  CHECK(float(lines(24, 1)) == 25 * 15);
  CHECK(float(lines(24, 2)) < float(lines(0, 2)));
  std::filesystem::remove(path + ".csv");
  CHECK(right(run) > .85f);

  auto again = nn::start(nn::init<net<>>(key.fold(9)), nn::init<net_state<>>(key), optimiser, key);
  CHECK(float(again.params.in.w(0, 0)) != float(run.params.in.w(0, 0)));
  nn::load(path, again);
  CHECK(again.step == run.step);
  CHECK(again.epoch == run.epoch);
  CHECK(bool(rc::all(again.params.hidden[1].w == run.params.hidden[1].w)));
  CHECK(bool(rc::all(again.state.bn.variance == run.state.bn.variance)));
  auto const step = nn::step_of<loss>(optimiser);
  for (int k = 0; k < 3; ++k) CHECK(step(run, training.x, training.labels) == step(again, training.x, training.labels));
  CHECK(bool(rc::all(again.params.in.w == run.params.in.w)));

  nn::layer<nn::linear<4, 8>> other{};
  CHECK_THROWS_AS(nn::load(path, other), rc::io_error);
  {
    std::ofstream pickle(path, std::ios::binary);  // what PyTorch's files run when they are read
    pickle << "\x80\x02"
           << "cos\nsystem\nq\x00(X\x04\x00\x00\x00trueq\x01tq\x02Rq\x03.";
  }
  CHECK_THROWS_AS(nn::load(path, other), rc::io_error);
  CHECK(float(rc::sum(rc::abs(other.w))) == 0.f);
  std::filesystem::remove(path);
  CHECK(nn::summary(run.params).find("hidden.1.w (8, 8) 64") != std::string::npos);
}

TEST_CASE("batches go through each example once; a short end joins the one before") {
  examples all;
  all.x = rc::zeros<float>(rc::shape(70, 4));
  all.labels = rc::arange<int>(70);
  for (auto const [size, count, last] : {std::array{32, 2, 38}, std::array{20, 4, 10}, std::array{100, 1, 70}}) {
    auto const some = nn::batches(all, {.size = size}, nn::key(1));
    CHECK(some.size() == count);
    CHECK(some[some.size() - 1].labels.shape(0) == last);
    std::set<int> seen;
    for (auto const& batch : some)
      for (rc::index_t k = 0; k < batch.labels.shape(0); ++k) seen.insert(int(batch.labels(k)));
    CHECK(seen.size() == 70);
  }
  CHECK_THROWS_AS(nn::batches(all, {.size = 0}, nn::key(1)), rc::value_error);
  all.labels = rc::arange<int>(69);
  CHECK_THROWS_AS(nn::count_of(all), rc::shape_error);
}

TEST_CASE("noise is there while a model learns alone, and of the right size") {
  rc::tensor<float, 4096> const x = rc::ones<float>(rc::extents<4096>{});
  rc::tensor<float, 4096> const kept = nn::dropout(x, .25f, nn::inference<>{});
  CHECK(bool(rc::all(kept == x)));
  rc::tensor<float, 4096> const some = nn::dropout(x, .25f, nn::training<>{nn::key(5)});
  CHECK(float(rc::mean(some)) == doctest::Approx(1.).epsilon(.05));
  CHECK(bool(rc::all(rc::logical_or(some == 0.f, rc::abs(some - 1.f / .75f) < 1e-6f))));
}

TEST_CASE("normalised places have mean 0 and mean square 1, of the last axis, or of an example's group") {
  rc::ndarray<float, 4> const x = 3.f + 2.f * rc::random::normal<float>(nn::key(4), rc::shape(2, 5, 6, 8));
  auto const by_rms = nn::init<nn::layer<nn::rms_norm<8>>>(nn::key(0));
  rc::ndarray<float, 4> const r = by_rms(x);
  CHECK(bool(rc::all(rc::abs(rc::mean(rc::square(r), rc::axis<3>) - 1.f) < 1e-5f)));
  CHECK(bool(rc::all(rc::abs(r * rc::sqrt(rc::mean(rc::square(x), rc::axis<3>, rc::keepdims)) - x) < 1e-4f)));
  auto const by_group = nn::init<nn::layer<nn::group_norm<2, 8>>>(nn::key(0));
  rc::ndarray<float, 4> const g = by_group(x);
  for (int n : {0, 1})
    for (int k : {0, 4}) {
      auto const group = rc::eval(g(n, rc::all, rc::all, rc::range(k, k + 4)));
      CHECK(std::abs(float(rc::mean(group))) < 1e-5f);
      CHECK(float(rc::mean(rc::square(group))) == doctest::Approx(1.f).epsilon(1e-4));
    }
  CHECK(rc::check_grads([](auto y, auto l) { return rc::sum(rc::tanh(l(y))); }, rc::astype<double>(x), by_group));
}

TEST_CASE("an embedding is rows by index, and its gradient goes to them") {
  auto const table = nn::init<nn::layer<nn::embedding<5, 3>>>(nn::key(2));
  rc::tensor<int, 2, 2> const words{{1, 4}, {4, 0}};
  rc::tensor<float, 2, 2, 3> const rows = table(words);
  CHECK(bool(rc::all(rows(0, 1) == table.w(4))));
  auto const g = rc::grad([](auto t, auto w) { return rc::sum(t(w)); })(table, words);
  CHECK(bool(rc::all(g.w == rc::tensor<float, 5, 1>{{1}, {1}, {0}, {0}, {2}} * rc::ones<float>(rc::extents<3>{}))));
  CHECK_THROWS_AS(rc::eval(table(rc::tensor<int, 1>{7})), rc::index_error);
  CHECK_THROWS_WITH_AS(rc::eval(table(rc::tensor<int, 1>{-1})), "embedding: index -1 is out of range for an axis of 5",
                       rc::index_error);
}
