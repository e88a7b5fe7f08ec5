// What a layer is called in Keras, and where the weights of its members lie in files of Keras's, in their order;
// ricci/keras.hpp reads and writes such files. A layer that Keras has says so beside its members:
//
//   static constexpr keras_name keras{"dense", {{"vars/0"}, {"vars/1"}}};
#pragma once

namespace ricci::nn {

// Of Keras's GRU, whose biases are one array (2, 3 H) for inputs and states, this member is the sum of both but for the
// last third of the second, or that third.
enum class keras_bias { none, joined, last_of_states };

struct keras_array {
  char const* path;  // behind the name of the layer
  // So many equal parts along the last axis, of which the first two are the other way round there (GRU: 3).
  int gates = 1;
  keras_bias bias = keras_bias::none;
  // Where above 1, the first axis (of a product's result) or the last one is two axes there, of so many heads and the
  // rest.
  int first_heads = 1, last_heads = 1;
};
struct keras_name {
  char const* layer;
  keras_array arrays[8];
};

}  // namespace ricci::nn
