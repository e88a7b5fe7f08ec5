// Recurrent layers: `rnn<In, H>`, `lstm<In, H>` and `gru<In, H>`, with the equations and the order of gates of PyTorch.
//
//   nn::lstm<3, 4>::params<> layer{};
//   auto states = layer(x);        // (n, places, 3) -> (n, places, 4): the state at every place, from 0 on
//   auto same = layer(x, mask);    // where mask, (n, places), is false, the state stays what it was
//   auto back = layer.backwards(x);  // begins at the last place; its states lie in the order of x; takes a mask, too
//   auto [first, carry] = layer.carried(x);         // and what the last place hands on, two tensors (n, 4)
//   auto [second, last] = layer.carried(y, carry);  // goes on from there; both take a mask behind x
//
// The loop is `rc::scan`: recorded once, however many places there are.
#pragma once

#include <tuple>
#include <utility>

#include <ricci/autodiff/control.hpp>
#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/tree.hpp>
#include <ricci/nn/activations.hpp>
#include <ricci/nn/keras_name.hpp>
#include <ricci/nn/torch_name.hpp>
#include <ricci/ops/create.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/rearranging.hpp>

namespace ricci::nn {

namespace recurrent {

// gate k of those that lie behind one another along the last of two axes, H wide each
template <index_t K, index_t H>
constexpr auto gate(auto const& gates) {
  return ricci::eval(gates(ricci::all, range<K * H, (K + 1) * H>()));
}
template <bool Backwards>
constexpr auto ordered(auto const& t) {
  if constexpr (Backwards)
    return ricci::eval(ricci::flip(t, axis<0>));
  else
    return ricci::eval(t);
}

// what inputs and bias bring to the gates; a cell may have a formula of its own for that
template <class Cell>
constexpr auto inputs_of(auto const& xs, auto const& p) {
  if constexpr (requires { Cell::inputs(xs, p); })
    return Cell::inputs(xs, p);
  else
    return ricci::eval(ricci::matmul(xs, p.w) + p.b);
}

struct from_zeros {};  // in place of a carry
template <class X>
struct sequences {
  static_assert(rank_of<X> == 3, "a recurrent layer reads sequences of vectors, (n, places, In)");
};
template <class M>
struct mask_of_places {
  static_assert(rank_of<M> == 2 && dtype_of<value_type_of<M>> == dtype::boolean,
                "the mask of a recurrent layer has a bool for each place, (n, places)");
};

// A loop over the places, which are the first axis of xs and of the mask. Cell::next(h, s, a, p) is the pair of both
// carries after an input a = x w + b, p being the other parameters; s is of use to cells that have two. What scan
// gives: the last carry, and the states.
template <class Cell, bool Masked>
constexpr auto scanned(auto const& xs, [[maybe_unused]] auto const& mask, auto const& begin, auto const& p) {
  auto const inputs = inputs_of<Cell>(xs, p);
  auto const first = [&] {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(begin)>, from_zeros>) {
      // the sum stands for its shape, also where there is no place
      auto const zero = ricci::eval(ricci::zeros_like(gate<0, Cell::width>(ricci::sum(inputs, axis<0>))));
      return std::pair(zero, zero);
    } else {
      return std::pair(std::get<0>(begin), std::get<1>(begin));
    }
  }();
  auto const next = [=](auto const& carry, auto const& a) {
    auto const& [h, s] = carry;
    return Cell::next(h, s, a, p);
  };
  if constexpr (Masked) {
    auto const step = [=](auto const& carry, auto const& data) {
      auto const& [a, go] = data;
      auto const& [h, s] = carry;
      auto const [h1, s1] = next(carry, a);
      auto const kept = ricci::eval(ricci::where(go, h1, h));
      return std::pair(std::pair(kept, ricci::eval(ricci::where(go, s1, s))), kept);
    };
    return ricci::scan(step, first, std::tuple(inputs, ricci::eval(ricci::expand_dims(mask, axis<2>))));
  } else {
    auto const step = [=](auto const& carry, auto const& a) {
      auto const after = next(carry, a);
      return std::pair(after, after.first);
    };
    return ricci::scan(step, first, inputs);
  }
}
// the same of (n, places, In), with a mask (n, places)
template <class Cell, bool Backwards, bool Masked>
constexpr auto scanned_over_places(auto const& x, [[maybe_unused]] auto const& mask, auto const& begin, auto const& p) {
  (void)sizeof(sequences<std::remove_cvref_t<decltype(x)>>);
  auto const xs = ordered<Backwards>(ricci::moveaxis(x, axis<1>, axis<0>));
  auto const all = [&] {
    if constexpr (Masked) {
      (void)sizeof(mask_of_places<std::remove_cvref_t<decltype(mask)>>);
      return scanned<Cell, true>(xs, ordered<Backwards>(ricci::moveaxis(mask, axis<1>, axis<0>)), begin, p);
    } else {
      return scanned<Cell, false>(xs, 0, begin, p);
    }
  }();
  return std::pair(ricci::eval(ricci::moveaxis(ordered<Backwards>(std::get<1>(all)), axis<0>, axis<1>)),
                   std::get<0>(all));
}
// the states
template <class Cell, bool Backwards, bool Masked>
inline constexpr auto states = [](auto const& x, auto const& mask, auto const& p) {
  return scanned_over_places<Cell, Backwards, Masked>(x, mask, from_zeros{}, p).first;
};
// The states, and the carry behind the last place, or the last one at which the mask is true; from zeros or from a
// carry on.
template <class Cell>
constexpr auto carried(auto const& p, auto const& x) {
  return fn([](auto const& v, auto const& q) {
    return scanned_over_places<Cell, false, false>(v, 0, from_zeros{}, q);
  })(x, p);
}
template <class Cell, class Y>
constexpr auto carried(auto const& p, auto const& x, Y const& mask_or_carry) {
  if constexpr (Tensor<Y>)
    return fn([](auto const& v, auto const& mask, auto const& q) {
      return scanned_over_places<Cell, false, true>(v, mask, from_zeros{}, q);
    })(x, mask_or_carry, p);
  else
    return fn([](auto const& v, auto const& carry, auto const& q) {
      return scanned_over_places<Cell, false, false>(v, 0, carry, q);
    })(x, mask_or_carry, p);
}
template <class Cell>
constexpr auto carried(auto const& p, auto const& x, auto const& mask, auto const& carry) {
  return fn([](auto const& v, auto const& m, auto const& c, auto const& q) {
    return scanned_over_places<Cell, false, true>(v, m, c, q);
  })(x, mask, carry, p);
}
template <class Cell, bool Backwards>
constexpr auto call(auto const& p, auto const& x) {
  return fn([](auto const& v, auto const& q) { return states<Cell, Backwards, false>(v, 0, q); })(x, p);
}
template <class Cell, bool Backwards>
constexpr auto call(auto const& p, auto const& x, auto const& mask) {
  return fn(states<Cell, Backwards, true>)(x, mask, p);
}

}  // namespace recurrent

