// Losses of vectors: a row is what lies along the last axis, and a term belongs to a row: (..., n), (..., n) -> (...).
#pragma once

#include <ricci/nn/reduced_loss.hpp>

namespace ricci::nn {

namespace rows {
template <class V>
constexpr V sum(V x) {
  return sum_t::over(x, 1 << (x.rank() - 1));
}
template <class V>
constexpr V distance(V a, V b) {
  return sqrt(sum(V(square(a - b))));
}
// a b / (|a| |b|), and 0 where either is 0
template <class V>
constexpr V cosine(V a, V b) {
  V const of_a = sum(V(square(a))), of_b = sum(V(square(b)));
  auto const is_zero = minimum(of_a, of_b) == 0.;
  // roots first: the product of both squares overflows where the lengths do not
  V const lengths = sqrt(where(is_zero, 1., of_a)) * sqrt(where(is_zero, 1., of_b));
  return where(is_zero, 0., sum(V(a * b)) / lengths);
}
}  // namespace rows

// 1 - (2 sum(x t) + s) / (sum(x) + sum(t) + s), for x and t from 0 to 1 (F. Milletari, N. Navab, S.-A. Ahmadi, V-Net,
// 2016, with sums in place of squares); s is 1 where it is left out.
struct dice_t : loss_of_two<dice_t> {
  static constexpr auto name = "dice";
  static constexpr bool along_rows = true;
  template <class V>
  static constexpr V terms(V x, V t) {
    return terms(x, t, 1.);
  }
  template <class V, class N>
  static constexpr V terms(V x, V t, N s) {
    return 1. - (2. * rows::sum(V(x * t)) + s) / (rows::sum(V(x + t)) + s);
  }
};
// max(0, |a - p| - |a - n| + margin), Euclidean: the anchor a is to be nearer to p than to n. The margin is 1 where it
// is left out. (a, p, n)
struct triplet_t : loss_of_three<triplet_t> {
  static constexpr auto name = "triplet";
  static constexpr bool along_rows = true;
  template <class V>
  static constexpr V terms(V a, V p, V n) {
    return terms(a, p, n, 1.);
  }
  template <class V, class N>
  static constexpr V terms(V a, V p, V n, N margin) {
    return relu(rows::distance(a, p) - rows::distance(a, n) + margin);
  }
};
// 1 - cos(a, b) where y, one number a row, is above 0, else max(0, cos(a, b) - margin); the margin is 0 where it is
// left out. (..., n), (..., n), (...) -> (...)
struct cosine_embedding_t : loss_of_three<cosine_embedding_t> {
  static constexpr auto name = "cosine_embedding";
  static constexpr bool along_rows = true;
  static constexpr int label = 2;
  template <class V>
  static constexpr V terms(V a, V b, V y) {
    return terms(a, b, y, 0.);
  }
  template <class V, class N>
  static constexpr V terms(V a, V b, V y, N margin) {
    V const cosine = rows::cosine(a, b);
    return where(y > 0., 1. - cosine, relu(cosine - margin));
  }
};
inline constexpr dice_t dice{};
inline constexpr triplet_t triplet{};
inline constexpr cosine_embedding_t cosine_embedding{};

}  // namespace ricci::nn
