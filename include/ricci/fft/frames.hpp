// Spectra over time: windows, by which a part of a signal is weighted so that its ends do not show as frequencies (F.
// Harris, On the use of windows for harmonic analysis with the discrete Fourier transform, 1978), and the spectra of
// frames.
#pragma once

#include <ricci/fft/frequencies.hpp>
#include <ricci/fft/functions.hpp>
#include <ricci/ops/gather.hpp>
#include <ricci/ops/symmetric.hpp>
#include <ricci/ops/windows.hpp>

namespace ricci::fft {

namespace frames {

// sum over j of by[j] cos(2 pi j k / n), n - 1 in place of n for symmetric windows
template <class T, class N, int Terms>
constexpr auto cosines(char const* name, N const& n, bool is_symmetric, double const (&by)[Terms]) {
  return frequencies::made<T>(
      name, n, [](index_t m) { return m; },
      [&](index_t k, index_t m) {
        if (m == 1) return 1.;
        index_t const period = m - is_symmetric;
        double sum = by[0];
        for (int j = 1; j < Terms; ++j) sum += by[j] * root_of_unity<double>(j * k % period, period).real;
        return sum;
      });
}

template <class W>
constexpr void check(char const* name, W const& window, index_t hop) {
  if (hop < 1) core::raise<value_error>(core::text() << name << ": a hop above 0 is expected, not " << hop);
  if constexpr (requires { index_t(window.shape(0)); })
    if (window.shape(0) == 0) core::raise<value_error>(core::text() << name << ": a window has no elements");
}
// An operand that is used once more: of a temporary a copy, which what is lazy keeps.
template <class X>
constexpr decltype(auto) once_more(std::remove_reference_t<X> const& x) {
  if constexpr (std::is_lvalue_reference_v<X>)
    return (x);
  else
    return std::remove_cvref_t<X>(x);
}

}  // namespace frames

// (n,): a window of n weights, of type T, double where none is named; n may be `rc::known<512>`. A length that is not
// above 0 is a value_error. A window of one weight is 1. A window is one period of its cosines, for spectra, or with
// rc::symmetric its last weight is the first one again, for filters.
template <Element T = double, frequencies::Length N>
constexpr auto hann(N const& n) {
  return frames::cosines<T>("hann", n, false, {.5, -.5});
}
template <Element T = double, frequencies::Length N>
constexpr auto hann(N const& n, symmetric_t) {
  return frames::cosines<T>("hann", n, true, {.5, -.5});
}
template <Element T = double, frequencies::Length N>
constexpr auto hamming(N const& n) {
  return frames::cosines<T>("hamming", n, false, {.54, -.46});
}
template <Element T = double, frequencies::Length N>
constexpr auto hamming(N const& n, symmetric_t) {
  return frames::cosines<T>("hamming", n, true, {.54, -.46});
}
template <Element T = double, frequencies::Length N>
constexpr auto blackman(N const& n) {
  return frames::cosines<T>("blackman", n, false, {.42, -.5, .08});
}
template <Element T = double, frequencies::Length N>
constexpr auto blackman(N const& n, symmetric_t) {
  return frames::cosines<T>("blackman", n, true, {.42, -.5, .08});
}

// The spectra of frames of x, (..., t), as long as `window`, (n,), times it, which begin every `hop` elements:
// (..., (t - n) / hop + 1, n / 2 + 1), complex, of real x. Frames are parts of x alone, without padding; what is left
// behind the last whole one is not read. An x shorter than a window is an index_error, a hop below 1 and a window of no
// elements are value_errors.
template <class X, class W>
constexpr auto stft(X&& x, W&& window, index_t hop) {
  static_assert(rank_of<W> == 1, "stft: a window is a vector");
  frames::check("stft", window, hop);
  if constexpr (requires { index_t(x.shape(-1)), index_t(window.shape(0)); })
    if (index_t const n = x.shape(-1), needed = window.shape(0); n < needed)
      core::raise<index_error>(core::text() << "stft: needs " << needed << " elements of an axis with extent " << n);
  return rfft(sliding_window_view(static_cast<X&&>(x), window.shape(0))(ellipsis, range(0, end, hop), all) *
              static_cast<W&&>(window));
}

namespace frames {

// Rows of x, (..., m, n), that begin every `hop` elements, added up where they lie over one another, in blocks of `hop`
// elements: (..., m - 1 + blocks, hop), where a row is so many blocks, the last one filled with zeros.
template <class V>
constexpr V overlapped(V x, index_t hop, index_t blocks) {
  using mode = typename V::mode;
  auto& g = *x.g;
  int const last = x.rank() - 1;
  index_t const m = x.shape().extent[last - 1], n = x.shape().extent[last], filled = ir::times(g, blocks, hop);
  auto const with = [&](index_t rows, index_t width) {
    shape_t s = x.shape();
    s.extent[last - 1] = rows, s.extent[last] = width;
    return ir::intern(g, s);
  };
  auto const zeros = [&](index_t rows, index_t width) {
    return V(ir::literal<mode>(g, 0., x.type(), with(rows, width)));
  };
  V const whole = ir::found(g, filled) == ir::found(g, n)
                      ? x
                      : ir::joined(last, with(m, filled), x, zeros(m, ir::minus(g, filled, n)));
  V const places = ir::expand(ir::positions<mode>(g, m), 1) + ir::expand(ir::positions<mode>(g, blocks), 0);
  return ir::scatter(zeros(ir::plus(g, ir::minus(g, m, 1), blocks), hop), ir::flattened(places),
                     ir::reshape(whole, with(ir::times(g, m, blocks), hop)), last - 1, true);
}
// the blocks of n elements, and such blocks as a signal of `shape`
template <class G>
constexpr index_t blocks_of(G& g, index_t n, index_t hop) {
  return ir::divide(g, ir::plus(g, n, ir::minus(g, hop, 1)), hop);
}
template <class V>
constexpr V signal_of(V x, int shape) {
  auto& g = *x.g;
  index_t const starts[max_rank]{};
  index_t steps[max_rank]{};
  for (auto& step : steps) step = 1;
  shape_t s = x.shape();
  s.extent[x.rank() - 2] = ir::times(g, s.extent[x.rank() - 2], s.extent[x.rank() - 1]);
  --s.rank;
  return ir::slice(ir::reshape(x, ir::intern(g, s)), shape, starts, steps);
}

}  // namespace frames

// Rows that begin every `hop` elements, added up where they lie over one another: (..., m, n) -> (..., (m - 1) hop +
// n).
struct overlap_add_t : formula_of_one<overlap_add_t> {
  static constexpr auto name = "overlap_add";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t s) {
    if (s.rank < 2) return c.fail(), s;
    index_t const hop = a.are_known ? a.numbers[0] : dyn, m = s.extent[s.rank - 2], n = s.extent[s.rank - 1];
    s.extent[s.rank - 2] = a.are_known ? c.plus(c.times(c.minus(m, 1), hop), n) : dyn;
    --s.rank;
    return s;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int shape) {
    index_t const hop = a.numbers[0];
    return frames::signal_of(frames::overlapped(x, hop, frames::blocks_of(*x.g, x.shape().extent[x.rank() - 1], hop)),
                             shape);
  }
};
// The same of m rows that are all x: (n) -> ((m - 1) hop + n). Rows in the middle lie over as many others as the next
// ones, so that a few are added up and what is in the middle of them is repeated.
struct overlap_add_equal_t : formula_of_one<overlap_add_equal_t> {
  static constexpr auto name = "overlap_add";
  template <class Context>
  static constexpr shape_t shape_of(Context& c, axes_and_numbers const& a, shape_t s) {
    if (s.rank != 1 || a.count != 2) return c.fail(), s;
    s.extent[0] = a.are_known ? c.plus(c.times(c.minus(a.numbers[1], 1), a.numbers[0]), s.extent[0]) : dyn;
    return s;
  }
  template <class V>
  static constexpr V formula(axes_and_numbers const& a, V x, int shape) {
    auto& g = *x.g;
    index_t const hop = a.numbers[0], m = a.numbers[1], n = x.shape().extent[0];
    index_t const blocks = frames::blocks_of(g, n, hop);
    index_t const few = ir::minus(g, m, ir::length(g, ir::minus(g, m, blocks)));  // the smaller of both
    V const sum =
        frames::overlapped(V(ir::broadcast_to(ir::expand(x, 0), ir::intern(g, shape_t{2, {few, n}}))), hop, blocks);
    index_t const head = ir::minus(g, few, 1), tail = ir::minus(g, blocks, 1);
    auto const rows = [&](index_t from, index_t count) {
      index_t const starts[max_rank]{from};
      index_t steps[max_rank]{};
      for (auto& step : steps) step = 1;
      return V(ir::slice(sum, ir::intern(g, shape_t{2, {count, hop}}), starts, steps));
    };
    auto const of = [&](index_t count) { return ir::intern(g, shape_t{2, {count, hop}}); };
    V const middle = ir::broadcast_to(rows(head, 1), of(ir::minus(g, m, head)));
    return frames::signal_of(
        ir::joined(0, of(ir::plus(g, ir::minus(g, m, 1), blocks)), rows(0, head), middle, rows(few, tail)), shape);
  }
};

