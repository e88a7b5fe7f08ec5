// The two curves of a training as an SVG file.
#pragma once

#include <string>
#include <vector>

// Losses after epoch 1, 2, ...; the scale of the losses is logarithmic.
std::string draw_losses(std::vector<float> const& training, std::vector<float> const& held_out);
