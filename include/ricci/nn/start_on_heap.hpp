// A run that lies on the heap from the start: tensors of up to 64 KiB lie in their record, and a run of many of them is
// more than a stack has.
//
//   auto run = nn::start_on_heap<net<>, net_state<>>(key.fold(2), optimiser, key);
//   nn::fit<loss>(*run, optimiser, data, {.epochs = 15, .batch = {.size = 32}}, accuracy);
#pragma once

#include <memory>

#include <ricci/nn/init.hpp>
#include <ricci/nn/step.hpp>

namespace ricci::nn {

// `nn::start(nn::init<Params>(first), nn::init<State>(first), o, k)` as a std::unique_ptr; no copy of the parameters is
// on the stack on the way, nor does a step make one.
template <class Params, class State = std::tuple<>, Optimiser O>
auto start_on_heap(key const& first, O const& o, key const& k) {
  using links = decltype(links_of(o));
  auto r = std::make_unique<run_of<Params, State, O>>();
  init_into(r->params, first);
  init_into(r->state, first);
  begin_memory(static_cast<links*>(nullptr), r->optimiser, r->params);
  r->key = k;
  return r;
}

}  // namespace ricci::nn