namespace frames {

// y, whose last axis has to hold half of a spectrum of n elements; extents that are symbols are required to fit
template <class Y, class N, std::size_t... K>
constexpr decltype(auto) expect_length(Y&& y, N const& n, std::index_sequence<K...>) {
  constexpr int last = int(sizeof...(K));
  if constexpr (std::is_integral_v<std::remove_cvref_t<decltype(y.shape(last) + n)>>) {
    if (y.shape(last) != n / 2 + 1)
      core::raise<shape_error>(core::text() << "istft: spectra of frames of " << n << " elements have " << n / 2 + 1
                                            << ", not " << y.shape(last));
    if (y.shape(last - 1) < 1) core::raise<value_error>(core::text() << "istft: there is no frame");
    return static_cast<Y&&>(y);  // itself: what is lazy refers to it, or keeps it
  } else {
    return broadcast_to(static_cast<Y&&>(y), shape(y.shape(int(K))..., n / 2 + 1));
  }
}

}  // namespace frames

// What `stft` with the same window and hop made these spectra of, as far as frames reach: (..., m, n / 2 + 1) ->
// (..., (m - 1) hop + n). Of other spectra the signal whose frames are nearest to theirs, by least squares (D. Griffin,
// J. Lim, Signal estimation from modified short-time Fourier transform, 1984): inverse transforms times the window are
// added up and divided by the sum of the windows' squares, where that is above 1e-10, and else 0. A hop below 1, a
// window of no elements or no frame is a value_error.
template <class Y, class W>
constexpr auto istft(Y&& y, W&& window, index_t hop) {
  static_assert(rank_of<W> == 1, "istft: a window is a vector");
  static_assert(rank_of<Y> >= 2, "istft: spectra of frames have two axes or more");
  frames::check("istft", window, hop);
  auto const sums =
      overlap_add_equal_t::call(square(frames::once_more<W>(window)), axes_t<>{}, shape(hop, y.shape(rank_of<Y> - 2)));
  auto const signal = overlap_add_t::call(
      irfft(frames::expect_length(static_cast<Y&&>(y), window.shape(0), std::make_index_sequence<rank_of<Y> - 1>{}),
            window.shape(0)) *
          static_cast<W&&>(window),
      axes_t<>{}, shape(hop));
  return where(sums > 1e-10, signal / where(sums > 1e-10, sums, 1.), 0.);
}

}  // namespace ricci::fft
