// Random numbers as values: keys that split, and tensors that are functions of a key, equal on every machine, for every
// number of threads, in every context.
//
//   rc::random::key root(42);
//   auto [ka, kb] = rc::random::split(root);
//   rc::ndarray<float, 2> u = rc::random::uniform<float>(ka, rc::shape(1000, 100));
//   auto total = rc::sum(x + 0.1 * rc::random::normal<double>(kb, rc::shape_of(x)));
#pragma once

#include <ricci/ricci.hpp>

#include <ricci/random/continuous.hpp>
#include <ricci/random/counts.hpp>
#include <ricci/random/gamma.hpp>
#include <ricci/random/generator.hpp>
#include <ricci/random/normal.hpp>
#include <ricci/random/permutation.hpp>
#include <ricci/random/uniform.hpp>
#include <ricci/random/vectors.hpp>
#include <ricci/random/wrong_calls.hpp>
