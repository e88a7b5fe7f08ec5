// Where memory ends, nothing leaks, targets and old files stay, and no file is left beside them.
#include "../failing.hpp"

#include <ricci/io.hpp>

#include "folder.hpp"

namespace rc = ricci;

namespace {

struct record {
  rc::ndarray<float, 2> w;
  rc::tensor<double, 3> b;
};
int files_in(folder const& f) {
  auto const all = std::filesystem::directory_iterator(f.path);
  return int(std::distance(begin(all), end(all)));
}

}  // namespace

TEST_CASE("saving and loading one array") {
  folder const here;
  rc::ndarray<double, 2> const x{{1, 2}, {3, 4}}, y{{5, 6}, {7, 8}};
  for (char const* name : {"a.npy", "a.csv", "a.bin"}) {
    INFO(name);
    auto const path = here / name;
    rc::io::save(path, x);
    int const before = files_in(here);
    CHECK(fails_cleanly([&] {
            try {
              rc::io::save(path, y);
            } catch (std::bad_alloc const&) {
              auto const was = counts;
              counts = false;
              CHECK(bool(rc::all(rc::io::load<rc::tensor<double, 2, 2>>(path) == x)));
              CHECK(files_in(here) == before);
              counts = was;
              throw;
            }
          }) > 3);
    rc::tensor<double, 2, 2> target = 9.;
    fails_cleanly([&] { rc::io::load(path, target); }, target);
    CHECK(target(1, 1) == 8);
    rc::io::save(path, x);
  }
  rc::io::save(here / "i.png", rc::ndarray<std::uint8_t, 3>(3, 4, 3));
  fails_cleanly([&] { (void)rc::io::load(here / "i.png"); });
  fails_cleanly([&] { rc::io::save(here / "i.png", rc::tensor<std::uint8_t, 3, 4>{}); });
  fails_cleanly([&] { (void)double(rc::sum(rc::io::map<rc::ndarray<double, 2>>(here / "a.npy"))); });
  fails_cleanly([&] { (void)rc::io::load(sample("bytes-idx3-ubyte.gz")); });
}

TEST_CASE("records") {
  folder const here;
  for (char const* name : {"r.npz", "r.safetensors"}) {
    record const r{{{1, 2}}, {3, 4, 5}};
    CHECK(fails_cleanly([&] { rc::io::save(here / name, r); }) > 5);
    record q{{{0, 0}}, {0, 0, 0}};
    fails_cleanly([&] { rc::io::load(here / name, q); }, q.w, q.b);
    CHECK(q.b(2) == 5);
    fails_cleanly([&] { (void)rc::io::load_all(here / name); });
  }
  CHECK(files_in(here) == 2);
  fails_cleanly([&] { (void)rc::io::load_all(sample("deflated.npz")); });
}
