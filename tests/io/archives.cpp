// npz and safetensors: what others wrote, records and maps both ways, and what is refused.
#include <ricci/io.hpp>

#include <doctest/doctest.h>

#include "../raised.hpp"
#include "folder.hpp"

#include <fstream>
#include <sstream>

namespace rc = ricci;

namespace {

template <class Kind = rc::values>
struct layer {
  rc::field<Kind, float, 2, 3> w;
  rc::field<Kind, std::int64_t, 3> b;
};
struct model {
  layer<> first;
  rc::ndarray<double, 2> table;
  std::array<layer<>, 2> layers;
  std::pair<rc::tensor<bool, 2>, rc::any_tensor> rest;
  double rate = 0;
  rc::any_tensor any = rc::tensor<int, 1>{1};
};
struct three {
  rc::tensor<float, 2, 3> w;
  rc::ndarray<std::int64_t, 1> b;
  double s;
};
model example() {
  model m;
  m.first.w = rc::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}};
  m.first.b = rc::tensor<std::int64_t, 3>{7, 8, 9};
  m.table = rc::ndarray<double, 2>{{1.5, 2.5}};
  m.layers[1].b(2) = 5;
  m.rest.first(1) = true;
  m.rest.second = rc::tensor<std::int16_t, 2>{10, 11};
  m.rate = .125;
  return m;
}
bool is_example(model const& m) {
  return m.first.w(1, 2) == 6 && m.first.b(0) == 7 && m.table.shape(0) == 1 && m.table(0, 1) == 2.5 &&
         m.layers[1].b(2) == 5 && m.layers[0].b(2) == 0 && m.rest.first(1) &&
         m.rest.second.dtype() == rc::dtype::int16 && m.rate == .125;
}
rc::files::byte_span bytes(std::string const& s) { return std::as_bytes(std::span(s)); }
std::string contents(std::string const& path) {
  std::ifstream f(path, std::ios::binary);
  std::stringstream s;
  s << f.rdbuf();
  return s.str();
}
// what loading all of it raises, with each array read
std::string refused(std::string const& s, std::string_view format) {
  return raised([&] { rc::io::load_all(bytes(s), {.format = format}); });
}
void check_has(std::string const& text, char const* part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("what NumPy and the safetensors library wrote") {
  for (char const* name : {"stored.npz", "three.safetensors"}) {
    INFO(name);
    auto const t = rc::io::load<three>(sample(name));
    CHECK(t.w(1, 2) == 5);
    CHECK(t.b(2) == 2);
    CHECK(t.s == 7);
    CHECK(rc::io::load<double>(sample(name), {.name = "s"}) == 7);
    CHECK(rc::io::load_all(sample(name)).at("w").shape(1) == 3);
  }
  auto const all = rc::io::load_all(sample("deflated.npz"));
  CHECK(all.size() == 4);
  auto const large = all.at("large").as<std::int32_t, 2>();
  CHECK(bool(rc::all(rc::reshape(large, rc::shape(10000)) == rc::arange<std::int32_t>(0, 10000))));
}

TEST_CASE("records by the names of their members, and back") {
  folder const here;
  for (char const* name : {"m.npz", "m.safetensors"}) {
    INFO(name);
    rc::io::save(here / name, example());
    model m;
    rc::io::load(here / name, m);
    CHECK(is_example(m));
    auto const all = rc::io::load_all(here / name);
    for (char const* key :
         {"first.w", "first.b", "table", "layers.0.w", "layers.1.b", "rest.0", "rest.1", "rate", "any"})
      CHECK(all.count(key) == 1);
    CHECK(all.size() == 11);
    rc::io::save(here / name, all);  // a map
    CHECK(is_example(rc::io::load<model>(here / name)));
  }
  std::stringstream s;
  rc::io::save(s, example(), {.format = "npz"});
  model m;
  std::string const copy = s.str();
  rc::io::load(bytes(copy), m, {.format = "npz"});
  CHECK(is_example(m));
  CHECK(rc::io::to_bytes(example(), {.format = "npz"}) == copy);
  rc::io::save(here / "empty.npz", std::map<std::string, rc::any_tensor>{});
  CHECK(rc::io::load_all(here / "empty.npz").empty());
  rc::io::save(here / "empty.safetensors", std::map<std::string, rc::any_tensor>{});
  CHECK(rc::io::load_all(here / "empty.safetensors").empty());
}

TEST_CASE("safetensors hold all types but complex128, each aligned") {
  std::map<std::string, rc::any_tensor> m;
  [&]<class... T>(rc::type_list<T...>) {
    ((m[rc::name_of(rc::dtype_of<T>)] = rc::tensor<T, 3>{T(1), T(0), T(1)}), ...);
  }(rc::element_types{});
  check_has(raised([&] { rc::io::to_bytes(m, {.format = "safetensors"}); }),
            "complex128: safetensors cannot be written");
  m.erase("complex128");
  m["a \"name\"\n\\ of \xc3\xa9"] = rc::tensor<float>{2.f};
  std::string const s = rc::io::to_bytes(m, {.format = "safetensors"});
  auto const back = rc::io::load_all(bytes(s), {.format = "safetensors"});
  CHECK(back.size() == m.size());
  for (auto const& [name, x] : m) {
    CHECK(back.at(name).dtype() == x.dtype());
    CHECK(std::memcmp(back.at(name).data(), x.data(), std::size_t(x.bytes())) == 0);
  }
}

TEST_CASE("one array of safetensors, mapped") {
  folder const here;
  auto const path = here / "m.safetensors";
  rc::io::save(path, example());
  auto const w = rc::io::map<rc::tensor<float, 2, 3>>(path, {.name = "first.w"});
  CHECK(w(1, 2) == 6);
  CHECK(rc::io::map(path, {.name = "rest.0"}).as<bool, 1>()(1));
  CHECK(rc::io::map(path, {.name = "rate"}).item<double>() == .125);
  check_has(raised([&] { rc::io::map(path, {.name = "w"}); }), "no array is called 'w'");
  check_has(raised([&] { rc::io::map<rc::tensor<float, 3, 2>>(path, {.name = "first.w"}); }),
            "first.w: the shape is (2, 3)");
  check_has(raised([&] { rc::io::map(sample("stored.npz")); }), "npy and safetensors are mapped");
  auto const other = rc::io::map<rc::tensor<float, 2, 3>>(sample("three.safetensors"), {.name = "w"});
  CHECK(other(1, 2) == 5);
}

TEST_CASE("a name or type too few, too many or another one is an error, and the record stays") {
  folder const here;
  auto const path = here / "t.npz";
  three t{{{1, 1, 1}, {1, 1, 1}}, {2, 2}, 3};
  rc::io::load(sample("stored.npz"), t);
  CHECK(t.s == 7);
  t.s = 9;
  auto const refuses = [&](std::map<std::string, rc::any_tensor> const& m, char const* part) {
    for (char const* name : {"t.npz", "t.safetensors"}) {
      rc::io::save(here / name, m);
      check_has(raised([&] { rc::io::load(here / name, t); }), part);
      CHECK(t.s == 9);
      CHECK(t.w(1, 2) == 5);
    }
  };
  rc::any_tensor const w = rc::tensor<float, 2, 3>{}, b = rc::tensor<std::int64_t, 4>{}, s = rc::tensor<double>{};
  refuses({{"w", w}, {"s", s}}, "no array is called 'b'; there are 's', 'w'");
  refuses({{"w", w}, {"b", w}, {"s", s}}, "b: elements are float32 and shape (2, 3), not int64 as asked for");
  refuses({{"w", w}, {"b", b}, {"s", b}}, "s: elements are int64 and shape (4,), not float64");
  refuses({{"w", w}, {"b", b}, {"s", s}, {"x", b}}, "array 'x' is no member of the record");
  rc::io::load(path, t, {.allow_more = true});
  CHECK(t.b.shape(0) == 4);
  for (char const* name : {"of.npz", "of.safetensors"}) {  // a member of what was saved
    t.s = 9;
    rc::io::save(here / name, std::map<std::string, rc::any_tensor>{
                                  {"p.w", w}, {"p.b", b}, {"p.s", s}, {"pw.w", w}, {"w", b}, {"q.x", b}});
    rc::io::load(here / name, t, {.name = "p"});
    CHECK(t.s == 0);
    t.s = 9;
    check_has(raised([&] { rc::io::load(here / name, t, {.name = "q"}); }), "no array is called 'q.");
    check_has(raised([&] { rc::io::load(here / name, t, {.name = "pw"}); }), "no array is called 'pw.");
    rc::io::save(here / name,
                 std::map<std::string, rc::any_tensor>{{"p.w", w}, {"p.b", b}, {"p.s", s}, {"p.more.x", b}});
    check_has(raised([&] { rc::io::load(here / name, t, {.name = "p"}); }), "array 'p.more.x' is no member");
    CHECK(t.s == 9);
    rc::io::load(here / name, t, {.name = "p", .allow_more = true});
    CHECK(t.s == 0);
  }
  check_has(raised([&] { rc::io::load(path); }), "it holds 4 arrays, and the option name does not say which");
  check_has(raised([&] { rc::io::save(path, w); }), "hold arrays with names");
  check_has(raised([&] { rc::io::save(here / "t.npy", t); }), "a record of arrays is written as npz or safetensors");
  check_has(raised([&] { rc::io::load_all(here / "none.npz"); }), "none.npz: cannot be opened");
  CHECK(rc::io::load(path, {.name = "b"}).shape(0) == 4);
}

TEST_CASE("compressed npz: written where zlib is, read everywhere") {
  folder const here;
  auto const path = here / "c.npz";
  if (rc::files::has_zlib) {
    rc::io::save(path, std::map<std::string, rc::any_tensor>{{"x", rc::ndarray<double, 1>(100000)}},
                 {.compress = true});
    CHECK(std::filesystem::file_size(path) < 2000);
    CHECK(rc::io::load<rc::ndarray<double, 1>>(path).shape(0) == 100000);
  } else {
    check_has(raised([&] { rc::io::save(path, example(), {.compress = true}); }),
              "compression needs zlib: link ricci::io");
    CHECK(!std::filesystem::exists(path));
  }
}

TEST_CASE("zip64, as large archives have it") {
  std::string s;
  rc::files::string_sink to(s);
  rc::files::zip_writer z(to, 0);
  rc::tensor<double, 3> const x{1, 2, 3};
  rc::files::with_rows(x, [&](rc::files::array_view const& a) {
    for (char const* name : {"x.npy", "y.npy"})
      z.add(name, rc::files::npy_start("", a), std::string_view(reinterpret_cast<char const*>(x.data()), 24), false);
  });
  z.finish();
  check_has(s, "PK\6\6");
  auto const all = rc::io::load_all(bytes(s), {.format = "npz"});
  CHECK(all.size() == 2);
  CHECK(all.at("y").as<double, 1>()(2) == 3);
  for (std::size_t n = 0; n < s.size(); ++n) CHECK(refused(s.substr(0, n), "npz").find("io_error: ") == 0);
  std::map<std::string, rc::any_tensor> named{{std::string(65531, 'x'), rc::any_tensor(rc::tensor<float, 1>{1})}};
  std::string const with_long_name = rc::io::to_bytes(named, {.format = "npz"});
  CHECK(rc::io::load_all(std::as_bytes(std::span(with_long_name)), {.format = "npz"}).size() == 1);
  named = {{std::string(65532, 'x'), rc::any_tensor(rc::tensor<float, 1>{1})}};
  check_has(raised([&] { rc::io::to_bytes(named, {.format = "npz"}); }),
            "a name of 65536 bytes, of which an entry of a zip archive has at most 65535: 'xxx");
  named = {{"__metadata__", rc::any_tensor(rc::tensor<float, 1>{1})}};
  check_has(raised([&] { rc::io::to_bytes(named, {.format = "safetensors"}); }),
            "no array of safetensors is called '__metadata__'");
  std::map<std::string, rc::any_tensor> many;  // more than 65535 entries need it, too
  rc::any_tensor const one = rc::tensor<std::uint8_t>{1};
  for (int k = 0; k < 66000; ++k) many[std::to_string(k)] = one;
  CHECK(rc::io::load_all(bytes(rc::io::to_bytes(many, {.format = "npz"})), {.format = "npz"}).size() == 66000);
}

TEST_CASE("every truncation of an archive is an error, and a flipped bit of npz is noticed") {
  for (char const* name : {"stored.npz", "deflated.npz", "three.safetensors"}) {
    std::string const s = contents(sample(name));
    std::string_view const format = std::string_view(name).ends_with("npz") ? "npz" : "safetensors";
    for (std::size_t n = 0; n < s.size(); n += n < 600 ? 1 : 37) {
      INFO(name, " ", n);
      CHECK(refused(s.substr(0, n), format).find("io_error: ") == 0);
    }
    CHECK(refused(s, format) == "");
    if (format == "npz")
      for (std::size_t n = 60; n < s.size() / 2; n += 7) {
        std::string flipped = s;
        flipped[n] = char(flipped[n] ^ 16);
        auto const text = refused(flipped, format);
        CHECK((text == "" || text.find("io_error: ") == 0));
      }
  }
  std::string s = contents(sample("stored.npz"));
  s[s.find('\n') + 3] ^= 1;
  check_has(refused(s, "npz"), "entry 'w.npy': the checksum does not match");
}

TEST_CASE("hostile safetensors") {
  auto const of = [](std::string header, std::size_t n) {
    std::string s;
    for (int k = 0; k < 8; ++k) s += char(header.size() >> 8 * k & 0xff);
    return refused(s + header + std::string(n, '\0'), "safetensors");
  };
  std::string const x = R"("dtype":"F32","shape":[2],"data_offsets":[0,8]})";
  CHECK(of("{\"x\":{" + x + "}", 8) == "");
  CHECK(of("{\"x\":{" + x + "} \n\t ", 8) == "");
  CHECK(of(R"({"__metadata__":{"a":"\u00e9\ud83d\ude00\n"}})", 0) == "");
  check_has(of("{\"x\":{" + x + "}", 9), "1 bytes behind the arrays");
  check_has(of("{\"x\":{" + x + "}", 7), "elements from 0 to 8, where there are 7 bytes");
  check_has(of("{\"x\":{" + x + ",\"x\":{" + x + "}", 8), "two arrays of one name");
  check_has(of("{\"x\":{" + x + ",\"y\":{" + x + "}", 8), "elements of an array were expected");
  check_has(of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[4,12]}})", 12), "elements of an array were expected");
  check_has(of(R"({"x":{"dtype":"F32","shape":[3],"data_offsets":[0,8]}})", 8),
            "8 bytes for float32 elements of shape (3,)");
  check_has(of(R"({"x":{"dtype":"F32","shape":[-1],"data_offsets":[0,8]}})", 8), "no integer");
  check_has(of(R"({"x":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,8]}})", 8),
            "larger than memory");
  check_has(of(R"({"x":{"dtype":"F32","shape":[99999999999999999999],"data_offsets":[0,8]}})", 8), "above 2^63");
  check_has(of(R"({"x":{"dtype":"F8_E4M3","shape":[8],"data_offsets":[0,8]}})", 8), "type F8_E4M3");
  check_has(of(R"({"x":{"dtype":"F32","shape":[2],"data_offsets":[8,0]}})", 8), "elements from 8 to 0");
  check_has(of(R"({"x":{"dtype":"F32","shape":[2]}})", 8), "without dtype, shape or data_offsets");
  check_has(of(R"({"x":{"dtype":"F32","dtype":"F32"}})", 8), "twice one");
  check_has(of("{\x1b[2J}", 0), "the header has '?' where '\"' was expected");
  check_has(of("[]", 0), "does not begin with '{'");
  check_has(of("{} x", 0), "something behind it");
  check_has(of(R"({"\ud800":1})", 0), "surrogate");
  check_has(of(R"({"\q":1})", 0), "unknown escape");
  check_has(refused(std::string(8, '\xff'), "safetensors"), "a header of more than 9.2e18 bytes");
  check_has(refused(std::string("\xff\xff\xff\0\0\0\0\0", 8), "safetensors"),
            "16777215 bytes of the header should follow, and 0 do");
  check_has(refused("x", "npy"), "arrays with names are read from npz, safetensors, gguf and csv");
}

