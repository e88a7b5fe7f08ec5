// Handwritten digits: from a gzipped table to tensors.
#pragma once

#include <string>
#include <utility>

#include <ricci/ricci.hpp>

#include "random.hpp"

namespace rc = ricci;

inline constexpr int pixels = 8 * 8, classes = 10;

// One row for each digit. The name of the extent says that there are as many labels as images.
using images_t = rc::tensor<float, rc::dim<"digits">, pixels>;  // 0 is paper, 1 is ink
using labels_t = rc::tensor<std::int64_t, rc::dim<"digits">>;   // 0 to 9
struct digits {
  images_t images;
  labels_t labels;
};

// Reads rows of 64 pixels from 0 to 16 and a label, separated by commas. A file that holds anything else ends the
// program, with a line that names file and line.
digits read_digits(std::string const& path);

// A random quarter, and the other three.
struct parts {
  digits training, held_out;
};
parts split(digits const& all, random_source& random);
