// A small recurrent network learns to say what comes next in a signal: two oscillations, of which it is told one number
// at a time. It is trained twice from the same start.
//
// As a function: `rc::scan` is the loop along the signal, recorded once; `rc::value_and_grad` of it is one program.
// As statements: variables, whose loop is the program's own. So it could stop, branch or look at numbers wherever it
// likes; each statement records itself on a tape, and `backward` goes back through them. Both take the same steps.
#include <cmath>
#include <cstdio>

#include <ricci/ricci.hpp>

namespace rc = ricci;

constexpr int length = 60, units = 12, rounds = 400;
constexpr double rate = 0.02, inertia = 0.9;
using signal = rc::tensor<double, length>;

template <class Kind = rc::values>
struct network {
  rc::field<Kind, double, units> in, bias, out;
  rc::field<Kind, double, units, units> turn;
};

network<> start() {
  network<> p;
  for (int i = 0; i < units; ++i) {
    p.in(i) = std::sin(3. * i), p.out(i) = 0.3 * std::cos(5. * i), p.bias(i) = 0.1 * std::cos(2. * i);
    for (int j = 0; j < units; ++j) p.turn(i, j) = 0.3 * std::sin(7. * i + 11. * j);
  }
  return p;
}

constexpr auto loss = [](auto p, auto x, auto next) {
  auto step = [p](auto h, auto now) {
    auto after = rc::tanh(now * p.in + rc::matmul(p.turn, h) + p.bias);
    return std::pair(after, rc::sum(after * p.out));
  };
  auto [last, said] = rc::scan(step, rc::zeros<double>(rc::extents<units>{}, rc::like(x)), x);
  return rc::mean(rc::square(said - next));
};

double train_function(signal const& x, signal const& next) {
  network<> p = start(), speed;
  double value = 0;
  for (int round = 0; round < rounds; ++round) {
    auto const [error, gradient] = rc::value_and_grad(loss)(p, x, next);
    rc::tree_map([](auto& w, auto& v, auto const& g) { v = inertia * v - rate * g, w += v; }, p, speed, gradient);
    value = double(error);
    if (round % 100 == 0) std::printf("  round %3d   %.6f\n", round, value);
  }
  return value;
}

double train_variables(signal const& x, signal const& next) {
  network<> speed;
  rc::tape tape;
  auto p = tape.variable(start());
  auto const descend = [](auto& w, auto& v) {
    v = inertia * v - rate * w.grad();
    w.value() += v;
    w.zero_grad();
  };
  double value = 0;
  for (int round = 0; round < rounds; ++round) {
    rc::variable h = rc::tanh(x(0) * p.in + p.bias);
    rc::variable error = rc::square(rc::sum(h * p.out) - next(0));
    for (int t = 1; t < length; ++t) {
      h = rc::tanh(x(t) * p.in + rc::matmul(p.turn, h) + p.bias);
      error = error + rc::square(rc::sum(h * p.out) - next(t));
    }
    rc::variable mean = error / double(length);
    mean.backward();
    rc::tree_map(descend, p, speed);
    value = double(mean);
    if (round % 100 == 0) std::printf("  round %3d   %.6f\n", round, value);
  }
  return value;
}

int main() {
  signal x, next;
  auto const at = [](int t) { return 0.6 * std::sin(0.4 * t) + 0.4 * std::sin(0.9 * t + 1); };
  for (int t = 0; t < length; ++t) x(t) = at(t), next(t) = at(t + 1);
  std::printf("by scan\n");
  double const a = train_function(x, next);
  std::printf("by variables\n");
  double const b = train_variables(x, next);
  std::printf("mean squared error %.6f and %.6f: they %s\n", a, b, std::abs(a - b) < 1e-6 * a ? "agree" : "differ");
}
