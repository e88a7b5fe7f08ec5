// Convolutions and pooling with options as arguments: compile errors that say where they stand.
#pragma once

#include <ricci/conv/functions.hpp>
#include <ricci/conv/pooling.hpp>
#include <ricci/core/wrong_argument.hpp>

namespace ricci {

#define RICCI_OPTIONS_OF_CONV(NAME)                                                                               \
  RICCI_WRONG_CALL_BY_VALUES(NAME, #NAME " takes images and weights, and its options are in the type: rc::" #NAME \
                                         "<rc::conv_options{.stride = 2, .pad = 1}>(x, w); a bias is added behind it")
RICCI_OPTIONS_OF_CONV(conv)
RICCI_OPTIONS_OF_CONV(conv_transpose)
#undef RICCI_OPTIONS_OF_CONV
#define RICCI_WINDOW_OF_POOL(NAME)                                                                        \
  RICCI_WRONG_CALL_BY_VALUES(NAME,                                                                        \
                             #NAME " takes images, and its window or options are in the type: rc::" #NAME \
                                   "<2, 2>(x) or rc::" #NAME "<rc::pool_options{.window = {3, 3}, .stride = 2}>(x)")
RICCI_WINDOW_OF_POOL(max_pool)
RICCI_WINDOW_OF_POOL(avg_pool)
#undef RICCI_WINDOW_OF_POOL
RICCI_WRONG_CALL_BY_VALUES(adaptive_avg_pool,
                           "adaptive_avg_pool takes images, and the extents of its results are in the type: "
                           "rc::adaptive_avg_pool<2, 2>(x)")
RICCI_WRONG_CALL_BY_VALUES(global_avg_pool,
                           "global_avg_pool takes images, and how many axes they have is in the type: "
                           "rc::global_avg_pool<2>(x)")
RICCI_WRONG_CALL_BY_VALUES(global_max_pool,
                           "global_max_pool takes images, and how many axes they have is in the type: "
                           "rc::global_max_pool<2>(x)")

}  // namespace ricci
