// Other layers of all inputs, beside nn::linear.
#pragma once

#include <ricci/nn/linear.hpp>
#include <ricci/ops/reduce.hpp>
#include <ricci/ops/reshaping.hpp>
#include <ricci/random/normal.hpp>

namespace ricci::nn {

// x' w_k y + b_k for each result k: (..., A), (..., B) -> (..., Out), as PyTorch's Bilinear; w (Out, A, B), whose first
// values are uniform within A^(-1/2), as there.
template <index_t A, index_t B, index_t Out>
struct bilinear {
  template <class Kind = values>
  struct params {
    field<Kind, float, Out, A, B> w;
    field<Kind, float, Out> b;
    static params init(key const& k) {
      params p{};
      fill_uniform(p.w.data(), index_t(p.w.size()), k, float(1 / std::sqrt(double(A))));
      p.b = 0.f;
      return p;
    }
    constexpr auto operator()(auto const& x, auto const& y) const {
      auto const turned =
          ricci::eval(matmul(w, ricci::eval(y(ellipsis, newaxis, ricci::all, newaxis))));  // (..., Out, A, 1)
      auto const sums = ricci::eval(sum(turned(ellipsis, 0) * x(ellipsis, newaxis, ricci::all), axis<-1>));
      return ricci::eval(sums + b);
    }
  };
};

// The greatest of Pieces linear functions for each result (I. Goodfellow and others, 2013): (..., In) -> (..., Out).
template <index_t In, index_t Out, index_t Pieces = 2>
struct maxout {
  static_assert(Pieces > 0, "nn::maxout: of one piece or more");
  template <class Kind = values>
  struct params {
    field<Kind, float, In, Pieces * Out> w;
    field<Kind, float, Pieces * Out> b;
    constexpr auto operator()(auto const& x) const {
      auto const all = ricci::eval(matmul(x, w) + b);
      return [&]<int... K>(std::integer_sequence<int, K...>) {
        return ricci::eval(max(reshape(all, shape(x.shape(K)..., Pieces, Out)), axis<-2>));
      }
      (std::make_integer_sequence<int, rank_of<std::remove_cvref_t<decltype(x)>> - 1>{});
    }
  };
};

// A linear layer that stays as it is, and beside it one of rank Rank that learns (E. Hu and others, LoRA, 2021): x w +
// b + scale (x down) up, with `up` zero at first. Load `base` from what was learned before; its derivatives are not
// computed.
template <index_t In, index_t Out, index_t Rank, index_t Scale = 1>
struct lora {
  template <class Kind = values>
  struct params {
    layer<linear<In, Out>, Kind> base;
    field<Kind, float, In, Rank> down;
    field<Kind, float, Rank, Out> up;
    static params init(key const& k) {
      params p{};
      init_into(p.base, k.fold(0));
      p.down = random::normal<float>(k.fold(1), extents<In, Rank>{}) * (1.f / float(Rank));
      return p;
    }
    constexpr auto operator()(auto const& x) const {
      auto const fixed = frozen(base);
      auto const low = ricci::eval(matmul(x, down));
      return ricci::eval(fixed(x) + float(Scale) * matmul(low, up));
    }
  };
};

}  // namespace ricci::nn
