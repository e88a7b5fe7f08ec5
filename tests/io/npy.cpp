// npy: what NumPy wrote, round trips, other sources, mapped files, and what is refused.
#include <ricci/io.hpp>

#include <doctest/doctest.h>

#include "../raised.hpp"
#include "folder.hpp"

#include <fstream>
#include <sstream>
#include <thread>

namespace rc = ricci;

namespace {

template <class T>
T counted(rc::index_t k) {
  if constexpr (rc::is_complex_number<T>)
    return T(rc::component_t<T>(k), rc::component_t<T>(-k));
  else if constexpr (std::is_same_v<T, bool>)
    return k % 2 == 1;
  else
    return T(int(k));
}
template <class T>
bool is_counted(rc::any_tensor const& a) {
  if (a.dtype() != rc::dtype_of<T>) return false;
  for (rc::index_t k = 0; k < a.size(); ++k)
    if (static_cast<T const*>(a.data())[k] != counted<T>(k)) return false;
  return true;
}
template <class F, class... T>
void for_each_type(F const& f, rc::type_list<T...>) {
  (f(T{}), ...);
}

// A header of version 1.0 with that dictionary, and elements.
std::string npy(std::string dictionary, std::size_t bytes) {
  dictionary += '\n';
  std::string s("\x93NUMPY\1\0", 8);
  s += {char(dictionary.size() & 0xff), char(dictionary.size() >> 8)};
  return s + dictionary + std::string(bytes, '\0');
}
std::string of_type(std::string const& descr) {
  return "{'descr': " + descr + ", 'fortran_order': False, 'shape': (2,), }";
}
rc::files::byte_span bytes(std::string const& s) { return std::as_bytes(std::span(s)); }

}  // namespace

TEST_CASE("all element types, in either order of bytes, as NumPy writes them one behind the other") {
  std::ifstream f(sample("types.npys"), std::ios::binary);
  int read = 0;
  for_each_type(
      [&](auto zero) {
        using T = decltype(zero);
        if (std::is_same_v<T, rc::bfloat16>) return;
        for (int order = 0; order < 2; ++order, ++read) {
          rc::any_tensor const a = rc::io::load(f);
          INFO(rc::name_of(rc::dtype_of<T>));
          CHECK(a.rank() == 2);
          CHECK(is_counted<T>(a));
        }
      },
      rc::element_types{});
  CHECK(read == 28);
  CHECK(f.peek() == std::char_traits<char>::eof());
}

TEST_CASE("shapes, in either order of axes, also none and empty ones") {
  std::ifstream f(sample("shapes.npys"), std::ios::binary);
  std::vector<std::vector<rc::index_t>> const shapes{
      {}, {1}, {0}, {5}, {3, 4}, {2, 3, 4}, {2, 0, 3}, {2, 1, 3, 1, 2}, {40, 3, 35}};
  for (auto const& shape : shapes)
    for (int order = 0; order < 2; ++order) {
      rc::any_tensor const a = rc::io::load(f);
      CHECK(a.rank() == int(shape.size()));
      for (int k = 0; k < a.rank(); ++k) CHECK(a.shape(k) == shape[std::size_t(k)]);
      CHECK(is_counted<std::int16_t>(a));
    }
}

TEST_CASE("versions 1, 2 and 3") {
  std::ifstream f(sample("versions.npys"), std::ios::binary);
  for (int k = 0; k < 3; ++k) CHECK(rc::io::load<rc::tensor<double, 2, 2>>(f)(1, 1) == 3);
}

