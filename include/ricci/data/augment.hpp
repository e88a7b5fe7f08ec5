// Augmentation of images (batch, height, width, channels): functions of images and a key, for traced functions and
// outside of them. Each example has numbers of its own, which follow from the key and its place in the batch, for any
// number of threads. All are differentiable by the images. Nothing is clipped: where values have to stay in a range,
// `rc::clip` them.
//
//   auto const augment = rc::fn([](auto const& images, auto const& key) {
//     auto const [a, b] = rc::random::split(key);
//     return data::random_flip(data::random_shift(images, a, 4), b);
//   });
#pragma once

#include <ricci/data/image_shift.hpp>
#include <ricci/ops/floating.hpp>
#include <ricci/ops/index.hpp>
#include <ricci/ops/movement.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/random/permutation.hpp>
#include <ricci/random/uniform.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci::data {

namespace augment {

template <class X>
constexpr void check() {
  static_assert(rank_of<X> == 4, "augmentation takes images (batch, height, width, channels)");
}
// `allowed` says in words what x is to be: from 0 to limit.
constexpr void check_range(char const* name, double x, double limit, char const* allowed) {
  if (!(x >= 0 && x <= limit))
    core::raise<value_error>(core::text() << name << ": a number " << allowed << " was expected");
}
// Images themselves, where they are at least Height by Width pixels, and have `Channels` channels where that is not 0;
// else a shape_error of Caller.
template <class Caller, index_t Height, index_t Width, index_t Channels>
struct fitting_t : ir::operation_of_kind<ir::op_kind::alias, 0> {
  static constexpr auto name = Caller::name;
  static constexpr dtype type_of_result(dtype x) { return x; }
  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t const& x) {
    if (x.rank != 4) return c.fail(), x;
    if (Height > 0) at_least(c, x.extent[1], Height);
    if (Width > 0) at_least(c, x.extent[2], Width);
    if (Channels > 0) c.same(x.extent[3], Channels);
    return x;
  }
  template <class Context>
  static constexpr void at_least(Context& c, index_t extent, index_t least) {
    if constexpr (requires { c.require(ir::check_kind::positive, extent, least); }) {
      extent = ir::find(c.g, extent);
      if (ir::is_symbolic(extent))
        c.require(ir::check_kind::positive, extent, least);
      else if (extent < least)
        c.fail();
    } else if (extent >= 0 && extent < least) {
      c.fail();
    }
  }
  template <class Mode>
  static constexpr ir::value<Mode> record(no_attributes, ir::value<Mode> x) {
    ir::graph_context<typename Mode::graph> c{*x.g, ir::facts_of<fitting_t>(), x.shape_id()};
    (void)shape_of(c, no_attributes{}, x.shape());
    return x;
  }
};
template <class Caller, index_t Height, index_t Width, index_t Channels = 0>
constexpr auto fitting(auto const& images) {
  return call_operation<fitting_t<Caller, Height, Width, Channels>>(no_attributes{}, images);
}
struct of_erasing {
  static constexpr auto name = "random_erasing";
};
struct of_saturation {
  static constexpr auto name = "random_saturation";
};
struct of_hue {
  static constexpr auto name = "random_hue";
};
// a vector of numbers, one for each example, beside images
template <Tensor V>
constexpr auto of_each(V&& v) {
  return static_cast<V&&>(v)(all, newaxis, newaxis, newaxis);
}
// in [-most, most) for each example
template <Tensor X, class K>
constexpr auto between(X const& images, K const& key, double most) {
  using T = value_type_of<X>;
  return of_each(random::uniform<T>(key, random::first_extent(images), T(-most), T(most)));
}
// 0 to count - 1 for each example, where the count may be an extent of a trace
template <Tensor X, class K, class N>
constexpr auto below(X const& images, K const& key, N const& count) {
  return floor(random::uniform<double>(key, random::first_extent(images)) * count);
}
// brightness as the eye sees it, of red, green and blue (ITU-R BT.601)
template <Tensor X>
constexpr auto grey(X const& images) {
  using T = value_type_of<X>;
  auto const channel = [&](int k) { return images(all, all, all, range(k, k + 1)); };
  return T(.299) * channel(0) + T(.587) * channel(1) + T(.114) * channel(2);
}

}  // namespace augment

