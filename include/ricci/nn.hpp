// Learning: models as records of layers, optimisers, a step as one traced function, training, data sets (docs/nn.md).
#pragma once

#include <ricci/data.hpp>
#include <ricci/io.hpp>
#include <ricci/random.hpp>
#include <ricci/ricci.hpp>

#include <ricci/nn/activations.hpp>
#include <ricci/nn/as.hpp>
#include <ricci/nn/attention.hpp>
#include <ricci/nn/averages.hpp>
#include <ricci/nn/batches.hpp>
#include <ricci/nn/checkpoint.hpp>
#include <ricci/nn/convolution.hpp>
#include <ricci/nn/cross_entropy.hpp>
#include <ricci/nn/curve.hpp>
#include <ricci/nn/dropout.hpp>
#include <ricci/nn/embedding.hpp>
#include <ricci/nn/fit.hpp>
#include <ricci/nn/freeze.hpp>
#include <ricci/nn/groups.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/losses.hpp>
#include <ricci/nn/metrics.hpp>
#include <ricci/nn/norms.hpp>
#include <ricci/nn/observers.hpp>
#include <ricci/nn/optimisers.hpp>
#include <ricci/nn/plateau.hpp>
#include <ricci/nn/ranking_metrics.hpp>
#include <ricci/nn/recurrent.hpp>
#include <ricci/nn/row_losses.hpp>
#include <ricci/nn/schedules.hpp>
#include <ricci/nn/search.hpp>
#include <ricci/nn/sequence_losses.hpp>
#include <ricci/nn/step.hpp>
#include <ricci/nn/summary.hpp>
#include <ricci/nn/wrappers.hpp>