TEST_CASE("round trips through a file, a stream and bytes: static, mixed, dynamic, views, expressions, numbers") {
  folder const here;
  auto const path = here / "a.npy";
  rc::tensor<float, 2, 3> const a{{1, 2, 3}, {4, 5, 6}};
  rc::io::save(path, a);
  auto const same = [&](auto const& b) { return bool(rc::all(b == a)) && b.shape(0) == 2 && b.shape(1) == 3; };
  CHECK(same(rc::io::load<rc::tensor<float, 2, 3>>(path)));
  CHECK(same(rc::io::load<rc::tensor<float, rc::dyn, 3>>(path)));
  CHECK(same(rc::io::load<rc::tensor<float, rc::dim<"n">, rc::dim<"m">>>(path)));
  CHECK(same(rc::io::load<rc::ndarray<float, 2>>(path)));
  std::stringstream s;
  rc::io::save(s, a);
  rc::io::save(s, a + 1.f);
  CHECK(same(rc::io::load<rc::ndarray<float, 2>>(s)));
  CHECK(same(rc::io::load<rc::ndarray<float, 2>>(s) - 1.f));
  CHECK(same(rc::io::load<rc::ndarray<float, 2>>(bytes(rc::io::to_bytes(a)))));
  rc::io::save(path, rc::permute_dims(a, rc::axes<1, 0>));
  CHECK(same(rc::permute_dims(rc::io::load<rc::ndarray<float, 2>>(path), rc::axes<1, 0>)));
  rc::io::save(path, a(1, rc::range(0, rc::end, 2)));
  CHECK(rc::io::load<rc::tensor<float, 2>>(path)(1) == 6);
  rc::io::save(path, rc::any_tensor(a));
  CHECK(same(rc::io::load<rc::ndarray<float, 2>>(path)));
  rc::io::save(path, 2.5);
  CHECK(rc::io::load<double>(path) == 2.5);
  CHECK(rc::io::load<rc::tensor<double>>(path).item() == 2.5);
  rc::io::save(path, rc::ndarray<float, 2>(0, 3));
  CHECK(rc::io::load<rc::ndarray<float, 2>>(path).shape(1) == 3);
  rc::tensor<double, 200, 100> const large = rc::reshape(rc::arange<double>(0, 20000), rc::shape(200, 100));
  rc::io::save(path, large);
  CHECK(bool(rc::all(rc::io::load<rc::tensor<double, 200, 100>>(path) == large)));  // static, and on the heap
}

TEST_CASE("in place, where a tensor has the shape of the file") {
  folder const here;
  auto const path = here / "a.npy";
  rc::ndarray<double, 2> const a{{1, 2}, {3, 4}};
  rc::io::save(path, a);
  rc::ndarray<double, 2> b(2, 2);
  double const* const before = b.data();
  rc::io::load(path, b, {.in_place = true});
  CHECK(bool(rc::all(a == b)));
  CHECK(b.data() == before);
  rc::ndarray<double, 2> c(3, 2);
  rc::io::load(path, c, {.in_place = true});
  CHECK(bool(rc::all(a == c)));
  rc::tensor<double, 2, 2> d;
  std::ofstream(path, std::ios::binary) << npy("{'descr': '>f8', 'fortran_order': False, 'shape': (2, 2), }", 31)
                                        << '\1';
  rc::io::load(path, d, {.in_place = true});
  CHECK(d(1, 1) == 0x1p-1074);
  std::ofstream(path, std::ios::binary) << npy("{'descr': '>f8', 'fortran_order': True, 'shape': (2, 2), }", 23) << '\1'
                                        << std::string(8, '\0');
  rc::io::load(path, d, {.in_place = true});
  CHECK(d(0, 1) == 0x1p-1074);
  rc::tensor<float, 2, 2> e = 5;
  CHECK(raised([&] { rc::io::load(path, e, {.in_place = true}); }).find("not float32 as asked for") !=
        std::string::npos);
  std::ofstream(path, std::ios::binary) << npy("{'descr': '>f8', 'fortran_order': False, 'shape': (2, 2), }", 33);
  CHECK(raised([&] { rc::io::load(path, d, {.in_place = true}); }).find("1 bytes behind the array") !=
        std::string::npos);
  CHECK(d(0, 1) == 0x1p-1074);
#if __has_include(<sys/stat.h>)
  // a pipe, from which nothing comes a second time
  auto const pipe = here / "pipe.npy";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  std::thread writer([&] { std::ofstream(pipe, std::ios::binary) << rc::io::to_bytes(a); });
  rc::ndarray<double, 2> f(2, 2);
  rc::io::load(pipe, f, {.in_place = true});
  writer.join();
  CHECK(bool(rc::all(a == f)));
#endif
}