// h' = tanh(x w + b + h u)
template <index_t In, index_t H, class T = float>
struct rnn {
  static constexpr index_t width = H;
  static constexpr auto next(auto const& h, auto const&, auto const& a, auto const& p) {
    auto const y = ricci::eval(ricci::tanh(a + ricci::matmul(h, p.u)));
    return std::pair(y, y);
  }
  template <class Kind = values>
  struct params {
    field<Kind, T, In, H> w;
    field<Kind, T, H, H> u;
    field<Kind, T, H> b;
    static constexpr torch_name torch[] = {{"weight_ih_l0", {.turned = true}},
                                           {"weight_hh_l0", {.turned = true}},
                                           {"bias_ih_l0", {.added = "bias_hh_l0"}}};
    static constexpr keras_name keras{"simple_rnn", {{"cell/vars/0"}, {"cell/vars/1"}, {"cell/vars/2"}}};
    constexpr auto operator()(auto const&... x) const { return recurrent::call<rnn, false>(*this, x...); }
    constexpr auto backwards(auto const&... x) const { return recurrent::call<rnn, true>(*this, x...); }
    constexpr auto carried(auto const&... x) const { return recurrent::carried<rnn>(*this, x...); }
  };
};
// Gates i, f, g and o behind one another: s' = sigmoid(f) s + sigmoid(i) tanh(g), h' = sigmoid(o) tanh(s') (S.
// Hochreiter, J. Schmidhuber, 1997; F. Gers et al., 2000).
template <index_t In, index_t H, class T = float>
struct lstm {
  static constexpr index_t width = H;
  static constexpr auto next(auto const& h, auto const& s, auto const& a, auto const& p) {
    using recurrent::gate;
    auto const all = ricci::eval(a + ricci::matmul(h, p.u));
    auto const s1 = ricci::eval(ricci::sigmoid(gate<1, H>(all)) * s +
                                ricci::sigmoid(gate<0, H>(all)) * ricci::tanh(gate<2, H>(all)));
    return std::pair(ricci::eval(ricci::sigmoid(gate<3, H>(all)) * ricci::tanh(s1)), s1);
  }
  template <class Kind = values>
  struct params {
    field<Kind, T, In, 4 * H> w;
    field<Kind, T, H, 4 * H> u;
    field<Kind, T, 4 * H> b;
    static constexpr torch_name torch[] = {{"weight_ih_l0", {.turned = true}},
                                           {"weight_hh_l0", {.turned = true}},
                                           {"bias_ih_l0", {.added = "bias_hh_l0"}}};
    static constexpr keras_name keras{"lstm", {{"cell/vars/0"}, {"cell/vars/1"}, {"cell/vars/2"}}};
    constexpr auto operator()(auto const&... x) const { return recurrent::call<lstm, false>(*this, x...); }
    constexpr auto backwards(auto const&... x) const { return recurrent::call<lstm, true>(*this, x...); }
    constexpr auto carried(auto const&... x) const { return recurrent::carried<lstm>(*this, x...); }
  };
};
// Gates r, z and n: h' = z h + (1 - z) tanh(x w_n + b_n + r (h u_n + c)), where the bias c stands inside of the
// product with r (K. Cho et al., 2014, in the form of cuDNN).
template <index_t In, index_t H, class T = float>
struct gru {
  static constexpr index_t width = H;
  static constexpr auto next(auto const& h, auto const&, auto const& a, auto const& p) {
    using recurrent::gate;
    auto const b = ricci::eval(ricci::matmul(h, p.u));
    auto const r = ricci::eval(ricci::sigmoid(gate<0, H>(a) + gate<0, H>(b)));
    auto const z = ricci::eval(ricci::sigmoid(gate<1, H>(a) + gate<1, H>(b)));
    auto const n = ricci::eval(ricci::tanh(gate<2, H>(a) + r * (gate<2, H>(b) + p.c)));
    auto const y = ricci::eval(n + z * (h - n));
    return std::pair(y, y);
  }
  template <class Kind = values>
  struct params {
    field<Kind, T, In, 3 * H> w;
    field<Kind, T, H, 3 * H> u;
    field<Kind, T, 3 * H> b;
    field<Kind, T, H> c;
    static constexpr torch_name torch[] = {{"weight_ih_l0", {.turned = true}},
                                           {"weight_hh_l0", {.turned = true}},
                                           {"bias_ih_l0", {.added = "bias_hh_l0", .added_parts = 2, .of_parts = 3}},
                                           {"bias_hh_l0", {.part = 2, .parts = 3}}};
    static constexpr keras_name keras{"gru",
                                      {{"cell/vars/0", 3},
                                       {"cell/vars/1", 3},
                                       {"cell/vars/2", 3, keras_bias::joined},
                                       {"cell/vars/2", 3, keras_bias::last_of_states}}};
    constexpr auto operator()(auto const&... x) const { return recurrent::call<gru, false>(*this, x...); }
    constexpr auto backwards(auto const&... x) const { return recurrent::call<gru, true>(*this, x...); }
    constexpr auto carried(auto const&... x) const { return recurrent::carried<gru>(*this, x...); }
  };
};

}  // namespace ricci::nn
