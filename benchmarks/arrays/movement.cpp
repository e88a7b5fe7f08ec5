// Creation, and what moves elements: joins, repetitions, transposes, strides.
#include "ricci.hpp"

namespace bench {

void movement() {
  auto& v = x();
  auto const &a = v.a, &b = v.b;
  auto const &aa = v.aa, &bb = v.bb;
  auto const& o = data();
  float const *const fa = o.a.data(), *const fb = o.b.data();
  static rc::ndarray<float, 3> const cube = rc::reshape(a, rc::shape(100, 100, 100));
  auto const& grid = v.grid;
  rc::index_t const n = size, m = side;
  auto const line = [](char const* name, auto r, char const* np, auto... more_peers) {
    contest(name, size, ricci(r), peers(numpy(np), more_peers...));
  };
  line(
      "zeros", [&] { return rc::zeros<float>(rc::shape(n)); }, "o.fill(0) or o");
  line(
      "full", [&] { return rc::full<float>(rc::shape(n), 2); }, "o.fill(2) or o",
      loop_of<float>([](long) { return 2.f; }));
  line(
      "eye", [&] { return rc::eye<float>(m); }, "np.eye(1000, dtype='f4')");
  line(
      "arange, int32", [&] { return rc::arange<std::int32_t>(n); }, "np.arange(1000000, dtype='i4')",
      loop_of<std::int32_t>([](long k) { return k; }));
  line(
      "linspace", [&] { return rc::linspace<float>(0, 1, n); }, "np.linspace(0, 1, 1000000, dtype='f4')",
      loop_of<float>([](long k) { return double(k) * (1. / 999999); }));
  line(
      "meshgrid", [&] { return std::get<0>(rc::meshgrid(grid, grid)); }, "np.meshgrid(grid, grid)[0]");
  line(
      "copy", [&] { return rc::positive(a); }, "np.copyto(o, a) or o");
  line(
      "broadcast_to, axis 0", [&] { return rc::broadcast_to(grid, rc::shape(m, m)); },
      "np.broadcast_to(grid, (1000, 1000)).copy()");
  line(
      "broadcast_to, axis 1", [&] { return rc::broadcast_to(rc::expand_dims(grid, rc::axis<1>), rc::shape(m, m)); },
      "np.broadcast_to(grid[:, None], (1000, 1000)).copy()");
  line(
      "matrix_transpose", [&] { return rc::matrix_transpose(aa); }, "np.copyto(oo, aa.T) or oo");
  line(
      "permute_dims 2, 0, 1 of 100^3", [&] { return rc::permute_dims(cube, rc::axis<2, 0, 1>); },
      "cube.transpose(2, 0, 1).copy()");
  line(
      "moveaxis 0 to 1 of 100^3", [&] { return rc::moveaxis(cube, rc::axis<0>, rc::axis<1>); },
      "np.moveaxis(cube, 0, 1).copy()");
  line(
      "aa + bb.T()", [&] { return aa + bb.T(); }, "aa + bb.T");
  line(
      "reshape of the transpose", [&] { return rc::reshape(aa.T(), rc::shape(n)); }, "aa.T.reshape(-1)");
  line(
      "flip", [&] { return rc::flip(a); }, "np.copyto(o, a[::-1]) or o",
      loop_of<float>([=](long k) { return fa[size - 1 - k]; }));
  line(
      "flip, axis 0", [&] { return rc::flip(aa, rc::axis<0>); }, "np.flip(aa, 0).copy()");
  line(
      "a(::2) + b(::2), 5e5", [&] { return a(rc::range(0, rc::end, 2)) + b(rc::range(0, rc::end, 2)); },
      "a[::2] + b[::2]", loop_of<float>([=](long k) { return fa[2 * k] + fb[2 * k]; }, size / 2));
  line(
      "concat", [&] { return rc::concat(a, b); }, "np.concatenate([a, b])");
  line(
      "concat, axis 1", [&] { return rc::concat(aa, bb, rc::axis<1>); }, "np.concatenate([aa, bb], 1)");
  line(
      "stack, axis 0", [&] { return rc::stack(a, b); }, "np.stack([a, b])");
  line(
      "stack, axis -1", [&] { return rc::stack(a, b, rc::axis<-1>); }, "np.stack([a, b], -1)",
      loop_of<float>([=](long k) { return k % 2 ? fb[k / 2] : fa[k / 2]; }, 2 * size));
  line(
      "roll", [&] { return rc::roll(a, 1000); }, "np.roll(a, 1000)");
  line(
      "roll, axis 1", [&] { return rc::roll(aa, 10, rc::axis<1>); }, "np.roll(aa, 10, 1)");
  line(
      "repeat(grid, 1000)", [&] { return rc::repeat(grid, m); }, "np.repeat(grid, 1000)");
  line(
      "repeat(aa, 2), axis 1", [&] { return rc::repeat(aa, 2, rc::axis<1>); }, "np.repeat(aa, 2, 1)",
      loop_of<float>([=](long k) { return fa[k / 2]; }, 2 * size));
  line(
      "tile", [&] { return rc::tile(grid, rc::shape(m)); }, "np.tile(grid, 1000)");
  line(
      "pad", [&] { return rc::pad(aa, 2); }, "np.pad(aa, 2)");
  line(
      "pad, edge", [&] { return rc::pad(aa, 2, rc::edge); }, "np.pad(aa, 2, mode='edge')");
  line(
      "tril", [&] { return rc::tril(aa); }, "np.tril(aa)",
      loop_of<float>([=](long k) { return k % side <= k / side ? fa[k] : 0; }));
  line(
      "triu", [&] { return rc::triu(aa); }, "np.triu(aa)");
  line(
      "kron of 1000 and 1000", [&] { return rc::kron(grid, grid); }, "np.kron(grid, grid)");
  line(
      "outer of 1000 and 1000", [&] { return rc::outer(grid, grid); }, "np.outer(grid, grid)");
  line(
      "diagonal of 1000 x 1000", [&] { return rc::diagonal(aa); }, "np.diagonal(aa).copy()");
}

}  // namespace bench
