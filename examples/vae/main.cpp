// A variational autoencoder (D. P. Kingma, M. Welling, 2014) learns how digits of 8 x 8 pixels look: each is squeezed
// into 8 numbers, with noise, and unfolded again. Then numbers that nobody squeezed are unfolded into digits that
// nobody wrote: samples.png.
//
//   vae [epochs [samples.png]]
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <ricci/nn.hpp>

#include "../digits/data.hpp"

namespace nn = ricci::nn;

constexpr int hidden = 128, latent = 8, sheet_rows = 8, sheet_columns = 20;

struct pictures {
  rc::tensor<float, rc::dyn, pixels> images;
};

template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<pixels, hidden>, Kind> in;
  nn::layer<nn::linear<hidden, latent>, Kind> mean, log_variance;
  nn::layer<nn::linear<latent, hidden>, Kind> unfold;
  nn::layer<nn::linear<hidden, pixels>, Kind> out;
  constexpr auto decoded(auto const& z) const { return out(rc::relu(unfold(z))); }
};

// What an image costs, in nats: the ink that is unfolded wrongly, and how far its 8 numbers are from noise.
constexpr auto loss = [](auto const& model, auto state, auto const& mode, auto const& images) {
  auto const h = rc::relu(model.in(images));
  auto const mean = model.mean(h), log_variance = model.log_variance(h);
  auto const noise = rc::random::normal<float>(nn::key_of_place(mode), rc::shape_of(mean));
  auto const z = mean + rc::exp(.5f * log_variance) * noise;
  auto const ink = nn::bce_with_logits(model.decoded(z), images, nn::unreduced);
  auto const far = .5f * (rc::square(mean) + rc::exp(log_variance) - log_variance - 1.f);
  return std::pair(rc::mean(rc::sum(ink, rc::axis<1>) + rc::sum(far, rc::axis<1>)), state);
};
constexpr auto nats = [](auto const& model, auto const& mode, auto const& images) {
  return loss(model, 0, mode, images).first;
};
constexpr auto unfolded = [](auto const& model, auto const& z) { return rc::sigmoid(model.decoded(z)); };

// sheet_rows x sheet_columns images of 8 x 8 beside one another, 4 pixels of the picture for each
void draw(char const* path, auto const& ink) {
  auto const sheet = rc::einops::rearrange<"(r c) (y x) -> (r y) (c x)">(
      ink, rc::length<"r", sheet_rows>, rc::length<"c", sheet_columns>, rc::length<"y", 8>, rc::length<"x", 8>);
  auto const large = rc::repeat(rc::eval(rc::repeat(rc::eval(sheet), 4, rc::axis<0>)), 4, rc::axis<1>);
  rc::io::save(path, rc::eval(rc::astype<std::uint8_t>(255.f - 255.f * large + .5f)));
}

int main(int argc, char** argv) {
  int const epochs = argc > 1 ? std::atoi(argv[1]) : 300;
  auto const key = rc::random::key(0);
  pictures const all{read_digits(DIGITS_DATA).images};
  auto const [training, held_out] = nn::split(all, .25f, key.fold(1));
  auto const optimiser = nn::adam{} | nn::cosine_decay{.init = 2e-3f, .steps = float(epochs * 21)};
  auto run = nn::start(nn::init<net<>>(key.fold(2)), std::tuple<>{}, optimiser, key);
  auto const begin = std::chrono::steady_clock::now();
  auto const fit = [&](auto const& r) {
    return -rc::fn(nats)(r.params, nn::training<>{key.fold(3).fold(r.epoch)}, held_out.images).item();
  };
  nn::fit<loss>(run, optimiser, training, {.epochs = epochs, .batch = {.size = 64}}, fit);
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;

  double mean = 0;
  for (int k = 0; k < 100; ++k, ++run.epoch) mean -= double(fit(run)) / 100;
  draw(argc > 2 ? argv[2] : "samples.png",
       rc::fn(unfolded)(run.params,
                        rc::random::normal<float>(key.fold(4), rc::shape(sheet_rows * sheet_columns, latent))));
  std::printf("%.2f nats an image that was held out, 24.0 by the same net in PyTorch; %.1f s\n", mean, taken.count());
}
