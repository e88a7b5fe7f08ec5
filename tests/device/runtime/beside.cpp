// The device context by a host compiler, in a program whose other file is compiled for CUDA (calls.cpp): the same
// statements with a device each.
#include "beside.hpp"

#include <ricci/device.hpp>

namespace rc = ricci;

float sum_beside() { return float(rc::sum(rc::eval(rc::copy(rc::tensor<float, 3>{1, 2, 3}, rc::device{}) * 2.f))) / 2; }
