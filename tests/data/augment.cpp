// Augmented images beside loops over pixels; in traces, with derivatives, and for any number of threads.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include <ricci/autodiff/check_grads.hpp>
#include <ricci/autodiff/functions.hpp>
#include <ricci/data/augment.hpp>
#include <ricci/data/warps.hpp>
#include <ricci/random/continuous.hpp>

#include "raised.hpp"

namespace rc = ricci;
namespace data = ricci::data;

namespace {

rc::random::key const key(21);
rc::ndarray<float, 4> const images = rc::random::uniform<float>(key, rc::shape(40, 6, 5, 3));

float at(rc::ndarray<float, 4> const& x, rc::index_t n, rc::index_t i, rc::index_t j, rc::index_t c) {
  return i < 0 || j < 0 || i >= x.shape(1) || j >= x.shape(2) ? 0.f : float(x(n, i, j, c));
}
// whether image n of y is a window of that of x whose corner is at (top, left)
bool is_window(rc::ndarray<float, 4> const& x, rc::ndarray<float, 4> const& y, rc::index_t n, rc::index_t top,
               rc::index_t left) {
  for (rc::index_t i = 0; i < y.shape(1); ++i)
    for (rc::index_t j = 0; j < y.shape(2); ++j)
      for (rc::index_t c = 0; c < y.shape(3); ++c)
        if (float(y(n, i, j, c)) != at(x, n, top + i, left + j, c)) return false;
  return true;
}
std::set<std::pair<int, int>> corners(rc::ndarray<float, 4> const& x, rc::ndarray<float, 4> const& y, int from,
                                      int to) {
  std::set<std::pair<int, int>> found;
  for (rc::index_t n = 0; n < x.shape(0); ++n) {
    int count = 0;
    for (int top = from; top <= to; ++top)
      for (int left = from; left <= to; ++left)
        if (is_window(x, y, n, top, left)) found.insert({top, left}), ++count;
    CHECK(count == 1);
  }
  return found;
}

}  // namespace

TEST_CASE("a shift moves pixels and fills with zeros, however far") {
  rc::tensor<std::int64_t, 4> const down{1, -2, 100, std::numeric_limits<std::int64_t>::min()};
  rc::tensor<std::int64_t, 4> const right{-1, 3, 0, std::numeric_limits<std::int64_t>::max()};
  rc::ndarray<float, 4> const some = images(rc::range(0, 4));
  rc::ndarray<float, 4> const y = data::shifted(some, down, right);
  CHECK(is_window(some, y, 0, -1, 1));
  CHECK(is_window(some, y, 1, 2, -3));
  CHECK(bool(rc::all(y(rc::range(2, 4)) == 0.f)));
  rc::tensor<double, 2, 3, 4, 2> const x = rc::random::normal<double>(key, rc::extents<2, 3, 4, 2>{});
  CHECK(rc::check_grads(
      [](auto const& z) {
        constexpr rc::tensor<std::int64_t, 2> d{1, -1}, r{-2, 1};
        return rc::sum(rc::tanh(data::shifted(z, d, r)));
      },
      x));
  auto const each = rc::vmap([](auto const& z, auto const& d) { return data::shifted(z, d, d); })(
      x, rc::tensor<std::int64_t, 2>{1, -1});
  rc::tensor<std::int64_t, 2> const d{1, -1};
  CHECK(bool(rc::all(each == data::shifted(x, d, d))));
}

TEST_CASE("flips: each image is itself or mirrored, about half of them") {
  rc::ndarray<float, 4> const y = data::random_flip(images, key);
  int flipped = 0;
  for (rc::index_t n = 0; n < 40; ++n) {
    bool same = true, mirrored = true;
    for (rc::index_t i = 0; i < 6; ++i)
      for (rc::index_t j = 0; j < 5; ++j)
        for (rc::index_t c = 0; c < 3; ++c) {
          same = same && float(y(n, i, j, c)) == float(images(n, i, j, c));
          mirrored = mirrored && float(y(n, i, j, c)) == float(images(n, i, 4 - j, c));
        }
    CHECK((same || mirrored));
    flipped += mirrored;
  }
  CHECK((flipped > 8 && flipped < 32));
  CHECK(bool(rc::all(data::random_flip(images, key, 0.) == images)));
  CHECK(bool(rc::all(data::random_flip(images, key, 1.) == rc::flip(images, rc::axis<2>))));
  CHECK(raised([] { rc::eval(data::random_flip(images, key, 1.5)); }).find("data::random_flip") != std::string::npos);
}

