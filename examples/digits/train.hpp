// Training: minibatches, the gradient of the loss by value_and_grad, and Adam.
#pragma once

#include <functional>

#include "model.hpp"

// How a net does on digits that have labels.
struct measurement {
  float loss;
  float accuracy;  // from 0 to 1
  labels_t seen;   // what it takes them for
};
measurement measure(params<> const& p, digits const& d);

struct epoch_report {
  int epoch;            // from 1
  float training_loss;  // the mean over the steps of the epoch
  measurement held_out;
  double seconds;  // without the measurement
};

// The parameters after some passes over the training part. The held-out part is measured after each, which `report`
// hears of, and decides nothing.
params<> train(parts const& data, int epochs, random_source& random,
               std::function<void(epoch_report const&)> const& report);
