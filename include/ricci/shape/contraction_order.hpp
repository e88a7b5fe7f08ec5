// In which order a product of several tensors is taken, two at a time: that of the fewest multiplications. Of up to six
// by trying all trees (dynamic programming over the sets of operands, R. Pfeifer, J. Haegeman, F. Verstraete, Faster
// identification of optimal contraction sequences for tensor networks, 2014), of more greedily: always the two whose
// product is smallest against what it replaces (the cost of opt_einsum's `greedy`, which leaves outer products for
// last).
#pragma once

#include <ricci/shape/subscripts.hpp>

namespace ricci::shapes {

inline constexpr int most_operands_ordered_optimally = 6;
// what an extent counts as that is only known at run time
inline constexpr index_t typical_extent = 64;

// how many elements a tensor with these letters has
constexpr double elements_of(letter_set s, index_t const* extent) {
  double n = 1;
  for (; s != 0; s &= s - 1) {
    index_t const e = extent[__builtin_ctzll(s)];
    n *= static_cast<double>(e < 0 ? typical_extent : e > 1 ? e : 1);
  }
  return n;
}

// Operand `left` is replaced by its product with operand `right`, which is there no more.
struct contraction_step {
  int left, right;
};
template <int N>
struct contraction_order {
  int count;
  contraction_step step[N];
};

namespace ordering {

template <int N>
struct best_trees {
  static constexpr int sets = 1 << N;
  letter_set any[sets]{}, kept[sets]{};  // letters of the operands; of their product
  double cost[sets]{};
  int left[sets]{};

  constexpr void find(letter_set const* operand, letter_set result, index_t const* extent) {
    for (int s = 1; s < sets; ++s) any[s] = any[s & (s - 1)] | operand[__builtin_ctz(unsigned(s))];
    for (int s = 1; s < sets; ++s) {
      kept[s] = any[s] & (result | any[sets - 1 - s]);
      if ((s & (s - 1)) == 0) continue;
      for (int l = (s - 1) & s; l > 0; l = (l - 1) & s) {
        if ((l & s & -s) == 0) continue;  // each pair once: the left one has the first operand
        double const c = cost[l] + cost[s - l] + elements_of(kept[l] | kept[s - l], extent);
        if (left[s] == 0 || c < cost[s]) cost[s] = c, left[s] = l;
      }
    }
  }
  constexpr void list(int s, contraction_order<N>& order) const {
    if (left[s] == 0) return;
    int const l = left[s], r = s - l;
    list(l, order), list(r, order);
    order.step[order.count++] = {__builtin_ctz(unsigned(l)), __builtin_ctz(unsigned(r))};
  }
};

template <int N>
constexpr contraction_order<N> greedy(letter_set const* operand, letter_set result, index_t const* extent) {
  contraction_order<N> order{};
  letter_set now[N]{};
  bool gone[N]{};
  for (int k = 0; k < N; ++k) now[k] = operand[k];
  while (order.count < N - 1) {
    contraction_step best{-1, -1};
    double least = 0, least_cost = 0;
    letter_set product = 0;
    for (int a = 0; a < N; ++a) {
      if (gone[a]) continue;
      for (int b = a + 1; b < N; ++b) {
        if (gone[b]) continue;
        letter_set others = result;
        for (int k = 0; k < N; ++k)
          if (!gone[k] && k != a && k != b) others |= now[k];
        letter_set const both = now[a] | now[b], kept = both & others;
        double const growth = elements_of(kept, extent) - elements_of(now[a], extent) - elements_of(now[b], extent);
        double const cost = elements_of(both, extent);
        if (best.left >= 0 && (growth > least || (growth == least && cost >= least_cost))) continue;
        best = {a, b}, least = growth, least_cost = cost, product = kept;
      }
    }
    now[best.left] = product, gone[best.right] = true;
    order.step[order.count++] = best;
  }
  return order;
}

}  // namespace ordering

// Letters that one operand has alone are taken for summed over already.
template <int N>
constexpr contraction_order<N> order_of(letter_set const* operand, letter_set result, index_t const* extent) {
  contraction_order<N> order{};
  if constexpr (N == 2) {
    order = {1, {{0, 1}}};
  } else if constexpr (N > 2 && N <= most_operands_ordered_optimally) {
    ordering::best_trees<N> trees;
    trees.find(operand, result, extent);
    trees.list((1 << N) - 1, order);
  } else if constexpr (N > 2) {
    order = ordering::greedy<N>(operand, result, extent);
  }
  return order;
}

}  // namespace ricci::shapes
