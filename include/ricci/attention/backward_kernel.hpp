// The gradients of attention on the host: for each block of places, one of queries after the other, five products of
// blocks. Probabilities come from the scores and lse; nothing but blocks of them is kept.
#pragma once

#include <ricci/attention/blocks.hpp>

#if RICCI_HAS_XSIMD
RICCI_OPTIMIZED
namespace ricci::attentions {
inline namespace RICCI_ABI {

template <bool Causal, class T>
struct backward_blocks {
  using P = simd::pack<T>;
  static constexpr index_t size = P::size, columns = block_places<T>;
  index_t rows, width, places, outputs;
  index_t padded_rows, padded_width, padded_outputs;

  explicit backward_blocks(index_t const* n)
      : rows(n[0]),
        width(n[1]),
        places(n[2]),
        outputs(n[3]),
        padded_rows(rounded_up(rows, block_rows)),
        padded_width(rounded_up(width, panel_width<T>)),
        padded_outputs(rounded_up(outputs, panel_width<T>)) {}

  struct memory {
    T *q, *dy, *dq, *lse, *delta, *finite;              // of all queries; 1 where all of a block of them are
    T *k, *v, *k_turned, *v_turned, *dk, *dv, *p, *ds;  // of a block of places, and of scores
    index_t used;
    memory(backward_blocks const& of, T* all) {
      parts_of_memory<T> parts{all};
      q = parts.take(of.padded_rows * of.padded_width), dq = parts.take(of.padded_rows * of.padded_width);
      dy = parts.take(of.padded_rows * of.padded_outputs);
      lse = parts.take(of.padded_rows), delta = parts.take(of.padded_rows);
      finite = parts.take(of.padded_rows / block_rows);
      k = parts.take(columns * of.padded_width), v = parts.take(columns * of.padded_outputs);
      k_turned = parts.take(columns * of.width), v_turned = parts.take(columns * of.outputs);
      index_t const all_columns = rounded_up(columns, tile_rows);  // they are the rows of tiles here
      dk = parts.take(all_columns * of.padded_width), dv = parts.take(all_columns * of.padded_outputs);
      p = parts.take(block_rows * columns), ds = parts.take(block_rows * columns + tile_rows);
      used = parts.used;
    }
  };
  index_t bytes() const { return core::bytes_of(memory(*this, nullptr).used, sizeof(T)); }

  // scores to probabilities, and dp to ds
  RICCI_INLINE static void differentiate(T* p, T* ds, index_t used, T const* lse, T const* delta) {
    for (index_t i = 0; i < block_rows; ++i, p += columns, ds += columns) {
      P const less(lse[i]), mean(delta[i]);
      for (index_t j = 0; j < used; j += panel_width<T>) {
        RICCI_UNROLL(2)
        for (index_t l = j; l < j + panel_width<T>; l += size) {
          P const none(T(0)), score = P::load(p + l);
          // of what is hidden, whatever its value and the sum of the row are
          P const probability =
              select(score == P(-std::numeric_limits<T>::infinity()), none, exp_of_negative(score - less));
          probability.store(p + l);
          select(probability == none, none, probability * (P::load(ds + l) - mean)).store(ds + l);
        }
      }
    }
  }
  template <class Q, class K, class V, class Bias, class L, class D, class G, class DQ, class DK, class DV>
  void run(Q const& q, K const& k, V const& v, Bias const& bias, L const& lse, D const& delta, G const& dy,
           DQ const& dq, DK const& dk, DV const& dv, T* all) const {
    constexpr index_t panel = panel_width<T>;
    memory const m(*this, all);
    rows_of<T, Q> const queries{q, m.q, 0, rows, width, padded_width, block_rows, block_rows};
    rows_of<T, G> const cotangents{dy, m.dy, 0, rows, outputs, padded_outputs, block_rows, block_rows};
    for (index_t i = 0; i < rows; i += block_rows) {
      queries.prepare(i), cotangents.prepare(i);
      m.finite[i / block_rows] =
          T(are_finite(queries.at(i), queries.apart(i), queries.size(i), padded_width) &&
            are_finite(cotangents.at(i), cotangents.apart(i), cotangents.size(i), padded_outputs));
    }
    for (index_t i = 0; i < padded_rows; ++i) {
      m.lse[i] = i < rows ? lse(i) : std::numeric_limits<T>::infinity();  // rows that are not there get no probability
      m.delta[i] = i < rows ? delta(i) : T(0);
    }
    for (index_t i = 0; i < padded_rows * padded_width; ++i) m.dq[i] = T(0);
    for (index_t first = 0; first < places; first += columns) {
      index_t const n = smaller_of(columns, places - first);
      rows_of<T, K> const keys{k, m.k, first, places, width, padded_width, columns, panel};
      rows_of<T, V> const values{v, m.v, first, places, outputs, padded_outputs, columns, panel};
      keys.prepare(first), values.prepare(first);
      T const* const block_k = keys.at(first);
      index_t const k_row = keys.apart(first), used = keys.size(first);
      transpose_to_panels(m.k_turned, block_k, used, width, k_row);
      transpose_to_panels(m.v_turned, values.at(first), used, outputs, values.apart(first));
      bool const is_finite = are_finite(block_k, k_row, used, padded_width);
      for (index_t i = 0; i < used * padded_width; ++i) m.dk[i] = T(0);
      for (index_t i = 0; i < used * padded_outputs; ++i) m.dv[i] = T(0);
      for (index_t i = Causal ? first / block_rows * block_rows : 0; i < rows; i += block_rows) {
        T const *const block_q = queries.at(i), *const block_dy = cotangents.at(i);
        index_t const q_row = queries.apart(i), dy_row = cotangents.apart(i);
        multiply<how::set>({block_q, q_row, 1}, m.k_turned, panel, width * panel, width, m.p, columns, block_rows,
                           used);
        finish_scores<Causal>(m.p, {i, first, smaller_of(block_rows, rows - i), n}, columns, used, bias);
        multiply<how::set>({block_dy, dy_row, 1}, m.v_turned, panel, outputs * panel, outputs, m.ds, columns,
                           block_rows, used);
        differentiate(m.p, m.ds, used, m.lse + i, m.delta + i);
        if (!is_finite || m.finite[i / block_rows] == 0) {
          index_t const here = smaller_of(block_rows, rows - i);
          add_seen({m.p, 1, columns}, m.p, block_dy, dy_row, here, m.dv, padded_outputs, used, padded_outputs);
          add_seen({m.ds, 1, columns}, m.p, block_q, q_row, here, m.dk, padded_width, used, padded_width);
          add_seen({m.ds, columns, 1}, m.p, block_k, k_row, used, m.dq + i * padded_width, padded_width, here,
                   padded_width);
          continue;
        }
        multiply<how::add>({m.p, 1, columns}, block_dy, dy_row, panel, block_rows, m.dv, padded_outputs, used,
                           padded_outputs);
        multiply<how::add>({m.ds, 1, columns}, block_q, q_row, panel, block_rows, m.dk, padded_width, used,
                           padded_width);
        multiply<how::add>({m.ds, columns, 1}, block_k, k_row, panel, used, m.dq + i * padded_width, padded_width,
                           block_rows, padded_width);
      }
      write_rows(dk, m.dk, first, n, width, padded_width);
      write_rows(dv, m.dv, first, n, outputs, padded_outputs);
    }
    write_rows(dq, m.dq, 0, rows, width, padded_width);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::attentions

namespace ricci::exec {
inline namespace RICCI_ABI {

// Threads share the cores.
template <bool Causal, bool Biased, class T>
requires std::is_floating_point_v<T>
struct host_routine<attentions::backward_t<Causal, Biased>, T> {
  using loop = core_loop<attentions::backward_t<Causal, Biased>, T>;
  using blocks = attentions::backward_blocks<Causal, T>;

  static shared_units cores_of(geometry const& g, blocks const& b) {
    return {product_of(g, 0, g.kept), b.bytes(), is_alone(g.threads)};
  }
  static index_t memory(geometry const& g) { return cores_of(g, blocks(g.extent + g.kept)).memory(g); }
  static void run(geometry const& g) {
    blocks const b(g.extent + g.kept);
    cores_of(g, b).run(g, [&](index_t from, index_t to, char* own) {
      T* const memory = reinterpret_cast<T*>(own);
      odometer at(g);
      at.seek(g, 0, g.kept, from);
      for (; from < to; ++from, at.next(g, 0, g.kept)) {
        auto const view = [&]<int K>(std::integral_constant<int, K>)
                              RICCI_INLINE_LAMBDA { return loop::template view<K>(g, g.kept, at.p[K]); };
        [&]<int... K>(std::integer_sequence<int, K...>) RICCI_INLINE_LAMBDA {
          constexpr int rest = Biased ? 4 : 3;
          auto const run_with = [&](auto const& bias) RICCI_INLINE_LAMBDA {
            b.run(view(std::integral_constant<int, 0>{}), view(std::integral_constant<int, 1>{}),
                  view(std::integral_constant<int, 2>{}), bias, view(std::integral_constant<int, rest + K>{})...,
                  memory);
          };
          if constexpr (Biased)
            run_with(view(std::integral_constant<int, 3>{}));
          else
            run_with(attentions::no_bias{});
        }
        (std::make_integer_sequence<int, 6>{});
      }
    });
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
#endif
