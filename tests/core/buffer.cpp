// Counted memory, and numbers for kernels that <cmath> lacks.
#include <doctest/doctest.h>
#include <ricci/ricci.hpp>

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

}  // namespace

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
