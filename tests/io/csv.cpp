// Tables as text: round trips, what others write, and what is refused with its line and column.
#include <ricci/io.hpp>

#include <doctest/doctest.h>

#include "../raised.hpp"
#include "folder.hpp"

#include <fstream>
#include <random>
#include <sstream>

namespace rc = ricci;

namespace {

template <class T = rc::ndarray<double, 2>>
T read(std::string const& text, rc::io::load_options o = {}) {
  o.format = "csv";
  return rc::io::load<T>(std::as_bytes(std::span(text)), o);
}
template <class T = rc::ndarray<double, 2>>
void refuses(std::string const& text, char const* part, rc::io::load_options const& o = {}) {
  auto const said = raised([&] { read<T>(text, o); });
  INFO(said);
  CHECK(said.find(part) != std::string::npos);
}

}  // namespace

TEST_CASE("what NumPy wrote") {
  auto const a = rc::io::load<rc::tensor<double, 3, 4>>(sample("table.csv"), {.skip_rows = 1});
  CHECK(a(2, 3) == 11. / 8);
  auto const b = rc::io::load<rc::ndarray<std::int16_t, 2>>(sample("table.txt"));
  CHECK(b.shape(0) == 3);
  CHECK(b(2, 3) == 11);
  rc::any_tensor const c = rc::io::load(sample("table.txt"));
  CHECK(c.dtype() == rc::dtype::float64);
  CHECK(rc::io::load(sample("table.txt"), {.dtype = rc::dtype::uint8}).dtype() == rc::dtype::uint8);
}

TEST_CASE("lines, spaces, signs and words") {
  auto const a = read("1, 2.5 ,-3e2\r\n\n +4,inf,nan\n");
  CHECK(a.shape(0) == 2);
  CHECK(a(0, 2) == -300);
  CHECK(a(1, 0) == 4);
  CHECK(a(1, 1) > 1e308);
  CHECK(a(1, 2) != a(1, 2));
  CHECK(read("1;2", {.delimiter = ';'}).shape(1) == 2);
  CHECK(read("1\t 2\n3\t4", {.delimiter = '\t'})(1, 1) == 4);
  CHECK(read("  1   2\t3  \n", {.delimiter = ' '}).shape(1) == 3);
  CHECK(read<rc::ndarray<bool, 2>>("1,0,true,FALSE")(0, 2));
  CHECK(read<rc::ndarray<std::uint64_t, 2>>("18446744073709551615")(0, 0) == ~std::uint64_t(0));
  CHECK(read<rc::ndarray<double, 1>>("1\n2\n3").shape(0) == 3);
  CHECK(read<double>("7") == 7);
  CHECK(float(read<rc::ndarray<rc::float16, 2>>("0.5")(0, 0)) == 0.5f);
  // rounded once: a little more than the middle between 1 and the next number
  CHECK(float(read<rc::ndarray<rc::float16, 2>>("1.00048828126")(0, 0)) == 1.0009765625f);
  CHECK(float(read<rc::ndarray<rc::bfloat16, 2>>("1.0039062500001")(0, 0)) == 1.0078125f);
  CHECK(read("").shape(0) == 0);
  CHECK(read("a,b", {.skip_rows = 1}).size() == 0);
}

TEST_CASE("quotes, a byte order mark, missing values") {
  auto const a = read("\xef\xbb\xbf\"1\", \" 2.5 \" ,3\r\n4,\"5\",\"6\"");
  CHECK(bool(rc::all(a == rc::tensor<double, 2, 3>{{1, 2.5, 3}, {4, 5, 6}})));
  CHECK(read("\"1\" \"2\"  3\t\"4\"", {.delimiter = ' '}).shape(1) == 4);
  CHECK(read<rc::ndarray<bool, 2>>("\"true\",\"0\"")(0, 0));
  CHECK(read("\xef\xbb\xbf").shape(0) == 0);
  auto const b = read("1,,NA\n-999, \"\" ,6\n,2,", {.missing = {"", "NA", "-999"}});
  rc::tensor<bool, 3, 3> const is_missing{{false, true, true}, {true, true, false}, {true, false, true}};
  CHECK(bool(rc::all((b != b) == is_missing)));
  CHECK(b(2, 1) == 2);
  auto const c = read<rc::ndarray<rc::float16, 2>>("1,-", {.missing = {"-"}});
  CHECK(float(c(0, 1)) != float(c(0, 1)));
  // empty cells alone, of a byte each: more of them than half the bytes of the text
  std::string commas, names = "a,b\n";
  for (int k = 0; k < 200; ++k) commas += std::string(99, ',') + "\n", names += ",\n";
  auto const d = read(commas, {.missing = {""}});
  CHECK(d.shape(0) == 200);
  CHECK(d.shape(1) == 100);
  CHECK(bool(rc::all(d != d)));
  CHECK(read(names, {.columns = {"b", "a"}, .missing = {""}}).shape(0) == 200);
  CHECK(read(",", {.missing = {""}}).shape(1) == 2);
}

