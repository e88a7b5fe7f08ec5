// All that a context does (../contexts.cpp), by the code and kernels that run under CUDA.
#include "../contexts.cpp"
