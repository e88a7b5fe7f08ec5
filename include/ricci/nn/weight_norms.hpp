// Linear layers whose weights are normalised: `weight_norm<In, Out>`, and `spectral_norm<In, Out>`, which keeps a
// state.
#pragma once

#include <ricci/nn/linear.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/statistics.hpp>
#include <ricci/tensor/create.hpp>

namespace ricci::nn {

// x (scale v / |v|) + b, where |v| are the lengths of the columns of v (In, Out), one for each result (T. Salimans, D.
// P. Kingma, 2016). `scale` (Out) begins as these lengths.
template <index_t In, index_t Out>
struct weight_norm {
  template <class Kind = values>
  struct params {
    field<Kind, float, In, Out> v;
    field<Kind, float, Out> scale, b;
    static params init(key const& k) {
      params p{};
      init_into(p.v, k);
      p.scale = sqrt(sum(square(p.v), axis<0>));
      return p;
    }
    constexpr auto operator()(auto const& x) const {
      auto const length = ricci::eval(sqrt(sum(square(v), axis<0>)));
      return ricci::eval(matmul(x, v) * (scale / length) + b);
    }
  };
};

// x w / s + b, where s is the greatest singular value of w (In, Out), as far as a step of the power iteration for each
// call while the model learns has found it (T. Miyato and others, 2018): layer(x, state, mode). The state are the
// singular vectors on both sides; the left one begins as a random unit vector, the right one as zeros, which say that
// no step has been made: then inference takes |left w|, which is at most s.
template <index_t In, index_t Out>
struct spectral_norm {
  static constexpr float eps = 1e-12f;
  template <class Kind = values>
  struct state {
    field<Kind, float, In> left;
    field<Kind, float, Out> right;
    static state init(key const& k) {
      state s{};
      s.left = random::normal<float>(k, extents<In>{});
      s.left = s.left / sqrt(sum(square(s.left)));
      s.right = 0.f;
      return s;
    }
  };
  template <class Kind = values>
  struct params {
    field<Kind, float, In, Out> w;
    field<Kind, float, Out> b;
    template <class State, class Mode>
    constexpr auto operator()(auto const& x, State& s, Mode const&) const {
      if constexpr (Mode::is_training) {
        auto const unit = [](auto const& v) {
          return ricci::eval(stop_gradient(v / maximum(sqrt(sum(square(v))), eps)));
        };
        s.right = unit(ricci::eval(matmul(s.left, w)));
        s.left = unit(ricci::eval(matmul(w, s.right)));
      }
      auto const of_left = ricci::eval(matmul(s.left, w));
      auto const greatest = ricci::eval(where(all(s.right == 0.f), sqrt(sum(square(of_left))), sum(of_left * s.right)));
      return ricci::eval(matmul(x, w) / greatest + b);
    }
  };
};

}  // namespace ricci::nn