TEST_CASE("hostile zip archives") {
  std::string const s = contents(sample("deflated.npz"));
  auto const changed = [&](char const* before, std::size_t at, std::string const& bytes_there) {
    std::string t = s;
    t.replace(t.rfind(std::string(before, 4)) + at, bytes_there.size(), bytes_there);
    return refused(t, "npz");
  };
  check_has(changed("PK\1\2", 24, "\xff\xff\xff\x7f"), "larger than deflate can make it");
  check_has(changed("PK\1\2", 16, "abcd"), "the checksum does not match");
  check_has(changed("PK\1\2", 10, "\x0c"), "neither stored nor deflated");
  check_has(changed("PK\1\2", 8, "\1"), "is encrypted");
  check_has(changed("PK\1\2", 42, "\xff\xff\xff\x7f"), "at byte 2147483647, where the file has");
  check_has(changed("PK\1\2", 20, "\xff\xff"), "the entries have more bytes than stand before their directory");
  check_has(changed("PK\5\6", 10, "\xfe\xff"), "a directory of 65534 entries");
  check_has(changed("PK\5\6", 12, "\xff\xff\xff\x7f"), "does not fit");
  check_has(changed("PK\5\6", 20, "\1"), "no end of a zip archive");
}

TEST_CASE("an archive that holds other files beside its arrays") {
  std::string all;
  rc::files::string_sink to(all);
  rc::files::zip_writer z(to);
  z.add("about.txt", "made ", "by hand", false);
  z.add("w.npy", {}, rc::io::to_bytes(rc::tensor<int, 2>{1, 2}, {.format = "npy"}), false);
  z.add("pictures/", {}, {}, false);
  z.add("b.npy", {}, rc::io::to_bytes(rc::tensor<int, 2>{3, 4}, {.format = "npy"}), false);
  z.finish();
  auto const found = rc::io::load_all(bytes(all), {.format = "npz"});
  REQUIRE(found.size() == 2);
  CHECK(static_cast<int const*>(found.at("w").data())[1] == 2);
  CHECK(static_cast<int const*>(found.at("b").data())[0] == 3);
  CHECK(rc::io::load<rc::tensor<int, 2>>(bytes(all), {.format = "npz", .name = "b"})(1) == 4);
  CHECK(raised([&] {
          rc::io::load(bytes(all), {.format = "npz", .name = "about.txt"});
        }).find("no array is called 'about.txt'; there are 'w', 'b'") != std::string::npos);
}

