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
      return handed_on([](auto const& layer, auto const& y, auto) { return layer.carried(y); }, x);
    }
    template <class Y>
    constexpr auto carried(auto const& x, Y const& mask_or_carries) const {
      if constexpr (Tensor<Y>) {
        return handed_on([&](auto const& layer, auto const& y, auto) { return layer.carried(y, mask_or_carries); }, x);
      } else {
        (void)sizeof(carry_for_each<Y>);
        return handed_on(
            [&](auto const& layer, auto const& y, auto i) { return layer.carried(y, std::get<i>(mask_or_carries)); },
            x);
      }
    }
    template <class Carries>
    constexpr auto carried(auto const& x, auto const& mask, Carries const& carries) const {
      (void)sizeof(carry_for_each<Carries>);
      return handed_on(
          [&](auto const& layer, auto const& y, auto i) { return layer.carried(y, mask, std::get<i>(carries)); }, x);
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
    template <class Carries>
    struct carry_for_each {
      static_assert(std::tuple_size_v<Carries> == Layers, "nn::recurrent_stack: a carry for each layer");
    };
    // `carried(layer, y, number of the layer)` is the pair of the layer's states and its carry
    constexpr auto handed_on(auto const& carried, auto const& x) const {
      auto const [y, carry] = carried(bottom, x, std::integral_constant<std::size_t, 0>{});
      return handed_on_by<0>(carried, y, std::make_tuple(carry));
    }
    template <std::size_t I>
    constexpr auto handed_on_by(auto const& carried, auto const& y, auto const& carries) const {
      if constexpr (I == Layers - 1) {
        return std::pair(y, carries);
      } else {
        auto const next = carried(above[I], y, std::integral_constant<std::size_t, I + 1>{});
        return handed_on_by<I + 1>(carried, next.first, std::tuple_cat(carries, std::make_tuple(next.second)));
      }
    }
  };
};

}  // namespace ricci::nn
