// Data sets, split and in batches (ricci/data.hpp), by the names of learning.
#pragma once

#include <ricci/data/batches.hpp>
#include <ricci/data/images.hpp>
#include <ricci/nn/layer.hpp>

namespace ricci::nn {

using data::batch_options;
using data::batches;
using data::count_of;
using data::labelled_images;
using data::parts;
using data::read_idx;
using data::rest;
using data::rows_of;
using data::split;

}  // namespace ricci::nn
