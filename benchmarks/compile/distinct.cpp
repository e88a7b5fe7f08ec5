// A net of 32 layers of distinct widths, with seven activations in turn, and the gradients of all its parameters: no
// two layers share a shape, so what they share is the structure of their kernels.
#include <cstdio>
#include <ricci/ricci.hpp>
#include <tuple>
#include <utility>

namespace rc = ricci;

constexpr int layers = 32;
constexpr int width(int k) { return 16 + (k * 7) % 33; }  // 16..48, a different one for each k < 33

template <int K>
constexpr auto activate(auto z) {
  if constexpr (K % 7 == 0)
    return rc::tanh(z);
  else if constexpr (K % 7 == 1)
    return rc::sigmoid(z);
  else if constexpr (K % 7 == 2)
    return rc::relu(z);
  else if constexpr (K % 7 == 3)
    return rc::exp(-z * z);
  else if constexpr (K % 7 == 4)
    return rc::log1p(rc::exp(z));
  else if constexpr (K % 7 == 5)
    return rc::sin(z);
  else
    return z * rc::sigmoid(z);
}

template <class Indices>
struct parameters_of;
template <std::size_t... K>
struct parameters_of<std::index_sequence<K...>> {
  using weights = std::tuple<rc::tensor<float, width(int(K)), width(int(K) + 1)>...>;
  using biases = std::tuple<rc::tensor<float, width(int(K) + 1)>...>;
};
using indices = std::make_index_sequence<layers>;
using weights = parameters_of<indices>::weights;
using biases = parameters_of<indices>::biases;

template <int K>
constexpr auto forward(auto h, auto const& w, auto const& b) {
  if constexpr (K == layers)
    return h;
  else
    return forward<K + 1>(activate<K>(rc::matmul(h, std::get<K>(w)) + std::get<K>(b)), w, b);
}
constexpr auto loss = [](auto w, auto b, auto x) { return rc::mean(rc::square(forward<0>(x, w, b))); };

int main() {
  static weights w{};
  static biases b{};
  static rc::tensor<float, 8, width(0)> x{};
  rc::tree_map(
      [](auto& t) {
        for (long k = 0; k < t.size(); ++k) t.data()[k] = 0.1f * float(k % 13 - 6);
      },
      w);
  for (long k = 0; k < x.size(); ++k) x.data()[k] = 0.05f * float(k % 17 - 8);
  static auto const result = rc::value_and_grad<0, 1>(loss)(w, b, x);
  std::printf("loss %g, a gradient %g\n", double(float(result.first)),
              double(std::get<31>(std::get<0>(result.second))(1, 2)));
  return !(float(result.first) > 0.f);
}
