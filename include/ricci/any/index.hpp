// `a(1, rc::all, rc::range(0, 6, 2))`, `a(a > 2)`, `a(rows, rc::newaxis)` of a tensor of run-time order: another one,
// which shares the memory of the first where its elements lie there in row-major order, one behind the other, and else
// has a copy. `a.set(0, a > 2)` and `a.add(1, rows)` write such parts.
#pragma once

#include <ricci/any/functions.hpp>
#include <ricci/any/selection.hpp>
#include <ricci/core/any_element.hpp>
#include <ricci/expr/gather.hpp>

namespace ricci {

namespace at_run_time {
inline namespace RICCI_ABI {

template <class... Items>
selection<> selected(any_tensor const& x, Items const&... items) {
  if (x.dtype() == dtype::none) core::raise<value_error>(core::text() << "an any_tensor that holds nothing");
  return selection<>(x.shape(), items...);
}
template <class Selection>
any_tensor gathered(any_tensor const& x, Selection const& s) {
  any_tensor y(x.dtype(), s.shape);
  core::with_size_of(x.dtype(), [&](auto zero) {
    constexpr std::size_t size = sizeof zero;
    auto const* const from = static_cast<char const*>(x.data());
    char* to = y.raw_data();
    s.for_each_run([&](index_t offset, index_t n, index_t step, index_t const* list) {
      char const* const p = from + offset * index_t(size);
      if (list != nullptr) {
        for (index_t k = 0; k < n; ++k) __builtin_memcpy(to + k * index_t(size), p + list[k] * index_t(size), size);
      } else if (step == 1) {
        __builtin_memcpy(to, p, std::size_t(n) * size);
      } else {
        for (index_t k = 0; k < n; ++k) __builtin_memcpy(to + k * index_t(size), p + k * step * index_t(size), size);
      }
      to += n * index_t(size);
    });
  });
  return y;
}
// A number, or a tensor in row-major order of the shape that is selected, of a type.
template <class X>
any_tensor value_for(dtype type, shape_t const& shape, X const& y) {
  if constexpr (is_arithmetic<X>) {
    if constexpr (is_complex_number<element_t<X>>)
      if (!is_complex(type)) raise_type("a complex value", type);
    any_tensor one(type, shape_t{});
    with_type(type, [&](auto zero) {
      auto const number = scalar::convert<decltype(zero)>(y);
      __builtin_memcpy(one.raw_data(), &number, sizeof number);
    });
    return one;
  } else {
    any_tensor x = as_any(y);
    if (is_complex(x.dtype()) && !is_complex(type)) raise_type("a complex value", type);
    if (x.dtype() != type) x = astype(x, type);
    shape_t const& s = x.shape();
    int const off = shape.rank - s.rank;
    bool fits = off >= 0;
    index_t strides[max_rank]{}, n = 1;
    for (int k = s.rank - 1; fits && k >= 0; --k) {
      fits = s.extent[k] == 1 || s.extent[k] == shape.extent[k + off];
      strides[k + off] = s.extent[k] == 1 ? 0 : n;
      n *= s.extent[k];
    }
    if (!fits)
      core::raise<shape_error>(((core::text() << "an index names parts of shape ").shape(shape.extent, shape.rank)
                                << ", which are assigned ")
                                   .shape(s.extent, s.rank));
    return x.size() == 1 ? x : any_tensor::strided(x.owner(), x.data(), type, shape, strides);
  }
}
// write(element of x, element of value) for those that are selected, whose types are that of `zero`.
template <class T, class Selection, class Write>
void written(any_tensor& x, Selection const& s, any_tensor const& y, T, Write const& write) {
  char* const to = x.written_data();
  auto const* from = static_cast<char const*>(y.data());
  constexpr index_t size = sizeof(T);
  index_t const next = y.size() == 1 ? 0 : size;
  s.for_each_run([&](index_t offset, index_t n, index_t step, index_t const* list) {
    char* const p = to + offset * size;
    if (list != nullptr)
      for (index_t k = 0; k < n; ++k, from += next) write(p + list[k] * size, from);
    else
      for (index_t k = 0; k < n; ++k, from += next) write(p + k * step * size, from);
  });
}

}  // namespace RICCI_ABI
}  // namespace at_run_time

inline namespace RICCI_ABI {

// index_error: more axes are named than there are, or an item lies outside its axis; shape_error: masks and integer
// tensors do not fit.
template <AnyIndexItem... Items>
any_tensor any_tensor::operator()(Items const&... items) const {
  auto const s = at_run_time::selected(*this, items...);
  if constexpr ((IndexItem<Items> && ...))
    return strided(owner_, static_cast<char const*>(data_) + s.offset * size_of(type_), type_, s.shape, s.strides);
  else
    return at_run_time::gathered(*this, s);
}
// The same, and shape_error: the value is not broadcast to what is named; value_error: it is complex, and this is not.
template <class X, AnyIndexItem... Items>
void any_tensor::set(X const& y, Items const&... items) {
  auto const s = at_run_time::selected(*this, items...);
  any_tensor const x = at_run_time::value_for(type_, s.shape, y);
  core::with_size_of(type_, [&](auto zero) {
    constexpr std::size_t size = sizeof zero;
    at_run_time::written(*this, s, x, zero, [](char* to, char const* from) { __builtin_memcpy(to, from, size); });
  });
}
template <class X, AnyIndexItem... Items>
void any_tensor::add(X const& y, Items const&... items) {
  auto const s = at_run_time::selected(*this, items...);
  any_tensor const x = at_run_time::value_for(type_, s.shape, y);
  with_type(type_, [&](auto zero) {
    using T = decltype(zero);
    at_run_time::written(*this, s, x, zero, [](char* to, char const* from) {
      T a, b;
      __builtin_memcpy(&a, to, sizeof a);
      __builtin_memcpy(&b, from, sizeof b);
      combines<add_t>::write(a, b);
      __builtin_memcpy(to, &a, sizeof a);
    });
  });
}

}  // namespace RICCI_ABI
}  // namespace ricci
