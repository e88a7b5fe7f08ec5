// Layers one after the other as one layer, and a layer beside its input:
//
//   using net = nn::sequential<nn::linear<64, 50>, nn::apply<rc::relu>, nn::residual<nn::linear<50, 50>>,
//                              nn::apply<[](auto const& x, auto const& mode) { return nn::dropout(x, .1f, mode); }>,
//                              nn::linear<50, 10>>;
//   nn::layer<net, Kind> scores;      // scores(x, mode), or scores(x) where no layer takes a mode
//
// Layers that keep a state, as batch_norm, are members of a record of one's own.
#pragma once

#include <tuple>

#include <ricci/nn/layer.hpp>

namespace ricci::nn {

namespace layers {
// a layer of x, or of x and more where it takes that
constexpr auto called(auto const& f, auto const& x, auto const&... mode) {
  if constexpr (sizeof...(mode) > 0 && requires { f(x, mode...); })
    return ricci::eval(f(x, mode...));
  else
    return ricci::eval(f(x));
}
}  // namespace layers

// A function as a layer without parameters, of x or of x and a mode.
template <auto F>
struct apply {
  template <class Kind = values>
  struct params {
    constexpr auto operator()(auto const&... x) const requires requires { F(x...); }
    { return F(x...); }
  };
};
// x + layer(x)
template <class L>
struct residual {
  template <class Kind = values>
  struct params {
    layer<L, Kind> inner;
    constexpr auto operator()(auto const& x, auto const&... mode) const {
      return ricci::eval(x + layers::called(inner, x, mode...));
    }
  };
};
template <class... L>
struct sequential {
  static_assert(sizeof...(L) > 0, "nn::sequential: of one layer or more");
  template <class Kind = values>
  struct params {
    std::tuple<layer<L, Kind>...> layers;
    static constexpr torch_name torch[] = {{""}};
    constexpr auto operator()(auto const& x, auto const&... mode) const { return behind<0>(x, mode...); }

   private:
    template <std::size_t K>
    constexpr auto behind(auto const& x, auto const&... mode) const {
      auto const y = nn::layers::called(std::get<K>(layers), x, mode...);
      if constexpr (K + 1 < sizeof...(L))
        return behind<K + 1>(y, mode...);
      else
        return y;
    }
  };
};

}  // namespace ricci::nn
