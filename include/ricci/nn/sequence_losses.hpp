// Losses over labels: of sequences whose places are not aligned with their labels (CTC), of given logarithms of
// probabilities, and of pairs in a batch; and sparsemax. Like layers, they are functions of tensors and of symbols.
#pragma once

#include <limits>

#include <ricci/autodiff/control.hpp>
#include <ricci/autodiff/functions.hpp>
#include <ricci/nn/activations.hpp>
#include <ricci/nn/by_label.hpp>
#include <ricci/nn/half.hpp>
#include <ricci/ops/cumulative.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/sort.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/ops/take_along_axis.hpp>

namespace ricci::nn {

struct of_nll {
  static constexpr auto name = "nll";
};
// Minus the mean of log_p[label]: log_p (..., classes), labels (...), integers; one outside, also a negative one, is an
// index_error.
template <Tensor P, Tensor L>
constexpr auto nll(P const& log_p, L const& label) {
  static_assert(is_integer(dtype_of<value_type_of<L>>), "nn::nll: labels are integers");
  static_assert(rank_of<P> == rank_of<L> + 1, "nn::nll: logarithms of probabilities (..., classes), labels (...)");
  return -mean(element_of_label<of_nll>(log_p, label));
}

namespace sequences {

// The logarithm of a probability that is 0: finite, so that no NaN arises, and far below all others.
inline constexpr float unreachable = -1e30f;

struct of_labels {
  static constexpr auto name = "ctc";
};
struct of_lengths {
  static constexpr auto name = "ctc, a length";
};
struct of_label_lengths {
  static constexpr auto name = "ctc, a number of labels";
};

// A. Graves and others, Connectionist temporal classification, 2006, section 4.1: the forward variables, in logarithms,
// of the labels with a blank around each.
template <int Blank>
inline constexpr auto ctc_of = [](auto const& unscaled, auto const& label, auto const& given_lengths,
                                  auto const& given_label_lengths) {
  using T = value_type_of<std::remove_cvref_t<decltype(unscaled)>>;
  // (n, S): blank, label, blank, ..., blank; what stands behind a sequence's labels is a blank
  auto const lengths = ricci::eval(numbers_within<of_lengths, 1, 1>(given_lengths, unscaled));
  auto const label_lengths = ricci::eval(numbers_within<of_label_lengths, 1, 1>(given_label_lengths, label));
  auto const ones = ricci::eval(ricci::astype<std::int64_t>(ricci::zeros_like(label)) + 1);
  auto const used = ricci::eval(numbers_within<of_labels, 2>(
      ricci::where(ricci::cumulative_sum(ones, axis<1>) <= label_lengths(ricci::all, newaxis),
                   ricci::astype<std::int64_t>(label), Blank),
      unscaled));
  auto const blanks = ricci::eval(ones * Blank);
  auto const pairs = ricci::eval(ricci::reshape(ricci::stack(blanks, used, axis<2>), ricci::shape(label.shape(0), -1)));
  auto const z = ricci::eval(ricci::concat(pairs, ricci::sum(ones, axis<1>, keepdims) * 0 + Blank, axis<1>));
  auto const place = ricci::eval(ricci::cumulative_sum(z * 0 + 1, axis<1>) - 1);
  // whether a path may come from the label before the last one, past a blank
  auto const skips =
      ricci::eval(ricci::logical_and(ricci::logical_and(place > 1, z != Blank), z != ricci::roll(z, 2, axis<1>)));
  auto const logs = ricci::eval(ricci::moveaxis(log_softmax(unscaled), axis<1>, axis<0>));  // (places, n, classes)
  auto const start = ricci::eval(ricci::where(place == 0, T(0), T(unreachable)));
  auto const first = ricci::eval(ricci::sum(ones, axis<1>) * 0);
  auto const step = [=](auto const& carry, auto const& of_classes) {
    auto const& [a, t] = carry;
    auto const by_one = ricci::where(place > 0, ricci::roll(a, 1, axis<1>), T(unreachable));
    auto const by_two = ricci::where(skips, ricci::roll(a, 2, axis<1>), T(unreachable));
    auto const all = ricci::logaddexp(ricci::logaddexp(a, by_one), by_two);
    auto const next = ricci::eval(all + ricci::take_along_axis(of_classes, z, axis<1>));
    auto const kept = ricci::eval(ricci::where((t < lengths)(ricci::all, newaxis), next, a));
    return std::pair(std::pair(kept, ricci::eval(t + 1)), std::tuple{});
  };
  auto const last = std::get<0>(ricci::scan(step, std::pair(start, first), logs)).first;
  auto const at = [&](auto const& index) {
    return ricci::sum(ricci::take_along_axis(last, index(ricci::all, newaxis), axis<1>), axis<1>);
  };
  auto const behind = ricci::eval(2 * label_lengths);
  auto const with_label = ricci::where(behind > 0, at(ricci::eval(ricci::maximum(behind - 1, 0))), T(unreachable));
  auto const cost = ricci::eval(-ricci::logaddexp(at(behind), with_label));
  return ricci::eval(ricci::where(cost < -T(unreachable) / 2, cost, std::numeric_limits<T>::infinity()));
};

}  // namespace sequences

// Minus the logarithm of the probability of each sequence's labels, summed over all their alignments (A. Graves and
// others, 2006): scores (n, places, classes), of which the softmax is taken here; labels (n, m), integers; how many
// places and how many labels each sequence has, (n), integers -> (n). What stands behind counts for nothing. Where the
// places do not suffice, it is infinite, with derivative 0. index_error: a label outside of the classes, also a
// negative one, and lengths that are negative or larger than what is there.
//
//   auto loss = rc::mean(nn::ctc(scores, labels, lengths, label_lengths));
template <int Blank = 0>
constexpr auto ctc(auto const& scores, auto const& label, auto const& lengths, auto const& label_lengths) {
  static_assert(Blank >= 0, "nn::ctc: the blank is one of the classes, from 0 on");
  return fn(sequences::ctc_of<Blank>)(scores, label, lengths, label_lengths);
}

// The contrastive loss of pairs (K. Sohn, 2016; T. Chen and others, SimCLR, 2020): a and b, (n, d), are two views of n
// examples. Each view is to be nearer to the other one of its example, by cosine, than to all others of both: the mean
// of the cross-entropies of cosines / temperature. The cosine of a row of zeros and any other is 0, with derivative 0.
constexpr auto nt_xent(auto const& a, auto const& b, auto const& temperature) {
  return fn([](auto const& x_, auto const& y_, auto const& t) {
    auto const x = ricci::eval(in_float(x_)), y = ricci::eval(in_float(y_));
    auto const unit = [](auto const& v) {
      auto const squares = ricci::eval(ricci::sum(ricci::square(v), axis<1>, keepdims));
      auto const is_zero = ricci::eval(squares == 0);
      return ricci::eval(ricci::where(is_zero, value_type_of<std::remove_cvref_t<decltype(v)>>(0),
                                      v / ricci::sqrt(ricci::where(is_zero, squares + 1, squares))));
    };
    auto const u = unit(x), v = unit(y);
    using T = value_type_of<std::remove_cvref_t<decltype(u)>>;
    auto const with = [&](auto const& p, auto const& q) {
      return ricci::eval(ricci::matmul(p, ricci::moveaxis(q, axis<1>, axis<0>)) / t);
    };
    auto const count =
        ricci::eval(ricci::cumulative_sum(ricci::astype<int>(ricci::sum(ricci::zeros_like(u), axis<1>)) + 1, axis<0>));
    auto const others = ricci::eval(count(ricci::all, newaxis) != count(newaxis, ricci::all));
    auto const all_but_itself = [&](auto const& p) {
      return ricci::logsumexp(ricci::where(others, with(p, p), T(sequences::unreachable)), axis<1>);
    };
    auto const across = with(u, v);
    auto const of_u = ricci::logaddexp(all_but_itself(u), ricci::logsumexp(across, axis<1>));
    auto const of_v = ricci::logaddexp(all_but_itself(v), ricci::logsumexp(across, axis<0>));
    return ricci::eval(rounded_to<value_type_of<std::remove_cvref_t<decltype(x_)>>>(
        ricci::mean(of_u + of_v) / 2 - ricci::mean(ricci::sum(u * v, axis<1>) / t)));
  })(a, b, temperature);
}

// The point of the simplex that is nearest to x, along the last axis: numbers from 0 to 1 of sum 1, of which many are 0
// (A. Martins, R. Astudillo, 2016, algorithm 1).
constexpr auto sparsemax(auto const& x) {
  return fn([](auto const& x_) {
    using given = value_type_of<std::remove_cvref_t<decltype(x_)>>;
    auto const wide = ricci::eval(in_float(x_));
    using T = value_type_of<std::remove_cvref_t<decltype(wide)>>;
    // from the largest on: what matters are differences, which sums of large numbers would lose
    auto const z = ricci::eval(wide - ricci::stop_gradient(ricci::max(wide, axis<-1>, keepdims)));
    auto const sorted = ricci::eval(ricci::stop_gradient(ricci::sort(z, axis<-1>, descending)));
    auto const sums = ricci::eval(ricci::cumulative_sum(sorted, axis<-1>));
    auto const count = ricci::eval(ricci::cumulative_sum(ricci::zeros_like(sorted) + T(1), axis<-1>));
    auto const inside = ricci::eval(1 + count * sorted > sums);
    auto const most = ricci::sum(ricci::astype<T>(inside), axis<-1>, keepdims);
    auto const bound = ricci::eval((ricci::sum(ricci::where(inside, sorted, T(0)), axis<-1>, keepdims) - 1) / most);
    // once more as a function of x, whose derivative is that of the projection
    auto const chosen = ricci::eval(z > bound);
    auto const sum = ricci::sum(ricci::where(chosen, z, T(0)), axis<-1>, keepdims);
    auto const threshold = (sum - 1) / ricci::sum(ricci::astype<T>(chosen), axis<-1>, keepdims);
    return ricci::eval(rounded_to<given>(ricci::relu(z - threshold)));
  })(x);
}

}  // namespace ricci::nn
