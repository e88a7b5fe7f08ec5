// Images and tables from files that are written here.
#include <doctest/doctest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <ricci/autodiff/functions.hpp>
#include <ricci/data/batches.hpp>
#include <ricci/data/columns.hpp>
#include <ricci/data/images.hpp>
#include <ricci/io/save.hpp>

#include "raised.hpp"

namespace rc = ricci;
namespace data = ricci::data;
namespace fs = std::filesystem;

namespace {

struct folder {  // for the files of a test
  fs::path path = fs::temp_directory_path() / "ricci_data_readers";
  folder() {
    fs::remove_all(path);
    fs::create_directories(path);
  }
  ~folder() { fs::remove_all(path); }
  std::string operator/(char const* name) const { return (path / name).string(); }
};
void write(std::string const& path, std::string const& text) { std::ofstream(path, std::ios::binary) << text; }
// what is raised, from the place in the file on
std::string said(auto const& f) {
  auto const s = raised(f);
  auto const name = s.rfind("ricci_data_readers/");
  return name == std::string::npos ? s : s.substr(name + 19);
}

}  // namespace

TEST_CASE("IDX: images from 0 to 1 in the order that is asked for, and labels") {
  folder const here;
  rc::ndarray<std::uint8_t, 3> pixels(5, 4, 3);
  for (rc::index_t n = 0; n < 5; ++n)
    for (rc::index_t i = 0; i < 4; ++i)
      for (rc::index_t j = 0; j < 3; ++j) pixels(n, i, j) = std::uint8_t(51 * n + i + j);
  rc::ndarray<std::uint8_t, 1> const labels{3, 1, 4, 1, 5};
  rc::io::save(here / "images.idx", pixels);
  rc::io::save(here / "labels-ubyte", labels);
  // by gzip, as MNIST's files are, under any name: one block that is stored (RFC 1951, 1952)
  std::ifstream file(here / "images.idx", std::ios::binary);
  std::string const plain((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  auto const number = [](std::uint64_t x, int bytes) {
    std::string t;
    for (int k = 0; k < bytes; ++k) t += static_cast<char>(x >> 8 * k & 0xff);
    return t;
  };
  auto const n = plain.size();
  write(here / "images.gz", std::string("\x1f\x8b\x08\0\0\0\0\0\0\xff\x01", 11) + number(n, 2) +
                                number(~n & 0xffff, 2) + plain +
                                number(rc::files::crc32(0, plain.data(), rc::index_t(n)), 4) + number(n, 4));
  auto const all = data::read_idx(here / "images.gz", here / "labels-ubyte");
  auto const images = data::read_idx<4>(here / "images.idx", here / "labels-ubyte").images;
  CHECK(all.images.shape(1) == 12);
  CHECK(images.shape(3) == 1);
  for (rc::index_t k = 0; k < 5; ++k) {
    CHECK(int(all.labels(k)) == int(labels(k)));
    for (rc::index_t i = 0; i < 4; ++i)
      for (rc::index_t j = 0; j < 3; ++j) {
        CHECK(float(all.images(k, 3 * i + j)) == float(51 * k + i + j) / 255.f);
        CHECK(float(images(k, i, j, 0)) == float(all.images(k, 3 * i + j)));
      }
  }
  auto const [training, held_out] = data::split(all, .4f, rc::random::key(2));
  CHECK(held_out.images.shape(0) == 2);
  rc::io::save(here / "few-ubyte", rc::ndarray<std::uint8_t, 1>{1, 2});
  CHECK(said([&] { data::read_idx(here / "images.idx", here / "few-ubyte"); }) == "few-ubyte");
  CHECK(raised([&] { data::read_idx(here / "images.idx", here / "few-ubyte"); }).find("5 images, and 2 labels in ") !=
        std::string::npos);
  CHECK(said([&] { data::read_idx(here / "labels-ubyte", here / "labels-ubyte"); }).starts_with("labels-ubyte: "));
}

TEST_CASE("a folder of folders: labels by their names, files by theirs, one size for all") {
  folder const here;
  for (char const* name : {"owls", "cats", "none"}) fs::create_directories(here / name);
  auto const image = [](int value) { return rc::full<std::uint8_t>(rc::shape(3, 2, 3), std::uint8_t(value)); };
  rc::io::save(here / "owls/b.png", image(30));
  rc::io::save(here / "owls/a.ppm", image(20));
  rc::io::save(here / "cats/x.PNG", image(10), {.format = "png"});
  write(here / "cats/notes.txt", "no image");
  write(here / "owls/.hidden.png", "no image");
  write(here / "list.csv", "no folder");
  auto const all = data::read_folder(here.path.string());
  CHECK(all.classes == std::vector<std::string>{"cats", "none", "owls"});
  CHECK(bool(rc::all(all.examples.labels == rc::tensor<int, 3>{0, 2, 2})));
  CHECK(all.examples.images.shape(1) == 3);
  CHECK(all.examples.images.shape(2) == 2);
  CHECK(all.examples.images.shape(3) == 3);
  for (int k = 0; k < 3; ++k) CHECK(float(all.examples.images(k, 2, 1, 2)) == float(10 * (k + 1)) / 255.f);
  rc::io::save(here / "owls/c.pgm", rc::full<std::uint8_t>(rc::shape(3, 2), std::uint8_t(1)));
  CHECK(said([&] { data::read_folder(here.path.string()); }) ==
        "owls/c.pgm: an image of shape (3, 2, 1), where (3, 2, 3) came before");
  CHECK(raised([&] { data::read_folder(here / "none"); }).find("no .png, .ppm or .pgm in one of its 0 folders") !=
        std::string::npos);
  CHECK(raised([&] { data::read_folder(here / "missing"); }).find("missing: the folder cannot be read") !=
        std::string::npos);
}

TEST_CASE("a table's columns are members by their names") {
  folder const here;
  struct flowers {
    rc::ndarray<float, 1> width;
    rc::ndarray<std::int16_t, 1> count;
    std::vector<std::string> species;
  };
  std::string const text =
      "\xef\xbb\xbfspecies, count ,\"width\",note\r\n\"iris, wild\", 3 ,1.5,x\r\n\r\nrose,-4,NA,\"\"\nlily,5,2e3,\n";
  write(here / "a.csv", text);
  auto const all = data::read_columns<flowers>(here / "a.csv", {.allow_more = true, .missing = {"NA"}});
  CHECK(all.species == std::vector<std::string>{"iris, wild", "rose", "lily"});
  CHECK(bool(rc::all(all.count == rc::tensor<int, 3>{3, -4, 5})));
  CHECK(float(all.width(0)) == 1.5f);
  CHECK(std::isnan(float(all.width(1))));
  CHECK(float(all.width(2)) == 2000.f);
  CHECK(said([&] { data::read_columns<flowers>(here / "a.csv", {.missing = {"NA"}}); }) ==
        "a.csv: the column 'note' is no member of the record; the option allow_more passes over it");
  CHECK(said([&] { data::read_columns<flowers>(here / "a.csv", {.allow_more = true}); }) ==
        "a.csv: line 4, column 'width': 'NA' is no float32");
  write(here / "lines.csv", "width,count,species\n1,2,\"rose,\n3,4,wild\"\n");
  CHECK(said([&] { data::read_columns<flowers>(here / "lines.csv"); }) ==
        "lines.csv: line 2: a quote that is not closed in its line; a cell of several lines is not read");
  write(here / "words.csv", "species,width,count\n\"say \"\"hi\"\"\",\" 1.5 \",2\n\"  two  \", 1 ,3\n  three , 1,4\n");
  auto const words = data::read_columns<flowers>(here / "words.csv");
  CHECK(words.species == std::vector<std::string>{"say \"hi\"", "  two  ", "three"});
  CHECK(float(words.width(0)) == 1.5f);

  struct grouped {
    rc::ndarray<double, 2> x;
    rc::ndarray<int, 1> y;
  };
  write(here / "b.tsv", "a\tb\ty\n1\t2\t3\n4\t5\t6\n");
  auto const table = data::read_columns<grouped>(here / "b.tsv", {.groups = {{"x", {"b", "a"}}}});
  CHECK(bool(rc::all(table.x == rc::tensor<double, 2, 2>{{2, 1}, {5, 4}})));
  CHECK(data::count_of(table) == 2);
  write(here / "quotes.csv", "\"a \"\"b\"\"\",c,y\n1,2,3\n");
  CHECK(said([&] {
          data::read_columns<grouped>(here / "b.tsv", {.groups = {{"x", {"b", "a"}}, {"y", {"a"}}}});
        }).find("a group says which columns the member 'y' has, which is one column") != std::string::npos);
  CHECK(data::read_columns<grouped>(here / "quotes.csv", {.groups = {{"x", {"a \"b\"", "c"}}}}).x(0, 0) == 1);
  CHECK(said([&] { data::read_columns<grouped>(here / "b.tsv"); }) ==
        "b.tsv: the member 'x' has order 2, and no group says which columns it has");
  CHECK(said([&] {
          data::read_columns<grouped>(here / "b.tsv", {.groups = {{"x", {"b", "a"}}, {"x", {"a", "b"}}}});
        }) == "b.tsv: two groups have the name 'x'");
  CHECK(said([&] {
          data::read_columns<grouped>(here / "b.tsv", {.groups = {{"x", {"a", "c"}}}});
        }) == "b.tsv: no column has the name 'c'");
  CHECK(said([&] {
          data::read_columns<grouped>(here / "b.tsv", {.groups = {{"z", {"a"}}}});
        }) == "b.tsv: a group has the name 'z', and no member");
  auto const with = [&](char const* rows) {
    write(here / "c.csv", rows);
    return said([&] { data::read_columns<grouped>(here / "c.csv", {.groups = {{"x", {"a", "b"}}}}); });
  };
  CHECK(with("a,b,y\n1,2\n") == "c.csv: line 2: 2 columns, and 3 names in the first line");
  CHECK(with("a,b,y\n1,2,3\n1,2,3e10\n") == "c.csv: line 3, column 'y': '3e10' is no int32");
  CHECK(with("a,b,y\n1,2,3\n1,2,30000000000\n") ==
        "c.csv: line 3, column 'y': '30000000000' is out of the range of int32");
  CHECK(with("a,b,a\n") == "c.csv: two columns have the name 'a'");
  CHECK(with("\n \n") == "c.csv: no line with the names of columns");
  CHECK(with("a,b,y\n") == "");
}
