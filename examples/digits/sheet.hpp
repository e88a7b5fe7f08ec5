// A sheet of digits with what they were taken for.
#pragma once

#include <cstdint>
#include <span>

#include "picture.hpp"

// `images` has 64 pixels from 0 to 1 for each label. Below a digit stands what it was taken for; where that is wrong
// the tile is red, and the right digit stands beside. Of more than 600 digits the first 600 are shown.
picture draw_sheet(std::span<float const> images, std::span<std::int64_t const> labels,
                   std::span<std::int64_t const> seen);
