// Data sets, split and in batches (ricci/data.hpp), by the names of learning.
#pragma once

#include <ricci/data/batches.hpp>
#include <ricci/nn/layer.hpp>

namespace ricci::nn {

using data::batch_options;
using data::batches;
using data::count_of;
using data::parts;
using data::rest;
using data::rows_of;
using data::split;

}  // namespace ricci::nn
