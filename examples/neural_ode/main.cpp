// A small net learns the law of a motion from where a point was seen: a spiral, whose equation dy/dt = A y³ the program
// forgets as soon as it has made the data. The net says dy/dt of y, `rc::odeint` says where that leads.
//
// Its derivatives are by the adjoint equation, so nothing in between is kept. A fit of the whole way at once gets stuck
// where the net has learned to stand still; one of many short pieces, each from a point that was seen, does not. The
// pieces are a batch, `rc::vmap`, in which each takes steps of its own length.
#include <cmath>
#include <cstdio>

#include <ricci/ricci.hpp>

namespace rc = ricci;

constexpr int sightings = 100, piece = 6, pieces = 19, units = 16, rounds = 1000;
constexpr double seconds = 6, rate = 0.05;
using path = rc::tensor<double, sightings, 2>;
using moments = rc::tensor<double, sightings>;

template <class Kind = rc::values>
struct net {
  rc::field<Kind, double, 2, units> in;
  rc::field<Kind, double, units> bias;
  rc::field<Kind, double, units, 2> out;
};

constexpr auto law = [](auto y, auto) {
  auto const a = y * y * y;
  return rc::stack(2. * a(1) - 0.1 * a(0), -2. * a(0) - 0.1 * a(1));
};

constexpr auto follow = [](auto p, auto from, auto at) {
  auto const field = [p](auto y, auto) { return rc::matmul(rc::tanh(rc::matmul(y * y * y, p.in) + p.bias), p.out); };
  return rc::odeint(field, from, at, {.rtol = 1e-5, .atol = 1e-6});
};

constexpr auto loss = [](auto p, auto from, auto at, auto positions) {
  auto const paths = rc::vmap(follow, rc::in_axes<rc::unbatched, 0, rc::unbatched>)(p, from, at);
  return rc::mean(rc::square(paths - positions));
};

// Adam, whose steps become smaller along half a cosine.
struct optimiser {
  net<> mean, square;
  int round = 0;
  void step(net<>& p, net<> const& gradient) {
    double const left = 0.5 + 0.5 * std::cos(std::acos(-1.) * round++ / rounds);
    double const size = left * rate * std::sqrt(1 - std::pow(0.999, round)) / (1 - std::pow(0.9, round));
    auto const each = [size](auto& w, auto& m, auto& s, auto const& g) {
      m = 0.9 * m + 0.1 * g;
      s = 0.999 * s + 0.001 * rc::square(g);
      w -= size * m / (rc::sqrt(s) + 1e-8);
    };
    rc::tree_map(each, p, mean, square, gradient);
  }
};

int main() {
  moments const t = rc::linspace<double>(0, seconds, sightings);
  path const positions = rc::odeint(law, rc::tensor<double, 2>{2, 0}, t);

  rc::tensor<double, pieces, 2> from;
  rc::tensor<double, pieces, piece, 2> parts;
  for (int k = 0; k < pieces; ++k) {
    parts(k) = positions(rc::slice<piece>(k * (piece - 1)));
    from(k) = parts(k, 0);
  }
  rc::tensor<double, piece> const at = t(rc::range(0, piece));

  net<> p;
  for (int i = 0; i < units; ++i)
    for (int j = 0; j < 2; ++j)
      p.in(j, i) = 0.5 * std::sin(3. * i + 5. * j), p.out(i, j) = 0.1 * std::cos(7. * i + 2. * j);
  optimiser adam;
  auto const descend = rc::value_and_grad(loss);
  for (int round = 0; round < rounds; ++round) {
    auto const [error, gradient] = descend(p, from, at, parts);
    if (round % 200 == 0) std::printf("round %3d   %.6f\n", round, double(error));
    adam.step(p, gradient);
  }

  // Where does the law that was found lead from the first point alone?
  path const found = rc::fn(follow)(p, positions(0), t);
  path const miss = found - positions;
  double const most = double(rc::max(rc::sqrt(rc::sum(miss * miss, rc::axis<1>))));
  std::printf("over %g seconds at most %.3f from the spiral: %s\n", seconds, most,
              most < 0.1 ? "learned" : "not learned");
}