// Mirrored, left to right, with a probability.
template <Tensor X, class K>
constexpr auto random_flip(X const& images, K const& key, double probability = .5) {
  augment::check<X>();
  augment::check_range("data::random_flip", probability, 1., "from 0 to 1");
  return where(augment::of_each(random::bernoulli(key, probability, random::first_extent(images))),
               flip(images, axis<2>), images);
}
// Moved by up to `most` pixels up or down, and left or right; zeros come in.
template <Tensor X, class K>
constexpr auto random_shift(X const& images, K const& key, int most) {
  augment::check<X>();
  augment::check_range("data::random_shift", most, 1e9, "from 0 to 10^9");
  double const count = 2. * most + 1.;
  return shifted(images, astype<std::int64_t>(augment::below(images, random::fold_in(key, 0), count) - double(most)),
                 astype<std::int64_t>(augment::below(images, random::fold_in(key, 1), count) - double(most)));
}
// Height by Width pixels from anywhere in the image with `padding` zeros around it: (batch, Height, Width, channels).
// Neither is larger than that of the image.
template <index_t Height, index_t Width, Tensor X, class K>
constexpr auto random_crop(X const& images, K const& key, int padding) {
  augment::check<X>();
  augment::check_range("data::random_crop", padding, 1e9, "from 0 to 10^9");
  constexpr auto known = extents_of<X>::value.extent;
  static_assert(Height > 0 && Width > 0 && (known[1] < 0 || Height <= known[1]) && (known[2] < 0 || Width <= known[2]),
                "random_crop<Height, Width>: from 1 to the height and width of the images");
  auto const place = [&](int number, auto const& extent, index_t size) {
    return astype<std::int64_t>(double(padding) - augment::below(images, random::fold_in(key, number),
                                                                 extent + (2 * index_t(padding) + 1 - size)));
  };
  return shifted(images, place(0, images.shape(1), Height), place(1, images.shape(2), Width))(all, range(0, Height),
                                                                                              range(0, Width), all);
}
// Zeros in a rectangle of Height by Width pixels anywhere in the image (T. DeVries, G. Taylor, Improved regularization
// of convolutional neural networks with Cutout, 2017, but that it lies in the image as a whole). Images that are
// smaller are a shape_error.
template <index_t Height, index_t Width, Tensor X, class K>
constexpr auto random_erasing(X const& images, K const& key) {
  augment::check<X>();
  constexpr auto known = extents_of<X>::value.extent;
  static_assert(Height > 0 && Width > 0 && (known[1] < 0 || Height <= known[1]) && (known[2] < 0 || Width <= known[2]),
                "random_erasing<Height, Width>: from 1 to the height and width of the images");
  auto const is_inside = [&](int number, auto const& extent, auto const& positions, index_t size) {
    auto const first = augment::of_each(augment::below(images, random::fold_in(key, number), extent + (1 - size)));
    return logical_and(positions >= first, positions < first + double(size));
  };
  return where(
      logical_and(
          is_inside(0, images.shape(1), arange<double>(images.shape(1))(newaxis, all, newaxis, newaxis), Height),
          is_inside(1, images.shape(2), arange<double>(images.shape(2))(newaxis, newaxis, all, newaxis), Width)),
      value_type_of<X>(0), augment::fitting<augment::of_erasing, Height, Width>(images));
}
// With a number in [-most, most) added.
template <Tensor X, class K>
constexpr auto random_brightness(X const& images, K const& key, double most) {
  augment::check<X>();
  augment::check_range("data::random_brightness", most, 1e30, "from 0 to 10^30");
  return images + augment::between(images, key, most);
}
// Differences from the mean of each channel times a number in [1 - most, 1 + most).
template <Tensor X, class K>
constexpr auto random_contrast(X const& images, K const& key, double most) {
  using T = value_type_of<X>;
  augment::check<X>();
  augment::check_range("data::random_contrast", most, 1., "from 0 to 1");
  auto const middle = mean(images, axes<1, 2>, keepdims);
  return middle + (images - middle) * (T(1) + augment::between(images, key, most));
}
// Red, green and blue: differences from grey (ITU-R BT.601) times a number in [1 - most, 1 + most).
template <Tensor X, class K>
constexpr auto random_saturation(X const& images, K const& key, double most) {
  using T = value_type_of<X>;
  constexpr index_t channels = extents_of<X>::value.extent[3];
  augment::check<X>();
  static_assert(channels < 0 || channels == 3, "random_saturation takes images of red, green and blue");
  augment::check_range("data::random_saturation", most, 1., "from 0 to 1");
  auto const grey = augment::grey(images);
  return grey + (augment::fitting<augment::of_saturation, 0, 0, 3>(images) - grey) *
                    (T(1) + augment::between(images, key, most));
}

}  // namespace ricci::data
