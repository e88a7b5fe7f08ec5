// Steps of four trainings, on one thread: steps.py has the same nets in PyTorch, runs this and prints the table.
#include "steps.hpp"

int main() {
  dense();
  convolutional();
  transformer();
  recurrent();
}
