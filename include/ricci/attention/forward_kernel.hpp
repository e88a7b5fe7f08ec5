// Attention on the host: a block of queries meets the places a block at a time. Of each row the greatest score so far,
// the sum of exponentials less it and the sum of values by these are kept; where the greatest grows, the sums are
// scaled [Milakov, Gimelshein, Online normalizer calculation for softmax, 2018].
#pragma once

#include <ricci/attention/blocks.hpp>

#if RICCI_HAS_XSIMD
RICCI_OPTIMIZED
namespace ricci::attentions {
inline namespace RICCI_ABI {

template <bool Causal, class T>
struct forward_blocks {
  using P = simd::pack<T>;
  static constexpr index_t size = P::size, columns = block_places<T>;
  index_t rows, width, places, outputs;
  index_t padded_width, padded_outputs, padded_places;

  explicit forward_blocks(index_t const* n)
      : rows(n[0]),
        width(n[1]),
        places(n[2]),
        outputs(n[3]),
        padded_width(rounded_up(width, panel_width<T>)),
        padded_outputs(rounded_up(outputs, panel_width<T>)),
        padded_places(rounded_up(places, columns)) {}
  index_t blocks() const { return (rows + block_rows - 1) / block_rows; }

  struct memory {
    T *k, *v, *q, *scores, *y, *sums, *lanes, *largest, *reference, *factor;
    T* finite;  // 1 where all values of a block are
    index_t used;
    memory(forward_blocks const& of, T* p) {
      parts_of_memory<T> parts{p};
      k = parts.take(of.padded_places * of.width);
      v = parts.take(of.padded_places * of.padded_outputs);
      q = parts.take((block_rows > columns ? block_rows : columns) * of.padded_width);
      scores = parts.take(block_rows * columns);
      y = parts.take(block_rows * of.padded_outputs);
      sums = parts.take(block_rows * size), lanes = parts.take(block_rows * size);
      largest = parts.take(block_rows), reference = parts.take(block_rows), factor = parts.take(block_rows);
      finite = parts.take(of.padded_places / columns);
      used = parts.used;
    }
  };
  index_t bytes() const { return core::bytes_of(memory(*this, nullptr).used, sizeof(T)); }

  // the places of one core, for all its queries
  template <class V>
  rows_of<T, V> values(V const& v, memory const& m) const {
    return {v, m.v, 0, places, outputs, padded_outputs, columns, panel_width<T>};
  }
  template <class K, class V>
  void pack(K const& k, V const& v, memory const& m) const {
    for (index_t j = 0; j < padded_places; j += columns) {
      rows_of<T, K> const keys{k, m.q, j, places, width, padded_width, columns, panel_width<T>};
      keys.prepare(j);
      transpose_to_panels(m.k + j * width, keys.at(j), keys.size(j), width, keys.apart(j));
      rows_of<T, V> const block = values(v, m);
      block.prepare(j);
      m.finite[j / columns] = T(are_finite(block.at(j), block.apart(j), block.size(j), padded_outputs));
    }
  }
  // `used` scores of each row to exponentials, and what the sums so far are scaled by
  RICCI_INLINE void exponentiate(memory const& m, index_t used) const {
    for (index_t i = 0; i < block_rows; ++i) {
      T const* s = m.scores + i * columns;
      P most = P::load(s);
      for (index_t j = size; j < used; j += size) most = xsimd::max(most.v, P::load(s + j).v);
      most.store(m.lanes + i * size);
    }
    P const hidden(-std::numeric_limits<T>::infinity());
    for (index_t i = 0; i < block_rows; i += size) {
      P const before = P::load(m.largest + i);
      P const now = xsimd::max(before.v, of_rows<T>(m.lanes + i * size, [](P a, P b) RICCI_INLINE_LAMBDA {
                                           return P(xsimd::max(a.v, b.v));
                                         }).v);
      P const reference = select(now == hidden, P(T(0)), now);
      now.store(m.largest + i);
      reference.store(m.reference + i);
      exp_of_negative(before - reference).store(m.factor + i);
    }
    for (index_t i = 0; i < block_rows; ++i) {
      T* const s = m.scores + i * columns;
      P const reference(m.reference[i]);
      P sum = P::load(m.sums + i * size) * P(m.factor[i]);
      for (index_t j = 0; j < used; j += panel_width<T>) {
        RICCI_UNROLL(2)
        for (index_t l = 0; l < panel_width<T>; l += size) {
          P const p = exp_of_negative(P::load(s + j + l) - reference);
          p.store(s + j + l);
          sum = sum + p;
        }
      }
      sum.store(m.sums + i * size);
    }
  }
  template <class Q, class V, class Bias, class Y, class L>
  void run(Q const& q, V const& v, Bias const& bias, Y const& y, L const& lse, memory const& m, index_t number) const {
    index_t const first = number * block_rows, n = smaller_of(block_rows, rows - first);
    rows_of<T, Q> const queries{q, m.q, first, rows, width, padded_width, block_rows, block_rows};
    rows_of<T, V> const all_values = values(v, m);
    queries.prepare(first);
    for (index_t i = 0; i < block_rows * size; ++i) m.sums[i] = T(0);
    for (index_t i = 0; i < block_rows; ++i) m.largest[i] = -std::numeric_limits<T>::infinity();
    for (index_t i = 0; i < block_rows * padded_outputs; ++i) m.y[i] = T(0);
    index_t const end = Causal ? smaller_of(first + n, places) : places;
    for (index_t j = 0; j < end; j += columns) {
      index_t const here = smaller_of(columns, places - j), used = all_values.size(j);
      multiply<how::set>({queries.at(first), queries.apart(first), 1}, m.k + j * width, panel_width<T>,
                         width * panel_width<T>, width, m.scores, columns, block_rows, used);
      finish_scores<Causal>(m.scores, {first, j, n, here}, columns, used, bias);
      exponentiate(m, used);
      if (m.finite[j / columns] == 0) {
        for (index_t i = 0; i < block_rows; ++i)
          for (index_t c = 0; c < padded_outputs; ++c) m.y[i * padded_outputs + c] *= m.factor[i];
        add_seen({m.scores, columns, 1}, m.scores, all_values.at(j), all_values.apart(j), used, m.y, padded_outputs,
                 block_rows, padded_outputs);
        continue;
      }
      multiply<how::scale_and_add>({m.scores, columns, 1}, all_values.at(j), all_values.apart(j), panel_width<T>, used,
                                   m.y, padded_outputs, block_rows, padded_outputs, m.factor);
    }
    for (index_t i = 0; i < block_rows; i += size)
      of_rows<T>(m.sums + i * size, [](P a, P b) RICCI_INLINE_LAMBDA { return a + b; }).store(m.factor + i);
    for (index_t i = 0; i < n; ++i) {
      using std::log;
      T const total = m.factor[i];
      lse(first + i) = total == T(0) ? std::numeric_limits<T>::infinity() : m.reference[i] + log(total);
      P const inverse(total == T(0) ? T(0) : T(1) / total);
      T* const sum = m.y + i * padded_outputs;
      for (index_t c = 0; c < padded_outputs; c += size) (P::load(sum + c) * inverse).store(sum + c);
    }
    write_rows(y, m.y, first, n, outputs, padded_outputs);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::attentions

namespace ricci::exec {
inline namespace RICCI_ABI {

// Threads share the blocks of queries of all cores; each packs the places of the cores that it meets.
template <bool Causal, bool Biased, class T>
requires std::is_floating_point_v<T>
struct host_routine<attentions::forward_t<Causal, Biased>, T> {
  using loop = core_loop<attentions::forward_t<Causal, Biased>, T>;
  using blocks = attentions::forward_blocks<Causal, T>;

  static shared_units units_of(geometry const& g, blocks const& b) {
    return {product_of(g, 0, g.kept) * b.blocks(), b.bytes(), is_alone(g.threads)};
  }
  static index_t memory(geometry const& g) { return units_of(g, blocks(g.extent + g.kept)).memory(g); }
  static void run(geometry const& g) {
    blocks const b(g.extent + g.kept);
    index_t const of_core = b.blocks();
    units_of(g, b).run(g, [&](index_t from, index_t to, char* own) {
      typename blocks::memory const m(b, reinterpret_cast<T*>(own));
      odometer at(g);
      at.seek(g, 0, g.kept, from / of_core);
      for (bool is_new = true; from < to; ++from) {
        if (is_new || from % of_core == 0) {
          if (!is_new) at.next(g, 0, g.kept);
          is_new = false;
          b.pack(loop::template view<1>(g, g.kept, at.p[1]), loop::template view<2>(g, g.kept, at.p[2]), m);
        }
        auto const q = loop::template view<0>(g, g.kept, at.p[0]);
        auto const v = loop::template view<2>(g, g.kept, at.p[2]);
        constexpr int y = Biased ? 4 : 3;
        auto const result = loop::template view<y>(g, g.kept, at.p[y]);
        auto const lse = loop::template view<y + 1>(g, g.kept, at.p[y + 1]);
        if constexpr (Biased)
          b.run(q, v, loop::template view<3>(g, g.kept, at.p[3]), result, lse, m, from % of_core);
        else
          b.run(q, v, attentions::no_bias{}, result, lse, m, from % of_core);
      }
    });
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
#endif
