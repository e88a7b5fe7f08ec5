// Distributions over many labels that a training need not compute as a whole. Each layer is, as a function of x (n,
// In), the logarithms of the probabilities of all labels, and `layer.loss(x, label)`, labels (n), integers, is minus
// the mean of those of the labels, from a part of the parameters; a label outside, also a negative one, is an
// index_error. And `nn::nce`, for which scores need no sum over all labels.
#pragma once

#include <ricci/nn/activations.hpp>
#include <ricci/nn/by_label.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/ops/bitwise.hpp>
#include <ricci/ops/create.hpp>
#include <ricci/ops/index.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

namespace heads {
template <class X, class L>
struct operands_of_head {
  static_assert(rank_of<X> == 2 && rank_of<L> == 1 && is_integer(dtype_of<value_type_of<L>>),
                "the loss of a head takes x (n, In) and labels (n), integers");
};
// Labels as int64, and whether they lie outside of 0 to count; then they stand for themselves where parts of a model
// are named by what is computed of labels, which is an index_error that tells them.
constexpr auto as_int64(auto const& labels) { return ricci::eval(ricci::astype<std::int64_t>(labels)); }
constexpr auto is_outside(auto const& labels, index_t count) {
  return ricci::eval(ricci::logical_or(labels < 0, labels >= count));
}
struct of_class_factored {
  static constexpr auto name = "class_factored";
};
struct of_hierarchical_softmax {
  static constexpr auto name = "hierarchical_softmax";
};
}  // namespace heads

// Classes times Each labels; label k is member k % Each of class k / Each: its probability is that of the class times
// that among its members (J. Goodman, Classes for fast maximum entropy training, 2001).
template <index_t In, index_t Classes, index_t Each>
struct class_factored {
  template <class Kind = values>
  struct params {
    layer<linear<In, Classes>, Kind> classes;
    field<Kind, float, Classes, Each, In> w;
    field<Kind, float, Classes, Each> b;
    static params init(key const& k) {  // Glorot's uniform for the matrix of each class
      params p{};
      init_into(p.classes, k.fold(0));
      fill_uniform(p.w.data(), index_t(p.w.size()), k.fold(1), float(glorot_bound(In, Each)));
      p.b = 0.f;
      return p;
    }
    constexpr auto operator()(auto const& x) const {
      return fn([](auto const& p, auto const& v) {
        auto const of_class = ricci::eval(log_softmax(ricci::eval(p.classes(v))));
        auto const flat = ricci::eval(ricci::reshape(p.w, extents<Classes * Each, In>{}));
        auto const all = ricci::eval(ricci::matmul(v, flat.T()));
        auto const scores = ricci::eval(ricci::reshape(all, shape(v.shape(0), Classes, Each)) + p.b);
        auto const logs = ricci::eval(log_softmax(scores) + of_class(ricci::all, ricci::all, newaxis));
        return ricci::eval(ricci::reshape(logs, shape(v.shape(0), Classes * Each)));
      })(*this, x);
    }
    template <Tensor X, Tensor L>
    constexpr auto loss(X const& x, L const& label) const {
      (void)sizeof(heads::operands_of_head<X, L>);
      return fn([](auto const& p, auto const& v, auto const& labels) {
        using caller = heads::of_class_factored;
        auto const whole = heads::as_int64(labels);
        auto const of = ricci::eval(
            ricci::where(heads::is_outside(whole, Classes * Each), whole, ricci::floor_divide(whole, Each)));
        auto const member = ricci::eval(ricci::remainder(whole, Each));
        auto const rows = ricci::eval(row_of_label<caller>(p.w, of));  // (n, Each, In)
        auto const inside =
            ricci::eval(ricci::sum(rows * v(ricci::all, newaxis), axis<-1>) + row_of_label<caller>(p.b, of));
        auto const log_of = [](auto const& scores, auto const& at) {
          return ricci::eval(element_of_label<caller>(ricci::eval(log_softmax(scores)), at));
        };
        return ricci::eval(-ricci::mean(log_of(ricci::eval(p.classes(v)), of) + log_of(inside, member)));
      })(*this, x, label);
    }
  };
};

