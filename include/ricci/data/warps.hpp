// Augmentation of images that moves them by parts of pixels, and of their colours: beside data/augment.hpp, with the
// same operands, and differentiable by the images and by where they are read.
#pragma once

#include <ricci/autodiff/functions.hpp>
#include <ricci/data/augment.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/ops/take_along_axis.hpp>
#include <ricci/ops/trigonometry.hpp>

namespace ricci::data {

// Images (batch, h, w, channels) between their pixels, at rows and columns (batch, p, q) -> (batch, p, q, channels):
// linear in the four nearest pixels, those outside of the image being zeros (PyTorch's grid_sample, in pixels).
template <Tensor X, Tensor R, Tensor C>
constexpr auto pixels_between(X const& images, R const& rows, C const& columns) {
  augment::check<X>();
  static_assert(rank_of<R> == 3 && rank_of<C> == 3, "data::pixels_between: rows and columns (batch, p, q)");
  return fn([](auto const& x, auto const& row, auto const& column) {
    using T = value_type_of<std::remove_cvref_t<decltype(x)>>;
    auto const flat = ricci::eval(ricci::reshape(x, shape(x.shape(0), -1, x.shape(3))));
    auto const top = ricci::eval(ricci::floor(row)), left = ricci::eval(ricci::floor(column));
    auto const down = ricci::eval(row - top), right = ricci::eval(column - left);
    auto const height = ricci::eval(ricci::zeros_like(top) + x.shape(1)),
               width = ricci::eval(ricci::zeros_like(left) + x.shape(2));
    auto const corner = [&](int below, int beside) {
      auto const i = ricci::eval(top + double(below)), j = ricci::eval(left + double(beside));
      auto const there =
          ricci::logical_and(ricci::logical_and(i >= 0., i < height), ricci::logical_and(j >= 0., j < width));
      auto const weight = ricci::eval((below ? 1. * down : 1. - down) * (beside ? 1. * right : 1. - right));
      auto const place =
          ricci::eval(ricci::astype<index_t>(ricci::stop_gradient(ricci::where(there, i * width + j, 0.))));
      auto const of_each = ricci::eval(ricci::reshape(place, shape(place.shape(0), -1, 1)));
      auto const values = ricci::eval(ricci::take_along_axis(flat, of_each, axis<1>));
      auto const beside_channels = ricci::eval(ricci::where(there, ricci::astype<T>(weight), T(0)));
      return ricci::eval(ricci::reshape(values, shape(place.shape(0), place.shape(1), place.shape(2), x.shape(3))) *
                         beside_channels(ricci::all, ricci::all, ricci::all, newaxis));
    };
    return ricci::eval(corner(0, 0) + corner(0, 1) + corner(1, 0) + corner(1, 1));
  })(images, ricci::eval(astype<double>(rows)), ricci::eval(astype<double>(columns)));
}

namespace augment {

// Images read at a i + b j and c i + d j, where i and j are counted from the middle; a to d have shape (batch).
template <Tensor X>
constexpr auto turned(X const& images, auto const& a, auto const& b, auto const& c, auto const& d) {
  auto const i = ricci::eval(arange<double>(images.shape(1))), j = ricci::eval(arange<double>(images.shape(2)));
  auto const down = ricci::eval(i - mean(i)), right = ricci::eval(j - mean(j));
  auto const of = [](auto const& x) { return x(all, newaxis, newaxis); };
  auto const y = down(newaxis, all, newaxis);
  auto const x = right(newaxis, newaxis, all);
  return pixels_between(images, ricci::eval(of(a) * y + of(b) * x + mean(i)),
                        ricci::eval(of(c) * y + of(d) * x + mean(j)));
}
template <Tensor X>
constexpr auto numbers_between(X const& images, auto const& key, double least, double most) {
  return ricci::eval(random::uniform<double>(key, random::first_extent(images), least, most));
}

}  // namespace augment

// Turned about the middle by an angle in [-most, most) degrees; zeros come in.
template <Tensor X, class K>
constexpr auto random_rotation(X const& images, K const& key, double most) {
  augment::check<X>();
  augment::check_range("data::random_rotation", most, 180., "from 0 to 180");
  constexpr double degree = 3.141592653589793 / 180;
  auto const angle = augment::numbers_between(images, key, -most * degree, most * degree);
  auto const c = ricci::eval(cos(angle)), s = ricci::eval(sin(angle));
  return augment::turned(images, c, ricci::eval(-s), s, c);
}
// Made larger about the middle by a factor in [1 - most, 1 + most); zeros come in where it is below 1.
template <Tensor X, class K>
constexpr auto random_scaling(X const& images, K const& key, double most) {
  augment::check<X>();
  augment::check_range("data::random_scaling", most, .99, "from 0 to 0.99");
  auto const part = ricci::eval(1. / augment::numbers_between(images, key, 1 - most, 1 + most));
  auto const none = ricci::eval(zeros_like(part));
  return augment::turned(images, part, none, none, part);
}
// Red, green and blue: hues turned in the plane of colours (YUV) by an angle in [-most, most) of a circle. Grey stays.
template <Tensor X, class K>
constexpr auto random_hue(X const& images, K const& key, double most) {
  using T = value_type_of<X>;
  constexpr index_t channels = extents_of<X>::value.extent[3];
  augment::check<X>();
  static_assert(channels < 0 || channels == 3, "random_hue takes images of red, green and blue");
  augment::check_range("data::random_hue", most, .5, "from 0 to 0.5");
  auto const angle = ricci::eval(astype<T>(6.283185307179586 * augment::numbers_between(images, key, -most, most)));
  auto const c = augment::of_each(ricci::eval(cos(angle))), s = augment::of_each(ricci::eval(sin(angle)));
  auto const grey = ricci::eval(augment::grey(augment::fitting<augment::of_hue, 0, 0, 3>(images)));
  auto const u = ricci::eval(T(.492) * (images(all, all, all, range(2, 3)) - grey));
  auto const v = ricci::eval(T(.877) * (images(all, all, all, range(0, 1)) - grey));
  auto const blue = ricci::eval(grey + (c * u - s * v) / T(.492));
  auto const red = ricci::eval(grey + (s * u + c * v) / T(.877));
  auto const green = ricci::eval((grey - T(.299) * red - T(.114) * blue) / T(.587));
  return ricci::eval(concat(red, green, blue, axis<3>));
}

}  // namespace ricci::data
