// Handwritten digits: from a gzipped table to tensors.
#pragma once

#include <string>

#include <ricci/nn.hpp>

#include "fail.hpp"

namespace rc = ricci;

inline constexpr int pixels = 8 * 8, classes = 10;

// One row for each digit.
using images_t = rc::tensor<float, rc::dyn, pixels>;  // 0 is paper, 1 is ink
using labels_t = rc::ndarray<std::int64_t, 1>;        // 0 to 9
struct digits {
  images_t images;
  labels_t labels;
};

// Reads rows of 64 pixels from 0 to 16 and a label, separated by commas. A file that holds anything else ends the
// program, or is an rc::io_error.
inline digits read_digits(std::string const& path) {
  constexpr int most_ink = 16;
  auto const table = rc::io::load<rc::ndarray<int, 2>>(path, {.format = "csv"});
  if (table.shape(0) < 4)
    fail(path + ": " + std::to_string(table.shape(0)) + " rows, where four are the fewest that can be split");
  if (table.shape(1) != pixels + 1)
    fail(path + ": a row has " + std::to_string(pixels + 1) + " columns, not " + std::to_string(table.shape(1)));
  for (rc::index_t row = 0; row < table.shape(0); ++row)
    for (int k = 0; k <= pixels; ++k)
      if (int const n = table(row, k), most = k < pixels ? most_ink : classes - 1; n < 0 || n > most)
        fail(path + ": row " + std::to_string(row + 1) + ": a " + (k < pixels ? "pixel" : "label") + " is 0 to " +
             std::to_string(most) + ", not " + std::to_string(n));
  return {rc::astype<float>(table(rc::all, rc::range(0, pixels))) / float(most_ink),
          rc::astype<std::int64_t>(table(rc::all, pixels))};
}