TEST_CASE("every element type makes a round trip, but bfloat16, which npy has not") {
  for_each_type(
      [&](auto zero) {
        using T = decltype(zero);
        rc::ndarray<T, 1> a(7);
        for (int k = 0; k < 7; ++k) a.data()[k] = counted<T>(k);
        if (std::is_same_v<T, rc::bfloat16>)
          CHECK(raised([&] { rc::io::to_bytes(a); }) ==
                "io_error: string: npy has no bfloat16: save it as .safetensors, or rc::astype<float> of it");
        else
          CHECK(is_counted<T>(rc::io::load(bytes(rc::io::to_bytes(a)))));
      },
      rc::element_types{});
}

TEST_CASE("a mapped file is a view, which outlives the name") {
  folder const here;
  auto const path = here / "a.npy";
  rc::ndarray<double, 2> const a = rc::reshape(rc::arange<double>(0, 24), rc::shape(6, 4));
  rc::io::save(path, a);
  auto const m = rc::io::map<rc::tensor<double, rc::dyn, 4>>(path);
  static_assert(decltype(m)::extents::extent(1) == 4 && std::is_same_v<decltype(m.data()), double const*>);
  auto const row = [&] { return rc::io::map<rc::ndarray<double, 2>>(path)(5); }();
  std::filesystem::remove(path);
  CHECK(row(3) == 23);
  CHECK(double(rc::sum(m)) == 276);
  rc::io::save(path, rc::ndarray<double, 1>(0));
  CHECK(rc::io::map<rc::ndarray<double, 1>>(path).shape(0) == 0);
  rc::io::save(path, 3.0);
  CHECK(rc::io::map(path).item<double>() == 3);
  auto const with = [&](std::string const& contents) {
    std::ofstream(path, std::ios::binary) << contents;
    return raised([&] { rc::io::map(path); });
  };
  CHECK(with(npy("{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }", 16)).find("order of bytes") !=
        std::string::npos);
  CHECK(with(npy("{'descr': '<f8', 'fortran_order': True, 'shape': (2, 2), }", 32)).find("Fortran order") !=
        std::string::npos);
  CHECK(with(npy("{'descr': '<f8', 'fortran_order': False, 'shape': (2,), }", 16)).find("not aligned") !=
        std::string::npos);
  std::string two = npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", 2);
  two.back() = '\2';
  CHECK(with(two).find("neither 0 nor 1") != std::string::npos);
  CHECK(rc::io::load<rc::tensor<bool, 2>>(path)(1) == true);
}

TEST_CASE("types that are none of the library's are refused by name") {
  CHECK(raised([] { rc::io::load(sample("objects.npy")); }).find("type '|O', Python objects") != std::string::npos);
  CHECK(raised([] { rc::io::load(sample("structured.npy")); }).find("a structured type") != std::string::npos);
  CHECK(raised([] { rc::io::load(sample("text.npy")); }).find("type '<U2', which is text") != std::string::npos);
  CHECK(raised([] { rc::io::load(sample("dates.npy")); }).find("dates or times") != std::string::npos);
  for (char const* t : {"'<f16'", "'<c32'", "'f8'", "''", "'<'", "'|V2'", "'<i3'", "'*f4'"}) {
    INFO(t);
    CHECK(raised([&] { rc::io::load(bytes(npy(of_type(t), 64))); }).find("type '") != std::string::npos);
  }
}

