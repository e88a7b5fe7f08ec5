// Learning: models as records of layers, optimisers, a step as one traced function, training, data sets (docs/nn.md).
#pragma once

#include <ricci/random.hpp>

#include <ricci/nn/batches.hpp>
#include <ricci/nn/cross_entropy.hpp>
#include <ricci/nn/dropout.hpp>
#include <ricci/nn/fit.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/norms.hpp>
#include <ricci/nn/step.hpp>
