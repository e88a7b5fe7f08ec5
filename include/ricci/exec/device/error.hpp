// Errors of the device context.
#pragma once

#include <ricci/core/errors.hpp>

namespace ricci {

// A call of CUDA or cuBLAS that failed, or a device that is not there; the text names the call and its place.
struct device_error : error {
  using error::error;
};
namespace core {
template <>
inline constexpr char const* error_name<device_error> = "device_error";
}

}  // namespace ricci
