// Attention and a convolution, forward, beside PyTorch's and JAX's.
#include <ricci/attention.hpp>
#include <ricci/conv.hpp>

#include "table.hpp"

namespace rc = ricci;

namespace bench {
namespace {

void attention(long places) {
  constexpr long heads = 8, width = 64;
  std::string const name = "attention of 8 heads, 64 wide, " + std::to_string(places);
  if (!wanted(name)) return;
  using X = rc::ndarray<float, 3>;
  X const q = with_noise(X(heads, places, width), 1), k = with_noise(X(heads, places, width), 2),
          v = with_noise(X(heads, places, width), 3);
  X y(heads, places, width);
  bind("q", q), bind("k", k), bind("v", v);
  contest(
      name, {work::operations, 4. * heads * double(places * places) * width}, {1, .75},
      contestant_of("ricci", [&] { return y = rc::attention(q, k, v), &y; }),
      together(python("torch", "q k v", "torch.nn.functional.scaled_dot_product_attention(q[None], k[None], v[None])"),
               python("jax", "q k v", "jax.nn.softmax(q @ k.transpose(0, 2, 1) / 8, -1) @ v")));
}

}  // namespace

void layers() {
  title("layers, forward");
  attention(128), attention(1024);
  if (!wanted("convolution 3x3, 64 to 64, 8 of 56 x 56")) return;
  using X = rc::ndarray<float, 4>;
  X const x = with_noise(X(8, 56, 56, 64), 1), w = with_noise(X(3, 3, 64, 64), 2);
  constexpr rc::conv_options same{.pad = 1};
  X y(8, 56, 56, 64);
  bind("x", x), bind("w", w);
  contest(
      "convolution 3x3, 64 to 64, 8 of 56 x 56", {work::operations, 2. * 9 * 64 * 64 * 8 * 56 * 56}, {1, .8},
      contestant_of("ricci", [&] { return y = rc::conv<same>(x, w), &y; }),
      together(
          python("torch", "x w",
                 "torch.conv2d(x.permute(0, 3, 1, 2), w.permute(3, 2, 0, 1), padding=1).permute(0, 2, 3, 1)"),
          python("jax", "x w",
                 "jax.lax.conv_general_dilated(x, w, (1, 1), 'SAME', dimension_numbers=('NHWC', 'HWIO', 'NHWC'))")));
}

}  // namespace bench
