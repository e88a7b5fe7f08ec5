// An LSTM with diagonal gates, as functions.hpp defines it: two layers of 14 numbers predict the next of 1024 rows of
// bits. Its time steps wait for one another, so each is a few short vectors.
#include <array>
#include <tuple>
#include <vector>

#include "../core/peers.hpp"
#include "peers.hpp"
#include "problems.hpp"

namespace bench {
namespace {

constexpr int layers = 2, width = 14, steps = 1024;

#if BENCH_EIGEN
using row = Eigen::Array<double, 16, 1>;  // the last two are zero

struct by_hand {
  row gates[layers][2][4], extra[3], start[layers][2];
  row x[steps];
  row g_gates[layers][2][4], g_extra[3], g_start[layers][2];
  struct kept {
    row input, hidden, state, forget, in, out, change, next;  // next: its tanh
  };
  kept at[steps][layers];
  row above[steps];
  double value = 0;

  static row sigmoid(row const& a) { return 1 / (1 + (-a).exp()); }
  static row tanh(row const& a) { return 1 - 2 / ((2 * a).exp() + 1); }

  template <bool Keep>
  void objective() {
    row h[layers], s[layers];
    for (int l = 0; l < layers; ++l) h[l] = start[l][0], s[l] = start[l][1];
    double sum = 0;
    for (int t = 0; t + 1 < steps; ++t) {
      row in = x[t] * extra[0];
      for (int l = 0; l < layers; ++l) {
        auto const& w = gates[l][0];
        auto const& b = gates[l][1];
        row const f = sigmoid(in * w[0] + b[0]), i = sigmoid(h[l] * w[1] + b[1]), o = sigmoid(in * w[2] + b[2]),
                  c = tanh(h[l] * w[3] + b[3]);
        row const next = s[l] * f + i * c, squashed = tanh(next);
        if constexpr (Keep) at[t][l] = {in, h[l], s[l], f, i, o, c, squashed};
        s[l] = next;
        in = h[l] = o * squashed;
      }
      if constexpr (Keep) above[t] = in;
      row const y = in * extra[1] + extra[2];
      double const e = y.head<width>().exp().sum();
      sum += (x[t + 1].head<width>() * (y.head<width>() - std::log(2 + e))).sum();
    }
    value = -sum / ((steps - 1) * width);
  }
  void gradient_of_it() {
    objective<true>();
    for (auto& l : g_gates)
      for (auto& k : l)
        for (row& g : k) g.setZero();
    for (row& g : g_extra) g.setZero();
    row dh[layers], ds[layers];
    for (int l = 0; l < layers; ++l) dh[l].setZero(), ds[l].setZero();
    double const by = -1. / ((steps - 1) * width);
    for (int t = steps - 2; t >= 0; --t) {
      row const y = above[t] * extra[1] + extra[2];
      row e = y.exp();
      e.tail<2>().setZero();
      row const dy = by * (x[t + 1] - x[t + 1].head<width>().sum() / (2 + e.sum()) * e);
      g_extra[1] += dy * above[t], g_extra[2] += dy;
      row down = dy * extra[1];
      for (int l = layers - 1; l >= 0; --l) {
        kept const& k = at[t][l];
        auto const& w = gates[l][0];
        row const of_h = dh[l] + down;
        row const of_o = of_h * k.next * k.out * (1 - k.out);
        row const of_s = ds[l] + of_h * k.out * (1 - k.next * k.next);
        row const of_f = of_s * k.state * k.forget * (1 - k.forget);
        row const of_i = of_s * k.change * k.in * (1 - k.in), of_c = of_s * k.in * (1 - k.change * k.change);
        ds[l] = of_s * k.forget;
        auto& gw = g_gates[l][0];
        auto& gb = g_gates[l][1];
        gw[0] += of_f * k.input, gb[0] += of_f, gw[1] += of_i * k.hidden, gb[1] += of_i;
        gw[2] += of_o * k.input, gb[2] += of_o, gw[3] += of_c * k.hidden, gb[3] += of_c;
        dh[l] = of_i * w[1] + of_c * w[3];
        down = of_f * w[0] + of_o * w[2];
      }
      g_extra[0] += down * x[t];
    }
    for (int l = 0; l < layers; ++l) g_start[l][0] = dh[l], g_start[l][1] = ds[l];
  }
};
template <class X>
void take_rows(row* to, X const& x) {
  for (rc::index_t k = 0; k < x.size(); ++k) to[k / width](k % width) = x.data()[k];
}
template <class X>
double error_of(X const& x, row const* hand) {
  double at[layers * 2 * 4 * width];
  for (rc::index_t k = 0; k < x.size(); ++k) at[k] = hand[k / width](k % width);
  return difference(x.data(), at, x.size());
}

// number by number, for the peer: the parameters one after another
template <class T, class X>
T plain(T const* p, X const& bits) {
  T const *const extra = p + layers * 8 * width, *const start = extra + 3 * width;
  auto const sigmoid = [](T const& a) { return T(1. / (1. + exp(-a))); };
  std::vector<T> hidden, state;
  for (int l = 0; l < layers; ++l)
    for (int j = 0; j < width; ++j) {
      hidden.push_back(start[2 * l * width + j]);
      state.push_back(start[(2 * l + 1) * width + j]);
    }
  T all = 0. * p[0];
  std::vector<T> x(width, all);
  for (int t = 0; t + 1 < steps; ++t) {
    double ones = 0;
    T sum = 0. * p[0];
    for (int j = 0; j < width; ++j) {
      T in = bits(t, j) * extra[j];
      for (int l = 0; l < layers; ++l) {
        T const *const w = p + l * 8 * width + j, *const b = w + 4 * width;
        T &h = hidden[std::size_t(l * width + j)], &s = state[std::size_t(l * width + j)];
        T const forget = sigmoid(in * w[0] + b[0]), enter = sigmoid(h * w[width] + b[width]),
                leave = sigmoid(in * w[2 * width] + b[2 * width]), change = tanh(h * w[3 * width] + b[3 * width]);
        s = s * forget + enter * change;
        h = leave * tanh(s);
        in = h;
      }
      T const y = in * extra[width + j] + extra[2 * width + j];
      sum += exp(y);
      ones += bits(t + 1, j);
      if (bits(t + 1, j) != 0) all -= y;
    }
    all += ones * log(2. + sum);
  }
  return all / double((steps - 1) * width);
}
#endif

}  // namespace

void recurrent() {
#if BENCH_EIGEN
  if (!wanted("LSTM")) return;
  numbers draw;
  auto const gates = draw.fill(rc::tensor<double, layers, 2, 4, width>{});
  auto const extra = draw.fill(rc::tensor<double, 3, width>{});
  auto const start = draw.fill(rc::tensor<double, layers, 2, width>{});
  rc::tensor<double, steps, width> bits;
  for (int k = 0; k < steps * width; ++k) bits.data()[k] = draw() < 0 ? 0 : 1;
  static by_hand hand{};
  take_rows(hand.gates[0][0], gates), take_rows(hand.extra, extra), take_rows(hand.start[0], start);
  take_rows(hand.x, bits);
  rc::tensor<double> value;
  std::tuple g(gates, extra, start);
  auto step = rc::prepared(rc::value_and_grad<0, 1, 2>(lstm<steps>));
  std::vector<double> all, of_hand;
  auto const join = [](std::vector<double>& to, auto const& part) {
    to.insert(to.end(), part.data(), part.data() + part.size());
  };
  join(all, gates), join(all, extra), join(all, start);
  taped peer(all, [&](auto const* p) { return plain(p, bits); });
  auto const t = race([&] { hand.objective<false>(), touch(&hand); },
                      [&] { step.into(value, g)(gates, extra, start, bits), touch(&g), touch(bits.data()); },
                      [&] { hand.gradient_of_it(), touch(&hand); }, peer);
  auto const join_rows = [&](auto const* from, int count) {
    for (int i = 0; i < count; ++i) of_hand.insert(of_hand.end(), from[i].data(), from[i].data() + width);
  };
  join_rows(hand.g_gates[0][0], layers * 8), join_rows(hand.g_extra, 3), join_rows(hand.g_start[0], layers * 2);
  gradient({"LSTM, 2 layers of 14, 1024 steps", t[0], t[1], t[2], 1.6,
            error_of(std::get<0>(g), hand.g_gates[0][0]) + error_of(std::get<1>(g), hand.g_extra) +
                error_of(std::get<2>(g), hand.g_start[0]),
            beside::objective, peer.time(t[3]), peer.error(of_hand.data())});
#endif
}

}  // namespace bench
