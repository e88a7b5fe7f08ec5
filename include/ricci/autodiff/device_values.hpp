// Records on the device: fields are tensors there.
#pragma once

#include <ricci/autodiff/contexts.hpp>
#include <ricci/tensor/device_assign.hpp>

namespace ricci {

inline namespace RICCI_DEVICE_ABI {

struct device_values {
  template <class T, index_t... E>
  using of = device_tensor<T, E...>;
};

}  // namespace RICCI_DEVICE_ABI

namespace tree {

template <>
struct values_in_memory<expr::device_memory> {
  using type = device_values;
};
template <>
struct kind<device_values> : kind<values> {};

}  // namespace tree

namespace exec {

template <>
struct context_name<device> {
  static constexpr char const* name = "device";
  static device made(bool, int n) { return {n}; }
};

}  // namespace exec

}  // namespace ricci
