// A net that reads a picture of a handwritten digit: 64 pixels, 16 hidden units, 10 scores.
#pragma once

#include <ricci/ricci.hpp>

namespace rc = ricci;

inline constexpr int pixels = 8 * 8, hidden = 16, classes = 10, most_ink = 16, shown = 20;

// Tensors outside, symbols while a function is traced.
template <class Kind = rc::values>
struct params {
  rc::field<Kind, float, pixels, hidden> w1;
  rc::field<Kind, float, hidden> b1;
  rc::field<Kind, float, hidden, classes> w2;
  rc::field<Kind, float, classes> b2;
};

// Of one picture, or of rows of pictures; the highest score says which digit it is.
inline constexpr auto scores = [](auto const& p, auto const& ink) {
  auto h = rc::relu(rc::matmul(ink, p.w1) + p.b1);
  return rc::matmul(h, p.w2) + p.b2;
};

// Pictures that the net has not seen, and what they are.
struct examples {
  rc::tensor<int, shown> labels;
  rc::tensor<std::uint8_t, shown, pixels> ink;
};
