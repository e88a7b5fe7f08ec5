// A mixture of Gaussians, as functions.hpp defines it.
#include <array>
#include <tuple>
#include <vector>

#include "../core/peers.hpp"
#include "peers.hpp"
#include "problems.hpp"

namespace bench {
namespace {

constexpr int n = 1000, d = 10, k = 25, below = d * (d - 1) / 2;

#if BENCH_EIGEN
using matrix = Eigen::MatrixXd;  // points are rows, side by side in memory along a column
using vector = Eigen::VectorXd;

struct by_hand {
  matrix x{n, d}, each{n, k}, apart{n, d}, factor[k], y[k];
  vector most{n}, sums{n};
  double alpha[k], mean[k][d], q[k][d], l[k][below];
  double g_alpha[k], g_mean[k][d], g_q[k][d], g_l[k][below];
  double value = 0;

  void objective(bool keep) {
    double prior = 0;
    vector weights(k);
    matrix rows(n, d);
    for (int c = 0; c < k; ++c) {
      double sum = 0;
      factor[c].setZero(d, d);
      for (int j = 0, p = 0; j < d; ++j) {
        factor[c](j, j) = std::exp(q[c][j]), sum += q[c][j];
        prior += .5 * gamma_of_prior * gamma_of_prior * factor[c](j, j) * factor[c](j, j) - m_of_prior * q[c][j];
        for (int i = j + 1; i < d; ++i, ++p) {
          factor[c](i, j) = l[c][p];
          prior += .5 * gamma_of_prior * gamma_of_prior * l[c][p] * l[c][p];
        }
      }
      for (int j = 0; j < d; ++j) apart.col(j) = x.col(j).array() - mean[c][j];
      matrix& to = keep ? y[c] : rows;
      to.noalias() = apart * factor[c].transpose();
      each.col(c) = -.5 * to.rowwise().squaredNorm();
      each.col(c).array() += alpha[c] + sum;
      weights(c) = alpha[c];
    }
    most = each.rowwise().maxCoeff();
    for (int c = 0; c < k; ++c) each.col(c) = (each.col(c) - most).array().exp();
    sums = each.rowwise().sum();
    double const m = weights.maxCoeff();
    value = most.sum() + sums.array().log().sum() - n * (m + std::log((weights.array() - m).exp().sum())) - prior;
  }
  void gradient_of_it() {
    objective(true);
    vector weights = Eigen::Map<vector const>(alpha, k);
    weights = (weights.array() - weights.maxCoeff()).exp();
    weights /= weights.sum();
    vector w(n);
    matrix of_factor(d, d), back(n, d);
    for (int c = 0; c < k; ++c) {
      w = each.col(c).array() / sums.array();
      double const total = w.sum();
      g_alpha[c] = total - n * weights(c);
      for (int j = 0; j < d; ++j) {
        apart.col(j) = x.col(j).array() - mean[c][j];
        y[c].col(j).array() *= -w.array();
      }
      of_factor.noalias() = y[c].transpose() * apart;
      back.noalias() = y[c] * factor[c];
      for (int j = 0, p = 0; j < d; ++j) {
        g_mean[c][j] = -back.col(j).sum();
        double const f = factor[c](j, j);
        g_q[c][j] = of_factor(j, j) * f + total - gamma_of_prior * gamma_of_prior * f * f + m_of_prior;
        for (int i = j + 1; i < d; ++i, ++p) g_l[c][p] = of_factor(i, j) - gamma_of_prior * gamma_of_prior * l[c][p];
      }
    }
  }
};

// number by number, for the peer: the parameters one after another
template <class T, class X>
T plain(T const* p, X const& x) {
  T const *const mean = p + k, *const q = mean + k * d, *const l = q + k * d;
  T all = 0. * p[0], weights = all;
  std::vector<T> diagonal, sums;
  for (int c = 0; c < k; ++c) {
    T sum = 0. * p[0];
    for (int j = 0; j < d; ++j) {
      T const e = exp(q[c * d + j]);
      sum += q[c * d + j];
      all -= .5 * gamma_of_prior * gamma_of_prior * e * e;
      diagonal.push_back(e);
    }
    for (int j = 0; j < below; ++j) all -= .5 * gamma_of_prior * gamma_of_prior * l[c * below + j] * l[c * below + j];
    all += m_of_prior * sum;
    weights += exp(p[c]);
    sums.push_back(sum);
  }
  std::vector<T> y(d, all), apart(d, all), of(k, all);
  for (int i = 0; i < n; ++i) {
    double most = -1e300;
    for (int c = 0; c < k; ++c) {
      for (int j = 0; j < d; ++j) {
        apart[std::size_t(j)] = x(i, j) - mean[c * d + j];
        y[std::size_t(j)] = diagonal[std::size_t(c * d + j)] * apart[std::size_t(j)];
      }
      for (int j = 0, at = 0; j < d; ++j)
        for (int r = j + 1; r < d; ++r, ++at) y[std::size_t(r)] += l[c * below + at] * apart[std::size_t(j)];
      T square = 0. * p[0];
      for (int j = 0; j < d; ++j) square += y[std::size_t(j)] * y[std::size_t(j)];
      of[std::size_t(c)] = p[c] + sums[std::size_t(c)] - .5 * square;
      most = std::fmax(most, of[std::size_t(c)].value());
    }
    T sum = 0. * p[0];
    for (int c = 0; c < k; ++c) sum += exp(of[std::size_t(c)] - most);
    all += most + log(sum);
  }
  return all - double(n) * log(weights);
}
#endif

}  // namespace

void mixtures() {
#if BENCH_EIGEN
  if (!wanted("mixture of Gaussians")) return;
  numbers draw;
  auto const x = draw.fill(rc::tensor<double, n, d>{});
  auto const alpha = draw.fill(rc::tensor<double, k>{});
  auto const mean = draw.fill(rc::tensor<double, k, d>{});
  auto const q = draw.fill(rc::tensor<double, k, d>{}, .5);
  auto const l = draw.fill(rc::tensor<double, k, below>{}, .5);
  static by_hand hand;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < d; ++j) hand.x(i, j) = x(i, j);
  for (int c = 0; c < k; ++c) {
    hand.alpha[c] = alpha(c);
    for (int j = 0; j < d; ++j) hand.mean[c][j] = mean(c, j), hand.q[c][j] = q(c, j);
    for (int j = 0; j < below; ++j) hand.l[c][j] = l(c, j);
  }
  rc::tensor<double> value;
  std::tuple g(alpha, mean, q, l);
  auto step = rc::prepared(rc::value_and_grad<0, 1, 2, 3>(likelihood<d, n>));
  std::vector<double> all;
  auto const join = [&](auto const& part) { all.insert(all.end(), part.data(), part.data() + part.size()); };
  join(alpha), join(mean), join(q), join(l);
  taped peer(all, [&](auto const* p) { return plain(p, x); });
  auto const t = race([&] { hand.objective(false), touch(&hand); },
                      [&] { step.into(value, g)(alpha, mean, q, l, x), touch(&g), touch(x.data()); },
                      [&] { hand.gradient_of_it(), touch(&hand); }, peer);
  all.clear();
  all.insert(all.end(), hand.g_alpha, hand.g_alpha + k), all.insert(all.end(), hand.g_mean[0], hand.g_mean[0] + k * d);
  all.insert(all.end(), hand.g_q[0], hand.g_q[0] + k * d), all.insert(all.end(), hand.g_l[0], hand.g_l[0] + k * below);
  gradient({"mixture of Gaussians, d 10, k 25", t[0], t[1], t[2], 3,
            difference(std::get<0>(g).data(), hand.g_alpha, k) +
                difference(std::get<1>(g).data(), hand.g_mean[0], k * d) +
                difference(std::get<2>(g).data(), hand.g_q[0], k * d) +
                difference(std::get<3>(g).data(), hand.g_l[0], k * below),
            beside::objective, peer.time(t[3]), peer.error(all.data())});
#endif
}

}  // namespace bench
