// Blocks of transformers as PyTorch has them, with dropout, and read piece by piece.
#include <doctest/doctest.h>

#include <cmath>

#include <ricci/ricci.hpp>

#include <ricci/nn/transformer.hpp>

#include "near_table.hpp"
#include "torch_blocks.hpp"

namespace rc = ricci;
namespace nn = ricci::nn;

namespace {

constexpr nn::head_options causal{.causal = true};
using inputs = rc::tensor<float, 2, 3, 8>;
auto const x = of_table<inputs>(blocks::x);
auto const memory = of_table<rc::tensor<float, 2, 4, 8>>(blocks::memory);
nn::training<> const learns{nn::key(3)};
nn::inference<> const rests{};

void put(auto& p, double const (&in)[8 * 24], double const (&in_bias)[24], double const (&out)[64],
         double const (&out_bias)[8]) {
  auto const w = of_table<rc::tensor<float, 8, 24>>(in);
  auto const b = of_table<rc::tensor<float, 24>>(in_bias);
  p.query = w(rc::all, rc::range<0, 8>()), p.key = w(rc::all, rc::range<8, 16>());
  p.value = w(rc::all, rc::range<16, 24>());
  p.query_bias = b(rc::range<0, 8>()), p.key_bias = b(rc::range<8, 16>()), p.value_bias = b(rc::range<16, 24>());
  p.out = of_table<rc::tensor<float, 8, 8>>(out), p.out_bias = of_table<rc::tensor<float, 8>>(out_bias);
}
void put_net(auto& net, double const (&up)[96], double const (&up_bias)[12], double const (&down)[96],
             double const (&down_bias)[8]) {
  net.up.w = of_table<rc::tensor<float, 8, 12>>(up), net.up.b = of_table<rc::tensor<float, 12>>(up_bias);
  net.down.w = of_table<rc::tensor<float, 12, 8>>(down), net.down.b = of_table<rc::tensor<float, 8>>(down_bias);
}
template <nn::head_options O>
auto encoder() {
  typename nn::encoder_block<8, 2, 12, O>::template params<> p{};
  auto const norms = of_table<rc::tensor<float, 2, 2, 8>>(blocks::encoder_norms);
  p.first.scale = norms(0, 0), p.first.shift = norms(0, 1), p.second.scale = norms(1, 0), p.second.shift = norms(1, 1);
  put(p.attention, blocks::encoder_in, blocks::encoder_in_bias, blocks::encoder_out, blocks::encoder_out_bias);
  put_net(p.net, blocks::encoder_up, blocks::encoder_up_bias, blocks::encoder_down, blocks::encoder_down_bias);
  return p;
}
auto decoder() {
  nn::decoder_block<8, 2, 12>::params<> p{};
  auto const norms = of_table<rc::tensor<float, 3, 2, 8>>(blocks::decoder_norms);
  p.first.scale = norms(0, 0), p.first.shift = norms(0, 1), p.second.scale = norms(1, 0), p.second.shift = norms(1, 1);
  p.third.scale = norms(2, 0), p.third.shift = norms(2, 1);
  put(p.own, blocks::decoder_in, blocks::decoder_in_bias, blocks::decoder_out, blocks::decoder_out_bias);
  put(p.across, blocks::across_in, blocks::across_in_bias, blocks::across_out, blocks::across_out_bias);
  put_net(p.net, blocks::decoder_up, blocks::decoder_up_bias, blocks::decoder_down, blocks::decoder_down_bias);
  return p;
}
constexpr auto squares = [](auto const& p, auto const&... v) { return rc::sum(rc::square(p(v...))); };

}  // namespace

