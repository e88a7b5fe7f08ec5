// JPEG, with libjpeg and without it: what Pillow writes and makes of it, round trips, and what is refused.
#include <ricci/io.hpp>

#include <doctest/doctest.h>

#include "../raised.hpp"
#include "folder.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace rc = ricci;

namespace {

using bytes_2 = rc::ndarray<std::uint8_t, 2>;
using bytes_3 = rc::ndarray<std::uint8_t, 3>;

std::string contents(std::string const& path) {
  std::ifstream f(path, std::ios::binary);
  std::stringstream s;
  s << f.rdbuf();
  return s.str();
}
std::string refused(std::string const& s) {
  return raised([&] { rc::io::load(std::as_bytes(std::span(s)), {.format = "jpeg"}); });
}
void check_has(std::string const& text, char const* part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}
int furthest(auto const& a, auto const& b) {
  REQUIRE(a.shape() == b.shape());
  int most = 0;
  for (rc::index_t k = 0; k < a.size(); ++k) {
    int const d = int(a.data()[k]) - int(b.data()[k]);
    most = std::max(most, d < 0 ? -d : d);
  }
  return most;
}
bytes_3 smooth(int height, int width) {
  bytes_3 p(height, width, 3);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      p(y, x, 0) = std::uint8_t(3 * y), p(y, x, 1) = std::uint8_t(200 - 2 * x), p(y, x, 2) = std::uint8_t(x + y);
  return p;
}

}  // namespace

TEST_CASE("without libjpeg both ways say what is missing") {
  if (rc::files::has_jpeg) return;
  check_has(raised([] { rc::io::load(sample("rgb.jpg")); }), "JPEG needs libjpeg: link ricci::io");
  folder const here;
  auto const path = here / "a.jpg";
  check_has(raised([&] { rc::io::save(path, smooth(4, 4)); }), "JPEG needs libjpeg");
  CHECK(!std::filesystem::exists(path));
}

TEST_CASE("pixels are those that Pillow reads") {
  if (!rc::files::has_jpeg) return;
  // (libraries round the last bit in their own way)
  CHECK(furthest(rc::io::load<bytes_2>(sample("grey.jpg")), rc::io::load<bytes_2>(sample("grey.jpg.png"))) <= 2);
  for (char const* name : {"rgb.jpg", "progressive.jpg"}) {
    INFO(name);
    auto const a = rc::io::load<bytes_3>(sample(name));
    CHECK(a.shape() == rc::shape(20, 30, 3));
    CHECK(furthest(a, rc::io::load<bytes_3>(sample((std::string(name) + ".png").c_str()))) <= 2);
  }
  CHECK(rc::io::load<bytes_3>(sample("grey.jpg")).shape() == rc::shape(20, 30, 1));
  check_has(raised([] { rc::io::load(sample("cmyk.jpg")); }), "other colours than grey or RGB, as CMYK");
  check_has(raised([] { rc::io::load<rc::ndarray<float, 3>>(sample("rgb.jpg")); }), "uint8");
  check_has(raised([] { rc::io::load<bytes_2>(sample("rgb.jpg")); }), "(20, 30, 3), not (?, ?)");
}

TEST_CASE("what is written is read again, nearer with more quality") {
  if (!rc::files::has_jpeg) return;
  folder const here;
  auto const image = smooth(33, 50);
  auto const at = [&](int quality) {
    auto const path = here / "a.jpeg";
    rc::io::save(path, image, {.quality = quality});
    return furthest(rc::io::load<bytes_3>(path), image);
  };
  CHECK(at(100) <= 8);
  CHECK(at(5) > at(100));
  auto const size = [&](int quality) { return rc::io::to_bytes(image, {.format = "jpeg", .quality = quality}).size(); };
  CHECK(size(5) < size(90));
  CHECK(size(90) < size(100));
  bytes_2 const grey = rc::eval(image(rc::all, rc::all, 0));
  std::string const s = rc::io::to_bytes(grey, {.format = "jpeg", .quality = 100});
  CHECK(furthest(rc::io::load<bytes_2>(std::as_bytes(std::span(s)), {.format = "jpeg"}), grey) <= 2);
  auto const written = [](auto const& a, int quality) {
    return raised([&] { rc::io::to_bytes(a, {.format = "jpeg", .quality = quality}); });
  };
  check_has(written(image, 0), "the option quality is 0, where 1 to 100 was expected");
  check_has(written(rc::ndarray<float, 2>(2, 2), 90), "JPEG is written from uint8, not float32");
  check_has(written(bytes_3(2, 2, 4), 90), "(height, width, channels) with 1 or 3 channels was expected");
  check_has(written(bytes_2(1, 70000), 90), "at most 65500 rows and columns, not 1 and 70000");
}

#if RICCI_IO_JPEG
// Eight by eight pixels, progressive, by so many scans.
std::string in_scans(int scans) {
  std::vector<jpeg_scan_info> all;
  for (int k = 0; k < 64; ++k)
    for (int bit = k == 0 ? 1 : 8; bit >= 0; --bit)
      all.push_back({1, {0}, k, k, bit == (k == 0 ? 1 : 8) ? 0 : bit + 1, bit});
  REQUIRE(int(all.size()) >= scans);
  rc::files::jpeg_writer w;
  JSAMPLE row[8] = {0, 40, 80, 120, 160, 200, 240, 255};
  REQUIRE(rc::files::call_jpeg(w.errors, w.c, [&](jpeg_compress_struct& c) {
    jpeg_create_compress(&c);
    jpeg_mem_dest(&c, &w.out, &w.bytes);
    c.image_height = c.image_width = 8, c.input_components = 1, c.in_color_space = JCS_GRAYSCALE;
    jpeg_set_defaults(&c);
    c.scan_info = all.data(), c.num_scans = scans;
    jpeg_start_compress(&c, TRUE);
    JSAMPROW rows = row;
    while (c.next_scanline < 8) jpeg_write_scanlines(&c, &rows, 1);
    jpeg_finish_compress(&c);
  }));
  return std::string(reinterpret_cast<char const*>(w.out), w.bytes);
}
TEST_CASE("as many scans as are allowed, and one more") {
  constexpr int most = rc::files::jpeg_reader::most_scans;
  CHECK(refused(in_scans(most)) == "");
  check_has(refused(in_scans(most + 1)), "it goes over its pixels more than 500 times");
}
#endif

TEST_CASE("what is cut off or claims too much is an error") {
  if (!rc::files::has_jpeg) return;
  for (char const* name : {"rgb.jpg", "progressive.jpg", "grey.jpg"}) {
    std::string const whole = contents(sample(name));
    for (std::size_t n = 0; n + 2 < whole.size(); ++n) {
      INFO(name << ", " << n << " bytes");
      CHECK(refused(whole.substr(0, n)) != "");
    }
    for (std::size_t n = 0; n < whole.size(); ++n) {  // an image or an error, and nothing else
      std::string flipped = whole;
      flipped[n] = char(flipped[n] ^ 16);
      (void)refused(flipped);
    }
    std::string large = whole;
    std::size_t at = 0;  // the start of its frame, baseline or progressive
    while (!(large[at] == '\xff' && (large[at + 1] == '\xc0' || large[at + 1] == '\xc2'))) ++at;
    large.replace(at + 5, 4, "\xff\xdc\xff\xdc");
    check_has(refused(large), "an image of 65500 by 65500 pixels in ");
  }
  check_has(refused("GIF89a"), "this is no JPEG file: its first bytes differ");
}
