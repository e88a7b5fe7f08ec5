// Files of PyTorch's state dicts: a net of all layers that it has, too, computes what it computes there.
#include <doctest/doctest.h>

#include <filesystem>
#include <map>

#include <ricci/nn.hpp>
#include <ricci/nn/torch.hpp>

#include "../raised.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

template <class Kind = rc::values>
struct net {
  nn::layer<nn::conv<2, 4, rc::window_size{3, 2}>, Kind> conv;
  nn::layer<nn::conv_transpose<4, 2, rc::window_size{2, 2}, rc::conv_options{.stride = 2}>, Kind> up;
  nn::layer<nn::batch_norm<6>, Kind> bn;
  nn::layer<nn::embedding<5, 6>, Kind> words;
  nn::layer<nn::lstm<6, 6>, Kind> recurrent;
  nn::layer<nn::gru<6, 6>, Kind> gated;
  std::array<nn::layer<nn::encoder_block<6, 2, 12>, Kind>, 2> blocks;
  nn::layer<nn::decoder_block<6, 2, 8>, Kind> decoder;
  nn::layer<nn::sequential<nn::linear<6, 3>, nn::apply<[](auto const& x) { return rc::gelu_erf(x); }>,
                           nn::linear<3, 2, false>>,
            Kind>
      head;
  rc::field<Kind, float, 3> scale;
};
template <class Kind = rc::values>
struct net_state {
  nn::state<nn::batch_norm<6>, Kind> bn;
};
constexpr auto scores = [](auto const& m, auto s, auto const& x) {
  auto h = m.gated(m.recurrent(m.bn(m.words(x), s.bn, nn::inference<>{})));
  for (auto const& b : m.blocks) h = b(h);
  return m.head(m.decoder(h, h));
};
constexpr auto image_of = [](auto const& m, auto const& image) { return m.up(m.conv(image)); };

std::string beside(char const* name) { return (std::filesystem::path(__FILE__).parent_path() / name).string(); }
struct results {
  rc::tensor<float, 2, 4, 2> scores;
  rc::tensor<float, 2, 6, 6, 2> image;
};
bool is_right(net<> const& m, net_state<> const& s) {
  auto const expected = rc::io::load<results>(beside("torch_results.safetensors"));
  rc::tensor<int, 2, 4> const x{{0, 1, 2, 3}, {4, 3, 3, 1}};
  rc::ndarray<float, 4> const flat = rc::reshape(rc::arange<float>(80) / 40.f, rc::shape(2, 2, 5, 4));
  rc::ndarray<float, 4> const image = rc::moveaxis(flat, rc::axis<1>, rc::axis<3>);
  return bool(rc::allclose(rc::fn(scores)(m, s, x), expected.scores, 1e-4, 1e-5)) &&
         bool(rc::allclose(rc::fn(image_of)(m, image), expected.image, 1e-4, 1e-5));
}
struct file {
  std::string path = (std::filesystem::temp_directory_path() / "ricci_torch_state.safetensors").string();
  ~file() { std::filesystem::remove(path); }
};
// a model that is a function of anything is no function of names
struct function_of_all {
  nn::layer<nn::linear<6, 3>> out;
  auto operator()(auto const& x) const { return rc::eval(rc::tanh(out(x))); }
};

}  // namespace

TEST_CASE("a net of PyTorch's, read, written and read again") {
  net<> m{};
  net_state<> s{};
  nn::load_torch(beside("torch_state.safetensors"), m, s);
  CHECK(is_right(m, s));
  file const f;
  nn::save_torch(f.path, m, s);
  auto const there = rc::io::load_all(beside("torch_state.safetensors")), here = rc::io::load_all(f.path);
  CHECK(there.size() == here.size() + 1);
  for (auto const& [name, x] : there) {
    INFO(name);
    if (name == "bn.num_batches_tracked") continue;
    CHECK(here.at(name).shape() == x.shape());
    if (name.find("bias_") == std::string::npos) CHECK(bool(rc::all(here.at(name) == x)));
  }
  net<> m2{};
  net_state<> s2{};
  nn::load_torch(f.path, m2, s2);
  CHECK(is_right(m2, s2));
}
TEST_CASE("names of one's own; what is missing or spare is an error, and nothing changes") {
  struct part {
    nn::layer<nn::linear<6, 3>> out;
  };
  function_of_all called{};
  part p{};
  p.out.w = rc::full<float>(rc::extents<6, 3>{}, 2.f);
  file const f;
  auto const inside = [](std::string const& name) { return "model." + name; };
  nn::save_torch(f.path, p, inside);
  CHECK(rc::io::load_all(f.path).count("model.out.weight") == 1);
  part q{};
  CHECK(raised([&] { nn::load_torch(f.path, q); }).find("no array is called 'out.weight'") != std::string::npos);
  CHECK(float(rc::sum(q.out.w)) == 0.f);
  nn::load_torch(f.path, q, inside);
  CHECK(bool(rc::all(q.out.w == p.out.w)));
  struct less {
    struct {
      rc::tensor<float, 3> bias;
    } out;
  };
  less l{};
  CHECK(raised([&] { nn::load_torch(f.path, l, inside); }).find("'model.out.weight' is no member") !=
        std::string::npos);
  nn::save_torch(f.path, q);
  nn::load_torch(f.path, called);
  CHECK(bool(rc::all(called.out.w == p.out.w)));
}
TEST_CASE("two tensors that a function of names gives one name are an error, whatever their sizes") {
  struct two {
    nn::layer<nn::linear<1, 2>> a;
    nn::layer<nn::linear<100, 100>> b;
  };
  struct twins {
    nn::layer<nn::linear<2, 2>> a, b;
  };
  file const f;
  auto const behind_point = [](std::string const& name) { return name.substr(name.find('.') + 1); };
  std::string const expected = "value_error: nn::save_torch: two tensors of the model are called 'weight'";
  CHECK(raised([&] { nn::save_torch(f.path, two{}, behind_point); }) == expected);
  CHECK(raised([&] { nn::save_torch(f.path, twins{}, behind_point); }) == expected);
  CHECK(!std::filesystem::exists(f.path));
}