TEST_CASE("gguf, as its own writer has it: plain elements, and blocks, which become float32") {
  auto const here = [](char const* name) { return rc::io::load(sample("types.gguf"), {.name = name}); };
  CHECK(here("f4").dtype() == rc::dtype::float32);
  CHECK(here("f2").dtype() == rc::dtype::float16);
  CHECK(here("bf16").dtype() == rc::dtype::bfloat16);
  CHECK(here("i1").dtype() == rc::dtype::int8);
  for (char const* name : {"f4", "f2", "f8", "i1", "i2", "i4", "i8", "bf16"}) {
    INFO(name);
    rc::any_tensor const x = here(name);
    CHECK(x.shape() == rc::shape_t{2, {2, 3}});
    CHECK(bool(rc::all(rc::astype(rc::reshape(x, rc::shape(6)), rc::dtype::float64) ==
                       rc::any_tensor(rc::arange<double>(0, 6)))));
  }
  for (std::string const name : {"blk.0.Q8_0", "blk.0.Q4_0", "blk.0.Q4_1"}) {
    INFO(name);
    auto const x = rc::io::load<rc::ndarray<float, 2>>(sample("types.gguf"), {.name = name});
    auto const expected = rc::io::load<rc::tensor<float, 3, 64>>(sample("types.gguf"), {.name = name + ".plain"});
    CHECK(float(rc::max(rc::abs(x - expected))) < 1e-6f);
    CHECK(float(rc::max(rc::abs(expected))) > 1.f);
  }
  struct some {
    rc::tensor<float, 2, 3> f4;
    rc::ndarray<std::int16_t, 2> i2;
  };
  some s;
  rc::io::load(sample("types.gguf"), s, {.allow_more = true});
  CHECK(s.f4(1, 2) == 5);
  CHECK(s.i2(1, 0) == 3);
  check_has(raised([&] { here("k"); }), "k: elements of GGUF's type 14; F32");
  check_has(raised([&] { rc::io::save("x.gguf", s); }), "gguf is read, and not written");
  check_has(raised([&] { rc::io::save("x.gguf", s.f4); }), "gguf is read, and not written");
}

