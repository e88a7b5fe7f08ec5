// Windows of a long series, as a sound or a text, as data sets: window i begins at i * stride, and has `size` places
// along the first axis. What is left at the end is in no window. They refer to the series.
#pragma once

#include <ricci/data/records.hpp>

namespace ricci::data {

namespace window {

inline index_t count(char const* name, index_t n, index_t size, index_t stride, index_t behind) {
  if (size < 1 || stride < 1)
    core::raise<value_error>(core::text() << name << ": windows of " << size << " places every " << stride
                                          << ", where 1 or more was expected of both");
  if (n < size + behind)
    core::raise<value_error>(core::text() << name << ": a series of " << n << " places has no window of " << size
                                          << (behind > 0 ? " with a place behind it" : ""));
  return (n - size - behind) / stride + 1;
}
// x from the starts of these windows on, (batch, size, ...)
template <class X>
auto from(X const& x, order const& which, index_t count, index_t size, index_t stride, index_t shift) {
  index_t const n = which.shape(0);
  order places(n * size);
  for (index_t k = 0; k < n; ++k) {
    index_t const i = which(k);
    if (i < 0 || i >= count) core::raise<index_error>(core::text() << "data: window " << i << " of " << count);
    for (index_t p = 0; p < size; ++p) places(k * size + p) = i * stride + p + shift;
  }
  std::array<index_t, rank_of<X> + 1> s{n, size};
  for (int a = 1; a < rank_of<X>; ++a) s[std::size_t(a) + 1] = x.shape(a);
  return ndarray<value_type_of<X>, rank_of<X> + 1>(reshape(take(x, places, axis<0>), s));
}

}  // namespace window

template <class X>
struct windows_of {
  X const* series;
  index_t places, stride;
  index_t size() const { return window::count("data::windows", series->shape(0), places, stride, 0); }
  auto rows(order const& which) const { return window::from(*series, which, size(), places, stride, 0); }
};
// Windows as they are: a batch is a tensor (batch, size, ...).
template <Tensor X>
windows_of<X> windows(X const& series, index_t size, index_t stride) {
  static_assert(rank_of<X> > 0, "data::windows: a series has an axis of places, the first");
  windows_of<X> const w{&series, size, stride};
  return (void)w.size(), w;
}

template <class T, int Rank>
struct inputs_and_targets {
  ndarray<T, Rank> inputs, targets;
};
template <class X>
struct next_windows_of {
  X const* series;
  index_t places, stride;
  index_t size() const { return window::count("data::next_windows", series->shape(0), places, stride, 1); }
  auto rows(order const& which) const {
    return inputs_and_targets<value_type_of<X>, rank_of<X> + 1>{
        window::from(*series, which, size(), places, stride, 0),
        window::from(*series, which, size(), places, stride, 1)};
  }
};
// Windows and what comes next in each place of them, which a model of language is to predict: a batch is {inputs,
// targets}, both (batch, size, ...), and targets are those of one place later.
template <Tensor X>
next_windows_of<X> next_windows(X const& series, index_t size, index_t stride) {
  static_assert(rank_of<X> > 0, "data::next_windows: a series has an axis of places, the first");
  next_windows_of<X> const w{&series, size, stride};
  return (void)w.size(), w;
}
template <Tensor X>
void windows(X const&&, index_t, index_t) = delete;  // a series that is gone before its windows
template <Tensor X>
void next_windows(X const&&, index_t, index_t) = delete;

}  // namespace ricci::data
