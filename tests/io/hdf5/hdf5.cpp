// Arrays in HDF5 files: what h5py writes, round trips, and what is refused.
#include <ricci/hdf5.hpp>

#include <doctest/doctest.h>

#include "../../raised.hpp"
#include "../folder.hpp"

#include <fstream>
#include <sstream>

namespace rc = ricci;

namespace {

void check_has(std::string const& text, char const* part) {
  INFO(text);
  CHECK(text.find(part) != std::string::npos);
}
std::string contents(std::string const& path) {
  std::ifstream f(path, std::ios::binary);
  std::stringstream s;
  s << f.rdbuf();
  return s.str();
}
template <class Kind = rc::values>
struct layer {
  rc::field<Kind, float, 2, 3> w;
  rc::field<Kind, std::int64_t, 3> b;
};
struct model {
  layer<> encoder;
  rc::ndarray<double, 2> table;
  double rate = 0;
};
model example() {
  model m;
  m.encoder.w = rc::tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}};
  m.encoder.b = rc::tensor<std::int64_t, 3>{7, -8, 9};
  m.table = rc::ndarray<double, 2>{{1.5, 2.5}};
  m.rate = .25;
  return m;
}

}  // namespace

TEST_CASE("every element type as h5py writes it") {
  // elements are 0, 1, 2 ... , of bools whether they are odd, of complex numbers k - k i
  auto const all = rc::hdf5::load_all(sample("h5py.h5"));
  int types = 0;
  for (auto const& [name, a] : all) {
    if (name.find("types.") != 0) continue;
    INFO(name);
    ++types;
    CHECK(a.shape() == rc::shape(2, 3));
    rc::any_tensor expected = rc::reshape(rc::arange<float>(6), rc::shape(2, 3));
    if (a.dtype() == rc::dtype::boolean) expected = rc::any_tensor(rc::tensor<bool, 2, 3>{{0, 1, 0}, {1, 0, 1}});
    if (rc::is_complex(a.dtype())) {
      auto const k = rc::eval(rc::reshape(rc::arange<float>(6), rc::shape(2, 3)));
      expected = rc::any_tensor(rc::eval(k * std::complex<float>(1, -1)));
    }
    CHECK(bool(rc::all(rc::equal(a, expected)).item<bool>()));
    CHECK(name == std::string("types.") + rc::name_of(a.dtype()));
  }
  CHECK(types == 14);
  CHECK(rc::hdf5::load<rc::ndarray<std::int32_t, 1>>(sample("h5py.h5"), "big_endian")(2) == 2);
  CHECK(rc::hdf5::load<rc::ndarray<double, 2>>(sample("h5py.h5"), "/deep/er/compressed")(99, 9) == 999);
  CHECK(rc::hdf5::load<double>(sample("h5py.h5"), "number") == 2.5);
  CHECK(rc::hdf5::load<rc::ndarray<float, 2>>(sample("h5py.h5"), "nothing").shape() == rc::shape(0, 3));
}

TEST_CASE("a record, arrays of names, one array") {
  folder const here;
  auto const path = here / "a.h5";
  model const m = example();
  rc::hdf5::save(path, m);
  std::string const first = contents(path);
  model back;
  rc::hdf5::load(path, back);
  CHECK(bool(rc::all(back.encoder.w == m.encoder.w)));
  CHECK(bool(rc::all(back.encoder.b == m.encoder.b)));
  CHECK(bool(rc::all(back.table == m.table)));
  CHECK(back.rate == .25);
  rc::hdf5::save(path, m);  // equal arrays give equal files
  CHECK(contents(path) == first);
  auto const all = rc::hdf5::load_all(path);
  CHECK(all.size() == 4);
  CHECK(all.at("encoder.w").dtype() == rc::dtype::float32);
  rc::hdf5::save(path, all);
  CHECK(rc::hdf5::load<rc::tensor<std::int64_t, 3>>(path, "encoder/b")(1) == -8);
  rc::hdf5::save(path, "x.y", rc::eval(m.encoder.w + 1.f));
  CHECK(rc::hdf5::load_all(path).size() == 1);
  CHECK(rc::hdf5::load<rc::ndarray<float, 2>>(path, "x.y")(1, 2) == 7);
  for (rc::any_tensor const& a :
       {rc::any_tensor(rc::tensor<rc::float16, 2>{1.5f, -2.f}), rc::any_tensor(rc::tensor<rc::bfloat16, 2>{1.5f, -2.f}),
        rc::any_tensor(rc::tensor<bool, 3>{true, false, true}), rc::any_tensor(std::complex<double>(1, -2)),
        rc::any_tensor(rc::ndarray<std::uint16_t, 3>(2, 0, 3))}) {
    rc::hdf5::save(path, "a", a);
    auto const b = rc::hdf5::load(path, "a");
    INFO(rc::name_of(a.dtype()));
    CHECK(b.dtype() == a.dtype());
    CHECK(b.shape() == a.shape());
    CHECK(std::memcmp(a.data(), b.data(), std::size_t(a.bytes())) == 0);
  }
}

