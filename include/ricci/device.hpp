// The device context: `rc::device{0}`. The same programs, plans and kernels run through Thrust: on CUDA under nvcc,
// with cuBLAS for matrix products; under a host compiler on Thrust's own systems for the CPU.
#pragma once

#include <ricci/ricci.hpp>

#include <ricci/autodiff/device_values.hpp>
#include <ricci/exec/device/backend.hpp>
#include <ricci/exec/device/described.hpp>
#include <ricci/exec/device/memory.hpp>
#include <ricci/exec/device/run.hpp>
#include <ricci/tensor/device_assign.hpp>
#include <ricci/tensor/device_tensor.hpp>
#include <ricci/tensor/device_view.hpp>
