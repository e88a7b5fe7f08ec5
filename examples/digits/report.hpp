// What the program says while and after it learns: a bar on a terminal, plain lines elsewhere.
#pragma once

#include <cstdint>
#include <span>

class progress {
 public:
  explicit progress(int epochs);
  void show(int epoch, float training_loss, float held_out_loss, float accuracy, double seconds);

 private:
  int epochs_;
  bool on_terminal_;
};

// Rows are the digits as they are, columns what they were taken for.
void print_confusion(std::span<std::int64_t const> labels, std::span<std::int64_t const> seen);
