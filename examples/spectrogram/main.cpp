// The spectrogram of a sound as a picture: time goes to the right, frequencies upwards, and loud is bright.
// `spectrogram [sound.wav] [picture.png]`; without a sound it makes one, of a bird that is not.
#include <cmath>
#include <cstdio>
#include <string>

#include <ricci/fft.hpp>
#include <ricci/io.hpp>

namespace rc = ricci;

// two seconds of notes that rise and fall, with an overtone, each of a quarter of a second
void sing(std::string const& path, double rate) {
  auto const t = rc::arange<double>(0, rc::index_t(2 * rate)) / rate;
  auto const in_note = rc::eval(rc::remainder(t, .25));
  auto const turns =
      rc::eval(rc::cumulative_sum(2200. + 700. * rc::sin(25. * in_note) + 600. * rc::floor(t / .5)) / rate);
  auto const tone = [&](double k) { return rc::sin(6.283185307179586 * k * turns); };
  auto const loudness = rc::exp(-rc::square(in_note / .05 - 2.)) * .8;
  rc::io::save(path, rc::astype<float>(rc::eval(loudness * (tone(1) + .1 * tone(2)))), {.rate = int(rate)});
}

int main(int argc, char** argv) {
  std::string const sound = argc > 1 ? argv[1] : "bird.wav", picture = argc > 2 ? argv[2] : "spectrogram.png";
  if (argc < 2) sing(sound, 22050);
  auto const samples = rc::io::load<rc::ndarray<float, 1>>(sound);
  double const rate = double(rc::io::rate_of(sound));

  constexpr rc::index_t n = 512, hop = 64;
  auto const window = rc::fft::hann<float>(n);
  rc::ndarray<float, 2> const power = rc::square(rc::abs(rc::fft::stft(samples, window, hop)));  // (times, n / 2 + 1)
  // decibels below the loudest, of which 70 are shown
  auto const level = rc::eval(rc::maximum(rc::log10(power / rc::max(power) + 1e-12f) * (10.f / 70.f) + 1.f, 0.f));
  auto const upwards = rc::flip(level.T(), rc::axis<0>);
  // black, red, yellow, white
  auto const channel = [&](float from) { return rc::minimum(rc::maximum(3.f * upwards - from, 0.f), 1.f) * 255.f; };
  auto const image =
      rc::eval(rc::astype<std::uint8_t>(rc::eval(rc::stack(channel(0), channel(1), channel(2), rc::axis<2>))));
  rc::io::save(picture, image);

  auto const loudest = rc::eval(rc::argmax(power)).item();
  std::printf("%td times, %td frequencies; the loudest is %.0f Hz at %.2f s\n", power.shape(0), power.shape(1),
              double(loudest % power.shape(1)) * rate / n, double(loudest / power.shape(1) * hop) / rate);
}