TEST_CASE("blocks as in PyTorch") {
  auto const plain = encoder<nn::head_options{}>();
  auto const one_way = encoder<causal>();
  CHECK(near_table(rc::eval(plain(x)), blocks::encoded, 1e-5));
  CHECK(near_table(rc::grad<1>(squares)(plain, x), blocks::encoded_gradient, 1e-4));
  CHECK(near_table(rc::eval(one_way(x)), blocks::encoded_causal, 1e-5));
  CHECK(near_table(rc::grad<1>(squares)(one_way, x), blocks::encoded_causal_gradient, 1e-4));
  rc::tensor<bool, 3, 3> const seen{{true, false, false}, {true, true, false}, {true, true, true}};
  CHECK(near_table(rc::eval(plain(x, seen)), blocks::encoded_causal, 1e-5));
  auto const other = decoder();
  CHECK(near_table(rc::eval(other(x, memory)), blocks::decoded, 1e-5));
  CHECK(near_table(rc::grad<1>(squares)(other, x, memory), blocks::decoded_gradient, 1e-4));
  rc::ndarray<float, 3> const dynamic = x;
  CHECK(near_table(rc::eval(other(dynamic, rc::ndarray<float, 3>(memory))), blocks::decoded, 1e-5));
}
TEST_CASE("a block reads a sequence piece by piece") {
  auto const block = encoder<causal>();
  nn::encoder_block<8, 2, 12, causal>::heads::cache<3, 2>::state<> kept{};
  for (int place = 0; place < 3; ++place) {
    rc::tensor<float, 2, 1, 8> const piece = x(rc::all, rc::range(place, place + 1));
    rc::tensor<float, 2, 1, 8> const y = block.decoded(piece, kept, place);
    auto const all = of_table<inputs>(blocks::encoded_causal);
    CHECK(double(rc::max(rc::abs(y(rc::all, 0) - all(rc::all, place)))) < 1e-5);
  }
}
TEST_CASE("dropout of weights and parts: none of a rate of 0 or in inference, and on average nothing changes") {
  auto const plain = encoder<nn::head_options{}>();
  auto const one_way = encoder<causal>();
  auto const other = decoder();
  CHECK(near_table(rc::eval(plain.dropped(x, .5f, rests)), blocks::encoded, 1e-5));
  CHECK(near_table(rc::eval(plain.dropped(x, 0.f, learns)), blocks::encoded, 1e-5));
  CHECK(near_table(rc::eval(one_way.dropped(x, 0.f, learns)), blocks::encoded_causal, 1e-5));
  rc::tensor<bool, 3, 3> const seen{{true, false, false}, {true, true, false}, {true, true, true}};
  CHECK(near_table(rc::eval(plain.dropped(x, seen, 0.f, learns)), blocks::encoded_causal, 1e-5));
  CHECK(near_table(rc::eval(one_way.dropped(x, seen, 0.f, learns)), blocks::encoded_causal, 1e-5));
  CHECK(near_table(rc::eval(other.dropped(x, memory, 0.f, learns)), blocks::decoded, 1e-5));
  CHECK(near_table(rc::eval(other.dropped(x, memory, .3f, rests)), blocks::decoded, 1e-5));
  // a place that sees nothing gives what the bias gives, with dropout as without
  rc::tensor<bool, 3, 3> const blind{{false, false, false}, {true, true, true}, {true, true, true}};
  inputs const none = plain.attention.dropped(x, x, blind, 0.f, learns);
  CHECK(double(rc::max(rc::abs(none(rc::all, 0) - plain.attention.out_bias))) < 1e-6);

  // heads alone: the mean of many is what it is without, and each place of the trace has a mask of its own
  auto const traced = rc::fn([](auto const& p, auto const& v, auto const& mode) {
    auto const a = rc::eval(p.dropped(v, v, .2f, mode)), b = rc::eval(p.dropped(v, v, .2f, mode));
    return std::pair(a, b);
  });
  inputs const whole = one_way.attention(x, x);
  inputs sum{};
  for (int k = 0; k < 2000; ++k) {
    auto const [a, b] = traced(one_way.attention, x, nn::training<>{nn::key(k)});
    if (k == 0) CHECK(!bool(rc::all(a == b)));
    sum = sum + a / 2000.f;
  }
  CHECK(double(rc::max(rc::abs(sum - whole))) < .05);
  CHECK(bool(rc::isfinite(rc::sum(rc::grad<1>([](auto const& p, auto const& v, auto const& mode) {
    return rc::sum(rc::square(p.dropped(v, .2f, mode)));
  })(one_way, x, learns)))));
}
