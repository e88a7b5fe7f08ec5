// Matrix products on the device: by cuBLAS where the type has one, into the result itself where nothing else is done
// with it, else into memory of its own, from which a map takes it through the epilogue.
#pragma once

#include <ricci/exec/device/blas.hpp>
#include <ricci/exec/device/steps.hpp>

namespace ricci::exec {
inline namespace RICCI_DEVICE_LOOPS {

// products of integers, of factors that may have other types
template <class T, class A, class B>
struct product_element {
  device_step<3, 0> s;
  RICCI_HD void operator()(index_t i) const {
    int const k = s.loops - 1;
    auto const at = s.at(i, 0, k);
    T sum{};
    for (index_t n = 0; n < s.extent[k]; ++n)
      sum = scalar::add(
          sum, scalar::multiply(scalar::convert<T>(*reinterpret_cast<A const*>(at.to[0] + n * s.stride[k][0])),
                                scalar::convert<T>(*reinterpret_cast<B const*>(at.to[1] + n * s.stride[k][1]))));
    *reinterpret_cast<T*>(at.to[2]) = sum;
  }
};

// A factor, as it is or, where its strides fit no product, copied to dense rows.
template <class T>
struct factor {
  T const* p;
  matrix_layout layout;
  device_array<T> memory;
};

// The product of a step, to row-major memory at `to`: batches one after another, one call for those of the last loop at
// least.
template <class T, class A, class B>
void device_product(device_geometry const& g, device_call const& c, T* to) {
  int const depth = g.loops - 3, m = depth, n = depth + 1, k = depth + 2;
  index_t const batches = product_of(g, 0, depth), rows = g.extent[m], columns = g.extent[n], inner = g.extent[k];
  if (batches * rows * columns == 0) return;
  constexpr index_t size = sizeof(T);
  bool is_repeated = false;
  for (int loop = 0; loop < depth; ++loop)
    is_repeated = is_repeated || (g.extent[loop] > 1 && (g.stride[loop][0] == 0 || g.stride[loop][1] == 0));
  if (depth > 1 && is_repeated) {  // copies for all batches would hold many times what there is
    device_geometry rest;
    rest.loops = g.loops - 1, rest.slots = 2;
    for (int loop = 1; loop < g.loops; ++loop) {
      rest.extent[loop - 1] = g.extent[loop];
      for (int slot = 0; slot < 2; ++slot) rest.stride[loop - 1][slot] = g.stride[loop][slot];
    }
    for (index_t i = 0; i < g.extent[0]; ++i) {
      for (int slot = 0; slot < 2; ++slot) rest.p[slot] = g.p[slot] + i * g.stride[0][slot];
      device_product<T, A, B>(rest, c, to + i * (batches / g.extent[0] * rows * columns));
    }
    return;
  }
  if constexpr (std::is_floating_point_v<T>) {
    auto const strided = [&](int slot, int a, int b) {
      bool const any_batch = depth <= 1;
      matrix_layout l{g.extent[a], g.extent[b], g.stride[a][slot] / size, g.stride[b][slot] / size,
                      depth == 1 ? g.stride[0][slot] / size : 0};
      factor<T> f{reinterpret_cast<T const*>(g.p[slot]), l, {}};
      if (any_batch && l.is_direct()) return f;
      // dense copies of all batches
      device_geometry copy;
      copy.loops = depth + 2, copy.slots = 2;
      for (int loop = 0; loop < copy.loops; ++loop) {
        int const from = loop < depth ? loop : loop == depth ? a : b;
        copy.extent[loop] = g.extent[from];
        copy.stride[loop][0] = g.stride[from][slot];
      }
      copy.make_dense(1, copy.loops, size);
      index_t const elements = product_of(copy, 0, copy.loops);
      f.memory = device_array<T>(elements, c.device);
      f.p = f.memory.data();
      copy.p[0] = g.p[slot], copy.p[1] = reinterpret_cast<char*>(f.memory.data());
      device_backend::for_each_index(c.device, elements,
                                     copy_element{passed<2, 0>(copy, {c.device, 0, nullptr}), int(size)});
      f.layout = {l.rows, l.columns, l.columns, 1, l.rows * l.columns};
      return f;
    };
    factor<T> const a = strided(0, m, k), b = strided(1, k, n);
    if (inner > 0)
      return device_backend::multiply(
          c.device, product_of_layouts<T>(a.p, a.layout, b.p, b.layout, to, columns, rows * columns, batches));
  }
  // integers, and sums of nothing
  device_geometry all;
  all.loops = g.loops, all.slots = 3;
  for (int loop = 0; loop < g.loops; ++loop) {
    all.extent[loop] = g.extent[loop];
    for (int slot = 0; slot < 2; ++slot) all.stride[loop][slot] = g.stride[loop][slot];
  }
  all.make_dense(2, k, size);
  all.p[0] = g.p[0], all.p[1] = g.p[1], all.p[2] = reinterpret_cast<char*>(to);
  device_backend::for_each_index(c.device, batches * rows * columns,
                                 product_element<T, A, B>{passed<3, 0>(all, {c.device, 0, nullptr})});
}

template <class Code, class T, class A = T, class B = T>
void device_contract(device_geometry& g, device_call const& c) {
  int const product = g.slots, k = g.loops - 1;
  index_t const elements = product_of(g, 0, k);
  constexpr int to = kernel::stores_product<Code>;
  auto const dense = [&](int slot) {
    index_t step = sizeof(T);
    for (int l = k - 1; l >= 0; --l) {
      if (g.extent[l] != 1 && g.stride[l][slot] != step) return false;
      step *= g.extent[l];
    }
    return true;
  };
  if constexpr (to >= 0)
    if (dense(to)) return device_product<T, A, B>(g, c, reinterpret_cast<T*>(g.p[to]));
  device_array<T> const memory(elements, c.device);
  device_product<T, A, B>(g, c, memory.data());
  // the epilogue: a map over all but the inner loop, the product being one more operand
  device_geometry rest = g;
  rest.loops = k;
  rest.slots = product + 1;
  rest.p[product] = reinterpret_cast<char*>(memory.data());
  rest.make_dense(product, k, sizeof(T));
  device_map<Code>(rest, c, memory.block());
}

}  // namespace RICCI_DEVICE_LOOPS
}  // namespace ricci::exec
