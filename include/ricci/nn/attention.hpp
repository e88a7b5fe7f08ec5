// Attention of models: `rc::attention` (docs/attention.md) at once, and layers of several heads.
//
//   auto y = nn::attend(q, k, v);         // (..., m, d), (..., n, d), (..., n, e) -> (..., m, e)
//   auto z = nn::attend(q, k, v, mask);   // mask (..., m, n) broadcasts; true attends
//
// A row of the mask in which nothing is true gives 0, with derivative 0. Scores are not kept.
#pragma once

#include <ricci/attention/backward_kernel.hpp>
#include <ricci/attention/forward_kernel.hpp>
#include <ricci/attention/functions.hpp>
#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/tree.hpp>
#include <ricci/nn/activations.hpp>
#include <ricci/nn/dropout.hpp>
#include <ricci/nn/positions.hpp>
#include <ricci/ops/bitwise.hpp>
#include <ricci/ops/einops.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/rearranging.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

constexpr auto attend(auto const& q, auto const& k, auto const& v) { return ricci::eval(ricci::attention(q, k, v)); }
constexpr auto attend(auto const& q, auto const& k, auto const& v, auto const& mask) {
  return ricci::eval(ricci::attention(q, k, v, mask));
}

// Attention of Heads heads: projections of what asks, (n, m, Width), and of what is looked at, (n, places, Width), then
// `attend` for each head, and a projection of all: `layer(x)`, `layer(x, memory)`, `layer(x, memory, mask)`. The mask
// broadcasts to (n, Heads, m, places).
//
// `head_options{.causal = true}`: place i looks at the places 0 to i alone, and what none of a block looks at is not
// computed; a mask hides more of them. `.rotary = true`: queries and keys are turned by their places (positions.hpp).
// `.sharing = 4`: groups of 4 heads that follow each other have keys and values in common, and those of a cache are as
// many less (J. Ainslie and others, GQA, 2023); all heads, `.sharing = Heads`, as N. Shazeer has it (2019).
//
// `layer.dropped(x, memory, rate, mode)` and `layer.dropped(x, memory, mask, rate, mode)`, with nn::dropout of the
// weights while a model learns (A. Vaswani and others, 2017, in the programs that go with it): then scores are kept,
// and a causal layer computes those of places that it does not look at. In inference it is `layer(x, memory)`.
//
// A causal layer also reads a sequence piece by piece, and keeps keys and values of what it has read, in a
// `cache<Places, N>` of up to so many places of N sequences, which is a state as `nn::state<L, Kind>` names it:
//
//   nn::multi_head_attention<8, 2, float, causal>::cache<64>::state<> kept{};
//   auto y = layer.decoded(x, kept, 0);   // x (1, m, 8), the places 0 to m - 1
//   auto z = layer.decoded(w, kept, m);   // w (1, 1, 8), place m, which looks at all of them
struct head_options {
  bool causal = false;
  bool rotary = false;
  index_t sharing = 1;
};
template <index_t Width, index_t Heads, class T = float, head_options O = head_options{}>
struct multi_head_attention {
  static_assert(Heads > 0 && Width % Heads == 0, "multi_head_attention: the width is a multiple of the heads");
  static_assert(O.sharing > 0 && Heads % O.sharing == 0,
                "multi_head_attention: the heads are a multiple of those that share keys and values");
  static constexpr index_t groups = Heads / O.sharing, width_of_places = Width / O.sharing;
  template <index_t N>
  static constexpr auto split(auto const& x) {
    return ricci::eval(einops::rearrange<"n p (h d) -> n h p d">(x, length<"h", N>));
  }
  static constexpr auto for_all_heads(auto const& places) {
    if constexpr (O.sharing > 1)
      return ricci::eval(einops::repeat<"n g p d -> n (g h) p d">(places, length<"h", O.sharing>));
    else
      return places;
  }
  static constexpr auto query_of(auto const& x, auto const& p, auto const&... first) {
    return at_places(split<Heads>(ricci::eval(ricci::matmul(x, p.query) + p.query_bias)), first...);
  }
  // of the groups
  static constexpr auto key_of(auto const& x, auto const& p, auto const&... first) {
    return at_places(split<groups>(ricci::eval(ricci::matmul(x, p.key) + p.key_bias)), first...);
  }
  static constexpr auto value_of(auto const& x, auto const& p) {
    return split<groups>(ricci::eval(ricci::matmul(x, p.value) + p.value_bias));
  }
  static constexpr auto together = [](auto const& y, auto const& p) {
    auto const joined = ricci::eval(einops::rearrange<"n h p d -> n p (h d)">(y));
    return ricci::eval(ricci::matmul(joined, p.out) + p.out_bias);
  };
  static constexpr auto at_places = [](auto const& heads, auto const&... first) {
    if constexpr (O.rotary)
      return nn::rotary(heads, first...);
    else
      return heads;
  };
  static constexpr attention_options seen{.causal = O.causal};
  template <bool Masked>
  static constexpr auto run = [](auto const& x, auto const& memory, auto const& p, auto const& mask) {
    auto const q = query_of(x, p);
    auto const k = for_all_heads(key_of(memory, p));
    auto const v = for_all_heads(value_of(memory, p));
    auto const y = [&] {
      if constexpr (Masked)
        return ricci::eval(ricci::attention<seen>(q, k, v, mask));
      else
        return ricci::eval(ricci::attention<seen>(q, k, v));
    }();
    return together(y, p);
  };
  // which of n places each of m looks at
  static constexpr auto is_seen(auto const& m, auto const& n, auto const& near) {
    auto const of = ricci::eval(ricci::arange<index_t>(m, like(near)));
    return ricci::eval(ricci::arange<index_t>(n, like(near)) <= of(ricci::all, newaxis));
  }
  static constexpr auto weighed(auto const& weights, auto const& v, auto const& p, float rate, auto const& mode) {
    auto const y = ricci::eval(ricci::matmul(ricci::eval(nn::dropout(weights, rate, mode)), v));
    return together(y, p);
  }
  static constexpr auto drop(auto const& x, auto const& memory, auto const& p, float rate, auto const& mode,
                             auto const&... mask) {
    auto const q = query_of(x, p);
    auto const k = for_all_heads(key_of(memory, p));
    auto const v = for_all_heads(value_of(memory, p));
    auto const scaled = ricci::eval(q * T(1 / noise::root(double(Width / Heads))));
    auto const scores = ricci::eval(ricci::matmul(scaled, ricci::eval(ricci::swapaxes(k, axis<-2>, axis<-1>))));
    auto const among = [&](auto const& s) {
      auto const weights = ricci::eval(ricci::softmax(ricci::eval(ricci::where(s, scores, T(-1e30))), axis<-1>));
      // what no place looks at may be NaN, as padding is
      auto const is_looked_at = [&] {
        if constexpr (rank_of < std::remove_cvref_t < decltype(s) >>> 1)
          return ricci::eval(ricci::any(s, axis<-2>));
        else
          return s;
      }();
      auto const of = ricci::eval(ricci::where(ricci::expand_dims(is_looked_at, axis<-1>), v, T(0)));
      return weighed(ricci::eval(ricci::where(s, weights, T(0))), of, p, rate, mode);
    };
    if constexpr (O.causal) {
      auto const before = is_seen(x.shape(1), memory.shape(1), x);
      if constexpr (sizeof...(mask) > 0)
        return among(ricci::eval(ricci::logical_and(before, (mask, ...))));
      else
        return among(before);
    } else if constexpr (sizeof...(mask) > 0) {
      return among((mask, ...));
    } else {
      return weighed(ricci::eval(ricci::softmax(scores, axis<-1>)), v, p, rate, mode);
    }
  }
  static constexpr auto decode = [](auto const& x, auto const& p, auto kept, auto const& first) {
    auto const q = query_of(x, p, first);
    auto const places = ricci::eval(ricci::arange<index_t>(x.shape(1), like(x)) + first);
    // none counts from the end: what is before the first place is an index_error
    auto const written = ricci::eval(ricci::bitwise_and(places, index_t(core::never_from_end)));
    kept.keys(ricci::all, ricci::all, written) = key_of(x, p, first);
    kept.values(ricci::all, ricci::all, written) = value_of(x, p);
    auto const read = ricci::arange<index_t>(kept.keys.shape(2), like(x));
    auto const seen = ricci::eval(read <= places(ricci::all, newaxis));
    auto const y = [&] {
      if constexpr (O.sharing > 1) {  // what is kept is read where it lies
        auto const of_groups = ricci::eval(einops::rearrange<"n (g h) p d -> n g h p d">(q, length<"h", O.sharing>));
        auto const of_each = ricci::eval(ricci::attention(of_groups, kept.keys(ricci::all, ricci::all, newaxis),
                                                          kept.values(ricci::all, ricci::all, newaxis), seen));
        return ricci::eval(einops::rearrange<"n g h p d -> n (g h) p d">(of_each));
      } else {
        return ricci::eval(ricci::attention(q, kept.keys, kept.values, seen));
      }
    }();
    return std::pair(together(y, p), kept);
  };
  template <index_t Places, index_t N = 1>
  struct cache {
    template <class Kind = values>
    struct state {
      field<Kind, T, N, groups, Places, Width / Heads> keys, values;
    };
  };
  template <class Kind = values>
  struct params {
    field<Kind, T, Width, Width> query;
    field<Kind, T, Width, width_of_places> key, value;
    field<Kind, T, Width, Width> out;
    field<Kind, T, Width> query_bias;
    field<Kind, T, width_of_places> key_bias, value_bias;
    field<Kind, T, Width> out_bias;
    // groups of heads with keys and values of their own are no layer of PyTorch's
    static constexpr torch_name torch[] = {{"in_proj_weight", {.turned = true, .part = 0, .parts = 3}},
                                           {"in_proj_weight", {.turned = true, .part = 1, .parts = 3}},
                                           {"in_proj_weight", {.turned = true, .part = 2, .parts = 3}},
                                           {"out_proj.weight", {.turned = true}},
                                           {"in_proj_bias", {.part = 0, .parts = 3}},
                                           {"in_proj_bias", {.part = 1, .parts = 3}},
                                           {"in_proj_bias", {.part = 2, .parts = 3}},
                                           {"out_proj.bias"}};
    static constexpr keras_name keras{"multi_head_attention",
                                      {{.path = "query_dense/vars/0", .last_heads = int(Heads)},
                                       {.path = "key_dense/vars/0", .last_heads = int(Heads)},
                                       {.path = "value_dense/vars/0", .last_heads = int(Heads)},
                                       {.path = "output_dense/vars/0", .first_heads = int(Heads)},
                                       {.path = "query_dense/vars/1", .last_heads = int(Heads)},
                                       {.path = "key_dense/vars/1", .last_heads = int(Heads)},
                                       {.path = "value_dense/vars/1", .last_heads = int(Heads)},
                                       {.path = "output_dense/vars/1"}}};
    constexpr auto operator()(auto const& x) const { return (*this)(x, x); }
    constexpr auto operator()(auto const& x, auto const& memory) const {
      return fn([](auto const& a, auto const& m, auto const& p) { return run<false>(a, m, p, 0); })(x, memory, *this);
    }
    constexpr auto operator()(auto const& x, auto const& memory, auto const& mask) const {
      return fn(run<true>)(x, memory, *this, mask);
    }
    template <ModeOfModel Mode>
    constexpr auto dropped(auto const& x, auto const& memory, float rate, Mode const& mode) const {
      if constexpr (Mode::is_training)
        return drop(x, memory, *this, rate, mode);
      else
        return (*this)(x, memory);
    }
    template <ModeOfModel Mode>
    constexpr auto dropped(auto const& x, auto const& memory, auto const& mask, float rate, Mode const& mode) const {
      if constexpr (Mode::is_training)
        return drop(x, memory, *this, rate, mode, mask);
      else
        return (*this)(x, memory, mask);
    }
    // x (N, m, Width) at the places first, first + 1, ...; first is an integer, or a symbol of one. An index_error
    // where the cache has not so many places.
    template <class Cache>
    constexpr auto decoded(auto const& x, Cache& kept, auto const& first) const {
      static_assert(O.causal,
                    "multi_head_attention: what is read piece by piece is causal: head_options{.causal = true}");
      auto [y, next] = fn(decode)(x, *this, kept, first);
      kept = next;
      return y;
    }
  };
};

}  // namespace ricci::nn