TEST_CASE("hostile gguf") {
  std::string const whole = contents(sample("types.gguf"));
  auto const f4 = [](std::string const& s) {
    return raised([&] { (void)rc::io::load(bytes(s), {.format = "gguf", .name = "f4"}); });
  };
  CHECK(f4(whole).empty());
  // (how many bytes the last array has is not known: it is of a type that is not read)
  for (std::size_t n = 0; n + 320 < whole.size(); ++n) {
    INFO(n);
    CHECK(!f4(whole.substr(0, n)).empty());
  }
  for (std::size_t n = 0; n < 1500; ++n)  // an error, or another name, shape or value: nothing worse
    for (int bit : {1, 128}) {
      std::string s = whole;
      s[n] = static_cast<char>(s[n] ^ bit);
      (void)f4(s);
    }
  auto const with = [&](std::size_t at, std::string const& there) {
    return whole.substr(0, at) + there + whole.substr(at + there.size());
  };
  check_has(f4(with(0, "GGML")), "begins with 'GGUF'");
  check_has(f4(with(4, std::string(1, '\1'))), "version 1 of GGUF");
  check_has(f4(with(8, std::string(8, '\xff'))), " arrays, and ");
  check_has(f4(with(16, std::string(8, '\x7f'))), " pairs of key and value, and ");
  std::stringstream stream(whole);
  check_has(raised([&] { (void)rc::io::load(stream, {.format = "gguf", .name = "f4"}); }), "not a stream");
}