TEST_CASE("shifts and crops are windows of padded images, all of them and no others") {
  rc::ndarray<float, 4> const moved = data::random_shift(images, key, 1);
  CHECK(corners(images, moved, -3, 3).size() == 9);  // 40 draws of 9: all but one in 10 keys
  for (auto const& [top, left] : corners(images, moved, -3, 3)) CHECK((std::abs(top) <= 1 && std::abs(left) <= 1));
  rc::ndarray<float, 4> const cut = data::random_crop<4, 4>(images, key, 1);
  CHECK(cut.shape(1) == 4);
  CHECK(cut.shape(2) == 4);
  auto const found = corners(images, cut, -3, 4);  // -1 to 3 and -1 to 2
  for (auto const& [top, left] : found) CHECK((top >= -1 && top <= 3 && left >= -1 && left <= 2));
  std::set<int> tops, lefts;
  for (auto const& [top, left] : found) tops.insert(top), lefts.insert(left);
  CHECK(tops.size() == 5);
  CHECK(lefts.size() == 4);
  CHECK(bool(rc::all(data::random_crop<6, 5>(images, key, 0) == images)));
}

TEST_CASE("one rectangle of each image is erased, and nothing else") {
  rc::ndarray<float, 4> const positive = images + 1.f;
  auto const check = [&](rc::ndarray<float, 4> const& y) {
    std::set<std::pair<int, int>> corners_found;
    for (rc::index_t n = 0; n < 40; ++n) {
      int top = 6, left = 5, count = 0;
      for (int i = 5; i >= 0; --i)
        for (int j = 4; j >= 0; --j)
          if (float(y(n, i, j, 0)) == 0.f) top = std::min(top, i), left = std::min(left, j), ++count;
      CHECK(count == 2 * 3);
      corners_found.insert({top, left});
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 5; ++j)
          for (int c = 0; c < 3; ++c) {
            bool const erased = i >= top && i < top + 2 && j >= left && j < left + 3;
            CHECK(float(y(n, i, j, c)) == (erased ? 0.f : float(positive(n, i, j, c))));
          }
    }
    CHECK(corners_found.size() > 8);  // of 5 times 3
  };
  check(data::random_erasing<2, 3>(positive, key));
  check(rc::fn([](auto const& x, auto const& k) { return data::random_erasing<2, 3>(x, k); })(positive, key));
  CHECK(bool(rc::all(data::random_erasing<6, 5>(positive, key) == 0.f)));
}

TEST_CASE("brightness, contrast and saturation keep what they should") {
  rc::ndarray<float, 4> const lit = data::random_brightness(images, key, .25);
  rc::ndarray<float, 4> const sharp = data::random_contrast(images, key, .5);
  rc::ndarray<float, 4> const pale = data::random_saturation(images, key, .5);
  std::set<float> all;
  for (rc::index_t n = 0; n < 40; ++n) {
    float const added = float(lit(n, 0, 0, 0)) - float(images(n, 0, 0, 0));
    all.insert(added);
    CHECK(std::abs(added) <= .25f);
    CHECK(bool(rc::all(rc::abs(lit(n) - images(n) - added) < 1e-6f)));
    for (int c = 0; c < 3; ++c) {
      float const before = float(rc::mean(images(n, rc::all, rc::all, c)));
      CHECK(float(rc::mean(sharp(n, rc::all, rc::all, c))) == doctest::Approx(before).epsilon(1e-5));
      float const factor = (float(sharp(n, 2, 3, c)) - before) / (float(images(n, 2, 3, c)) - before);
      CHECK((factor > .499f && factor < 1.501f));
      CHECK(bool(rc::all(rc::abs(sharp(n, rc::all, rc::all, c) - before -
                                 factor * (images(n, rc::all, rc::all, c) - before)) < 1e-4f)));
    }
    auto const grey = [&](rc::ndarray<float, 4> const& x) {
      return .299f * float(x(n, 1, 1, 0)) + .587f * float(x(n, 1, 1, 1)) + .114f * float(x(n, 1, 1, 2));
    };
    CHECK(grey(pale) == doctest::Approx(grey(images)).epsilon(1e-5));
    float const factor =
        (float(pale(n, 1, 1, 0)) - float(pale(n, 1, 1, 1))) / (float(images(n, 1, 1, 0)) - float(images(n, 1, 1, 1)));
    CHECK((factor > .49f && factor < 1.51f));
  }
  CHECK(all.size() > 35);  // each example has its own
}

