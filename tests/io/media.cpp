// IDX, PNG, PGM and PPM, WAV and raw elements: what others write, round trips, and what is refused.
#include <ricci/io.hpp>

#include <doctest/doctest.h>

#include "../raised.hpp"
#include "folder.hpp"

#include <fstream>
#include <sstream>

namespace rc = ricci;

namespace {

std::string contents(std::string const& path) {
  std::ifstream f(path, std::ios::binary);
  std::stringstream s;
  s << f.rdbuf();
  return s.str();
}
std::string refused(std::string const& s, std::string_view format) {
  return raised([&] { rc::io::load(std::as_bytes(std::span(s)), {.format = format}); });
}
void check_has(std::string const& text, char const* part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}
bool same(rc::any_tensor const& a, rc::any_tensor const& b) {
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         std::memcmp(a.data(), b.data(), std::size_t(a.bytes())) == 0;
}
rc::any_tensor back(rc::any_tensor const& a, std::string_view format) {
  std::string const s = rc::io::to_bytes(a, {.format = format});
  return rc::io::load(std::as_bytes(std::span(s)), {.format = format});
}
// the pixels of the samples
rc::ndarray<std::uint8_t, 3> pixels(int height, int width, int channels) {
  rc::ndarray<std::uint8_t, 3> p(height, width, channels);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      for (int c = 0; c < channels; ++c) p(y, x, c) = std::uint8_t((7 * y + 13 * x + 50 * c + x * y) % 256);
  return p;
}

}  // namespace

TEST_CASE("IDX, alone and by gzip") {
  auto const a = rc::io::load<rc::ndarray<std::uint8_t, 3>>(sample("bytes-idx3-ubyte.gz"));
  CHECK(a.shape(1) == 3);
  CHECK(a(1, 2, 3) == 23);
  CHECK(rc::io::load<rc::ndarray<std::int16_t, 1>>(sample("int16.idx"))(0) == -2);
  for (rc::any_tensor const& x :
       {rc::any_tensor(rc::tensor<std::uint8_t, 2, 2>{{1, 2}, {3, 4}}), rc::any_tensor(2.5),
        rc::any_tensor(rc::tensor<std::int32_t, 2>{-1, 2}), rc::any_tensor(rc::ndarray<float, 1>(0))})
    CHECK(same(back(x, "idx"), x));
  check_has(raised([] { rc::io::to_bytes(rc::tensor<std::int64_t, 2>{}, {.format = "idx"}); }), "IDX has no int64");
  folder const here;
  auto const path = here / "a.idx.gz";
  if (rc::files::has_zlib) {
    rc::io::save(path, a);
    CHECK(bool(rc::all(rc::io::load<rc::ndarray<std::uint8_t, 3>>(path) == a)));
  } else {
    check_has(raised([&] { rc::io::save(path, a); }), "compression needs zlib");
  }
  check_has(raised([] { rc::io::load<rc::ndarray<std::uint8_t, 2>>(sample("bytes-idx3-ubyte.gz")); }),
            "(2, 3, 4), not (?, ?)");
  using namespace std::string_literals;
  check_has(refused("\0\0\x0a\1\0\0\0\1x"s, "idx"), "IDX has no type 10");
  check_has(refused("\1\0\x08\1\0\0\0\1x"s, "idx"), "begins with two zeros");
  check_has(refused("\0\0\x08\x0d\0\0\0\1x"s, "idx"), "13 axes, where 12 are the most");
  check_has(refused("\0\0\x08\1\xff\xff\xff\xff"s, "idx"), "4294967295 bytes of the elements should follow, and 0 do");
  check_has(refused("\0\0\x0e\3\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff"s, "idx"), "larger than memory");
  check_has(refused("\0\0\x08\1\0\0\0\1xy"s, "idx"), "1 bytes behind the array");
  std::string const packed = contents(sample("bytes-idx3-ubyte.gz"));
  for (std::size_t n = 0; n < packed.size(); ++n) CHECK(refused(packed.substr(0, n), "idx") != "");
  for (std::size_t n = 10; n < packed.size(); ++n) {
    std::string flipped = packed;
    flipped[n] = char(flipped[n] ^ 4);
    INFO(n);
    CHECK(refused(flipped, "idx") != "");
  }
}

