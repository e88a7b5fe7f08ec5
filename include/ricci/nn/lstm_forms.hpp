// Other forms of the LSTM, called as `nn::lstm` is (nn/recurrent.hpp), also in stacks and in both directions:
// `coupled_lstm<In, H>`, `peephole_lstm<In, H>`, `layer_norm_lstm<In, H>`.
#pragma once

#include <ricci/nn/norms.hpp>
#include <ricci/nn/recurrent.hpp>

namespace ricci::nn {

// Gates f, g and o behind one another: s' = sigmoid(f) s + (1 - sigmoid(f)) tanh(g), h' = sigmoid(o) tanh(s'): what is
// forgotten makes room for what is new (K. Greff and others, LSTM: a search space odyssey, 2017).
template <index_t In, index_t H, class T = float>
struct coupled_lstm {
  static constexpr index_t width = H;
  static constexpr auto next(auto const& h, auto const& s, auto const& a, auto const& p) {
    using recurrent::gate;
    auto const all = ricci::eval(a + ricci::matmul(h, p.u));
    auto const fresh = ricci::eval(ricci::tanh(gate<1, H>(all)));
    auto const s1 = ricci::eval(fresh + ricci::sigmoid(gate<0, H>(all)) * (s - fresh));
    return std::pair(ricci::eval(ricci::sigmoid(gate<2, H>(all)) * ricci::tanh(s1)), s1);
  }
  template <class Kind = values>
  struct params {
    field<Kind, T, In, 3 * H> w;
    field<Kind, T, H, 3 * H> u;
    field<Kind, T, 3 * H> b;
    constexpr auto operator()(auto const&... x) const { return recurrent::call<coupled_lstm, false>(*this, x...); }
    constexpr auto backwards(auto const&... x) const { return recurrent::call<coupled_lstm, true>(*this, x...); }
    constexpr auto carried(auto const&... x) const { return recurrent::carried<coupled_lstm>(*this, x...); }
  };
};

// Gates i, f, g and o as those of `lstm`, of which i and f see the memory s times `see_i` and `see_f`, element by
// element, and o the new one times `see_o` (F. Gers, J. Schmidhuber, 2000).
template <index_t In, index_t H, class T = float>
struct peephole_lstm {
  static constexpr index_t width = H;
  static constexpr auto next(auto const& h, auto const& s, auto const& a, auto const& p) {
    using recurrent::gate;
    auto const all = ricci::eval(a + ricci::matmul(h, p.u));
    auto const s1 = ricci::eval(ricci::sigmoid(gate<1, H>(all) + p.see_f * s) * s +
                                ricci::sigmoid(gate<0, H>(all) + p.see_i * s) * ricci::tanh(gate<2, H>(all)));
    return std::pair(ricci::eval(ricci::sigmoid(gate<3, H>(all) + p.see_o * s1) * ricci::tanh(s1)), s1);
  }
  template <class Kind = values>
  struct params {
    field<Kind, T, In, 4 * H> w;
    field<Kind, T, H, 4 * H> u;
    field<Kind, T, 4 * H> b;
    field<Kind, T, H> see_i, see_f, see_o;
    constexpr auto operator()(auto const&... x) const { return recurrent::call<peephole_lstm, false>(*this, x...); }
    constexpr auto backwards(auto const&... x) const { return recurrent::call<peephole_lstm, true>(*this, x...); }
    constexpr auto carried(auto const&... x) const { return recurrent::carried<peephole_lstm>(*this, x...); }
  };
};

// Gates of `lstm` from normalised sums, norm(x w) scale_w + norm(h u) scale_u + b, and h' = sigmoid(o) tanh(norm(s')
// scale_s + shift_s) (J. L. Ba, J. R. Kiros, G. E. Hinton, 2016, supplement): norms over all gates at once.
template <index_t In, index_t H, class T = float>
struct layer_norm_lstm {
  static constexpr index_t width = H;
  static constexpr auto eps = computed_t<T>(1e-5);
  // in float where x is of half precision
  static constexpr auto norm(auto const& x) {
    using of = value_type_of<std::remove_cvref_t<decltype(x)>>;
    return ricci::eval(rounded_to<of>(normalised<eps, -1>(ricci::eval(in_float(x)))));
  }
  static constexpr auto inputs(auto const& xs, auto const& p) {
    return ricci::eval(norm(ricci::eval(ricci::matmul(xs, p.w))) * p.scale_w + p.b);
  }
  static constexpr auto next(auto const& h, auto const& s, auto const& a, auto const& p) {
    using recurrent::gate;
    auto const sums = ricci::eval(ricci::matmul(h, p.u));
    auto const all = ricci::eval(a + norm(sums) * p.scale_u);
    auto const s1 = ricci::eval(ricci::sigmoid(gate<1, H>(all)) * s +
                                ricci::sigmoid(gate<0, H>(all)) * ricci::tanh(gate<2, H>(all)));
    auto const seen = ricci::eval(norm(s1) * p.scale_s + p.shift_s);
    return std::pair(ricci::eval(ricci::sigmoid(gate<3, H>(all)) * ricci::tanh(seen)), s1);
  }
  template <class Kind = values>
  struct params {
    field<Kind, T, In, 4 * H> w;
    field<Kind, T, H, 4 * H> u;
    field<Kind, T, 4 * H> b, scale_w, scale_u;
    field<Kind, T, H> scale_s, shift_s;
    static params init(key const& k) {
      params p{};
      init_into(p.w, k.fold(0));
      init_into(p.u, k.fold(1));
      p.scale_w = T(1), p.scale_u = T(1), p.scale_s = T(1);
      return p;
    }
    constexpr auto operator()(auto const&... x) const { return recurrent::call<layer_norm_lstm, false>(*this, x...); }
    constexpr auto backwards(auto const&... x) const { return recurrent::call<layer_norm_lstm, true>(*this, x...); }
    constexpr auto carried(auto const&... x) const { return recurrent::carried<layer_norm_lstm>(*this, x...); }
  };
};

}  // namespace ricci::nn
