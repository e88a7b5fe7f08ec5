// Recurrent layers on top of one another: each reads the states of the one below.
//
//   nn::recurrent_stack<nn::lstm<8, 16>, 3>::params<> layers{};  // lstm<8, 16>, and two of lstm<16, 16>
//   auto top = layers(x);                           // (n, places, 8) -> (n, places, 16), the states of the last layer
//   auto same = layers(x, mask);                    // as the layers take it
//   auto y = layers.dropped(x, .2f, mode);          // dropout between the layers, as in PyTorch
//   auto [first, carries] = layers.carried(x);      // and what each layer hands on, a tuple
//   auto [second, last] = layers.carried(z, carries);
#pragma once

#include <array>

#include <ricci/nn/dropout.hpp>
#include <ricci/nn/recurrent.hpp>

namespace ricci::nn {

template <class Layer>
struct recurrent_parts;
template <template <index_t, index_t, class> class Cell, index_t In, index_t H, class T>
struct recurrent_parts<Cell<In, H, T>> {
  using above = Cell<H, H, T>;
};

template <class Layer, std::size_t Layers>
struct recurrent_stack {
  static_assert(Layers >= 2, "nn::recurrent_stack: two layers or more");
  template <class Kind = values>
  struct params {
    typename Layer::template params<Kind> bottom;
    std::array<typename recurrent_parts<Layer>::above::template params<Kind>, Layers - 1> above;

    constexpr auto operator()(auto const& x) const {
      return upwards<0>([](auto const& y) { return y; }, bottom(x));
    }
    constexpr auto operator()(auto const& x, auto const& mask) const { return masked<0>(bottom(x, mask), mask); }
    constexpr auto dropped(auto const& x, float rate, auto const& mode) const {
      return upwards<0>([&](auto const& y) { return ricci::eval(nn::dropout(y, rate, mode)); }, bottom(x));
    }
    constexpr auto carried(auto const& x) const {
      auto const [y, carry] = bottom.carried(x);
      return handed_on<0>(y, std::make_tuple(carry));
    }
    constexpr auto carried(auto const& x, auto const& carries) const {
      static_assert(std::tuple_size_v<std::remove_cvref_t<decltype(carries)>> == Layers,
                    "nn::recurrent_stack: a carry for each layer");
      auto const [y, carry] = bottom.carried(x, std::get<0>(carries));
      return handed_on<0>(y, std::make_tuple(carry), carries);
    }

   private:
    template <std::size_t I>
    constexpr auto upwards(auto const& between, auto const& y) const {
      if constexpr (I == Layers - 1)
        return y;
      else
        return upwards<I + 1>(between, above[I](between(y)));
    }
    template <std::size_t I>
    constexpr auto masked(auto const& y, auto const& mask) const {
      if constexpr (I == Layers - 1)
        return y;
      else
        return masked<I + 1>(above[I](y, mask), mask);
    }
    template <std::size_t I>
    constexpr auto handed_on(auto const& y, auto const& out, auto const&... in) const {
      if constexpr (I == Layers - 1) {
        return std::pair(y, out);
      } else {
        auto const next = above[I].carried(y, std::get<I + 1>(in)...);
        return handed_on<I + 1>(next.first, std::tuple_cat(out, std::make_tuple(next.second)), in...);
      }
    }
  };
};

}  // namespace ricci::nn
