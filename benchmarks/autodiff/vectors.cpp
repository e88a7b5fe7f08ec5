// Functions of one long vector.
#include "../core/peers.hpp"
#include "peers.hpp"
#include "problems.hpp"

namespace bench {
void vectors() {
#if BENCH_EIGEN
  constexpr int n = 16384;
  rc::ndarray<double, 1> const x = numbers().fill(rc::ndarray<double, 1>(n), 3);
  Eigen::Map<Eigen::ArrayXd const> const ex(x.data(), n);
  Eigen::ArrayXd by_hand(n);
  rc::ndarray<double, 1> g(n);
  rc::tensor<double> value;
  double plain = 0;
  if (wanted("sum of squares")) {
    auto step = rc::prepared(rc::value_and_grad(sum_of_squares));
    taped peer({x.data(), x.data() + n}, []<class T>(T const* a) {
      T s = a[0] * a[0];
      for (int k = 1; k < n; ++k) s += a[k] * a[k];
      return s;
    });
    auto const t = race([&] { plain = ex.square().sum(), touch(&plain), touch(x.data()); },
                        [&] { step.into(value, g)(x), touch(g.data()), touch(x.data()); },
                        [&] {
                          plain = 0;
                          for (int from = 0; from < n; from += 512) {
                            plain += ex.segment(from, 512).square().sum();
                            by_hand.segment(from, 512) = 2. * ex.segment(from, 512);
                          }
                          touch(&plain), touch(by_hand.data()), touch(x.data());
                        },
                        peer);
    gradient({"sum of squares, 16384", t[0], t[1], t[2], 2.2, difference(g.data(), by_hand.data(), n),
              beside::objective, peer.time(t[3]), peer.error(by_hand.data())});
  }
  if (wanted("log-sum-exp")) {
    auto step = rc::prepared(rc::value_and_grad(log_sum_exp));
    double const largest = ex.maxCoeff();
    taped peer({x.data(), x.data() + n}, [&]<class T>(T const* a) {
      T s = exp(a[0] - largest);
      for (int k = 1; k < n; ++k) s += exp(a[k] - largest);
      return largest + log(s);
    });
    auto const t = race(
        [&] {
          double const m = ex.maxCoeff();
          plain = m + std::log((ex - m).exp().sum()), touch(&plain), touch(x.data());
        },
        [&] { step.into(value, g)(x), touch(g.data()), touch(x.data()); },
        [&] {
          double const m = ex.maxCoeff();
          by_hand = (ex - m).exp();
          double const s = by_hand.sum();
          by_hand *= 1 / s, plain = m + std::log(s);
          touch(&plain), touch(by_hand.data()), touch(x.data());
        },
        peer);
    gradient({"log-sum-exp, 16384", t[0], t[1], t[2], 1.35, difference(g.data(), by_hand.data(), n), beside::objective,
              peer.time(t[3]), peer.error(by_hand.data())});
  }
#endif
}

}  // namespace bench