TEST_CASE("PNG as Pillow writes it, with filters and compression") {
  CHECK(same(rc::io::load(sample("grey.png")), rc::any_tensor(rc::reshape(pixels(20, 30, 1), rc::shape(20, 30)))));
  CHECK(same(rc::io::load<rc::ndarray<std::uint8_t, 3>>(sample("grey.png")), pixels(20, 30, 1)));
  CHECK(same(rc::io::load(sample("grey_alpha.png")), pixels(20, 30, 2)));
  CHECK(same(rc::io::load(sample("rgb.png")), pixels(20, 30, 3)));
  CHECK(same(rc::io::load(sample("rgba.png")), pixels(20, 30, 4)));
  for (int channels = 1; channels <= 4; ++channels) {
    std::string const s = rc::io::to_bytes(pixels(7, 300, channels), {.format = "png"});
    CHECK(same(rc::io::load<rc::ndarray<std::uint8_t, 3>>(std::as_bytes(std::span(s)), {.format = "png"}),
               pixels(7, 300, channels)));
  }
  check_has(raised([] { rc::io::to_bytes(rc::tensor<float, 2, 2>{}, {.format = "png"}); }),
            "PNG is written from uint8 or uint16, not float32");
  check_has(raised([] { rc::io::to_bytes(pixels(2, 2, 5), {.format = "png"}); }),
            "no image is an array of shape (2, 2, 5)");
  check_has(raised([] { rc::io::to_bytes(pixels(0, 2, 3), {.format = "png"}); }),
            "no image is an array of shape (0, 2, 3)");
  check_has(raised([] { rc::io::load<rc::tensor<std::uint8_t, 20, 31, 3>>(sample("rgb.png")); }),
            "(20, 30, 3), not (20, 31, 3)");
  std::string const whole = contents(sample("rgb.png"));
  for (std::size_t n = 0; n < whole.size(); ++n) CHECK(refused(whole.substr(0, n), "png") != "");
  for (std::size_t n = 0; n < whole.size(); ++n) {
    std::string flipped = whole;
    flipped[n] = char(flipped[n] ^ 32);
    INFO(n);
    CHECK(refused(flipped, "png") != "");
  }
  check_has(refused(whole + "x", "png"), "1 bytes behind the array");
}

// A PNG file of one chunk IDAT without compression; `rows`: each behind its filter's number.
std::string png(int width, int height, int depth, int colour, std::string const& rows,
                std::string const& between = {}) {
  std::string all("\x89PNG\r\n\x1a\n", 8);
  rc::files::string_sink to(all);
  std::string const header{0, 0, 0, char(width), 0, 0, 0, char(height), char(depth), char(colour), 0, 0, 0};
  rc::files::write_chunk(to, "IHDR", header);
  all += between;
  rc::files::write_chunk(to, "IDAT", rc::files::deflated_zlib("", rows.data(), rc::index_t(rows.size())));
  rc::files::write_chunk(to, "IEND", {});
  return all;
}
std::string chunk(std::string_view type, std::string_view data) {
  std::string all;
  rc::files::string_sink to(all);
  rc::files::write_chunk(to, type, data);
  return all;
}
rc::any_tensor png_of(std::string const& s) { return rc::io::load(std::as_bytes(std::span(s)), {.format = "png"}); }

TEST_CASE("PNG of 16 bits, with palettes, and of fewer bits") {
  // Pillow: the grey pixels times 257, and as a palette of greys, which is three equal channels
  rc::ndarray<std::uint8_t, 2> const grey = rc::reshape(pixels(20, 30, 1), rc::shape(20, 30));
  rc::ndarray<std::uint16_t, 2> const deep = rc::astype<std::uint16_t>(grey) * std::uint16_t(257);
  CHECK(same(rc::io::load(sample("deep.png")), deep));
  rc::ndarray<std::uint8_t, 3> colour(20, 30, 3);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 20; ++i)
      for (int j = 0; j < 30; ++j) colour(i, j, k) = grey(i, j);
  CHECK(same(rc::io::load(sample("palette.png")), colour));
  rc::any_tensor const wide = rc::tensor<std::uint16_t, 2, 1, 3>{{{1, 256, 65535}}, {{0, 4660, 2}}};
  CHECK(same(back(wide, "png"), wide));

  std::string const colours = chunk("PLTE", "abcdefghi"), alphas = chunk("tRNS", std::string("\x01\x02", 2));
  // pixels 2 1 0 | 1 1 2 of two bits
  std::string const rows{0, char(0x90), 0, 0x58};
  using image = rc::tensor<std::uint8_t, 2, 3, 3>;
  CHECK(same(png_of(png(3, 2, 2, 3, rows, colours)), image{{{'g', 'h', 'i'}, {'d', 'e', 'f'}, {'a', 'b', 'c'}},
                                                           {{'d', 'e', 'f'}, {'d', 'e', 'f'}, {'g', 'h', 'i'}}}));
  rc::any_tensor const with_alpha = png_of(png(1, 3, 8, 3, std::string("\0\0\0\1\0\2", 6), colours + alphas));
  CHECK(same(with_alpha,
             rc::tensor<std::uint8_t, 3, 1, 4>{{{'a', 'b', 'c', 1}}, {{'d', 'e', 'f', 2}}, {{'g', 'h', 'i', 255}}}));
  // grey of 1, 2 and 4 bits; the second row is that above and a difference
  CHECK(same(png_of(png(9, 1, 1, 0, std::string("\0\xa0\x80", 3))),
             rc::tensor<std::uint8_t, 1, 9>{{255, 0, 255, 0, 0, 0, 0, 0, 255}}));
  CHECK(same(png_of(png(2, 2, 4, 0, std::string("\0\x1f\2\x10", 4))),
             rc::tensor<std::uint8_t, 2, 2>{{17, 255}, {34, 255}}));
  CHECK(same(png_of(png(4, 1, 2, 0, std::string("\0\x1b", 2))), rc::tensor<std::uint8_t, 1, 4>{{0, 85, 170, 255}}));

  check_has(refused(png(3, 2, 2, 3, rows), "png"), "an image with a palette, which is missing");
  check_has(refused(png(3, 2, 2, 3, rows, chunk("PLTE", "abcdef")), "png"), "a pixel that its palette does not have");
  check_has(refused(png(3, 2, 2, 3, rows, chunk("PLTE", "abcd")), "png"), "a palette that is not 1 to 256 colours");
  check_has(refused(png(3, 2, 2, 3, rows, colours + colours), "png"), "a palette that is not 1 to 256 colours");
  check_has(refused(png(3, 2, 2, 3, rows, alphas + colours), "png"), "not behind it");
  check_has(refused(png(3, 2, 3, 0, rows), "png"), "3 bits a channel, which this type of colour has not");
  check_has(refused(png(3, 2, 16, 3, rows, colours), "png"), "16 bits a channel, which this type of colour has not");
  check_has(refused(png(3, 2, 4, 2, rows), "png"), "4 bits a channel, which this type of colour has not");
  for (char const* name : {"palette.png", "deep.png"}) {
    std::string const whole = contents(sample(name));
    for (std::size_t n = 0; n < whole.size(); ++n) CHECK(refused(whole.substr(0, n), "png") != "");
  }
}

