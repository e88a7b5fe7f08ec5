// Attention over numbers of queries and places that fill blocks of the host's kernels, or parts of one, beside the same
// of products and softmax. (Compile it with -mavx2 -mfma too: the tiles there have six rows, and blocks of places no
// multiple of that.)
#include <doctest/doctest.h>

#include <ricci/attention.hpp>

#include "../near.hpp"

namespace rc = ricci;

namespace {

template <class T>
rc::ndarray<T, 2> sample(unsigned seed, rc::index_t rows, rc::index_t columns) {
  rc::ndarray<T, 2> x(rows, columns);
  for (rc::index_t k = 0; k < x.size(); ++k)
    x.data()[k] = T((seed = seed * 1664525u + 1013904223u) >> 8) / T(1 << 23) - 1;
  return x;
}
template <class T>
void compare(rc::index_t queries, rc::index_t places, double tolerance) {
  constexpr rc::index_t width = 16, outputs = 24;
  auto const q = sample<T>(1, queries, width), k = sample<T>(2, places, width), v = sample<T>(3, places, outputs),
             dy = sample<T>(4, queries, outputs);
  auto const blocks = [](auto a, auto b, auto c, auto d) { return rc::sum(rc::attention(a, b, c) * d); };
  auto const plain = [](auto a, auto b, auto c, auto d) {
    return rc::sum(rc::matmul(rc::softmax(rc::matmul(a, b.T()) / T(4), rc::axis<1>), c) * d);
  };
  CAPTURE(queries);
  CAPTURE(places);
  auto const [of_q, of_k, of_v, of_dy] = rc::grad<0, 1, 2, 3>(blocks)(q, k, v, dy);
  auto const [plain_q, plain_k, plain_v, plain_y] = rc::grad<0, 1, 2, 3>(plain)(q, k, v, dy);
  check_near(of_q, plain_q, tolerance);
  check_near(of_k, plain_k, tolerance);
  check_near(of_v, plain_v, tolerance);
  check_near(of_dy, plain_y, tolerance);  // y
}
template <class T>
void all_sizes(double tolerance) {
  for (rc::index_t const places : {1, 5, 16, 31, 33, 40, 64, 70, 127, 128, 130, 161}) compare<T>(7, places, tolerance);
  for (rc::index_t const queries : {1, 32, 47, 49, 64, 65, 129}) compare<T>(queries, 40, tolerance);
}

}  // namespace

TEST_CASE("floats") { all_sizes<float>(2e-5); }
TEST_CASE("doubles") { all_sizes<double>(2e-14); }
