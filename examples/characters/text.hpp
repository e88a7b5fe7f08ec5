// What a net that learns to say the next character of a text needs: the text in pieces, a training, and sampling.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

#include <ricci/nn.hpp>

namespace rc = ricci;
namespace nn = ricci::nn;

constexpr int window = 64, letters = 96;  // of a piece; the end of a line and what ASCII prints

struct pieces {
  rc::tensor<int, rc::dim<"pieces">, window> now, next;
};
constexpr int code(char c) { return c >= ' ' && c <= '~' ? c - ' ' + 1 : 0; }
constexpr char letter(int code) { return code == 0 ? '\n' : static_cast<char>(code + ' ' - 1); }
inline pieces in_pieces(std::string const& text) {
  auto const count = static_cast<rc::index_t>(text.size() - 1) / window;
  pieces p{rc::tensor<int, rc::dim<"pieces">, window>(count, window), {}};
  p.next = p.now;
  for (rc::index_t k = 0; k < count * window; ++k) {
    p.now.data()[k] = code(text[std::size_t(k)]);
    p.next.data()[k] = code(text[std::size_t(k) + 1]);
  }
  return p;
}

constexpr auto loss = [](auto const& model, auto state, auto const&, auto const& now, auto const& next) {
  return std::pair(nn::cross_entropy(model(now), next), state);
};
constexpr auto scores_of = [](auto const& model, auto const& now) { return model(now); };

// So many characters more, each drawn by the probabilities that the net gives after the 64 before it.
constexpr auto sampled = [](auto const& net, std::string text, int count, nn::key const& key) {
  for (int k = 0; k < count; ++k) {
    int const known = std::min(int(text.size()), window);
    rc::tensor<int, rc::dim<"pieces">, window> now(1, window);
    for (int i = 0; i < known; ++i) now(0, i) = code(text[text.size() - std::size_t(known - i)]);
    auto const all = rc::fn(scores_of)(net, now);
    text += letter(int(rc::random::categorical(key.fold(k), all(0, known - 1), rc::shape()).item()));
  }
  return text;
};

// program [text [steps]]
template <class Net, class Sampled = decltype(sampled)>
int learn(int argc, char** argv, char const* reference, Sampled const& write_on = sampled) {
  if (argc < 2) {
    std::printf(
        "skipped: which text? `apt-get install bible-kjv`, and `bible -f gen1:1-rev22:21 > bible.txt` is one\n");
    return 0;
  }
  std::ifstream file(argv[1], std::ios::binary);
  std::string const text{std::istreambuf_iterator<char>(file), {}};
  if (text.size() < 20 * window) return std::printf("%s has no text, or a short one\n", argv[1]), 1;
  int const steps = argc > 2 ? std::atoi(argv[2]) : 2000;
  std::size_t const most = text.size() / 10 * 9;  // to learn from; the end is held out
  pieces const training = in_pieces(text.substr(0, most)), held_out = in_pieces(text.substr(most));

  auto const key = rc::random::key(0);
  auto const optimiser = nn::clip_by_global_norm{1.f} | nn::adam{.b2 = .99f} |
                         nn::warmup_cosine{.peak = 1e-3f, .warmup = 100, .total = float(steps), .end = 1e-4f};
  auto run = nn::start(nn::init<Net>(key), std::tuple<>{}, optimiser, key);
  auto const step = nn::step_of<loss>(optimiser);
  auto const begin = std::chrono::steady_clock::now();
  for (float mean = 0; run.step < steps; ++run.epoch)
    for (auto const& [now, next] : nn::batches(training, {.size = 12}, key.fold(run.epoch))) {
      float const value = step(run, now, next);
      mean = run.step == 1 ? value : .98f * mean + .02f * value;
      if (run.step % 250 == 0) std::fprintf(stderr, "step %d  loss %.3f\n", int(run.step), double(mean));
      if (run.step == steps) break;
    }
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;

  double sum = 0;
  auto const parts = nn::batches(held_out, {.size = 100}, key);
  for (auto const& [now, next] : parts)
    sum += double(now.shape(0)) * double(nn::cross_entropy(rc::fn(scores_of)(run.params, now), next));
  std::printf("%s\n\nheld out: %.3f nats a character (%s), %.1f ms a step\n",
              write_on(run.params, "\n", 300, key).c_str(), sum / double(held_out.now.shape(0)), reference,
              1e3 * taken.count() / steps);
  return 0;
}
