// <algorithm> and <memory> after the library, which does not bring them along (exec/cpu/xsimd.hpp), and what xsimd has
// for them.
#include <ricci/ricci.hpp>

#include <doctest/doctest.h>
#include <algorithm>
#include <memory>

#if RICCI_HAS_XSIMD
#include <xsimd/xsimd.hpp>
#endif

namespace rc = ricci;

TEST_CASE("<algorithm> and <memory> are whole when they are included after the library") {
  rc::tensor<float, 5> x{3, 1, 5, 2, 4};
  std::sort(x.data(), x.data() + x.size());
  CHECK(rc::array_equal(x, rc::tensor<float, 5>{1, 2, 3, 4, 5}));
  CHECK(std::ranges::all_of(x.data(), x.data() + x.size(), [](float v) { return v > 0; }));
  auto const shared = std::make_shared<rc::ndarray<float, 1>>(x);
  std::unique_ptr<int> const own = std::make_unique<int>(3);
  CHECK(*own == 3);
  CHECK(float((*shared)(4)) == 5.f);
}

#if RICCI_HAS_XSIMD
TEST_CASE("what xsimd made of <algorithm> and <memory> works as well") {
  xsimd::aligned_allocator<double, 64> memory;
  double* const p = memory.allocate(8);
  REQUIRE(p != nullptr);
  std::uninitialized_fill_n(p, 8, 2.);
  (xsimd::batch<double>::load_aligned(p) * 3.).store_aligned(p);
  CHECK(p[0] == 6.);
  memory.deallocate(p, 8);
}
#endif