namespace {
// what lies at a place between pixels, by a loop
float between(rc::ndarray<float, 4> const& x, rc::index_t n, double row, double column, rc::index_t c) {
  double sum = 0;
  for (rc::index_t i = 0; i < x.shape(1); ++i)
    for (rc::index_t j = 0; j < x.shape(2); ++j)
      sum += std::fmax(0, 1 - std::abs(row - double(i))) * std::fmax(0, 1 - std::abs(column - double(j))) *
             double(x(n, i, j, c));
  return float(sum);
}
// by rows of a matrix, about the middle of images of 6 x 5
void check_turned(rc::ndarray<float, 4> const& y, auto const& matrix) {
  int wrong = 0;
  for (rc::index_t n = 0; n < 40; ++n) {
    auto const m = matrix(n);
    for (rc::index_t i = 0; i < 6; ++i)
      for (rc::index_t j = 0; j < 5; ++j) {
        double const down = double(i) - 2.5, right = double(j) - 2;
        for (int c = 0; c < 3; ++c)
          if (!(std::abs(y(n, i, j, c) - between(images, n, m[0] * down + m[1] * right + 2.5,
                                                 m[2] * down + m[3] * right + 2, c)) < 1e-5f))
            ++wrong;
      }
  }
  CHECK(wrong == 0);
}
}  // namespace

TEST_CASE("rotations and other sizes are read between pixels") {
  rc::ndarray<float, 4> const turned = data::random_rotation(images, key, 30);
  rc::ndarray<double, 1> const angle =
      rc::random::uniform<double>(key, rc::shape(40), -30., 30.) * (std::acos(-1.) / 180);
  check_turned(turned, [&](rc::index_t n) {
    double const c = std::cos(angle(n)), s = std::sin(angle(n));
    return std::array{c, -s, s, c};
  });
  rc::ndarray<float, 4> const scaled = data::random_scaling(images, key, .5);
  rc::ndarray<double, 1> const factor = rc::random::uniform<double>(key, rc::shape(40), .5, 1.5);
  check_turned(scaled, [&](rc::index_t n) { return std::array{1 / factor(n), 0., 0., 1 / factor(n)}; });
  CHECK(bool(rc::all(data::random_rotation(images, key, 0) == images)));
  CHECK(double(rc::max(factor)) > 1.3);
  // derivatives by the images, and by where they are read
  rc::tensor<double, 2, 3, 4, 2> const x = rc::random::uniform<double>(key, rc::extents<2, 3, 4, 2>{});
  rc::tensor<double, 2, 2, 2> const rows{{{.3, 1.7}, {-.4, 5}}, {{1.2, 2.4}, {.9, .1}}};
  rc::tensor<double, 2, 2, 2> const columns{{{.6, 2.7}, {1.5, 1}}, {{3.3, -.2}, {1.9, .3}}};
  CHECK(rc::check_grads(
      [](auto const& z, auto const& r, auto const& c) { return rc::sum(rc::sin(data::pixels_between(z, r, c))); }, x,
      rows, columns));
  CHECK(raised([] { (void)data::random_scaling(images, key, 1.); }) ==
        "value_error: data::random_scaling: a number from 0 to 0.99 was expected");
}
TEST_CASE("hues turn, and grey stays") {
  rc::ndarray<float, 4> const y = data::random_hue(images, key, .5);
  auto const parts = [](rc::ndarray<float, 4> const& x, rc::index_t n) {
    float const grey = .299f * x(n, 1, 1, 0) + .587f * x(n, 1, 1, 1) + .114f * x(n, 1, 1, 2);
    return std::array{grey, .492f * (x(n, 1, 1, 2) - grey), .877f * (x(n, 1, 1, 0) - grey)};
  };
  rc::ndarray<float, 1> const angle = rc::random::uniform<double>(key, rc::shape(40), -.5, .5) * std::acos(-1.) * 2;
  for (rc::index_t n = 0; n < 40; ++n) {
    auto const a = parts(images, n), b = parts(y, n);
    float const c = std::cos(angle(n)), s = std::sin(angle(n));
    CHECK(b[0] == doctest::Approx(a[0]).epsilon(1e-4));
    CHECK(b[1] == doctest::Approx(c * a[1] - s * a[2]).scale(1).epsilon(1e-5));
    CHECK(b[2] == doctest::Approx(s * a[1] + c * a[2]).scale(1).epsilon(1e-5));
  }
  CHECK(bool(rc::all(rc::abs(data::random_hue(images, key, 0) - images) < 1e-6f)));
}

