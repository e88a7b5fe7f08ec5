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

// Ends the program where there is no such context here: "cpu:2", "device:0".
void require_context(std::string const& context);

struct epoch_report {
  int epoch;            // from 1
  float training_loss;  // the mean over the steps of the epoch
  measurement held_out;
  double seconds;  // without the measurement
};

// What comes of some passes over the training part: how the net does on the held-out part. That is measured after each
// pass, too, which `report` hears of, and decides nothing. The net lives in the context that is named.
measurement train(parts const& data, int epochs, random_source& random, std::string const& context,
                  std::function<void(epoch_report const&)> const& report);