TEST_CASE("numbers are read as they were, to the last bit") {
  std::mt19937_64 random(1);
  std::string text;
  rc::ndarray<double, 2> a(500, 4);
  for (double& x : a) do
      x = std::bit_cast<double>(random());
    while (x != x || x - x != 0);
  for (rc::index_t k = 0; k < 500; ++k) a(k, 1) = double(std::int64_t(random()) >> (random() % 64));
  for (rc::index_t k = 0; k < 500; ++k) a(k, 2) = double(random() % 100000) / 1000;
  CHECK(bool(rc::all(read(rc::io::to_bytes(a, {.format = "csv"})) == a)));
  rc::ndarray<float, 2> b(500, 2);
  for (float& x : b) do
      x = std::bit_cast<float>(std::uint32_t(random()));
    while (x != x || x - x != 0);
  for (rc::index_t k = 0; k < 500; ++k) b(k, 1) = float(random() % 1000000) / 1000;
  CHECK(bool(rc::all(read<rc::ndarray<float, 2>>(rc::io::to_bytes(b, {.format = "csv"})) == b)));
  // decimal forms, against the C library
  for (int k = 0; k < 20000; ++k) {
    std::string s = std::to_string(random() >> (random() % 64));
    if (k % 2) s.insert(random() % (s.size() + 1), ".");
    if (k % 3 == 0) s += "e" + std::to_string(int(random() % 60) - 30);
    INFO(s);
    double x = 0;
    float f = 0;
    CHECK(rc::files::read_cell(s.data(), s.data() + s.size(), x) == rc::files::cell_error::none);
    CHECK(x == std::strtod(s.c_str(), nullptr));
    float const expected = std::strtof(s.c_str(), nullptr);
    bool const is_finite = expected - expected == 0;
    auto const found = rc::files::read_cell(s.data(), s.data() + s.size(), f);
    CHECK(found == (is_finite ? rc::files::cell_error::none : rc::files::cell_error::out_of_range));
    if (is_finite) CHECK(f == expected);
  }
}

TEST_CASE("errors name line and column") {
  refuses("1,2\n3,x\n", "line 2, column 2: 'x' is no float64");
  refuses("# c\n\n1,2\n3,\n", "line 4, column 2: an empty cell, where float64 was expected", {.skip_rows = 1});
  refuses("1,2\n\n3\n", "line 3: 1 columns, where line 1 has 2");
  refuses("1,2\n3,4,5\n", "line 2: 3 columns, where line 1 has 2");
  refuses("1.5e\n", "'1.5e' is no float64");
  refuses("1e999", "'1e999' is out of the range of float64");
  refuses("--1", "is no float64");
  refuses("+-1", "is no float64");
  refuses(".", "is no float64");
  refuses("1 2", "is no float64");
  refuses("\"1", "'\"1' is no float64");
  refuses("\"1\"2,3", "'\"1\"2' is no float64");
  refuses("1,\"1,5\"", "column 2: '1,5' is no float64");
  refuses("1,\"\"", "column 2: an empty cell");
  refuses("1,NA", "'NA' is no float64", {.missing = {"", "n/a"}});
  refuses("1,", "column 2: an empty cell", {.missing = {"NA"}});
  refuses<rc::ndarray<int, 2>>("1,2", "the option missing makes NaN of cells, and int32 has none", {.missing = {""}});
  refuses("0x10", "is no float64");
  refuses<rc::ndarray<std::int8_t, 2>>("127,128", "column 2: '128' is out of the range of int8");
  refuses<rc::ndarray<rc::float16, 2>>("70000", "'70000' is out of the range of float16");
  refuses<rc::ndarray<std::uint8_t, 2>>("-1", "'-1' is no uint8");
  refuses<rc::ndarray<std::int32_t, 2>>("1.0", "'1.0' is no int32");
  refuses<rc::ndarray<bool, 2>>("2", "'2' is no bool");
  refuses<rc::ndarray<std::complex<float>, 2>>("2", "csv has no complex numbers");
  refuses<rc::ndarray<double, 1>>("1,2", "the shape is (1, 2), not (?,) as asked for");
  refuses<rc::tensor<double, 2, 2>>("1,2", "the shape is (1, 2), not (2, 2) as asked for");
  refuses("1", "the delimiter '.' stands in numbers", {.delimiter = '.'});
  refuses<rc::ndarray<std::int16_t, 2>>("-32768,-32769", "column 2: '-32769' is out of the range of int16");
  refuses<rc::ndarray<std::uint16_t, 2>>("65535,65536", "column 2: '65536' is out of the range of uint16");
  CHECK(read<rc::ndarray<std::int8_t, 2>>("-128,127")(0, 0) == -128);
  refuses("1\n2", "it has 2 lines, where 4 are to be skipped", {.skip_rows = 4});
  refuses("1\n2", "the option skip_rows is -7", {.skip_rows = -7});
  refuses(std::string(100, 'x'), "xxx...' is no float64");
}

