// The net: 64 pixels, 64 hidden units, 10 scores.
#pragma once

#include "data.hpp"

inline constexpr int hidden = 64;

// Tensors outside, symbols while a function is traced: one declaration serves both.
template <class Kind = rc::values>
struct params {
  rc::field<Kind, float, pixels, hidden> w1;
  rc::field<Kind, float, hidden> b1;
  rc::field<Kind, float, hidden, classes> w2;
  rc::field<Kind, float, classes> b2;
};

// One row of scores for each picture; the highest says which digit it is.
inline constexpr auto scores = [](auto const& p, auto const& images) {
  auto h = rc::relu(rc::matmul(images, p.w1) + p.b1);
  return rc::matmul(h, p.w2) + p.b2;
};

// The mean over the pictures. A row of targets is 1 at the right digit, 0 elsewhere.
inline constexpr auto cross_entropy = [](auto const& scored, auto const& targets) {
  return rc::mean(rc::logsumexp(scored, rc::axis<1>) - rc::sum(scored * targets, rc::axis<1>));
};

inline constexpr auto loss = [](auto const& p, auto const& images, auto const& targets) {
  return cross_entropy(scores(p, images), targets);
};
