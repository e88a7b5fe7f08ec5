// Data for learning: sets of examples, the orders and batches in which they come, what is done to them on the way
// (docs/data.md).
#pragma once

#include <ricci/io.hpp>
#include <ricci/random.hpp>
#include <ricci/ricci.hpp>

#include <ricci/data/augment.hpp>
#include <ricci/data/batches.hpp>
#include <ricci/data/buckets.hpp>
#include <ricci/data/columns.hpp>
#include <ricci/data/images.hpp>
#include <ricci/data/ragged.hpp>
#include <ricci/data/replay.hpp>
#include <ricci/data/stratified.hpp>
#include <ricci/data/vocabulary.hpp>
#include <ricci/data/warps.hpp>
#include <ricci/data/windows.hpp>
#include <ricci/data/wrong_calls.hpp>