TEST_CASE("what is written") {
  rc::tensor<float, 2, 2> const a{{1, .1f}, {-2, 1e10f}};
  CHECK(rc::io::to_bytes(a, {.format = "csv", .header = {"p", "a,\"b\""}}) == "p,\"a,\"\"b\"\"\"\n1,0.1\n-2,1e+10\n");
  CHECK(rc::io::to_bytes(rc::tensor<bool, 2>{true, false}, {.format = "csv"}) == "1\n0\n");
  CHECK(rc::io::to_bytes(2.5, {.format = "csv"}) == "2.5\n");
  folder const here;
  rc::io::save(here / "a.tsv", a);
  std::ifstream f(here / "a.tsv");
  std::string line;
  std::getline(f, line);
  CHECK(line == "1\t0.1");
  CHECK(bool(rc::all(rc::io::load<rc::tensor<float, 2, 2>>(here / "a.tsv") == a)));
  // compressed by gzip, as others write it and as it is written here
  std::string packed("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);
  std::string const text = "1,2\n3,4\n";
  packed += rc::files::in_stored_blocks(text.data(), rc::index_t(text.size()));
  auto const append = [&](std::uint32_t x) {
    for (int k = 0; k < 32; k += 8) packed += char(x >> k & 0xff);
  };
  append(rc::files::crc32(0, text.data(), rc::index_t(text.size()))), append(std::uint32_t(text.size()));
  std::ofstream(here / "b.csv.gz", std::ios::binary) << packed;
  rc::tensor<double, 2, 2> const b{{1, 2}, {3, 4}};
  CHECK(bool(rc::all(rc::io::load<rc::tensor<double, 2, 2>>(here / "b.csv.gz") == b)));
  CHECK(bool(rc::all(read<rc::tensor<double, 2, 2>>(packed) == b)));
  refuses(packed.substr(0, packed.size() - 3), "the compressed data are cut off");
  CHECK(bool(rc::all(read<rc::tensor<double, 2, 2>>(packed + std::string(600, '\0')) == b)));
  CHECK(read<rc::ndarray<double, 2>>(packed + std::string(3, '\0') + packed).shape(0) == 4);
  refuses(packed + std::string(600, '\0') + "x", "the compressed data are cut off");
  if constexpr (rc::files::has_zlib) {
    rc::io::save(here / "a.tsv.gz", a);
    CHECK(bool(rc::all(rc::io::load<rc::tensor<float, 2, 2>>(here / "a.tsv.gz") == a)));
    CHECK(std::ifstream(here / "a.tsv.gz").get() == 0x1f);
  }
  CHECK(raised([&] { rc::io::save(here / "a.csv", a, {.header = {"p"}}); }).find("a header of 1 names for 2 columns") !=
        std::string::npos);
  CHECK(raised([&] {
          rc::io::save(here / "a.csv", rc::ndarray<float, 3>(1, 2, 3));
        }).find("(1, 2, 3) has more than 2 axes") != std::string::npos);
  CHECK(!std::filesystem::exists(here / "a.csv"));
  CHECK(raised([&] {
          rc::io::to_bytes(rc::ndarray<float, 2>(3, 0), {.format = "csv"});
        }).find("csv has no rows without cells, as an array of shape (3, 0) has") != std::string::npos);
  // names that are read as they were written
  for (char const delimiter : {',', ' ', '\t'}) {
    std::vector<std::string> const names{" a ", "b\r", "\tc\td", "", "\"", " e\"\"f", "g, h", "\r"};
    rc::tensor<double, 1, 8> const row{{1, 2, 3, 4, 5, 6, 7, 8}};
    auto const written = rc::io::to_bytes(row, {.format = "csv", .delimiter = delimiter, .header = names});
    INFO(written);
    CHECK(bool(rc::all(read(written, {.delimiter = delimiter, .columns = names}) == row)));
  }
  CHECK(read(rc::io::to_bytes(rc::tensor<double, 1>{7}, {.format = "csv", .header = {""}}), {.columns = {""}})(0, 0) ==
        7);
}

TEST_CASE("options of other formats") {
  rc::tensor<float, 2> const a{1, 2};
  auto const npy = rc::io::to_bytes(a);
  auto const says = [](auto const& f, char const* part) {
    auto const said = raised(f);
    INFO(said);
    CHECK(said.find(part) != std::string::npos);
  };
  auto const loads = [&](rc::io::load_options const& o) {
    return [&] { (void)rc::io::load(std::as_bytes(std::span(npy)), o); };
  };
  says(loads({.name = "w"}), "the option name asks for 'w', and this format has no names");
  says(loads({.delimiter = ';'}), "the option delimiter is one of csv; this is another format");
  says(loads({.skip_rows = 1}), "the option skip_rows is one of csv");
  says(loads({.columns = {"a"}}), "the option columns is one of csv");
  says(loads({.missing = {""}}), "the option missing is one of csv");
  says(loads({.dtype = rc::dtype::int8}), "the option dtype is one of csv and raw");
  says(loads({.offset = 3}), "the option offset is one of raw");
  auto const saves = [&](rc::io::save_options const& o) { return [&] { (void)rc::io::to_bytes(a, o); }; };
  says(saves({.delimiter = ';'}), "the option delimiter is one of csv");
  says(saves({.header = {"a"}}), "the option header is one of csv");
  says(saves({.compress = true}), "the option compress is one of npz");
  says(saves({.rate = 8000}), "the option rate is one of wav");
  says(saves({.quality = 1}), "the option quality is one of jpeg");
  folder const here;
  rc::io::save(here / "a.npy", a);
  says([&] { (void)rc::io::map(here / "a.npy", {.name = "w"}); }, "this format has no names");
  rc::ndarray<float, 1> into(2);
  says([&] { rc::io::load(here / "a.npy", into, {.in_place = true, .offset = 1}); }, "the option offset is one of raw");
  says(loads({.allow_more = true}), "the option allow_more is one of npz, safetensors, gguf and csv");
  rc::io::save(here / "a.csv", a);
  says([&] { rc::io::load(here / "a.csv", into, {.in_place = true}); }, "the option in_place is one of npy");
  std::map<std::string, rc::any_tensor> const two{{"w", rc::any_tensor(a)}, {"v", rc::any_tensor(a)}};
  rc::io::save(here / "a.npz", two);
  says([&] { (void)rc::io::load_all(here / "a.npz", {.name = "w"}); }, "asks for 'w', where all arrays are read");
  struct {
    rc::tensor<float, 2> w;
  } one;
  says([&] { rc::io::load(here / "a.npz", one, {.name = "w", .allow_more = true}); }, "no array is called 'w.w'");
}

namespace {
struct measured {
  rc::ndarray<double, 1> y, x;
  rc::ndarray<std::int32_t, 1> n;
};
}  // namespace

TEST_CASE("columns by name") {
  std::string const text =
      "# made by hand\n\n x , \"y, in m\",n,\"a \"\"b\"\"\"\r\n1,2.5,3,first\n\n4,-5,6,\"two, \"\"2\"\"\"\n";
  rc::io::load_options o{.skip_rows = 1, .columns = {"y, in m", "x"}};
  auto const a = read(text, o);
  CHECK(bool(rc::all(a == rc::tensor<double, 2, 2>{{2.5, 1}, {-5, 4}})));
  o.columns = {"n"};
  CHECK(read<rc::tensor<int, 2>>(text, o)(1) == 6);
  CHECK(read<rc::ndarray<std::uint8_t, 2>>(text, o).shape(1) == 1);
  CHECK(read<rc::any_tensor>(text, o).shape().rank == 2);
  refuses(text, "no column has the name 'z'; there are 'x', 'y, in m', 'n', 'a \"b\"'",
          {.skip_rows = 1, .columns = {"x", "z"}});
  refuses(text, "the option columns names 'x' twice", {.skip_rows = 1, .columns = {"x", "x"}});
  refuses(text, "line 4, column 'a \"b\"': 'first' is no float64", {.skip_rows = 1, .columns = {"n", "a \"b\""}});
  refuses("a,b,a\n1,2,3", "two columns have the name 'a'", {.columns = {"a"}});
  CHECK(read("a,b,a\n1,2,3", {.columns = {"b"}})(0, 0) == 2);
  refuses("a,b\n1,2\n3\n", "line 3: 1 columns, where line 1 has 2", {.columns = {"a"}});
  refuses("a,b,c\n1", "line 2: 1 columns, where line 1 has 3", {.columns = {"c", "b", "a"}});
  refuses("a\n1,2\n", "line 2: 2 columns, where line 1 has 1", {.columns = {"a"}});
  refuses("\n \n", "no line with the names of columns", {.columns = {"a"}});
  refuses("a,b,c,d,e,f,g,h,i,j", "'g', 'h' and 2 more", {.columns = {"k"}});
  CHECK(read("a,b\n", {.columns = {"b"}}).shape(0) == 0);
  // what stands for missing values does so in columns that are read
  refuses("a,b\n,1\n,2\n", "line 2, column 'a': an empty cell", {.columns = {"b", "a"}});
  auto const missing = read("a,b\n,1\n7,2\n", {.columns = {"b", "a"}, .missing = {""}});
  CHECK(missing(0, 0) == 1);
  CHECK(missing(0, 1) != missing(0, 1));
  CHECK(missing(1, 1) == 7);
  CHECK(read("a\tb\n\t1\n", {.delimiter = '\t', .columns = {"b"}})(0, 0) == 1);
  CHECK(read("a   b\n5  6\n", {.delimiter = ' ', .columns = {"b"}})(0, 0) == 6);
  // quotes that are not closed in their line, also where they are passed over
  char const* const open = "a quote that is not closed in its line; a cell of several lines is not read";
  refuses("a,t\n1,\"x\n3,y\"\n2,z\n", open, {.columns = {"a"}});
  refuses("a,\"t\nu\"\n1,2\n", open, {.columns = {"a"}});
  CHECK(read("a,t\n1,\"x\"\n2,5\" z\n", {.columns = {"a"}}).shape(0) == 2);
  // many rows, whose columns come in another order
  std::string many = "p,q,r\n";
  for (int k = 0; k < 3000; ++k)
    many += std::to_string(k) + ",text " + std::to_string(k) + "," + std::to_string(-k) + "\n";
  auto const b = read<rc::ndarray<int, 2>>(many, {.columns = {"r", "p"}});
  REQUIRE(b.shape(0) == 3000);
  CHECK(bool(rc::all(b(rc::all, 1) == rc::arange<int>(0, 3000)) && rc::all(b(rc::all, 0) == -b(rc::all, 1))));
}

TEST_CASE("records of columns") {
  folder const here;
  std::ofstream(here / "m.csv") << "n,x,name,y\n1,0.5,a,\n2,1.5,b,3\n";
  auto const m = rc::io::load<measured>(here / "m.csv", {.allow_more = true, .missing = {""}});
  CHECK(m.n(1) == 2);
  CHECK(m.x(1) == 1.5);
  CHECK(m.y(0) != m.y(0));
  auto const all = rc::io::load_all(here / "m.csv", {.columns = {"x", "n"}});
  CHECK(all.size() == 2);
  CHECK(all.at("x").as<double, 1>()(1) == 1.5);
  auto const says = [&](rc::io::load_options const& o, char const* part) {
    auto const said = raised([&] { rc::io::load<measured>(here / "m.csv", o); });
    INFO(said);
    CHECK(said.find(part) != std::string::npos);
  };
  says({.missing = {""}}, "column 'name' is no member of the record");
  says({.allow_more = true}, "line 2, column 'y': an empty cell");
  std::ofstream(here / "m.csv") << "n,x\n,0.5\n";
  says({.missing = {""}}, "no column is called 'y'; there are 'n', 'x'");
  std::ofstream(here / "m.csv") << "n,x,y\n,0.5,1\n";
  says({.missing = {""}}, "line 2, column 'n': an empty cell, where int32 was expected");
}
