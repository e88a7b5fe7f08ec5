// Averages and greatest elements of windows on the host, along one axis after the other: the rows that a window sees
// become one, then the pixels of that. Threads share rows of results, whose bits are those of one thread.
#pragma once

#include <ricci/conv/pool_calls.hpp>
#include <ricci/exec/cpu/call.hpp>

#if RICCI_HAS_XSIMD
RICCI_OPTIMIZED
namespace ricci::pooling {
inline namespace RICCI_ABI {

template <class P, class T>
RICCI_INLINE P loaded(T const* p) {
  if constexpr (std::is_same_v<P, T>)
    return *p;
  else
    return P::load(p);
}
template <class T>
RICCI_INLINE void stored(T* p, T x) {
  *p = x;
}
template <class T>
RICCI_INLINE void stored(T* p, simd::pack<T> x) {
  x.store(p);
}

struct of_greatest {
  static constexpr bool is_weighted = false;
  template <class T>
  static constexpr T of_none = scalar::lowest<T>();
  RICCI_INLINE static auto join(auto a, auto b) { return maximum_t::kernel(a, b); }
};
struct of_sums {
  static constexpr bool is_weighted = false;
  template <class T>
  static constexpr T of_none = T(0);
  RICCI_INLINE static auto join(auto a, auto b) { return a + b; }
};
struct of_weighted_sums : of_sums {  // each row is multiplied by a number of its own
  static constexpr bool is_weighted = true;
};

// Rows, at most four at a time, of which one is made.
template <class How, class T>
struct joined_rows {
  static constexpr int most = 4;
  T* to;
  index_t n;
  T const* rows[most] = {};
  T weights[most] = {};
  int pending = 0;
  bool first = true;

  RICCI_INLINE joined_rows(T* where, index_t length) : to(where), n(length) {}
  RICCI_INLINE void add(T const* row, T weight) {
    rows[pending] = row, weights[pending] = weight;
    if (++pending == most) join<most>();
  }
  RICCI_INLINE void finish() {
    if (pending == 1) join<1>();
    if (pending == 2) join<2>();
    if (pending == 3) join<3>();
    if (first)
      for (index_t k = 0; k < n; ++k) to[k] = How::template of_none<T>;
  }
  template <int Rows>
  RICCI_INLINE void join() {
    first ? join<Rows, true>() : join<Rows, false>();
    first = false, pending = 0;
  }
  template <int Rows, bool First>
  RICCI_NOINLINE void join() {
    using P = simd::pack<T>;
    index_t k = 0;
    for (; k + P::size <= n; k += P::size) stored(to + k, at<P, Rows, First>(k));
    for (; k < n; ++k) stored(to + k, at<T, Rows, First>(k));
  }
  template <class P, int Rows, bool First>
  RICCI_INLINE P at(index_t k) const {
    P sum = row<P>(0, k);
    RICCI_UNROLL(4)
    for (int r = 1; r < Rows; ++r) sum = How::join(sum, row<P>(r, k));
    return First ? sum : P(How::join(loaded<P>(to + k), sum));
  }
  template <class P>
  RICCI_INLINE P row(int r, index_t k) const {
    if constexpr (How::is_weighted)
      return loaded<P>(rows[r] + k) * P(weights[r]);
    else
      return loaded<P>(rows[r] + k);
  }
};
template <class How, bool Transposed, class T>
struct rows_of_windows {
  windows w;
  index_t channels;
  bool zeros;           // count
  index_t chunk, span;  // results of a row that are made together, and the pixels that they see at most

  rows_of_windows(windows const& of, index_t of_channels, bool zeros_count)
      : w(of), channels(of_channels), zeros(zeros_count), chunk(results(2)), span(0) {
    index_t const each = (sources(2) / (results(2) > 0 ? results(2) : 1) + 1) * (channels > 0 ? channels : 1);
    if (index_t const some = 4096 / each + 1; some < chunk) chunk = some;
    for (index_t at = 0; at < results(2); at += chunk) {
      index_t const n = span_of(at, end_of(at)).count;
      if (n > span) span = n;
    }
  }
  index_t results(int a) const { return Transposed ? w.axis[a].length : w.axis[a].results; }
  index_t sources(int a) const { return Transposed ? w.axis[a].results : w.axis[a].length; }
  stretch seen(int a, index_t at) const { return Transposed ? w.axis[a].of_element(at) : w.axis[a].of_result(at); }
  index_t end_of(index_t from) const { return from + chunk < results(2) ? from + chunk : results(2); }
  stretch span_of(index_t from, index_t to) const {
    while (from < to && seen(2, from).count == 0) ++from;  // a window at an end may see nothing
    while (from < to && seen(2, to - 1).count == 0) --to;
    if (from == to) return {0, 0, 1};
    stretch const first = seen(2, from), last = seen(2, to - 1);
    index_t const low = first.first, high = last.first + (last.count - 1) * last.step + 1;
    return {low, high - low, 1};
  }
  index_t rows() const { return results(0) * results(1); }
  bool are_empty() const { return rows() * results(2) * channels == 0; }
  static constexpr index_t buffers = joined_rows<How, T>::most + 1;
  index_t numbers() const { return ((buffers * span + chunk) * channels + 63) / 64 * 64; }
  index_t bytes() const { return core::bytes_of(numbers(), sizeof(T)) + core::bytes_of(results(2), sizeof(stretch)); }
  // what each result of a row sees
  stretch const* table(T* memory) const {
    auto* const of_row = reinterpret_cast<stretch*>(memory + numbers());
    for (index_t r = 0; r < results(2); ++r) of_row[r] = seen(2, r);
    return of_row;
  }

  T divisor(int a, index_t p) const { return T(avg_pool_t<false>::divisor(w.axis[a], p, zeros)); }
  // by what rows of cotangents are multiplied: where all windows have one size, for all three axes
  T weight(index_t z, index_t v) const {
    if constexpr (!How::is_weighted) return T(1);
    return T(1) / (divisor(0, z) * divisor(1, v) * (zeros && sources(2) > 0 ? divisor(2, 0) : T(1)));
  }
  // pixels [low, ...) of a line of cotangents, where windows have sizes of their own
  void weigh_pixels(T* line, stretch const& wide) const {
    for (index_t u = 0; u < wide.count; ++u) {
      T const by = T(1) / divisor(2, wide.first + u);
      for (index_t k = 0; k < channels; ++k) *line++ *= by;
    }
  }

  template <class X, class Y>
  void run_row(X const& x, Y const& y, index_t row, T* memory, stretch const* of_row) const {
    for (index_t from = 0; from < results(2); from += chunk)
      run_chunk(x, y, row / results(1), row % results(1), from, end_of(from), memory, of_row);
  }
  template <class X, class Y>
  void run_chunk(X const& x, Y const& y, index_t p, index_t q, index_t from, index_t to, T* memory,
                 stretch const* of_row) const {
    stretch const wide = span_of(from, to), deep = seen(0, p), high = seen(1, q);
    index_t const n = wide.count * channels;
    bool const is_dense = (x.stride[3] == 1 || channels == 1) && (x.stride[2] == channels || wide.count <= 1);
    T *const line = memory, *copy = memory + span * channels, *const made = memory + buffers * span * channels;
    T const* joined = line;
    joined_rows<How, T> rows(line, n);
    for (index_t i = 0; i < deep.count; ++i)
      for (index_t j = 0; j < high.count; ++j) {
        index_t const z = deep.first + i * deep.step, v = high.first + j * high.step;
        T const* source = x.p + z * x.stride[0] + v * x.stride[1] + wide.first * x.stride[2];
        if (!is_dense) {
          T* const dense = copy + rows.pending * span * channels;
          for (index_t u = 0; u < wide.count; ++u)
            for (index_t k = 0; k < channels; ++k) dense[u * channels + k] = source[u * x.stride[2] + k * x.stride[3]];
          source = dense;
        }
        if (!How::is_weighted && deep.count * high.count == 1) {
          joined = source;
          break;
        }
        rows.add(source, weight(z, v));
      }
    if (joined == line) rows.finish();
    if (How::is_weighted && !zeros) weigh_pixels(line, wide);
    bool const is_result_dense = (y.stride[3] == 1 || channels == 1) && (y.stride[2] == channels || to - from == 1);
    T* const first = y.p + p * y.stride[0] + q * y.stride[1] + from * y.stride[2];
    T* const target = is_result_dense ? first : made;
    join_pixels(joined, wide.first, p, q, from, to, target, of_row);
    if (!is_result_dense)
      for (index_t r = 0; r < to - from; ++r)
        for (index_t k = 0; k < channels; ++k) first[r * y.stride[2] + k * y.stride[3]] = made[r * channels + k];
  }
  // pixels [from, to) of a row, of windows that follow one another at one distance together
  void join_pixels(T const* line, index_t low, index_t p, index_t q, index_t from, index_t to, T* target,
                   stretch const* of_row) const {
    using pixels_of = std::conditional_t<How::is_weighted, of_sums, How>;
    bool const few = channels < simd::pack<T>::size;
    T const others = std::is_same_v<How, of_sums> ? divisor(0, p) * divisor(1, q) : T(1);
    for (index_t r = from, next; r < to; r = next) {
      stretch const s = of_row[r];
      next = r + 1;
      index_t const apart = next < to ? of_row[next].first - s.first : 0;
      if (s.count > 0 && (few || apart == 1))
        while (next < to && of_row[next].count == s.count && of_row[next].first == s.first + (next - r) * apart) ++next;
      index_t const n = (next - r) * channels;
      T const* const source = line + (s.first - low) * channels;
      if (few && s.count > 0 && (apart != 1 || next - r == 1)) {
        join_few_channels<pixels_of>(target, source, next - r, apart, s);
      } else {
        joined_rows<pixels_of, T> pixels(target, n);
        for (index_t j = 0; j < s.count; ++j) pixels.add(source + j * s.step * channels, T(1));
        pixels.finish();
      }
      if constexpr (std::is_same_v<How, of_sums>) divide(target, n, others * divisor(2, r));
      target += n;
    }
  }
  // pixels of which each has a window of `taps`, whose first are `apart`
  template <class Pixels>
  RICCI_INLINE void join_few_channels(T* to, T const* from, index_t count, index_t apart, stretch const& taps) const {
    index_t const step = taps.step * channels, last = taps.count * step;
    for (index_t t = 0; t < count; ++t, from += apart * channels)
      for (index_t k = 0; k < channels; ++k, ++to) {
        T sum = from[k];
        for (index_t j = step; j < last; j += step) sum = Pixels::join(sum, from[j + k]);
        *to = sum;
      }
  }
  static void divide(T* x, index_t n, T by) {
    using P = simd::pack<T>;
    index_t k = 0;
    for (; k + P::size <= n; k += P::size) (P::load(x + k) / P(by)).store(x + k);
    for (; k < n; ++k) x[k] /= by;
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::pooling

namespace ricci::exec {
inline namespace RICCI_ABI {

template <class Op, class How, bool Transposed, class T>
struct pooling_by_rows {
  using loop = core_loop<Op, T>;
  using rows = pooling::rows_of_windows<How, Transposed, T>;

  static rows rows_of(geometry const& g) {
    attributes_of_call<Op> const attributes(g.scalars);
    index_t const* const n = g.extent + g.kept;
    return rows(Op::windows_for(n, attributes.at), n[3], attributes.at[9] != 0);
  }
  static shared_units units_of(geometry const& g, rows const& r) {
    index_t const units = product_of(g, 0, g.kept) * r.rows();
    return {units, r.bytes(), is_alone(g.threads, units * r.results(2) * r.channels)};
  }
  static index_t memory(geometry const& g) { return units_of(g, rows_of(g)).memory(g); }
  static void run(geometry const& g) {
    rows const r = rows_of(g);
    if (r.are_empty()) return;
    index_t const each = r.rows();
    units_of(g, r).run(g, [&](index_t from, index_t to, char* workspace) {
      T* const own = reinterpret_cast<T*>(workspace);
      pooling::stretch const* const of_row = r.table(own);
      for (; from < to;) {
        odometer at(g);
        at.seek(g, 0, g.kept, from / each);
        auto const x = loop::template view<0>(g, g.kept, at.p[0]);
        auto const y = loop::template view<1>(g, g.kept, at.p[1]);
        index_t const end = (from / each + 1) * each;
        for (; from < to && from < end; ++from) r.run_row(x, y, from % each, own, of_row);
      }
    });
  }
};
template <class T>
requires std::is_floating_point_v<T>
struct host_routine<pooling::max_pool_t, T> : pooling_by_rows<pooling::max_pool_t, pooling::of_greatest, false, T> {
};
template <class T>
requires std::is_floating_point_v<T>
struct host_routine<pooling::avg_pool_t<false>, T>
    : pooling_by_rows<pooling::avg_pool_t<false>, pooling::of_sums, false, T> {
};
template <class T>
requires std::is_floating_point_v<T>
struct host_routine<pooling::avg_pool_t<true>, T>
    : pooling_by_rows<pooling::avg_pool_t<true>, pooling::of_weighted_sums, true, T> {
};

}  // namespace RICCI_ABI
}  // namespace ricci::exec
RICCI_OPTIMIZED_END
#endif
