// Attention of queries to places, in blocks, with memory that grows with their number and not with that of pairs:
//
//   auto y = rc::attention<rc::attention_options{.causal = true}>(q, k, v);   // lazy, differentiable, batched
#pragma once

#include <ricci/ricci.hpp>

#include <ricci/attention/backward_kernel.hpp>
#include <ricci/attention/forward_kernel.hpp>
#include <ricci/attention/functions.hpp>
