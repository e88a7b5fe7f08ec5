// The sum of 1, 2, 3, computed on the device of a file that is not compiled for CUDA (beside.cpp).
#pragma once

float sum_beside();
