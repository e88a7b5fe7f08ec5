// Convolutions and pooling of images and of sequences with many channels, as neural networks have them:
//
//   auto y = rc::conv<rc::conv_options{.stride = 2, .pad = 1}>(x, w);   // lazy, differentiable, batched
//   auto z = rc::conv_transpose<rc::conv_options{.stride = 2}>(y, w);
//   auto p = rc::max_pool<2, 2>(y);
#pragma once

#include <ricci/ricci.hpp>

#include <ricci/conv/depthwise.hpp>
#include <ricci/conv/functions.hpp>
#include <ricci/conv/k_max_pool.hpp>
#include <ricci/conv/pool_places.hpp>
#include <ricci/conv/pooling.hpp>
#include <ricci/conv/rearranged.hpp>
#include <ricci/conv/resize.hpp>
#include <ricci/conv/weights.hpp>
#include <ricci/conv/wrong_calls.hpp>