TEST_CASE("bools of a file that are neither 0 nor 1 are true, as in other formats") {
  folder const here;
  std::string const path = here / "a.h5";
  {
    rc::files::h5_handle const type = rc::files::h5_type(path, rc::dtype::boolean);
    rc::files::h5_handle const f(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT), H5Fclose);
    hsize_t const n = 3;
    rc::files::h5_handle const s(H5Screate_simple(1, &n, nullptr), H5Sclose),
        d(H5Dcreate2(f, "x", type, s, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), H5Dclose);
    std::int8_t const bytes[] = {0, 5, 2};
    REQUIRE(H5Dwrite(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes) >= 0);
  }
  auto const x = rc::hdf5::load<rc::tensor<bool, 3>>(path, "x");
  CHECK(std::memcmp(x.data(), "\0\1\1", 3) == 0);
}

TEST_CASE("what does not fit is an error of one line, and the record stays as it was") {
  auto const file = sample("h5py.h5"), other = sample("refused.h5");
  using floats = rc::ndarray<float, 2>;
  check_has(raised([&] { rc::hdf5::load<floats>(file, "types.float64"); }),
            "types.float64: elements are float64 and shape (2, 3), not float32 as asked for");
  check_has(raised([&] { rc::hdf5::load<rc::tensor<float, 2, 2>>(file, "types.float32"); }), "(2, 3), not (2, 2)");
  check_has(raised([&] { rc::hdf5::load(file, "types.float3"); }), "no array is called 'types.float3'; there are");
  check_has(raised([&] { rc::hdf5::load(other, "words"); }), "array 'words' holds text, where numbers were expected");
  check_has(raised([&] { rc::hdf5::load(other, "pairs"); }), "array 'pairs' holds structures");
  check_has(raised([&] { rc::hdf5::load(other, "none"); }), "array 'none': it has a type and no elements");
  check_has(raised([&] { rc::hdf5::load(other, "huge"); }), "claims more elements than the file can hold");
  check_has(raised([&] { rc::hdf5::load(other, "elsewhere"); }), "no array is called 'elsewhere'");
  check_has(raised([] { rc::hdf5::load("/nowhere/a.h5", "a"); }), "/nowhere/a.h5: it cannot be opened as HDF5: ");
  check_has(raised([] { rc::hdf5::load(sample("rgb.png"), "a"); }), "rgb.png: it cannot be opened as HDF5: ");
  model m = example();
  check_has(raised([&] { rc::hdf5::load(file, m); }), "no array is called 'encoder.w'");
  CHECK(m.encoder.w(1, 2) == 6);
  folder const here;
  auto const path = here / "a.h5";
  struct first_alone {
    layer<> encoder;
  } part;
  rc::hdf5::save(path, m);
  check_has(raised([&] { rc::hdf5::load(path, part); }), "'rate' is no member of the record");
  rc::hdf5::load(path, part, {.allow_more = true});
  CHECK(part.encoder.b(0) == 7);
  for (char const* name : {"", ".a", "a.", "a..b"})
    check_has(raised([&] { rc::hdf5::save(path, name, 1.); }), "no array of HDF5 is called");
  CHECK(rc::hdf5::load_all(path).size() == 4);  // the file is there as it was
  std::string const whole = contents(path);
  for (std::size_t n = 0; n < whole.size(); n += 97) {
    std::ofstream(here / "cut.h5", std::ios::binary) << whole.substr(0, n);
    INFO(n);
    CHECK(raised([&] { rc::hdf5::load_all(here / "cut.h5"); }) != "");
  }
}