TEST_CASE("PGM and PPM") {
  CHECK(same(rc::io::load(sample("grey.pgm")), rc::any_tensor(rc::reshape(pixels(5, 30, 1), rc::shape(5, 30)))));
  CHECK(same(rc::io::load(sample("rgb.ppm")), pixels(5, 30, 3)));
  CHECK(same(back(pixels(5, 4, 3), "pnm"), pixels(5, 4, 3)));
  rc::any_tensor const deep = rc::tensor<std::uint16_t, 2, 2>{{1, 256}, {65535, 0}};
  CHECK(same(back(deep, "pnm"), deep));
  CHECK(refused("P5 # a comment 7\n1\t2\n#\n255\nab", "pnm") == "");
  check_has(refused("P2 1 1 255 0", "pnm"), "begins with 'P2'");
  check_has(refused("P5 1 1 15 0", "pnm"), "a largest value of 15");
  check_has(refused("P5 0 1 255 ", "pnm"), "the width is no positive number");
  check_has(refused("P5 1x 1 255 ", "pnm"), "the width is no positive number");
  check_has(refused("P5 99999999999 1 255 ", "pnm"), "the width is above 2^31");
  check_has(refused("P6 10000000 1000000000 255 ", "pnm"), "30000000000000000 bytes of the pixels should follow");
  check_has(refused("P6 2000000000 2000000000 255 ", "pnm"), "larger than memory");
  check_has(refused("P5 2 2 255 abc", "pnm"), "4 bytes of the pixels should follow, and 3 do");
  folder const here;
  check_has(raised([&] { rc::io::save(here / "a.pgm", pixels(2, 2, 3)); }),
            "(height, width) or (height, width, channels) with 1 channels");
}