TEST_CASE("all of them in one traced function: as outside, for any number of threads, with derivatives") {
  static constexpr auto all = [](auto const& x, auto const& k) {
    auto const [a, b, c, d, e, f, g, h] = rc::random::split<8>(k);
    auto const moved = data::random_shift(data::random_flip(data::random_crop<4, 4>(x, a, 1), b), c, 1);
    auto const lit = data::random_contrast(data::random_brightness(moved, d, .2), e, .3);
    return data::random_hue(data::random_rotation(data::random_saturation(lit, f, .3), g, 20), h, .1);
  };
  rc::ndarray<float, 4> const plain = all(images, key);
  rc::ndarray<float, 4> const traced = rc::fn(all)(images, key);
  CHECK(bool(rc::all(rc::abs(plain - traced) < 1e-5f)));
  rc::ndarray<float, 4> const by_threads = rc::fn(all)(rc::copy(images, rc::cpu{.threads = 3}), key);
  CHECK(bool(rc::all(by_threads == traced)));
  rc::ndarray<float, 4> const other = rc::fn(all)(images, key.fold(7));
  CHECK(!bool(rc::all(rc::abs(other - traced) < 1e-5f)));
  rc::tensor<double, 2, 5, 4, 3> const x = rc::random::uniform<double>(key, rc::extents<2, 5, 4, 3>{});
  CHECK(rc::check_grads([](auto const& z, auto const& k) { return rc::sum(rc::sin(all(z, k))); }, x, key));
}
TEST_CASE("images that are too small or have other channels, and places that are none") {
  rc::ndarray<float, 4> const small = rc::ones<float>(rc::shape(2, 20, 20, 3)),
                              four = rc::ones<float>(rc::shape(2, 4, 4, 4));
  CHECK(raised([&] { (void)rc::eval(data::random_erasing<28, 28>(small, key)); }) ==
        "shape_error: random_erasing: (2, 20, 20, 3)");
  CHECK(raised([&] { (void)rc::eval(data::random_saturation(four, key, .5)); }) ==
        "shape_error: random_saturation: (2, 4, 4, 4)");
  CHECK(raised([&] { (void)rc::eval(data::random_hue(four, key, .5)); }) == "shape_error: random_hue: (2, 4, 4, 4)");
  double const nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
  rc::tensor<double, 2, 1, 1> const rows{{{nan}}, {{infinity}}}, columns = 1.;
  CHECK(bool(rc::all(data::pixels_between(four, rows, columns) == 0.f)));
}
