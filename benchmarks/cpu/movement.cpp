// Transposes, permutations, rows by index and the gradient of these.
#include <ricci/ricci.hpp>

#include "table.hpp"

namespace rc = ricci;

namespace bench {
namespace {

using matrix = rc::ndarray<float, 2>;

template <int... Order, class X>
void permute(X const& x, char const* numpy, char const* torch, goals g) {
  std::string name = "permute ";
  ((name += std::to_string(Order)), ...);
  if (!wanted(name)) return;
  rc::index_t const shape[] = {x.shape(Order)...};
  X y = [&]<std::size_t... K>(std::index_sequence<K...>) { return X(shape[K]...); }
  (std::make_index_sequence<sizeof...(Order)>());
  bind("x", x);
  contest(name, {work::bytes, 8. * double(x.size())}, g,
          contestant_of("ricci", [&] { return y = rc::permute_dims(x, rc::axis<Order...>), &y; }),
          together(python("numpy", "x", numpy), python("torch", "x", torch)));
}

}  // namespace

void movement() {
  constexpr long n = 1024;
  matrix const a = with_noise(matrix(n, n), 1), b = with_noise(matrix(n, n), 2);
  matrix y(n, n);
  bind("a", a), bind("b", b);
  title("movement of floats");
  std::vector<contestant> eigen;
#if BENCH_EIGEN
  using array = Eigen::Array<float, -1, -1, Eigen::RowMajor>;
  Eigen::Map<array const> const ea(a.data(), n, n), eb(b.data(), n, n);
  array e(n, n);
  eigen = {{"Eigen", [&] { e = ea + eb.transpose(), touch(e.data()); },
            [&] { return numbers(e.data(), e.data() + e.size()); }}};
#endif
  contest("A + B^T, 1024 x 1024", {work::bytes, 12. * n * n}, {1, .7},
          contestant_of("ricci", [&] { return y = a + rc::matrix_transpose(b), &y; }),
          together(python("torch", "a b", "a + b.T"), python("jax", "a b", "a + b.T"), eigen));
  rc::ndarray<float, 3> const x3 = with_noise(rc::ndarray<float, 3>(128, 128, 64), 3);
  rc::ndarray<float, 4> const x4 = with_noise(rc::ndarray<float, 4>(32, 32, 32, 32), 4);
  permute<2, 1, 0>(x3, "numpy.ascontiguousarray(x.transpose(2, 1, 0))", "x.permute(2, 1, 0).contiguous()", {1, .7});
  permute<3, 2, 1, 0>(x4, "numpy.ascontiguousarray(x.transpose(3, 2, 1, 0))", "x.permute(3, 2, 1, 0).contiguous()",
                      {1, .7});
  permute<0, 2, 1, 3>(x4, "numpy.ascontiguousarray(x.transpose(0, 2, 1, 3))", "x.permute(0, 2, 1, 3).contiguous()",
                      {1, .7});
  permute<0, 1, 3, 2>(x4, "numpy.ascontiguousarray(x.transpose(0, 1, 3, 2))", "x.permute(0, 1, 3, 2).contiguous()",
                      {1, .7});

  constexpr long entries = 4096, width = 64, reads = 8192;
  matrix const table = with_noise(matrix(entries, width), 5), dy = with_noise(matrix(reads, width), 6);
  rc::ndarray<rc::index_t, 1> at(reads);
  for (long k = 0; k < reads; ++k) at(k) = (k * 7919) % entries;
  bind("t", table), bind("at", at), bind("dy", dy);
  matrix r(reads, width), dt(entries, width);
  contest("take, 8192 of 4096 rows of 64", {work::bytes, 8. * reads * width}, {1, .7},
          contestant_of("ricci", [&] { return r = rc::take(table, at, rc::axis<0>), &r; }),
          together(python("torch", "t at", "torch.index_select(t, 0, at)"), python("numpy", "t at", "t.take(at, 0)"),
                   python("jax", "t at", "t[at]")));
  auto const pull = rc::vjp([](auto t, auto i) { return rc::take(t, i, rc::axis<0>); })(table, at).second;
  contest("its gradient", {work::bytes, 4. * (reads + 2 * entries) * width}, {1, 0},
          contestant_of("ricci", [&] { return dt = std::get<0>(pull(dy)), &dt; }),
          together(python("torch", "t at dy", "torch.zeros_like(t).index_add_(0, at, dy)"),
                   python("jax", "t at dy", "jnp.zeros_like(t).at[at].add(dy)")));
}

}  // namespace bench
