// A file is replaced as a whole or not at all: where the program is killed, the disk is full, or the folder is somebody
// else's.
#include <ricci/io.hpp>

#include <doctest/doctest.h>

#include "../raised.hpp"
#include "folder.hpp"

#include <fstream>
#include <sstream>

namespace rc = ricci;

TEST_CASE("a file that is there is replaced, and nothing is left beside it") {
  folder const here;
  auto const path = here / "a.npy";
  for (int k = 0; k < 3; ++k) rc::io::save(path, rc::tensor<int, 2>{k, k});
  CHECK(rc::io::load<rc::tensor<int, 2>>(path)(0) == 2);
  auto const files = std::filesystem::directory_iterator(here.path);
  CHECK(std::distance(begin(files), end(files)) == 1);
}

TEST_CASE("what cannot be written says why") {
  folder const here;
  rc::tensor<int, 2> const x{1, 2};
  auto const has = [&](std::string const& path, char const* part) {
    auto const text = raised([&] { rc::io::save(path, x); });
    INFO(text);
    return text.find(part) != std::string::npos;
  };
  CHECK(has(here / "none/a.npy", "none/a.npy: no file can be made in its folder: No such file or directory"));
  std::filesystem::create_directory(here.path / "a.npy");
  CHECK(has(here / "a.npy", "a.npy: cannot be opened for writing: Is a directory"));
  CHECK(raised([&] { rc::io::load(here / "a.npy"); }).find("Is a directory") != std::string::npos);
  CHECK(has(here / "a.x", "the name does not say what the file is"));
  std::ofstream closed;
  CHECK(raised([&] { rc::io::save(closed, x); }).find("stream: byte 0: cannot be written") != std::string::npos);
}

#if __has_include(<sys/resource.h>) && RICCI_EXCEPTIONS
#include <sys/resource.h>
#include <sys/wait.h>

#include <csignal>

TEST_CASE("a link stays a link, permissions stay as they are, and what is no file is written as it is") {
  folder const here;
  auto const path = here / "a.npy", link = here / "link.npy";
  rc::io::save(path, rc::tensor<int, 2>{1, 1});
  std::filesystem::permissions(path, std::filesystem::perms(0640));
  std::filesystem::create_symlink("a.npy", link);
  rc::io::save(link, rc::tensor<int, 2>{2, 2});
  CHECK(std::filesystem::is_symlink(link));
  CHECK(rc::io::load<rc::tensor<int, 2>>(path)(0) == 2);
  CHECK(std::filesystem::status(path).permissions() == std::filesystem::perms(0640));
  // also where it leads to nothing yet, by another link and into another folder
  std::filesystem::create_directory(here / "sub");
  std::filesystem::create_symlink("../new.npy", here / "sub/first.npy");
  std::filesystem::create_symlink("sub/first.npy", here / "second.npy");
  rc::io::save(here / "second.npy", rc::tensor<int, 2>{4, 4});
  CHECK(std::filesystem::is_symlink(here / "second.npy"));
  CHECK(std::filesystem::is_symlink(here / "sub/first.npy"));
  CHECK(rc::io::load<rc::tensor<int, 2>>(here / "new.npy")(0) == 4);
  std::filesystem::create_symlink("round.npy", here / "round.npy");
  CHECK(raised([&] {
          rc::io::save(here / "round.npy", rc::tensor<int, 2>{4, 4});
        }).find("round.npy: cannot be") != std::string::npos);
  CHECK(std::filesystem::is_symlink(here / "round.npy"));
  rc::io::save("/dev/null", rc::tensor<int, 2>{3, 3}, {.format = "npy"});
}

TEST_CASE("a full disk leaves the old file, and nothing beside it") {
  folder const here;
  auto const path = here / "a.npy";
  rc::io::save(path, rc::tensor<int, 2>{1, 2});
  auto const before = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old{};
  getrlimit(RLIMIT_FSIZE, &old);
  rlimit const small{100000, old.rlim_max};
  for (rc::index_t n : {30000, 1000000}) {  // in the buffer until the end, and not
    setrlimit(RLIMIT_FSIZE, &small);
    auto const text = raised([&] { rc::io::save(path, rc::ndarray<int, 1>(n)); });
    setrlimit(RLIMIT_FSIZE, &old);
    CHECK(text.find("a.npy: cannot be written: File too large") != std::string::npos);
    CHECK(rc::io::load<rc::tensor<int, 2>>(path)(1) == 2);
    auto const files = std::filesystem::directory_iterator(here.path);
    CHECK(std::distance(begin(files), end(files)) == 1);
  }
  std::signal(SIGXFSZ, before);
}

TEST_CASE("without permission nothing is read or written") {
  folder const here;
  auto const path = here / "a.npy";
  rc::io::save(path, rc::tensor<int, 2>{1, 2});
  std::filesystem::permissions(path, std::filesystem::perms(0400));
  std::filesystem::permissions(here.path, std::filesystem::perms(0555));
  uid_t const me = geteuid();
  if (me == 0) REQUIRE(seteuid(65534) == 0);  // root may do everything
  auto const written = raised([&] { rc::io::save(path, rc::tensor<int, 2>{3, 4}); });
  auto const made = raised([&] { rc::io::save(here / "b.npy", rc::tensor<int, 2>{3, 4}); });
  if (me == 0) {
    CHECK(raised([&] { rc::io::load(path); }).find("cannot be opened: Permission denied") != std::string::npos);
    REQUIRE(seteuid(0) == 0);
  }
  std::filesystem::permissions(here.path, std::filesystem::perms(0755));
  CHECK(written.find("a.npy: cannot be written: Permission denied") != std::string::npos);
  CHECK(made.find("b.npy: no file can be made in its folder: Permission denied") != std::string::npos);
  CHECK(rc::io::load<rc::tensor<int, 2>>(path)(1) == 2);
}

TEST_CASE("kill -9 while files are replaced never loses one") {
  folder const here;
  auto const path = here / "a.npy";
  auto const of = [](int k) {
    rc::ndarray<int, 1> x(1000 + 50000 * (k % 3));
    for (int& e : x) e = k;
    return x;
  };
  rc::io::save(path, of(0));
  int changed = 0;
  for (int k = 0; k < 48; ++k) {
    int const before = rc::io::load<rc::ndarray<int, 1>>(path)(0);
    pid_t const child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
      for (int n = before;; ++n) rc::io::save(path, of(n));
    }
    usleep(useconds_t(500 + 377 * k));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    auto const x = rc::io::load<rc::ndarray<int, 1>>(path);
    REQUIRE(x.size() == 1000 + 50000 * (x(0) % 3));
    CHECK(bool(rc::all(x == x(0))));
    changed += x(0) != before;
  }
  CHECK(changed > 0);  // or nothing was tried
}
#endif
