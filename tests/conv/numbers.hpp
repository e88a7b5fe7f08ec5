// What tables keep of a tensor.
#pragma once

struct conv_numbers {
  double size, sum, weighted, first, middle, last;
};
