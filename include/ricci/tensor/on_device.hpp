// What tensors of the device and views of them have in common.
#pragma once

#include <ricci/exec/device/run.hpp>
#include <ricci/shape/axes.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci {

// `Derived` has extents E, values V and, for those without axes, `V item() const`.
template <class Derived, class V, class E>
class on_device {
 public:
  using value_type = V;
  using extents = E;
  static constexpr int rank = E::rank, memory_space = expr::device_memory;
  static constexpr bool shared = true;

  index_t shape(index_t axis) const { return self().extent_values()[axis_named("shape", axis, rank)]; }
  shape_values<rank> shape() const {
    shape_values<rank> s{};
    for (int k = 0; k < rank; ++k) s[std::size_t(k)] = shape(k);
    return s;
  }
  index_t size() const {
    index_t n = 1;
    for (int k = 0; k < rank; ++k) n *= shape(k);
    return n;
  }
  // a view
  template <class... I>
  auto operator()(I const&... items) {
    return index_tensor(self(), items...);
  }
  template <class... I>
  auto operator()(I const&... items) const {
    return index_tensor(self(), items...);
  }
  auto T() {
    require_matrix<rank>();
    return matrix_transpose(self());
  }
  auto T() const {
    require_matrix<rank>();
    return matrix_transpose(self());
  }
  template <Arithmetic U>
  requires(rank == 0) explicit operator U() const { return scalar::convert<U>(self().item()); }

 private:
  Derived& self() { return static_cast<Derived&>(*this); }
  Derived const& self() const { return static_cast<Derived const&>(*this); }
};

}  // namespace ricci
