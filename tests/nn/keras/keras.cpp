// Weights of Keras's: a model read, computed, written and read again; what is missing is an error.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <string>

#include <ricci/ricci.hpp>

#include <ricci/keras.hpp>
#include <ricci/nn/attention.hpp>
#include <ricci/nn/convolution.hpp>
#include <ricci/nn/embedding.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/norms.hpp>
#include <ricci/nn/recurrent.hpp>

#include "../../raised.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

template <class Kind = rc::values>
struct block {
  nn::layer<nn::layer_norm<8>, Kind> norm;
  nn::layer<nn::multi_head_attention<8, 2>, Kind> attention;
  nn::layer<nn::linear<8, 8>, Kind> up;
};
template <class Kind = rc::values>
struct net {
  nn::layer<nn::embedding<5, 8>, Kind> words;
  nn::layer<nn::rnn<8, 8>, Kind> simple;
  nn::layer<nn::lstm<8, 8>, Kind> recurrent;
  nn::layer<nn::gru<8, 8>, Kind> gated;
  nn::layer<nn::batch_norm<8>, Kind> bn;
  std::array<block<Kind>, 2> blocks;
  nn::layer<nn::group_norm<2, 8>, Kind> groups;
  nn::layer<nn::linear<8, 3, false>, Kind> out;
  nn::layer<nn::conv<2, 4, rc::window_size{3, 2}>, Kind> conv;
  nn::layer<nn::conv_transpose<4, 2, rc::window_size{2, 2}, rc::conv_options{.stride = 2}>, Kind> larger;
};
template <class Kind = rc::values>
struct net_state {
  nn::state<nn::batch_norm<8>, Kind> bn;
};
constexpr auto scores = [](auto const& m, auto s, auto const& x) {
  auto h = rc::eval(m.bn(m.gated(m.recurrent(m.simple(m.words(x)))), s.bn, nn::inference<>{}));
  for (auto const& b : m.blocks) {
    auto const a = rc::eval(b.norm(h));
    h = rc::eval(h + b.attention(a, a));
    h = rc::eval(h + rc::relu(b.up(h)));
  }
  return m.out(rc::eval(m.groups(h)));
};
constexpr auto image_of = [](auto const& m, auto const& image) { return m.larger(m.conv(image)); };

std::string beside(char const* name) { return (std::filesystem::path(__FILE__).parent_path() / name).string(); }
struct results {
  rc::tensor<float, 2, 4, 3> scores;
  rc::tensor<float, 2, 6, 6, 2> image;
};
bool is_right(net<> const& m, net_state<> const& s) {
  auto const expected = rc::io::load<results>(beside("keras_results.safetensors"));
  rc::tensor<int, 2, 4> const x{{0, 1, 2, 3}, {4, 3, 3, 1}};
  rc::ndarray<float, 4> const image = rc::reshape(rc::arange<float>(80) / 40.f, rc::shape(2, 5, 4, 2));
  return bool(rc::allclose(rc::fn(scores)(m, s, x), expected.scores, 1e-4, 1e-5)) &&
         bool(rc::allclose(rc::fn(image_of)(m, image), expected.image, 1e-4, 1e-5));
}
struct file {
  std::string path = (std::filesystem::temp_directory_path() / "ricci_keras.weights.h5").string();
  ~file() { std::filesystem::remove(path); }
};

}  // namespace

TEST_CASE("weights of Keras's, read, written and read again") {
  net<> m{};
  net_state<> s{};
  nn::load_keras(beside("keras_state.weights.h5"), m, s);
  CHECK(is_right(m, s));
  file const f;
  nn::save_keras(f.path, m, s);
  auto const there = rc::hdf5::load_all(beside("keras_state.weights.h5")), here = rc::hdf5::load_all(f.path);
  int compared = 0;
  for (auto const& [name, x] : there) {
    if (name.find("seed_generator") != std::string::npos) continue;
    auto const found = here.find(name);
    REQUIRE(found != here.end());
    CHECK(found->second.shape() == x.shape());
    ++compared;
  }
  CHECK(std::size_t(compared) == here.size());
  net<> m2{};
  net_state<> s2{};
  nn::load_keras(f.path, m2, s2);
  CHECK(is_right(m2, s2));
  m2.gated.c = rc::zeros_like(m2.gated.c);
  CHECK_FALSE(is_right(m2, s2));
}

TEST_CASE("other names, and what is missing") {
  struct two {
    nn::layer<nn::linear<2, 3>> first, second;
  };
  two p{}, q{};
  p.second.b = rc::full<float>(rc::extents<3>{}, 2.f);
  file const f;
  auto const own = [](std::string const& name) {
    return name.starts_with("layers/dense_1/") ? "head" + name.substr(14) : name;
  };
  nn::save_keras(f.path, p, own);
  CHECK(rc::hdf5::load_all(f.path).count("head.vars.1") == 1);
  CHECK(raised([&] { nn::load_keras(f.path, q); }).find("no array is called 'layers.dense_1.vars.0'") !=
        std::string::npos);
  CHECK(float(rc::sum(q.second.b)) == 0);
  nn::load_keras(f.path, q, own);
  CHECK(float(rc::sum(q.second.b)) == 6);
  struct one {
    nn::layer<nn::linear<2, 3>> first;
  };
  one r{};
  CHECK(raised([&] { nn::load_keras(f.path, r); }).find("'head.vars.0' is no member") != std::string::npos);
  struct other {
    nn::layer<nn::linear<3, 2>> first, second;
  };
  other o{};
  CHECK(raised([&] { nn::load_keras(f.path, o, own); }).find("the shape is (2, 3), not (3, 2)") != std::string::npos);
}
