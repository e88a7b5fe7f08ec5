// Counted memory, and numbers for kernels that <cmath> lacks.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include <cstdint>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace rc = ricci;
using rc::core::shared_buffer;

namespace {

static_assert(rc::scalar::floor_divide(7, 2) == 3 && rc::scalar::floor_divide(-7, 2) == -4);
static_assert(rc::scalar::floor_divide(7, -2) == -4 && rc::scalar::floor_divide(-6, 3) == -2);
static_assert(rc::scalar::abs(-3) == 3 && rc::scalar::abs(-2.5) == 2.5 && rc::scalar::select(false, 1, 2) == 2);
static_assert(rc::scalar::lowest<std::int32_t>() == -2147483647 - 1 && rc::scalar::highest<bool>());
static_assert(rc::scalar::lowest<float>() < -3e38f && rc::scalar::highest<std::int64_t>() == 9223372036854775807);

#if RICCI_ASKS_FOR_LARGE_PAGES
// Whether the system says of the memory at p that large pages were asked for.
bool is_marked_for_large_pages(void const* p) {
  auto const at = reinterpret_cast<std::uintptr_t>(p);
  std::ifstream maps("/proc/self/smaps");
  bool here = false;
  for (std::string line; std::getline(maps, line);) {
    std::istringstream words(line);
    std::uintptr_t from, to;
    char dash;
    if (words >> std::hex >> from >> dash >> to && dash == '-') here = from <= at && at < to;
    if (here && line.rfind("VmFlags:", 0) == 0) return (line + ' ').find(" hg ") != std::string::npos;
  }
  return false;
}
#endif

}  // namespace

// (g++ 12 said of this at -O1 with -fsanitize=undefined that it was not to be reached)
TEST_CASE("what is moved from is left") {
  struct holder {
    shared_buffer b;
    long more[15];
    explicit holder(shared_buffer const& of) : b(of) {}
  };
  shared_buffer const a(8), c(8);
  std::vector<holder> v;
  for (int k = 0; k < 5; ++k) v.push_back(holder(k % 2 ? a : c));
  CHECK((a.use_count() == 3 && c.use_count() == 4));
  v.clear();
  CHECK((a.use_count() == 1 && c.use_count() == 1));
}

TEST_CASE("memory is counted, aligned, and freed by the last that points to it") {
  shared_buffer a(100);
  CHECK(a.bytes() == 100);
  CHECK(reinterpret_cast<std::uintptr_t>(a.data()) % 64 == 0);
  CHECK(a.use_count() == 1);
  {
    shared_buffer b = a;
    CHECK(a.use_count() == 2);
    CHECK(b.data() == a.data());
    shared_buffer c = std::move(b);
    CHECK(a.use_count() == 2);
    CHECK(b.bytes() == 0);
  }
  CHECK(a.use_count() == 1);
  a = shared_buffer(8);
  CHECK(a.bytes() == 8);
  auto& same = a;
  a = same;
  CHECK(a.use_count() == 1);
}

TEST_CASE("a buffer of nothing is shared by all, and takes no part in the counting") {
  shared_buffer const a, b;
  CHECK(a.data() == b.data());
  CHECK(a.bytes() == 0);
}

TEST_CASE("the count is exact when several threads copy and drop") {
  shared_buffer const a(64);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&a] {
      for (int k = 0; k < 1000; ++k) {
        shared_buffer mine = a;
        shared_buffer moved = std::move(mine);
      }
    });
  for (auto& t : threads) t.join();
  CHECK(a.use_count() == 1);
}

#if RICCI_ASKS_FOR_LARGE_PAGES
TEST_CASE("large pages are asked for where much memory is had, if the system has them") {
  std::size_t const bytes = std::size_t(8) << 20, middle = bytes / 2;
  void* const p = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(p != MAP_FAILED);
  madvise(p, bytes, MADV_HUGEPAGE);
  bool const has_them = is_marked_for_large_pages(static_cast<char*>(p) + middle);
  munmap(p, bytes);
  shared_buffer const large(static_cast<rc::index_t>(bytes));
  CHECK(is_marked_for_large_pages(large.data() + middle) == has_them);
  large.data()[0] = large.data()[bytes - 1] = 1;
}
#endif
