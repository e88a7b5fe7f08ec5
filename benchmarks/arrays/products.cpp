// Contractions. Times are for each multiplication.
#include "ricci.hpp"

namespace bench {

void products() {
  auto& v = x();
  auto const &a = v.a, &b = v.b;
  auto const &aa = v.aa, &bb = v.bb;
  auto const& o = data();
  float const* const fa = o.a.data();
  static vector<float> const r = a(rc::range(0, side));
  static rc::ndarray<float, 3> const c = rc::reshape(a, rc::shape(100, 100, 100)),
                                     d = rc::reshape(b, rc::shape(100, 100, 100));
  static matrix<float> const triples = rc::reshape(a(rc::range(0, 999999)), rc::shape(333333, 3));
  static matrix<float> const others = rc::reshape(b(rc::range(0, 999999)), rc::shape(333333, 3));
  static matrix<float> const h = aa(rc::range(0, 100), rc::range(0, 100));
  double const n = size;
  auto const line = [](char const* name, double count, auto f, char const* np, auto... more_peers) {
    contest(name, count, ricci(f), peers(numpy(np), more_peers...));
  };
  (void)fa;
  line(
      "matmul, 1000 x 1000 x 1000", n * side, [&] { return rc::matmul(aa, bb); }, "np.matmul(aa, bb, out=oo)");
  line(
      "matmul of the transpose", n * side, [&] { return rc::matmul(aa.T(), bb); }, "np.matmul(aa.T, bb, out=oo)");
  line(
      "matmul, 1000 x 1000 with a vector", n, [&] { return rc::matmul(aa, r); }, "np.matmul(aa, a[:1000])");
  line(
      "matmul, a vector with 1000 x 1000", n, [&] { return rc::matmul(r, aa); }, "np.matmul(a[:1000], aa)");
  line(
      "matmul, 100 of 100 x 100", n * 100, [&] { return rc::matmul(c, d); },
      "np.matmul(cube, b.reshape(100, 100, 100))");
  line(
      "vecdot of 1e6", n, [&] { return rc::vecdot(a, b); }, "np.vecdot(a, b)");
  line(
      "vecdot of rows", n, [&] { return rc::vecdot(aa, bb); }, "np.vecdot(aa, bb)");
  line(
      "inner of 1000 x 1000", n * side, [&] { return rc::inner(aa, bb); }, "np.inner(aa, bb)");
  line(
      "tensordot of 100^3 and 100^2", n * 100, [&] { return rc::tensordot(c, h, rc::axes<2>, rc::axes<0>); },
      "np.tensordot(cube, aa[:100, :100], 1)");
  line(
      "tensordot of 100^3 twice, 2 axes", n * 100, [&] { return rc::tensordot<2>(c, d); },
      "np.tensordot(cube, b.reshape(100, 100, 100), 2)");
  line(
      "einsum ij,kj->ik", n * side, [&] { return rc::einsum<"ij,kj->ik">(aa, bb); }, "np.matmul(aa, bb.T, out=oo)");
  line(
      "einsum j,ij->i", n, [&] { return rc::einsum<"j,ij->i">(r, aa); }, "np.matmul(aa, a[:1000])");
  line(
      "einsum ij,ij->", n, [&] { return rc::einsum<"ij,ij->">(aa, bb); }, "np.vdot(a, b)");
  line(
      "einsum ij->j", n, [&] { return rc::einsum<"ij->j">(aa); }, "np.sum(aa, 0)");
  line(
      "einsum ii->", 1000, [&] { return rc::einsum<"ii->">(aa); }, "np.trace(aa)");
  line(
      "einsum bij,bjk->bik", n * 100, [&] { return rc::einsum<"bij,bjk->bik">(c, d); },
      "np.matmul(cube, b.reshape(100, 100, 100))");
  line(
      "einsum bij,bij->b", n, [&] { return rc::einsum<"bij,bij->b">(c, d); },
      "np.vecdot(a.reshape(100, -1), b.reshape(100, -1))");
  line(
      "einsum i,j->ij", n, [&] { return rc::einsum<"i,j->ij">(r, r); },
      "np.multiply(a[:1000, None], a[:1000], out=oo)");
  line(
      "trace of 1000 x 1000", 1000, [&] { return rc::trace(aa); }, "np.trace(aa)");
  line(
      "cross of 333333 triples", n, [&] { return rc::cross(triples, others); },
      "np.cross(a[:999999].reshape(-1, 3), b[:999999].reshape(-1, 3))");
}

}  // namespace bench
