// Balances a pole on a cart that is pushed to the left or to the right, and learns it from falls alone: deep Q-learning
// (V. Mnih and others, 2015; with two nets, H. van Hasselt and others, 2016). The cart is that of A. Barto, R. Sutton
// and C. Anderson (1983), in steps of 20 ms; an attempt ends where the pole leans by more than 12 degrees or the cart
// leaves its 4.8 m, and after 500 steps.
//
//   pole [seeds [steps]]
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include <ricci/nn.hpp>

namespace rc = ricci;
namespace nn = ricci::nn;

constexpr int longest = 500;
using states = rc::tensor<float, rc::dyn, 4>;  // place and speed of the cart, angle and speed of the pole

states upright(rc::index_t count, nn::key const& key) {
  return rc::random::uniform<float>(key, rc::shape(count, 4), -.05f, .05f);
}
// One step of row n; whether the pole stands.
bool pushed(states& all, rc::index_t n, bool to_the_right) {
  constexpr float gravity = 9.8f, cart = 1, pole = .1f, half = .5f, push = 10, seconds = .02f;
  auto &x = all(n, 0), &speed = all(n, 1), &angle = all(n, 2), &turning = all(n, 3);
  float const c = std::cos(angle), s = std::sin(angle);
  float const pull = ((to_the_right ? push : -push) + pole * half * turning * turning * s) / (cart + pole);
  float const falls = (gravity * s - c * pull) / (half * (4.f / 3 - pole * c * c / (cart + pole)));
  float const moves = pull - pole * half * falls * c / (cart + pole);
  x += seconds * speed, speed += seconds * moves, angle += seconds * turning, turning += seconds * falls;
  return std::abs(x) <= 2.4f && std::abs(angle) <= 12 * 3.14159265f / 180;
}

template <class Kind = rc::values>
struct net {
  nn::layer<nn::linear<4, 64>, Kind> in;
  nn::layer<nn::linear<64, 64>, Kind> between;
  nn::layer<nn::linear<64, 2>, Kind> out;
  constexpr auto operator()(auto const& x) const { return out(rc::relu(between(rc::relu(in(x))))); }
};
struct experience {
  states before, after;
  rc::ndarray<int, 1> action;
  rc::ndarray<float, 1> stands;
};
// The part of the time to come, discounted, in which the pole stands after an action, is to be what comes of this step
// and of the best next action. An older net, the state of the run, says how good that one is.
constexpr auto loss = [](auto const& model, auto const& older, auto const&, auto const& before, auto const& after,
                         auto const& action, auto const& stands) {
  auto const at = [](auto const& q, auto const& index) {
    return rc::sum(rc::take_along_axis(q, index(rc::all, rc::newaxis), rc::axis<1>), rc::axis<1>);
  };
  auto const best = rc::eval(rc::argmax(rc::stop_gradient(model(after)), rc::axis<1>));
  auto const wanted = rc::eval(.01f + .99f * stands * at(rc::eval(older(after)), best));
  return std::pair(nn::mse(at(rc::eval(model(before)), action), wanted), older);
};
constexpr auto best_push = [](auto const& model, auto const& x) { return rc::argmax(model(x), rc::axis<1>); };

// For how many steps it stands, the mean of so many attempts.
double balanced(net<> const& model, rc::index_t attempts, nn::key const& key) {
  states x = upright(attempts, key);
  rc::ndarray<bool, 1> stands = rc::ones<bool>(rc::shape(attempts));
  double sum = 0;
  for (int step = 0; step < longest; ++step) {
    auto const push = rc::fn(best_push)(model, x);
    for (rc::index_t n = 0; n < attempts; ++n)
      if (stands(n)) stands(n) = pushed(x, n, push(n) == 1), sum += 1;
  }
  return sum / double(attempts);
}

// So many steps of learning, each after a step of the pole.
void learn(auto& run, auto const& optimiser, int steps, nn::key const& key) {
  auto const step_of_learning = nn::step_of<loss>(optimiser);
  experience all{rc::zeros<float>(rc::shape(steps, 4)), rc::zeros<float>(rc::shape(steps, 4)),
                 rc::zeros<int>(rc::shape(steps)), rc::zeros<float>(rc::shape(steps))};
  rc::ndarray<float, 1> const chance = rc::random::uniform<float>(key.fold(0), rc::shape(steps));
  rc::ndarray<int, 1> const by_chance = rc::random::randint<int>(key.fold(1), rc::shape(steps), 0, 2);
  states x = upright(1, key.fold(2));
  for (int step = 0, since = 0; step < steps; ++step) {
    bool const tries = chance(step) < std::fmax(.05f, 1 - float(step) / 4000);
    int const action = tries ? by_chance(step) : int(rc::fn(best_push)(run.params, x)(0));
    all.before(step) = x(0);
    bool const stands = pushed(x, 0, action == 1);
    all.after(step) = x(0), all.action(step) = action, all.stands(step) = stands ? 1.f : 0.f;
    if (!stands || ++since == longest) x = upright(1, key.fold(3).fold(step)), since = 0;
    if (step < 500) continue;
    auto const drawn = rc::random::randint<std::int64_t>(key.fold(4).fold(step), rc::shape(128), 0, step + 1);
    auto const batch = rc::data::rows_of(all, drawn);
    step_of_learning(run, batch.before, batch.after, batch.action, batch.stands);
    rc::tree_map([](auto& old, auto const& w) { old = .99f * old + .01f * w; }, run.state, run.params);
  }
}

int main(int argc, char** argv) {
  int const seeds = argc > 1 ? std::atoi(argv[1]) : 5, steps = argc > 2 ? std::atoi(argv[2]) : 40000;
  int good = 0;
  auto const optimiser = nn::clip_by_global_norm{10.f} | nn::adam{} |
                         nn::polynomial_decay{.init = 1e-3f, .end = 0, .power = 1, .steps = float(steps)};
  for (int seed = 0; seed < seeds; ++seed) {
    auto const key = rc::random::key(seed);
    auto const begin = std::chrono::steady_clock::now();
    auto const first = nn::init<net<>>(key.fold(0));
    auto run = nn::start(first, first, optimiser, key.fold(1));
    learn(run, optimiser, steps, key.fold(2));
    std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;
    double const mean = balanced(run.params, 100, key.fold(3));
    good += mean >= 475;
    std::printf("seed %d: stands for %.1f of 500 steps, the mean of 100 attempts; %.1f s\n", seed, mean, taken.count());
  }
  std::printf("%d of %d seeds stand for 475 steps or more\n", good, seeds);
}
