// The tests of what runs along an axis once more, by the kernels for CUDA.
#include "../sequences.cpp"
