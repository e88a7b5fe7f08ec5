// What stands where windows have their greatest elements on the host, and what is brought there: window by window, a
// pack of channels at a time. Threads share rows of results, of what is brought bands of images, in which each window
// that reaches into two bands is looked at twice.
#pragma once

#include <ricci/conv/pool_kernels.hpp>

#if RICCI_HAS_XSIMD
RICCI_OPTIMIZED
namespace ricci::pooling {
inline namespace RICCI_ABI {

template <class T>
RICCI_INLINE T chosen(bool m, T a, T b) {
  return m ? a : b;
}
template <class T>
RICCI_INLINE simd::pack<T> chosen(simd::mask<T> m, simd::pack<T> a, simd::pack<T> b) {
  return simd::select(m, a, b);
}

// A row of an image that a window sees, and what stands beside it: tangents, or the sums that are made, null where they
// are of another band.
template <class T, class Other>
struct row_pair {
  T const* x;
  Other* other;
};
// how far neighbours are apart, in columns and channels
struct steps {
  index_t column, channel;
};
template <class T, class Other>
struct window_rows {
  row_pair<T, Other>* rows;
  index_t count;
  steps of_x, of_other;
};

// What stands at the greatest element of a window, which sees `s` of each of its rows; channels k and on.
template <class P, class T>
RICCI_INLINE P picked_at(window_rows<T, T const> const& w, stretch const& s, index_t k) {
  P best(T(0)), found(T(0));
  bool first = true;
  for (index_t r = 0; r < w.count; ++r) {
    T const* x = w.rows[r].x + s.first * w.of_x.column + k * w.of_x.channel;
    T const* t = w.rows[r].other + s.first * w.of_other.column + k * w.of_other.channel;
    for (index_t j = 0; j < s.count; ++j, x += s.step * w.of_x.column, t += s.step * w.of_other.column) {
      P const here = loaded<P>(x), with = loaded<P>(t);
      auto const m = is_greater(here, best);
      best = first ? here : chosen(m, here, best), found = first ? with : chosen(m, with, found);
      first = false;
    }
  }
  return found;
}
// y += ct at the greatest element
template <class P, class T>
RICCI_INLINE void spread_at(window_rows<T, T> const& w, stretch const& s, index_t k, P ct) {
  P best(T(0)), at(T(0));
  index_t number = 0;
  for (index_t r = 0; r < w.count; ++r) {
    T const* x = w.rows[r].x + s.first * w.of_x.column + k * w.of_x.channel;
    for (index_t j = 0; j < s.count; ++j, x += s.step * w.of_x.column, ++number) {
      P const here = loaded<P>(x);
      auto const m = is_greater(here, best);
      best = number == 0 ? here : chosen(m, here, best);
      at = number == 0 ? at : chosen(m, P(T(number)), at);
    }
  }
  number = 0;
  for (index_t r = 0; r < w.count; ++r) {
    if (!w.rows[r].other) {
      number += s.count;
      continue;
    }
    T* y = w.rows[r].other + s.first * w.of_other.column + k * w.of_other.channel;
    for (index_t j = 0; j < s.count; ++j, y += s.step * w.of_other.column, ++number)
      stored(y, loaded<P>(y) + chosen(at == P(T(number)), ct, P(T(0))));
  }
}

// The same of one channel, without packs.
template <class T>
RICCI_INLINE void spread_one(window_rows<T, T> const& w, stretch const& s, index_t k, T ct) {
  T best(0);
  T* to = nullptr;
  index_t const first = s.first * w.of_x.column + k * w.of_x.channel;
  index_t const other = s.first * w.of_other.column + k * w.of_other.channel;
  bool none = true;
  for (index_t r = 0; r < w.count; ++r) {
    T const* x = w.rows[r].x + first;
    bool const is_in = w.rows[r].other != nullptr;
    for (index_t j = 0; j < s.count; ++j, x += s.step * w.of_x.column)
      if (none || is_greater(*x, best)) {
        best = *x, none = false;
        to = is_in ? w.rows[r].other + other + j * s.step * w.of_other.column : nullptr;
      }
  }
  if (to) *to += ct;
}

template <class T>
struct places {
  windows w;
  index_t channels;

  index_t rows() const { return w.axis[0].results * w.axis[1].results; }
  // Those of images go in bands of slices, or of rows where there is one slice.
  int banded() const { return w.axis[0].length > 1 ? 0 : 1; }
  index_t band() const {
    axis_windows const& a = w.axis[banded()];
    index_t const inner = (banded() == 0 ? w.axis[1].length : 1) * w.axis[2].length * channels;
    index_t const some = 32768 / (inner > 0 ? inner : 1) + 1, least = 4 * a.window;
    return some > least ? some : least;
  }
  index_t bands() const { return (w.axis[banded()].length + band() - 1) / band(); }
  index_t window_bytes() const { return w.axis[0].window * w.axis[1].window * index_t(sizeof(row_pair<T, T>)); }
  index_t bytes() const { return window_bytes() + w.axis[2].results * index_t(sizeof(stretch)); }
  // what each result of a row sees
  stretch const* table(char* memory) const {
    auto* const seen = reinterpret_cast<stretch*>(memory + window_bytes());
    for (index_t r = 0; r < w.axis[2].results; ++r) seen[r] = w.axis[2].of_result(r);
    return seen;
  }

  template <class F>
  void for_rows_seen(index_t p, index_t q, F const& f) const {
    stretch const deep = w.axis[0].of_result(p), high = w.axis[1].of_result(q);
    for (index_t i = 0; i < deep.count; ++i)
      for (index_t j = 0; j < high.count; ++j) f(deep.first + i * deep.step, high.first + j * high.step);
  }
  template <class X, class Y>
  void pick_row(X const& x, X const& t, Y const& y, index_t row, void* memory, stretch const* of_row) const {
    index_t const p = row / w.axis[1].results, q = row % w.axis[1].results;
    window_rows<T, T const> seen{
        static_cast<row_pair<T, T const>*>(memory), 0, {x.stride[2], x.stride[3]}, {t.stride[2], t.stride[3]}};
    for_rows_seen(p, q, [&](index_t z, index_t v) {
      seen.rows[seen.count++] = {x.p + z * x.stride[0] + v * x.stride[1], t.p + z * t.stride[0] + v * t.stride[1]};
    });
    bool const is_dense = x.stride[3] == 1 && t.stride[3] == 1 && y.stride[3] == 1;
    using P = simd::pack<T>;
    for (index_t r = 0; r < w.axis[2].results; ++r) {
      stretch const s = of_row[r];
      T* const to = y.p + p * y.stride[0] + q * y.stride[1] + r * y.stride[2];
      index_t k = 0;
      for (; is_dense && k + P::size <= channels; k += P::size) stored(to + k, picked_at<P>(seen, s, k));
      for (; k < channels; ++k) to[k * y.stride[3]] = picked_at<T>(seen, s, k);
    }
  }
  // what is brought to slices or rows [from, to)
  template <class X, class Y>
  void spread_band(X const& x, X const& ct, Y const& y, index_t from, index_t to, void* memory,
                   stretch const* of_row) const {
    axis_windows const &deep = w.axis[0], &high = w.axis[1], &wide = w.axis[2];
    index_t const z0 = banded() == 0 ? from : 0, z1 = banded() == 0 ? to : deep.length;
    index_t const y0 = banded() == 1 ? from : 0, y1 = banded() == 1 ? to : high.length;
    for (index_t z = z0; z < z1; ++z)
      for (index_t v = y0; v < y1; ++v) clear(y.p + z * y.stride[0] + v * y.stride[1], {y.stride[2], y.stride[3]});
    stretch const p = reaching(deep, z0, z1), q = reaching(high, y0, y1);
    bool const is_dense = x.stride[3] == 1 && ct.stride[3] == 1 && y.stride[3] == 1;
    using P = simd::pack<T>;
    for (index_t i = p.first; i < p.first + p.count; ++i)
      for (index_t j = q.first; j < q.first + q.count; ++j) {
        window_rows<T, T> seen{
            static_cast<row_pair<T, T>*>(memory), 0, {x.stride[2], x.stride[3]}, {y.stride[2], y.stride[3]}};
        for_rows_seen(i, j, [&](index_t z, index_t v) {
          bool const is_in = z >= z0 && z < z1 && v >= y0 && v < y1;
          seen.rows[seen.count++] = {x.p + z * x.stride[0] + v * x.stride[1],
                                     is_in ? y.p + z * y.stride[0] + v * y.stride[1] : nullptr};
        });
        for (index_t r = 0; r < wide.results; ++r) {
          stretch const s = of_row[r];
          T const* const from_result = ct.p + i * ct.stride[0] + j * ct.stride[1] + r * ct.stride[2];
          index_t k = 0;
          for (; is_dense && k + P::size <= channels; k += P::size) spread_at<P>(seen, s, k, P::load(from_result + k));
          for (; k < channels; ++k) spread_one<T>(seen, s, k, from_result[k * ct.stride[3]]);
        }
      }
  }
  void clear(T* row, steps const& apart) const {
    index_t const n = w.axis[2].length;
    if (apart.channel == 1 && apart.column == channels) {
      for (index_t k = 0; k < n * channels; ++k) row[k] = T(0);
      return;
    }
    for (index_t u = 0; u < n; ++u)
      for (index_t k = 0; k < channels; ++k) row[u * apart.column + k * apart.channel] = T(0);
  }
  // results whose windows may see elements [from, to) of an axis
  static stretch reaching(axis_windows const& a, index_t from, index_t to) {
    index_t const reach = a.dilation * (a.window - 1), before = from + a.pad - reach;
    index_t const first = before > 0 ? (before + a.stride - 1) / a.stride : 0;
    index_t const end = to > 0 ? (to - 1 + a.pad) / a.stride + 1 : 0, last = end < a.results ? end : a.results;
    return {first, last > first ? last - first : 0, 1};
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::pooling

namespace ricci::exec {
inline namespace RICCI_ABI {

template <class Op, class T>
struct pooling_by_places {
  static constexpr bool spreads = std::is_same_v<Op, pooling::spread_t>;
  using loop = core_loop<Op, T>;
  using places = pooling::places<T>;

  static places places_of(geometry const& g) {
    attributes_of_call<Op> const attributes(g.scalars);
    index_t const* const n = g.extent + g.kept;
    return places{Op::windows_for(n, attributes.at), n[3]};
  }
  static index_t units_of_core(places const& p) { return spreads ? p.bands() : p.rows(); }
  static shared_units units_of(geometry const& g, places const& p) {
    return {product_of(g, 0, g.kept) * units_of_core(p), p.bytes(), is_alone(g.threads)};
  }
  static index_t memory(geometry const& g) { return units_of(g, places_of(g)).memory(g); }
  static void run(geometry const& g) {
    places const p = places_of(g);
    index_t const each = units_of_core(p);
    units_of(g, p).run(g, [&](index_t from, index_t to, char* own) {
      pooling::stretch const* const seen = p.table(own);
      for (; from < to; ++from) {
        odometer at(g);
        at.seek(g, 0, g.kept, from / each);
        auto const x = loop::template view<0>(g, g.kept, at.p[0]);
        auto const other = loop::template view<1>(g, g.kept, at.p[1]);
        auto const y = loop::template view<2>(g, g.kept, at.p[2]);
        if constexpr (spreads) {
          index_t const first = from % each * p.band(), most = p.w.axis[p.banded()].length;
          p.spread_band(x, other, y, first, first + p.band() < most ? first + p.band() : most, own, seen);
        } else {
          p.pick_row(x, other, y, from % each, own, seen);
        }
      }
    });
  }
};
template <class T>
requires std::is_floating_point_v<T>
struct host_routine<pooling::picked_t, T> : pooling_by_places<pooling::picked_t, T> {
};
template <class T>
requires std::is_floating_point_v<T>
struct host_routine<pooling::spread_t, T> : pooling_by_places<pooling::spread_t, T> {
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
#endif
