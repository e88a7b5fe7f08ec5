// Functions whose work is in products of matrices.
#include <tuple>
#include <vector>

#include "../core/peers.hpp"
#include "peers.hpp"
#include "problems.hpp"

namespace bench {
namespace {

#if BENCH_EIGEN
using matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using vector = Eigen::VectorXd;
using row_vector = Eigen::RowVectorXd;
template <class X>
Eigen::Map<matrix const> matrix_of(X const& x) {
  return {x.data(), x.shape(0), x.shape(1)};
}
template <class X>
Eigen::Map<vector const> vector_of(X const& x) {
  return {x.data(), x.size()};
}

template <class... X>
std::vector<double> join(X const&... x) {
  std::vector<double> all;
  (all.insert(all.end(), x.data(), x.data() + x.size()), ...);
  return all;
}

void matrix_product() {
  constexpr int n = 128;
  numbers draw;
  auto const a = draw.fill(rc::ndarray<double, 2>(n, n)), b = draw.fill(rc::ndarray<double, 2>(n, n));
  auto const ea = matrix_of(a), eb = matrix_of(b);
  rc::ndarray<double, 2> ga(n, n), gb(n, n);
  rc::tensor<double> value;
  double plain = 0;
  matrix product(n, n), ha(n, n), hb(n, n);
  auto step = rc::prepared(rc::value_and_grad<0, 1>(sum_of_product));
  taped peer(join(a, b), []<class T>(T const* p) {
    T s = 0. * p[0];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j)
        for (int k = 0; k < n; ++k) s += p[i * n + k] * p[n * n + k * n + j];
    return s;
  });
  std::tuple g(ga, gb);
  auto const t = race(
      [&] {
        product.noalias() = ea * eb;
        plain = product.sum(), touch(&plain), touch(a.data());
      },
      [&] { step.into(value, g)(a, b), touch(&g), touch(a.data()); },
      [&] {  // in general: the cotangent is a matrix
        product.noalias() = ea * eb;
        plain = product.sum();
        product.setOnes();
        ha.noalias() = product * eb.transpose();
        hb.noalias() = ea.transpose() * product;
        touch(&plain), touch(ha.data()), touch(hb.data()), touch(a.data());
      },
      peer);
  gradient({"sum of a product, 128 x 128", t[0], t[1], t[2], 3,
            difference(std::get<0>(g).data(), ha.data(), n * n) + difference(std::get<1>(g).data(), hb.data(), n * n),
            beside::objective, peer.time(t[3]), peer.error(join(ha, hb).data())});
}

void logistic_regression() {
  constexpr int n = 1000, d = 150;
  numbers draw;
  auto const x = draw.fill(rc::ndarray<double, 2>(n, d));
  auto const w = draw.fill(rc::ndarray<double, 1>(d), .2);
  rc::ndarray<double, 1> y(n), g(d);
  for (int k = 0; k < n; ++k) y(k) = draw() < 0 ? -1 : 1;
  auto const ex = matrix_of(x);
  auto const ew = vector_of(w), ey = vector_of(y);
  rc::tensor<double> value;
  double plain = 0;
  vector s(n), hand(d);
  auto step = rc::prepared(rc::value_and_grad(logistic));
  taped peer({w.data(), w.data() + d}, [&]<class T>(T const* p) {
    T all = 0. * p[0];
    for (int i = 0; i < n; ++i) {
      T z = x(i, 0) * p[0];
      for (int k = 1; k < d; ++k) z += x(i, k) * p[k];
      all += log(1. + exp(-y(i) * z));
    }
    return all / double(n);
  });
  auto const t = race(
      [&] {
        s.noalias() = ex * ew;
        plain = (-(s.array() * ey.array())).exp().log1p().mean();
        touch(&plain), touch(x.data());
      },
      [&] { step.into(value, g)(w, x, y), touch(g.data()), touch(x.data()); },
      [&] {
        s.noalias() = ex * ew;
        s = (-(s.array() * ey.array())).exp();
        plain = s.array().log1p().mean();
        s = -(s.array() / (1 + s.array())) * ey.array() / double(n);
        hand.noalias() = ex.transpose() * s;
        touch(&plain), touch(hand.data()), touch(x.data());
      },
      peer);
  gradient({"logistic regression, 1000 x 150", t[0], t[1], t[2], 1.9, difference(g.data(), hand.data(), d),
            beside::objective, peer.time(t[3]), peer.error(hand.data())});
}

// what Eigen has no packs for
template <class X>
auto tanh_of(X const& x) {
  return 1 - 2 / ((2 * x.array()).exp() + 1);
}
void layers() {
  constexpr int batch = 128, in = 64, hidden = 128, out = 10;
  numbers draw;
  auto const x = draw.fill(rc::ndarray<double, 2>(batch, in));
  rc::ndarray<double, 2> y(batch, out);
  for (int k = 0; k < batch; ++k) y(k, (k * 7 + 3) % out) = 1;
  auto const w1 = draw.fill(rc::ndarray<double, 2>(in, hidden), .2);
  auto const w2 = draw.fill(rc::ndarray<double, 2>(hidden, out), .2);
  auto const b1 = draw.fill(rc::ndarray<double, 1>(hidden), .1), b2 = draw.fill(rc::ndarray<double, 1>(out), .1);
  auto const ex = matrix_of(x), ey = matrix_of(y), e1 = matrix_of(w1), e2 = matrix_of(w2);
  row_vector const c1 = vector_of(b1), c2 = vector_of(b2);
  rc::tensor<double> value;
  std::tuple g(w1, b1, w2, b2);
  double plain = 0;
  matrix h(batch, hidden), z(batch, out), g1(in, hidden), g2(hidden, out), dh(batch, hidden);
  vector sums(batch);
  row_vector gb1(hidden), gb2(out);
  auto const forward = [&] {
    h.noalias() = ex * e1;
    h.rowwise() += c1;
    h = tanh_of(h);
    z.noalias() = h * e2;
    z.rowwise() += c2;
    plain = -(z.array() * ey.array()).sum();
    z = z.array().exp();
    sums = z.rowwise().sum();
    plain = (plain + sums.array().log().sum()) / batch;
  };
  taped peer(join(w1, b1, w2, b2), [&]<class T>(T const* p) {
    T const *const v1 = p + in * hidden, *const p2 = v1 + hidden, *const v2 = p2 + hidden * out;
    T all = 0. * p[0];
    std::vector<T> inner(hidden, all);
    for (int i = 0; i < batch; ++i) {
      for (int j = 0; j < hidden; ++j) {
        inner[std::size_t(j)] = v1[j];
        for (int k = 0; k < in; ++k) inner[std::size_t(j)] += x(i, k) * p[k * hidden + j];
        inner[std::size_t(j)] = tanh(inner[std::size_t(j)]);
      }
      T total = 0. * p[0];
      for (int j = 0; j < out; ++j) {
        T of = v2[j] + 0.;
        for (int k = 0; k < hidden; ++k) of += inner[std::size_t(k)] * p2[k * out + j];
        total += exp(of);
        if (y(i, j) != 0) all -= of;
      }
      all += log(total);
    }
    return all / double(batch);
  });
  auto step = rc::prepared(rc::value_and_grad<0, 1, 2, 3>(net));
  auto const t = race([&] { forward(), touch(&plain), touch(x.data()); },
                      [&] { step.into(value, g)(w1, b1, w2, b2, x, y), touch(&g), touch(x.data()); },
                      [&] {
                        forward();
                        z.array().colwise() *= 1 / (sums.array() * batch);
                        z -= ey / batch;
                        g2.noalias() = h.transpose() * z;
                        gb2 = z.colwise().sum();
                        dh.noalias() = z * e2.transpose();
                        dh.array() *= 1 - h.array().square();
                        g1.noalias() = ex.transpose() * dh;
                        gb1 = dh.colwise().sum();
                        touch(&plain), touch(g1.data()), touch(g2.data()), touch(x.data());
                      },
                      peer);
  gradient({"two layers, batch 128, 64-128-10", t[0], t[1], t[2], 2.2,
            difference(std::get<0>(g).data(), g1.data(), in * hidden) +
                difference(std::get<1>(g).data(), gb1.data(), hidden) +
                difference(std::get<2>(g).data(), g2.data(), hidden * out) +
                difference(std::get<3>(g).data(), gb2.data(), out),
            beside::objective, peer.time(t[3]), peer.error(join(g1, gb1, g2, gb2).data())});
}
#endif

}  // namespace

void products() {
#if BENCH_EIGEN
  if (wanted("sum of a product")) matrix_product();
  if (wanted("logistic regression")) logistic_regression();
  if (wanted("two layers")) layers();
#endif
}

}  // namespace bench