// Count labels as leaves of a binary tree, with a decision at each of the log2 Count nodes above one, by the sigmoid
// (F. Morin, Y. Bengio, 2005). The tree is complete: label k is node k + Count, and what is above node m is node m / 2,
// down to 1; row m of the parameters is node m, row 0 is of no use.
template <index_t In, index_t Count>
struct hierarchical_softmax {
  static_assert(Count >= 2, "nn::hierarchical_softmax: of 2 labels or more");
  static constexpr int depth = [] {
    int d = 0;
    for (index_t m = 2 * Count - 1; m > 1; m /= 2) ++d;
    return d;
  }();
  // for labels (n): nodes above them (n, depth), 0 where there are no more, and which way leads to the label, 0 or 1
  static constexpr auto path(auto const& labels) {
    auto const leaf = ricci::eval(ricci::astype<index_t>(labels) + Count);
    auto const level = ricci::eval(ricci::arange<index_t>(index_t(depth), like(labels)));
    auto const below = ricci::eval(ricci::bitwise_right_shift(leaf(ricci::all, newaxis), level));
    return std::pair(ricci::eval(ricci::floor_divide(below, 2)), ricci::eval(ricci::remainder(below, 2)));
  }
  // the sum of the logarithms along a path: z (..., depth)
  static constexpr auto log_of(auto const& z, auto const& nodes, auto const& way) {
    using T = value_type_of<std::remove_cvref_t<decltype(z)>>;
    auto const cost = ricci::eval(ricci::softplus(ricci::where(way == 1, -z, z)));
    return ricci::eval(-ricci::sum(ricci::where(nodes > 0, cost, T(0)), axis<-1>));
  }
  template <class Kind = values>
  struct params {
    field<Kind, float, Count, In> w;
    field<Kind, float, Count> b;
    constexpr auto operator()(auto const& x) const {
      return fn([](auto const& p, auto const& v) {
        auto const z = ricci::eval(ricci::matmul(v, p.w.T()) + p.b);
        auto const [nodes, way] = path(ricci::eval(ricci::arange<index_t>(Count, like(v))));
        return ricci::eval(log_of(ricci::eval(ricci::take(z, nodes, axis<1>)), nodes, way));
      })(*this, x);
    }
    template <Tensor X, Tensor L>
    constexpr auto loss(X const& x, L const& label) const {
      (void)sizeof(heads::operands_of_head<X, L>);
      return fn([](auto const& p, auto const& v, auto const& labels) {
        using caller = heads::of_hierarchical_softmax;
        auto const whole = heads::as_int64(labels);
        auto const [nodes, way] = path(whole);
        auto const at = ricci::eval(
            ricci::where(heads::is_outside(whole, Count)(ricci::all, newaxis), whole(ricci::all, newaxis), nodes));
        auto const rows = ricci::eval(row_of_label<caller>(p.w, at));  // (n, depth, In)
        auto const z = ricci::eval(ricci::sum(rows * v(ricci::all, newaxis), axis<-1>) + row_of_label<caller>(p.b, at));
        return ricci::eval(-ricci::mean(log_of(z, nodes, way)));
      })(*this, x, label);
    }
  };
};

// Noise-contrastive estimation (M. Gutmann, A. Hyvaerinen, 2010; A. Mnih, Y. W. Teh, 2012): scores of labels (n) are to
// be told from those of k drawn ones (n, k), which have these logarithms of probability under what they are drawn from:
// the mean over rows of softplus(-(s - log(k q))) + sum softplus(s' - log(k q')). Scores become logarithms of
// probabilities.
//
//   auto cost = nn::nce(scores, drawn_scores, log_q, drawn_log_q);
constexpr auto nce(Tensor auto const& scores, Tensor auto const& drawn, Tensor auto const& log_q,
                   Tensor auto const& drawn_log_q) {
  static_assert(rank_of<std::remove_cvref_t<decltype(scores)>> == 1 &&
                    rank_of<std::remove_cvref_t<decltype(drawn)>> == 2 &&
                    rank_of<std::remove_cvref_t<decltype(log_q)>> == 1 &&
                    rank_of<std::remove_cvref_t<decltype(drawn_log_q)>> == 2,
                "nn::nce: scores of labels (n), of drawn ones (n, k), and logarithms of probability of both");
  return fn([](auto const& s, auto const& t, auto const& q, auto const& r) {
    auto const count = ricci::eval(ricci::log(ricci::zeros_like(s(ricci::all, newaxis)) + t.shape(1)));
    auto const of_drawn = ricci::eval(ricci::sum(ricci::softplus(t - r - count), axis<1>));
    return ricci::eval(ricci::mean(ricci::softplus(q + count(ricci::all, 0) - s) + of_drawn));
  })(scores, drawn, log_q, drawn_log_q);
}

}  // namespace ricci::nn
