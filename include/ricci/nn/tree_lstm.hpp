// A long short-term memory along trees, every node of which has two before it, with a gate to forget each of them (K.
// S. Tai, R. Socher, C. Manning, 2015, section 3.2).
//
//   nn::tree_lstm<3, 4>::params<> layer{};
//   auto states = layer(x, left, right);   // x (n, nodes, 3), left and right (n, nodes), integers -> (n, nodes, 4)
//
// The nodes of a tree stand in an order in which both parts of a node come before it, so that one scan goes through a
// batch of trees of all shapes. Node k is number k + 1, and 0 is nothing, which a leaf has before it. A part that does
// not come before its node, and a number below 0, are an index_error.
#pragma once

#include <ricci/autodiff/control.hpp>
#include <ricci/nn/by_label.hpp>
#include <ricci/nn/recurrent.hpp>
#include <ricci/ops/join.hpp>
#include <ricci/ops/select.hpp>
#include <ricci/ops/take_along_axis.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::nn {

namespace trees {

struct of_parts {
  static constexpr auto name = "tree_lstm, the number of a part";
};
template <index_t H>
inline constexpr auto states = [](auto const& x, auto const& left, auto const& right, auto const& p) {
  using recurrent::gate;
  using T = value_type_of<std::remove_cvref_t<decltype(x)>>;
  auto const first = [](auto const& t) { return ricci::eval(ricci::moveaxis(t, axis<1>, axis<0>)); };
  auto const inputs = first(ricci::eval(ricci::matmul(x, p.w) + p.b));               // (nodes, n, 5 H)
  auto const number = ricci::eval(ricci::arange<index_t>(x.shape(1), like(x)) + 1);  // of each node
  auto const rows = ricci::eval(ricci::arange<index_t>(x.shape(1) + 1, like(x)));
  auto const one = ricci::eval(ricci::zeros_like(gate<0, H>(inputs(0))));  // (n, H)
  auto const begin =
      ricci::eval(one(ricci::all, newaxis) + ricci::astype<T>(ricci::zeros_like(rows))(ricci::all, newaxis));
  auto const step = [=](auto const& carry, auto const& node) {
    auto const& [h, s] = carry;
    auto const& [a, l, r, own] = node;
    auto const row_of = [](auto const& all, auto const& row) {
      auto const at = ricci::eval(row(ricci::all, newaxis, newaxis));
      return ricci::eval(ricci::sum(ricci::take_along_axis(all, at, axis<1>), axis<1>));
    };
    auto const gates = ricci::eval(a + ricci::matmul(row_of(h, l), p.left) + ricci::matmul(row_of(h, r), p.right));
    auto const memory = ricci::eval(ricci::sigmoid(gate<0, H>(gates)) * ricci::tanh(gate<3, H>(gates)) +
                                    ricci::sigmoid(gate<1, H>(gates)) * row_of(s, l) +
                                    ricci::sigmoid(gate<2, H>(gates)) * row_of(s, r));
    auto const state = ricci::eval(ricci::sigmoid(gate<4, H>(gates)) * ricci::tanh(memory));
    auto const is_own = ricci::eval(ricci::astype<T>(rows == own));
    auto const kept = [&](auto const& all, auto const& y) {
      return ricci::eval(all + is_own(ricci::all, newaxis) * y(ricci::all, newaxis));
    };
    return std::pair(std::pair(kept(h, state), kept(s, memory)), state);
  };
  // a part that is not there yet as a number that no node has
  auto const parts = [&](auto const& of) {
    auto const given = ricci::eval(ricci::astype<index_t>(of));
    return first(ricci::eval(
        numbers_within<of_parts, 1, 1>(ricci::eval(ricci::where(given < number, given, x.shape(1) + given)), x)));
  };
  auto const all = ricci::scan(step, std::pair(begin, begin), std::tuple(inputs, parts(left), parts(right), number));
  return ricci::eval(ricci::moveaxis(std::get<1>(all), axis<0>, axis<1>));
};

}  // namespace trees

// Gates i, f of the left part, f of the right one, g and o behind one another.
template <index_t In, index_t H, class T = float>
struct tree_lstm {
  template <class Kind = values>
  struct params {
    field<Kind, T, In, 5 * H> w;
    field<Kind, T, H, 5 * H> left, right;
    field<Kind, T, 5 * H> b;
    template <Tensor L, Tensor R>
    constexpr auto operator()(auto const& x, L const& of_left, R const& of_right) const {
      static_assert(is_integer(dtype_of<value_type_of<L>>) && is_integer(dtype_of<value_type_of<R>>),
                    "nn::tree_lstm: the numbers of the nodes before a node are integers");
      return fn(trees::states<H>)(x, of_left, of_right, *this);
    }
  };
};

}  // namespace ricci::nn
