// Two nets learn to tell clothes apart, 60000 pictures of 28 x 28 pixels: three layers of neurons, and two convolutions
// with fewer than 100000 parameters. The data are Fashion-MNIST (H. Xiao, K. Rasul, R. Vollgraf, 2017), of which Debian
// has a package:  apt-get install dataset-fashion-mnist
//
//   fashion_mnist [small] [seeds n]      small: a part of the data, a few seconds; n: trainings with seeds 0 to n - 1
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include <ricci/nn.hpp>

namespace rc = ricci;
namespace nn = ricci::nn;

constexpr auto folder = "/usr/share/datasets/fashion-mnist";

struct clothes {
  rc::ndarray<std::uint8_t, 3> images;
  rc::ndarray<std::uint8_t, 1> labels;
};
clothes read(std::string const& part) {
  auto const path = std::string(folder) + "/" + part;
  return {rc::io::load<rc::ndarray<std::uint8_t, 3>>(path + "-images-idx3-ubyte.gz"),
          rc::io::load<rc::ndarray<std::uint8_t, 1>>(path + "-labels-idx1-ubyte.gz")};
}

template <class Kind = rc::values>
struct dense_net {
  static constexpr auto name = "layers of 256, 128 and 100";
  static constexpr double reference = 88.3;
  nn::layer<nn::linear<784, 256>, Kind> a;
  nn::layer<nn::linear<256, 128>, Kind> b;
  nn::layer<nn::linear<128, 100>, Kind> c;
  nn::layer<nn::linear<100, 10>, Kind> out;
  constexpr auto operator()(auto const& images, auto const& mode) const {
    auto h = rc::relu(a(rc::reshape(images, rc::shape(-1, 784))));
    return out(nn::dropout(rc::relu(c(rc::relu(b(h)))), .2f, mode));
  }
};

template <rc::index_t In, rc::index_t Out, class Kind>
using convolution = nn::layer<nn::conv<In, Out, rc::window_size{3, 3}, rc::conv_options{.pad = 1}>, Kind>;
template <class Kind = rc::values>
struct conv_net {
  static constexpr auto name = "two convolutions";
  static constexpr double reference = 92.5;
  convolution<1, 32, Kind> a;
  convolution<32, 64, Kind> b;
  nn::layer<nn::linear<7 * 7 * 64, 10>, Kind> out;
  constexpr auto operator()(auto const& images, auto const& mode) const {
    auto const g = rc::max_pool<2, 2>(rc::relu(a(rc::reshape(images, rc::shape(-1, 28, 28, 1)))));
    auto const h = rc::max_pool<2, 2>(rc::relu(b(g)));
    return out(nn::dropout(rc::reshape(h, rc::shape(-1, 7 * 7 * 64)), .3f, mode));
  }
};

constexpr auto scores = [](auto const& model, auto const& mode, auto const& images) {
  return model(rc::astype<float>(images) / 255.f, mode);
};
constexpr auto loss = [](auto const& model, auto state, auto const& mode, auto const& images, auto const& labels) {
  return std::pair(nn::cross_entropy(scores(model, mode, images), labels), state);
};
constexpr auto correct = [](auto const& model, auto const& images, auto const& labels) {
  auto const seen = rc::argmax(scores(model, nn::inference<>{}, images), rc::axis<1>);
  return rc::sum(rc::astype<int>(seen == rc::astype<std::int64_t>(labels)));
};

template <template <class> class Net>
float learned(clothes const& training, clothes const& held_out, int epochs, nn::key const& key) {
  nn::batch_options const batch{.size = 64};
  auto const steps = float(epochs * (training.labels.size() / batch.size));
  auto const optimiser = nn::adam{} | nn::cosine_decay{.init = 1e-3f, .steps = steps};
  auto run = nn::start(nn::init<Net<rc::values>>(key.fold(1)), std::tuple<>{}, optimiser, key);
  auto const accuracy = [&](auto const& r) {
    std::int64_t n = 0;
    for (clothes const part : nn::batches(held_out, {.size = 500}, key))
      n += rc::fn(correct)(r.params, part.images, part.labels).item();
    return 100.f * float(n) / float(held_out.labels.size());
  };
  auto const begin = std::chrono::steady_clock::now();
  nn::fit<loss>(run, optimiser, training, {.epochs = epochs, .batch = batch}, accuracy, nn::progress{});
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
  std::fprintf(stderr, "%s: %.2f %%, %.1f s\n", Net<rc::values>::name, double(accuracy(run)), taken.count());
  return accuracy(run);
}
template <template <class> class Net>
void learn(clothes const& training, clothes const& held_out, int epochs, int seeds) {
  std::vector<float> all;
  for (int seed = 0; seed < seeds; ++seed)
    all.push_back(learned<Net>(training, held_out, epochs, rc::random::key(seed)));
  std::ranges::sort(all);
  std::printf("%s: %.2f %% of those held out, of %d seeds the median (%.2f to %.2f), reference %.1f %%\n",
              Net<rc::values>::name, double(all[all.size() / 2]), seeds, double(all.front()), double(all.back()),
              Net<rc::values>::reference);
}

int main(int argc, char** argv) {
  bool small = false;
  int seeds = 1;
  for (int k = 1; k < argc; ++k) {
    if (std::string(argv[k]) == "small") small = true;
    if (std::string(argv[k]) == "seeds" && k + 1 < argc) seeds = std::atoi(argv[k + 1]);
  }
  if (!std::filesystem::exists(folder)) {
    std::printf("skipped: there is no %s; apt-get install dataset-fashion-mnist brings it\n", folder);
    return 0;
  }
  auto const key = rc::random::key(0);
  clothes training = read("train"), held_out = read("t10k");
  if (small) {
    training = nn::split(training, .05f, key).held_out;
    held_out = nn::split(held_out, .1f, key).held_out;
  }
  learn<dense_net>(training, held_out, small ? 4 : 15, seeds);
  learn<conv_net>(training, held_out, small ? 1 : 12, seeds);
}
