// Sums as texts: "12+345" is to become "357". One long short-term memory reads the question, backwards; a second one
// writes the answer, character after character, and looks at all places of the question by attention (I. Sutskever and
// others, 2014; D. Bahdanau and others, 2015). 50000 different sums of numbers below 1000, of which a tenth is held
// out.
//
//   sums [epochs [examples [seed]]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include <ricci/nn.hpp>

namespace rc = ricci;
namespace nn = ricci::nn;

constexpr int question_places = 7, answer_places = 4, units = 128;
constexpr std::string_view letters = "0123456789+ _";  // _ begins an answer

struct sums {
  rc::tensor<int, rc::dyn, question_places> question;  // its last character first
  rc::tensor<int, rc::dyn, answer_places + 1> answer;  // "_357 "
};
sums drawn(rc::index_t count, nn::key const& key) {
  auto const pairs = rc::eval(rc::random::permutation(key, 1000000));  // no sum comes twice
  sums all{rc::zeros<int>(rc::shape(count, question_places)), rc::zeros<int>(rc::shape(count, answer_places + 1))};
  auto const code = [](char c) { return int(letters.find(c)); };
  for (rc::index_t n = 0; n < count; ++n) {
    auto const a = pairs(n) / 1000, b = pairs(n) % 1000;
    auto question = std::to_string(a) + "+" + std::to_string(b), answer = "_" + std::to_string(a + b);
    question.resize(question_places, ' '), answer.resize(answer_places + 1, ' ');
    for (int k = 0; k < question_places; ++k) all.question(n, question_places - 1 - k) = code(question[std::size_t(k)]);
    for (int k = 0; k <= answer_places; ++k) all.answer(n, k) = code(answer[std::size_t(k)]);
  }
  return all;
}

template <class Kind = rc::values>
struct net {
  nn::layer<nn::embedding<letters.size(), 16>, Kind> read, written;
  nn::layer<nn::lstm<16, units>, Kind> reader, writer;
  nn::layer<nn::linear<2 * units, letters.size()>, Kind> out;
  // scores of the character that follows each one of those written so far
  constexpr auto operator()(auto const& question, auto const& so_far) const {
    auto const [memory, last] = reader.carried(read(question));
    auto const states = writer.carried(written(so_far), last).first;
    return out(rc::concat(nn::attend(states, memory, memory), states, rc::axis<2>));
  }
};
constexpr auto loss = [](auto const& model, auto state, auto const&, auto const& question, auto const& answer) {
  auto const so_far = rc::eval(answer(rc::all, rc::range<0, answer_places>()));
  return std::pair(nn::cross_entropy(model(question, so_far), answer(rc::all, rc::range<1, answer_places + 1>())),
                   state);
};
constexpr auto likeliest = [](auto const& model, auto const& question, auto const& so_far) {
  return rc::argmax(model(question, so_far), rc::axis<2>);
};

// The answers of the net, each character the likeliest one after those before it.
rc::ndarray<int, 2> answered(net<> const& model, sums const& asked) {
  rc::tensor<int, rc::dyn, answer_places + 1> all = rc::zeros_like(asked.answer) + int(letters.find('_'));
  for (int k = 0; k < answer_places; ++k) {
    rc::tensor<int, rc::dyn, answer_places> const so_far = all(rc::all, rc::range<0, answer_places>());
    all(rc::all, k + 1) = rc::astype<int>(rc::fn(likeliest)(model, asked.question, so_far)(rc::all, k));
  }
  return all;
}

int main(int argc, char** argv) {
  int const epochs = argc > 1 ? std::atoi(argv[1]) : 30, count = argc > 2 ? std::atoi(argv[2]) : 50000;
  auto const key = rc::random::key(argc > 3 ? std::atoi(argv[3]) : 0);
  auto const [training, held_out] = nn::split(drawn(count, key.fold(0)), .1f, key.fold(1));
  auto const steps = float(epochs) * float(training.answer.shape(0)) / 128;
  auto const optimiser = nn::clip_by_global_norm{5.f} | nn::adam{} | nn::cosine_decay{.init = 3e-3f, .steps = steps};
  auto run = nn::start(nn::init<net<>>(key.fold(2)), std::tuple<>{}, optimiser, key.fold(3));
  auto const right = [&](auto const& r) {
    auto const same = rc::eval(answered(r.params, held_out) == held_out.answer);
    return 100 * float(rc::mean(rc::min(rc::astype<float>(same), rc::axis<1>)));
  };
  auto const begin = std::chrono::steady_clock::now();
  nn::fit<loss>(run, optimiser, training, {.epochs = epochs, .batch = {.size = 128}}, right, nn::progress{});
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;

  auto const answers = answered(run.params, held_out);
  for (int n = 0; n < std::min(8, int(held_out.answer.shape(0))); ++n) {
    for (int k = question_places; k-- > 0;) std::putchar(letters[std::size_t(held_out.question(n, k))]);
    std::printf(" = ");
    for (int k = 1; k <= answer_places; ++k) std::putchar(letters[std::size_t(answers(n, k))]);
    std::printf("\n");
  }
  std::printf("%.2f %% of the sums held out are right, %.3f of the loss is left, %.1f s\n", double(right(run)),
              double(rc::fn(loss)(run.params, run.state, nn::inference<>{}, held_out.question, held_out.answer).first),
              taken.count());
}
