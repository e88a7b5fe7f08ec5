// Blocks of transformers (A. Vaswani and others, 2017), with norms before their parts (R. Xiong and others, 2020):
//
//   nn::layer<nn::encoder_block<128, 4>, Kind> block;     // 4 heads, a net of 4 * 128 units with gelu
//   auto y = block(x);                                    // (n, places, 128); block(x, mask) hides places
//   auto z = block.dropped(x, .1f, mode);                 // with dropout of weights and of both parts
//   nn::layer<nn::decoder_block<128, 4>, Kind> other;     // causal, looks at a memory, too
//   auto w = other(x, memory);                            // other(x, memory, mask), where the mask is of the memory
//
// A language model is of encoder blocks with `nn::head_options{.causal = true}`, which `block.decoded` reads on piece
// by piece, as the layer of heads does (nn/attention.hpp).
#pragma once

#include <ricci/nn/attention.hpp>
#include <ricci/nn/linear.hpp>
#include <ricci/nn/norms.hpp>

namespace ricci::nn {

// down(gelu(up(x))), and dropout in between
template <index_t Width, index_t Hidden>
struct feed_forward {
  template <class Kind = values>
  struct params {
    layer<linear<Width, Hidden>, Kind> up;
    layer<linear<Hidden, Width>, Kind> down;
    static constexpr torch_name torch[] = {{"linear1"}, {"linear2"}};
    constexpr auto operator()(auto const& x) const { return ricci::eval(down(ricci::eval(ricci::gelu_erf(up(x))))); }
    template <ModeOfModel Mode>
    constexpr auto dropped(auto const& x, float rate, Mode const& mode) const {
      return ricci::eval(down(ricci::eval(nn::dropout(ricci::eval(ricci::gelu_erf(up(x))), rate, mode))));
    }
  };
};

template <index_t Width, index_t Heads, index_t Hidden = 4 * Width, head_options O = head_options{}>
struct encoder_block {
  using heads = multi_head_attention<Width, Heads, float, O>;
  template <class Kind = values>
  struct params {
    layer<layer_norm<Width>, Kind> first, second;
    layer<heads, Kind> attention;
    layer<feed_forward<Width, Hidden>, Kind> net;
    static constexpr torch_name torch[] = {{"norm1"}, {"norm2"}, {"self_attn"}, {""}};
    // x (n, places, Width); the mask broadcasts to (n, Heads, places, places)
    constexpr auto operator()(auto const& x, auto const&... mask) const {
      static_assert(sizeof...(mask) <= 1, "nn::encoder_block: block(x) or block(x, mask)");
      auto const a = ricci::eval(first(x));
      auto const h = ricci::eval(x + attention(a, a, mask...));
      return behind(h);
    }
    template <ModeOfModel Mode>
    constexpr auto dropped(auto const& x, float rate, Mode const& mode) const {
      auto const a = ricci::eval(first(x));
      return behind(ricci::eval(x + nn::dropout(attention.dropped(a, a, rate, mode), rate, mode)), rate, mode);
    }
    template <ModeOfModel Mode>
    constexpr auto dropped(auto const& x, auto const& mask, float rate, Mode const& mode) const {
      auto const a = ricci::eval(first(x));
      return behind(ricci::eval(x + nn::dropout(attention.dropped(a, a, mask, rate, mode), rate, mode)), rate, mode);
    }
    template <class Cache>
    constexpr auto decoded(auto const& x, Cache& kept, auto const& place) const {
      return behind(ricci::eval(x + attention.decoded(ricci::eval(first(x)), kept, place)));
    }

   private:
    constexpr auto behind(auto const& h) const { return ricci::eval(h + net(ricci::eval(second(h)))); }
    constexpr auto behind(auto const& h, float rate, auto const& mode) const {
      return ricci::eval(h + nn::dropout(ricci::eval(net.dropped(ricci::eval(second(h)), rate, mode)), rate, mode));
    }
  };
};

// Causal in itself; `memory`, (n, places of memory, Width), is what an encoder made.
template <index_t Width, index_t Heads, index_t Hidden = 4 * Width>
struct decoder_block {
  template <class Kind = values>
  struct params {
    layer<layer_norm<Width>, Kind> first, second, third;
    layer<multi_head_attention<Width, Heads, float, head_options{.causal = true}>, Kind> own;
    layer<multi_head_attention<Width, Heads>, Kind> across;
    layer<feed_forward<Width, Hidden>, Kind> net;
    static constexpr torch_name torch[] = {{"norm1"}, {"norm2"}, {"norm3"}, {"self_attn"}, {"multihead_attn"}, {""}};
    constexpr auto operator()(auto const& x, auto const& memory, auto const&... mask) const {
      static_assert(sizeof...(mask) <= 1, "nn::decoder_block: block(x, memory) or block(x, memory, mask)");
      auto const a = ricci::eval(first(x));
      auto const h = ricci::eval(x + own(a, a));
      auto const g = ricci::eval(h + across(ricci::eval(second(h)), memory, mask...));
      return ricci::eval(g + net(ricci::eval(third(g))));
    }
    template <ModeOfModel Mode>
    constexpr auto dropped(auto const& x, auto const& memory, float rate, Mode const& mode) const {
      auto const part = [&](auto const& y) { return nn::dropout(y, rate, mode); };
      auto const a = ricci::eval(first(x));
      auto const h = ricci::eval(x + part(own.dropped(a, a, rate, mode)));
      auto const g = ricci::eval(h + part(across.dropped(ricci::eval(second(h)), memory, rate, mode)));
      return ricci::eval(g + part(ricci::eval(net.dropped(ricci::eval(third(g)), rate, mode))));
    }
  };
};

}  // namespace ricci::nn
