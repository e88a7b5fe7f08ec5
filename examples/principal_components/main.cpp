// The principal components of handwritten digits as a picture: what 1797 images of 8 x 8 pixels have in common, which
// of their differences matter most, and how little is lost where these are kept alone (C. Bishop, Pattern Recognition
// and Machine Learning, section 12.1). `principal_components digits.csv.gz [picture.png]`
#include <cstdio>

#include <ricci/io.hpp>
#include <ricci/linalg.hpp>

namespace rc = ricci;

constexpr rc::index_t side = 8, kept = 16, zoom = 8;

// vectors of 64 pixels in one row of images, each from its least number, black, to its largest, white
auto row(auto const& images) {
  auto const low = rc::min(images, rc::axis<1>, rc::keepdims), high = rc::max(images, rc::axis<1>, rc::keepdims);
  auto const grey = rc::eval((images - low) / (high - low) * 255.);
  auto const beside = rc::einops::rearrange<"n (h w) -> h (n w)">(grey, rc::length<"h">(side));
  return rc::eval(rc::repeat(rc::repeat(beside, zoom, rc::axis<0>), zoom, rc::axis<1>));
}

int main(int argc, char** argv) {
  auto const table = rc::io::load<rc::ndarray<double, 2>>(argc > 1 ? argv[1] : "digits.csv.gz");
  auto const images = rc::eval(table(rc::all, rc::range(0, 64)));
  auto const mean = rc::eval(rc::mean(images, rc::axis<0>));
  auto const centred = rc::eval(images - mean);

  auto const [u, s, components] = rc::linalg::svd(centred, rc::full_matrices<false>);
  auto const variance = rc::eval(rc::square(s) / rc::sum(rc::square(s)));
  auto const first = rc::range(0, kept);
  auto const coordinates = rc::eval(u(rc::all, first) * s(first));
  auto const restored = rc::eval(rc::matmul(coordinates, components(first)) + mean);

  // the components; below them digits, and what is left of them by their coordinates alone
  auto const sheet = rc::concat(row(components(first)), row(images(first)), row(restored(first)), rc::axis<0>);
  rc::io::save(argc > 2 ? argv[2] : "components.png", rc::eval(rc::astype<std::uint8_t>(sheet)));

  double const error = double(rc::sqrt(rc::mean(rc::square(restored - images))));
  std::printf("of 64 numbers the first 2 have %.1f %% of the variance, 16 have %.1f %%\n",
              100 * double(rc::sum(variance(rc::range(0, 2)))), 100 * double(rc::sum(variance(first))));
  std::printf("pixels of 0 to 16 restored from 16 coordinates: wrong by %.2f\n", error);
}