TEST_CASE("what does not fit the type is named with both, and the target stays as it was") {
  folder const here;
  auto const path = here / "a.npy";
  rc::io::save(path, rc::ndarray<double, 3>(2, 3, 4));
  rc::tensor<double, 2, 3, 5> target = 7.;
  auto const ends = [](std::string const& s, std::string const& end) {
    INFO(s);
    return s.size() > end.size() && s.substr(s.size() - end.size()) == end;
  };
  CHECK(ends(raised([&] { rc::io::load(path, target); }), "a.npy: the shape is (2, 3, 4), not (2, 3, 5) as asked for"));
  CHECK(bool(rc::all(target == 7.)));
  CHECK(ends(raised([&] { rc::io::load<rc::ndarray<double, 2>>(path); }),
             "the shape is (2, 3, 4), not (?, ?) as asked for"));
  CHECK(ends(raised([&] { rc::io::load<rc::ndarray<float, 3>>(path); }),
             "elements are float64 and shape (2, 3, 4), not float32 as asked for"));
  CHECK(ends(raised([&] { rc::io::load<rc::tensor<double, 2, rc::dim<"n">, rc::dim<"n">>>(path); }),
             "the shape is (2, 3, 4), not (2, ?, ?) as asked for"));
  CHECK(ends(raised([&] { rc::io::load<double>(path); }), "not () as asked for"));
  CHECK(
      ends(raised([&] { rc::io::load(here / "none.npy"); }), "none.npy: cannot be opened: No such file or directory"));
  CHECK(ends(raised([&] { rc::io::load(here / "a.xyz"); }), "cannot be opened: No such file or directory"));
}

TEST_CASE("truncated and hostile headers are errors, and nothing is allocated for them") {
  std::string const whole = rc::io::to_bytes(rc::tensor<float, 3>{1, 2, 3});
  for (std::size_t n = 0; n < whole.size(); ++n) {
    INFO(n);
    CHECK(raised([&] { rc::io::load(bytes(whole.substr(0, n))); }).find("io_error: bytes: byte ") == 0);
    std::istringstream s(whole.substr(0, n));
    CHECK(raised([&] { rc::io::load(s); }).find("io_error: stream: byte ") == 0);
  }
  CHECK(raised([&] { rc::io::load(bytes(whole + "x")); }) == "io_error: bytes: byte 140: 1 bytes behind the array");
  auto const of = [](std::string const& dictionary) {
    return raised([&] { rc::io::load(bytes(npy(dictionary, 16))); });
  };
  auto const has = [&](std::string const& dictionary, char const* part) {
    auto const text = of(dictionary);
    INFO(text);
    return text.find(part) != std::string::npos;
  };
  std::string const start = "{'descr': '<f8', 'fortran_order': False, 'shape': ";
  CHECK(of(start + "(2,)}") == "");
  CHECK(of("{\"shape\": (2L,), 'fortran_order': True,'descr':'<f8'}") == "");
  CHECK(has(start + "(9999999999, 9999999999)}", "larger than memory can be"));
  CHECK(has(start + "(0, 9999999999, 9999999999)}", "larger than memory can be"));
  CHECK(has(start + "(1152921504606846977,)}", "above 2^60"));
  CHECK(has(start + "(1000000000,)}", "8000000000 bytes of the array of that header should follow, and 16 do"));
  CHECK(has(start + "(1,1,1,1,1,1,1,1,1,1,1,1,2)}", "more than 12 axes"));
  CHECK(has(start + "(-2,)}", "no list of extents"));
  CHECK(has(start + "(2)}", "no tuple"));
  CHECK(has(start + "(2 2)}", "was expected"));
  CHECK(has(start + "(2,)", "its end where ',' was expected"));
  CHECK(has(start + "(2,), 'x': 1}", "key 'x'"));
  CHECK(has(start + "(2,), 'shape': (2,)}", "key 'shape'"));
  CHECK(has(start + "(2,)} x", "more text"));
  CHECK(has("{'descr': '<f8', 'shape': (2,)}", "no fortran_order"));
  CHECK(has("{'descr': '<f8', 'fortran_order': 0, 'shape': (2,)}", "neither True nor False"));
  CHECK(has("{'descr: <f8", "does not end"));
  std::string long_header("\x93NUMPY\2\0\xff\xff\xff\x7f", 12);
  CHECK(raised([&] { rc::io::load(bytes(long_header)); }).find("a header of 2147483647 bytes") != std::string::npos);
  long_header[6] = 9;
  CHECK(raised([&] { rc::io::load(bytes(long_header)); }).find("version 9.0 of npy") != std::string::npos);
  // a stream of unknown length does not get what it claims either
  std::istringstream s(npy(start + "(100000000000,)}", 16));
  CHECK(raised([&] { rc::io::load(s); }).find("it ends after 16 of the 16777216 bytes") != std::string::npos);
}
