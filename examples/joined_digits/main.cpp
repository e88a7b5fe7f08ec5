// Reads rows of digits that touch: three to five handwritten ones, joined with gaps or none into a strip of 8 pixels'
// height, which a net reads column after column, in both directions. Where each digit lies nobody says; the loss sums
// over all alignments of digits with columns (A. Graves and others, Connectionist temporal classification, 2006).
//
//   joined_digits [steps [seed]]
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../digits/data.hpp"

namespace nn = ricci::nn;

constexpr int most_digits = 5, columns = 48, side = 8, units = 64;

struct strips {
  rc::tensor<float, rc::dyn, columns, side> ink;
  rc::tensor<int, rc::dyn, most_digits> labels;  // a digit's is one more than it says; 0 is the blank
  rc::ndarray<int, 1> widths, counts;
};
// So many strips of digits that are drawn, with gaps of 0 to 2 columns around them.
strips joined(digits const& from, rc::index_t count, nn::key const& key) {
  strips s{rc::zeros<float>(rc::shape(count, columns, side)), rc::zeros<int>(rc::shape(count, most_digits)),
           rc::zeros<int>(rc::shape(count)),
           rc::random::randint<int>(key.fold(0), rc::shape(count), 3, most_digits + 1)};
  auto const of = [&](auto n) { return rc::shape(count, n); };
  rc::ndarray<int, 2> const which = rc::random::randint<int>(key.fold(1), of(most_digits), 0, int(from.labels.size()));
  rc::ndarray<int, 2> const gap = rc::random::randint<int>(key.fold(2), of(most_digits), 0, 3);
  for (rc::index_t n = 0; n < count; ++n) {
    int column = 0;
    for (int k = 0; k < s.counts(n); ++k) {
      column = std::min(column + gap(n, k), columns - side * (s.counts(n) - k));
      s.labels(n, k) = int(from.labels(which(n, k))) + 1;
      for (int x = 0; x < side; ++x, ++column)
        for (int y = 0; y < side; ++y) s.ink(n, column, y) = from.images(which(n, k), y * side + x);
    }
    s.widths(n) = column;
  }
  return s;
}

template <class Kind = rc::values>
struct net {
  nn::layer<nn::lstm<side, units>, Kind> forth, back;
  nn::layer<nn::linear<2 * units, classes + 1>, Kind> out;
  constexpr auto operator()(auto const& ink, auto const& mask) const {
    return out(rc::concat(forth(ink), back.backwards(ink, mask), rc::axis<2>));
  }
};
constexpr auto scores_of_columns = [](auto const& model, auto const& ink, auto const& widths) {
  auto const mask =
      rc::eval(rc::arange<int>(rc::extents<columns>{})(rc::newaxis, rc::all) < widths(rc::all, rc::newaxis));
  return model(ink, mask);
};
constexpr auto loss = [](auto const& model, auto state, auto const&, auto const& ink, auto const& labels,
                         auto const& widths, auto const& counts) {
  return std::pair(rc::mean(nn::ctc(scores_of_columns(model, ink, widths), labels, widths, counts)), state);
};
constexpr auto likeliest = [](auto const& model, auto const& ink, auto const& widths) {
  return rc::argmax(scores_of_columns(model, ink, widths), rc::axis<2>);
};

// What is read along a strip: the likeliest class of each column, of equal neighbours one, and no blanks.
std::vector<int> read(auto const& best, int width) {
  std::vector<int> text;
  for (int k = 0; k < width; ++k)
    if (best(k) != 0 && (k == 0 || best(k) != best(k - 1))) text.push_back(int(best(k)));
  return text;
}

int main(int argc, char** argv) {
  int const steps = argc > 1 ? std::atoi(argv[1]) : 1500;
  auto const key = rc::random::key(argc > 2 ? std::atoi(argv[2]) : 0);
  auto const [training, held_out] = nn::split(read_digits(DIGITS_DATA), .25f, key.fold(0));
  auto const optimiser =
      nn::clip_by_global_norm{5.f} | nn::adam{} | nn::cosine_decay{.init = 4e-3f, .steps = float(steps)};
  auto run = nn::start(nn::init<net<>>(key.fold(1)), std::tuple<>{}, optimiser, key.fold(2));
  auto const step = nn::step_of<loss>(optimiser);
  auto const begin = std::chrono::steady_clock::now();
  for (double mean = 0; run.step < steps;) {
    auto const s = joined(training, 32, key.fold(3).fold(run.step));
    mean += double(step(run, s.ink, s.labels, s.widths, s.counts)) / 250;
    if (run.step % 250 == 0) std::fprintf(stderr, "step %d  loss %.3f\n", int(run.step), mean), mean = 0;
  }
  std::chrono::duration<double> const taken = std::chrono::steady_clock::now() - begin;

  auto const tested = joined(held_out, 1000, key.fold(4));
  auto const best = rc::fn(likeliest)(run.params, tested.ink, tested.widths);
  rc::index_t wrong = 0, all = 0, whole = 0;
  for (rc::index_t n = 0; n < tested.counts.size(); ++n) {
    auto const text = read(rc::eval(best(n)), tested.widths(n));
    std::vector<int> labels;
    for (int k = 0; k < tested.counts(n); ++k) labels.push_back(tested.labels(n, k));
    auto const errors = rc::index_t(nn::edit_distance(text, labels));
    wrong += errors, whole += errors == 0, all += tested.counts(n);
  }
  std::printf("%.1f %% of 1000 strips are right, %.1f s\n", double(whole) / 10, taken.count());
  std::printf("%.2f %% of the digits are wrong, missing or spare, 2.8 %% by the same net in PyTorch\n",
              100 * double(wrong) / double(all));
}
