// A run on the heap that is used as one that is not. Tensors of up to 64 KiB lie in their record, so that a run of many
// of them is megabytes, and a few of those fill a stack: `nn::start` makes this of it.
#pragma once

namespace ricci::nn {

// The members of Run, which lie elsewhere; `*r` is the run itself. A copy has its own, and so has what is moved to:
// that is a copy, too, and leaves nothing behind that refers to what is gone.
template <class Run>
class held_run {
  Run* all_;

 public:
  using record = Run;

  // takes r, which `new` made
  explicit held_run(Run* r) : all_(r) {}
  held_run(held_run const& other) : held_run(new Run(*other)) {}
  held_run& operator=(held_run const& other) {
    if (this != &other) *all_ = *other;
    return *this;
  }
  ~held_run() { delete all_; }

  Run& operator*() { return *all_; }
  Run const& operator*() const { return *all_; }

  decltype(Run::params)& params = all_->params;
  decltype(Run::state)& state = all_->state;
  decltype(Run::optimiser)& optimiser = all_->optimiser;
  decltype(Run::step)&step = all_->step, &epoch = all_->epoch, &batch = all_->batch;
  decltype(Run::loss_sum)& loss_sum = all_->loss_sum;
  decltype(Run::key)& key = all_->key;
};
template <class X>
inline constexpr bool is_held_run = false;
template <class Run>
inline constexpr bool is_held_run<held_run<Run>> = true;

}  // namespace ricci::nn
