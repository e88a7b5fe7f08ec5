// Zoneout (D. Krueger and others, 2017): while a model learns, each element of a recurrent layer's state stays what it
// was with a probability of its own at each place, and so does each of its memory; in inference both are the mean of
// that, old and new ones by the same probabilities.
//
//   nn::zoneout<nn::lstm<3, 4>>::params<> layer{};       // layer.cell is the lstm
//   auto states = layer(x, {.state = .05f, .memory = .5f}, mode);
//   auto same = layer(x, mask, {.state = .05f}, mode);   // where mask, (n, places), is false, all stays what it was
#pragma once

#include <ricci/nn/dropout.hpp>
#include <ricci/nn/recurrent.hpp>

namespace ricci::nn {

// Probabilities; the memory is of use to cells that have one beside their state.
struct zoneout_rates {
  float state = 0, memory = 0;
};

namespace recurrent {

template <class X, class Rate, class Mode>
constexpr auto zoned(X const& old, X const& next, Rate const& rate, Mode const& mode) {
  if constexpr (Mode::is_training)
    return ricci::eval(ricci::where(
        random::uniform<type_of<arithmetic_type(dtype_of<value_type_of<X>>)>>(key_of_place(mode), shape_of(old)) < rate,
        old, next));
  else
    return ricci::eval(next + rate * (old - next));
}
// A cell whose carries go on by zoneout: what `states` loops over.
template <class Cell>
struct zoned_cell {
  static constexpr index_t width = Cell::width;
  static constexpr auto inputs(auto const& xs, auto const& p) { return inputs_of<Cell>(xs, p.cell); }
  static constexpr auto next(auto const& h, auto const& s, auto const& a, auto const& p) {
    auto const [h1, s1] = Cell::next(h, s, a, p.cell);
    auto const state = zoned(h, h1, p.rates.first, p.mode);
    return std::pair(state, zoned(s, s1, p.rates.second, p.mode));
  }
};
template <class P, class Rates, class Mode>
struct zoned_params {
  P const& cell;
  Rates const& rates;
  Mode const& mode;
};
template <class P, class Rates, class Mode>
zoned_params(P const&, Rates const&, Mode const&) -> zoned_params<P, Rates, Mode>;

}  // namespace recurrent

template <class Cell>
struct zoneout {
  static constexpr index_t width = Cell::width;
  template <bool Masked, class Mode>
  static constexpr auto run(auto const& p, auto const& x, auto const& mask, zoneout_rates const& r, Mode const& mode) {
    using T = value_type_of<std::remove_cvref_t<decltype(p.u)>>;
    require_rate("nn::zoneout, the state", double(r.state));
    require_rate("nn::zoneout, the memory", double(r.memory));
    auto const rates = std::pair(T(r.state), T(r.memory));
    if constexpr (Mode::is_training)
      return fn([](auto const& v, auto const& m, auto const& q, auto const& by, auto const& how) {
        return recurrent::states<recurrent::zoned_cell<Cell>, false, Masked>(v, m, recurrent::zoned_params{q, by, how});
      })(x, mask, p, rates, mode);
    else
      return fn([](auto const& v, auto const& m, auto const& q, auto const& by) {
        return recurrent::states<recurrent::zoned_cell<Cell>, false, Masked>(v, m,
                                                                             recurrent::zoned_params{q, by, Mode{}});
      })(x, mask, p, rates);
  }
  template <class Kind = values>
  struct params {
    layer<Cell, Kind> cell;
    template <Tensor X, ModeOfModel Mode>
    constexpr auto operator()(X const& x, zoneout_rates const& rates, Mode const& mode) const {
      return run<false>(cell, x, 0, rates, mode);
    }
    template <Tensor X, Tensor M, ModeOfModel Mode>
    constexpr auto operator()(X const& x, M const& mask, zoneout_rates const& rates, Mode const& mode) const {
      return run<true>(cell, x, mask, rates, mode);
    }
  };
};

}  // namespace ricci::nn