TEST_CASE("WAV as SciPy writes it") {
  CHECK(rc::io::load<rc::ndarray<std::int16_t, 2>>(sample("i2.wav"))(5, 1) == 11);
  CHECK(rc::io::load<rc::ndarray<float, 2>>(sample("f4.wav"))(5, 1) == 11);
  CHECK(rc::io::load<rc::ndarray<std::int32_t, 2>>(sample("i4.wav"))(5, 1) == 11);
  CHECK(rc::io::load<rc::ndarray<std::uint8_t, 2>>(sample("u1.wav"))(5, 1) == 11);
  CHECK(rc::io::rate_of(sample("f4.wav")) == 8000);
  folder const here;
  rc::tensor<std::int16_t, 3> const mono{1, -2, 3};
  rc::io::save(here / "a.wav", mono, {.rate = 22050});
  CHECK(rc::io::rate_of(here / "a.wav") == 22050);
  CHECK(bool(rc::all(rc::io::load<rc::ndarray<std::int16_t, 1>>(here / "a.wav") == mono)));
  CHECK(rc::io::load(here / "a.wav").shape(1) == 1);
  rc::any_tensor const odd = rc::tensor<std::uint8_t, 3, 1>{{1}, {2}, {3}};
  CHECK(same(back(odd, "wav"), odd));
  check_has(raised([&] { rc::io::save(here / "a.wav", rc::tensor<double, 2>{}); }),
            "WAV is written from int16, int32, float32 or uint8");
  check_has(raised([&] { rc::io::save(here / "a.wav", rc::tensor<float, 2, 2, 2>{}); }),
            "no sound is an array of shape (2, 2, 2)");
  check_has(raised([&] { rc::io::save(here / "a.wav", mono, {.rate = 0}); }), "0 samples a second");
  check_has(raised([&] { back(rc::ndarray<std::int16_t, 2>(1, 40000), "wav"); }),
            "40000 channels in frames of 80000 bytes, of which WAV has at most 65535");
  check_has(raised([&] { rc::io::save(here / "a.wav", rc::ndarray<float, 2>(1, 1000), {.rate = 2000000000}); }),
            "2000000000 samples a second in frames of 4000 bytes, where WAV has at most 4294967295 bytes a second");
  rc::ndarray<std::int16_t, 2> const many = rc::ones<std::int16_t>(rc::shape(2, 32767));
  CHECK(same(back(many, "wav"), many));
  std::string const s = contents(sample("i2.wav"));
  for (std::size_t n = 0; n < s.size(); ++n) CHECK(refused(s.substr(0, n), "wav") != "");
  auto const with = [&](std::size_t at, char c) {
    std::string t = s;
    t[at] = c;
    return refused(t, "wav");
  };
  check_has(refused(s + '\0', "wav"), "1 bytes behind the samples, which are no chunk");
  std::string const other("LIST\3\0\0\0abc", 11);
  CHECK(refused(s + other, "wav") == "");
  CHECK(refused(s + other + '\0' + other + '\0', "wav") == "");
  CHECK(refused(s + other.substr(0, 10), "wav") != "");
  check_has(with(20, 2), "samples of kind 2 with 16 bits");
  check_has(with(34, 24), "samples of kind 1 with 24 bits");
  check_has(with(22, 3), "3 channels in frames of 4 bytes");
  check_has(with(40, 23), "23 bytes of samples, of which a frame has 4");
  check_has(with(43, 127), "2130706456 bytes of a chunk of a WAV file should follow, and 24 do");
  check_has(with(12, 'x'), "samples before the chunk 'fmt '");
}

TEST_CASE("raw elements") {
  folder const here;
  auto const path = here / "a.bin";
  rc::tensor<float, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  rc::io::save(path, a);
  CHECK(std::filesystem::file_size(path) == 24);
  CHECK(bool(rc::all(rc::io::load<rc::tensor<float, rc::dyn, 3>>(path) == a)));
  CHECK(rc::io::load<rc::tensor<float, 1, rc::dyn>>(path, {.offset = 8})(0, 3) == 6);
  CHECK(rc::io::load(path, {.dtype = rc::dtype::uint8}).shape(0) == 24);
  check_has(raised([&] { rc::io::load(path); }), "raw elements of no type");
  check_has(raised([&] { rc::io::load<rc::ndarray<float, 2>>(path); }),
            "raw elements do not say the extents of (?, ?)");
  check_has(raised([&] { rc::io::load<rc::tensor<float, rc::dyn, 4>>(path); }),
            "6 elements are no array of shape (?, 4)");
  check_has(raised([&] { rc::io::load<rc::tensor<float, rc::dyn, 0>>(path); }),
            "6 elements are no array of shape (?, 0)");
  check_has(raised([&] { rc::io::load<rc::tensor<double, 2>>(path); }), "3 elements are no array of shape (2,)");
  check_has(raised([&] { rc::io::load<rc::ndarray<std::complex<double>, 1>>(path); }), "24 bytes are no whole number");
  check_has(raised([&] { rc::io::load(path, {.offset = 25}); }), "raw elements of no type");
  check_has(raised([&] { rc::io::load<rc::ndarray<float, 1>>(path, {.offset = 25}); }),
            "offset is 25, where there are 24 bytes");
}

TEST_CASE("what the name or an option does not say") {
  folder const here;
  rc::io::save(here / "a.x", rc::tensor<int, 2>{1, 2}, {.format = "npy"});
  check_has(raised([&] { rc::io::load(here / "a.x"); }), "a.x: the name does not say what the file is");
  CHECK(rc::io::load(here / "a.x", {.format = "npy"}).shape(0) == 2);
  check_has(raised([&] { rc::io::load(here / "a.x", {.format = "hdf5"}); }), "format 'hdf5', where one of npy");
  check_has(raised([&] { rc::io::load(here / "a.x", {.format = "npy", .name = "w"}); }), "this format has no names");
}
