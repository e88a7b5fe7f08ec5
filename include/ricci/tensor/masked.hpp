// Parts named by a mask of the leading axes: read into a tensor (count, rest...), and written. Where the mask has all
// axes, the parts are elements. Masks beside other items of an index become the index tensors that name what they name.
#pragma once

#include <ricci/tensor/deferred.hpp>
#include <ricci/tensor/index_loops.hpp>

namespace ricci {

namespace storage {
inline namespace RICCI_ABI {

// shape_error: a mask has not the extents of a tensor from `axis` on.
inline void require_mask(shape_t const& mask, shape_t const& of, int axis) {
  for (int k = 0; k < mask.rank; ++k)
    if (mask.extent[k] != of.extent[axis + k])
      core::raise<shape_error>(((core::text() << "a mask of shape ").shape(mask.extent, mask.rank)
                                << " stands for the axes from " << axis << " on of a tensor of shape ")
                                   .shape(of.extent, of.rank));
}
template <class X>
shape_t shape_in_memory(X const& x) {
  shape_t s{};
  for (int k = 0; k < X::rank; ++k) s.push(x.shape(k));
  return s;
}
// The value of the mask. shape_error: its extents are not those of v's leading axes.
template <class View, class Mask>
auto mask_of(View const& v, Mask const& mask) {
  static_assert(
      !requires { View::memory_space; },
      "on the device the elements that a mask names cannot be read or be given a tensor, for their number is known "
      "too late: rc::where chooses between tensors, and rc::copy brings them to the host");
  auto const m = eval_dynamic(mask);
  for (int k = 0; k < m.rank; ++k)
    if (m.shape(k) != v.shape(k))
      core::raise<shape_error>(
          ((core::text() << "a mask of shape ").shape(m.extent_values().data(), m.rank) << " for a tensor of shape ")
              .shape(v.extent_values().data(), View::rank));
  return m;
}
RICCI_VECTORISED inline index_t count_of(bool const* chosen, index_t n) {
  auto const* bytes = reinterpret_cast<unsigned char const*>(chosen);
  index_t count = 0;
  for (index_t first = 0; first < n; first += 32768) {
    index_t const end = n - first < 32768 ? n : first + 32768;
    std::uint16_t some = 0;
    for (index_t k = first; k < end; ++k) some = static_cast<std::uint16_t>(some + bytes[k]);
    count += some;
  }
  return count;
}
template <class M>
index_t count_of(M const& m) {
  return count_of(m.data(), m.size());
}
// f(x, number) for those of n elements at p that are chosen, where no other one is written. It is computed for all of
// them: what may set a flag of floating-point errors is not vectorised where it depends on a condition.
template <class T, class F>
RICCI_VECTORISED void write_chosen(bool const* chosen, index_t n, T* p, T number, F const& f) {
  auto const* bytes = reinterpret_cast<unsigned char const*>(chosen);
  for (index_t k = 0; k < n; ++k) {
    T x = p[k];
    f(x, number);
    if (bytes[k]) p[k] = x;
  }
}
// The same of a row: n elements at p, `stride` apart, of which those are taken where the mask is true; y, `step` apart,
// goes along with these. Returns where it is then. What a mask is like nothing can foresee, so that no jump depends on
// it: the places are written down first, some at a time.
template <class T, class Y, class F>
Y* for_each_chosen(bool const* chosen, index_t n, T* p, index_t stride, Y* y, index_t step, F const& f) {
  if constexpr (RICCI_STORES_BY_MASKS && std::is_arithmetic_v<T> && std::is_same_v<Y, T const>)
    if (step == 0 && stride == 1) return write_chosen(chosen, n, p, *y, f), y;
  constexpr index_t some = RICCI_SMALL_STACK ? 32 : 256;
  for (index_t first = 0; first < n; first += some) {
    index_t const m = n - first < some ? n - first : some;
    index_t count = 0;
    if constexpr (std::is_arithmetic_v<Y> && !std::is_const_v<Y>) {  // read: one after the other, of which some stay
      Y found[some];
      for (index_t k = 0; k < m; ++k) {
        f(p[(first + k) * stride], found[count]);
        count += chosen[first + k];
      }
      for (index_t k = 0; k < count; ++k, y += step) *y = found[k];
      continue;
    }
    std::uint16_t place[some];
    for (index_t k = 0; k < m; ++k) {
      place[count] = static_cast<std::uint16_t>(k);
      count += chosen[first + k];
    }
    for (index_t k = 0; k < count; ++k, y += step) f(p[(first + place[k]) * stride], *y);
  }
  return y;
}
// f(x, y) for the elements of those parts of v where m is true, one part after the other, beside what is at y; its
// strides are those along (count, rest...).
template <class View, class M, class Y, class F>
void for_each_masked(View const& v, M const& m, Y* y, index_t const* y_strides, F const& f) {
  auto const strides = v.stride_values();
  index_t at[View::rank > 0 ? View::rank : 1]{}, rest[View::rank - M::rank + 1]{};
  for (int k = M::rank; k < View::rank; ++k) rest[k - M::rank] = v.shape(k);
  auto* p = v.data();
  bool const* chosen = m.data();
  if constexpr (View::rank == M::rank && M::rank > 0) {
    constexpr int last = M::rank - 1;
    index_t const n = v.shape(last);
    for (index_t rows = n > 0 ? m.size() / n : 0; rows > 0; --rows, chosen += n) {
      y = for_each_chosen(chosen, n, p, strides.values[last], y, *y_strides, f);
      for (int k = last - 1; k >= 0; --k) {
        p += strides.values[k];
        if (++at[k] < v.shape(k)) break;
        p -= at[k] * strides.values[k];
        at[k] = 0;
      }
    }
    return;
  }
  for (index_t n = m.size(); n > 0; --n) {
    if (*chosen++) {
      for_each_pair<View::rank - M::rank>(rest, p, strides.values + M::rank, y, y_strides + 1, f);
      y += *y_strides;
    }
    for (int k = M::rank - 1; k >= 0; --k) {
      p += strides.values[k];
      if (++at[k] < v.shape(k)) break;
      p -= at[k] * strides.values[k];
      at[k] = 0;
    }
  }
}

// f(extents) of the parts that a mask names, then their elements to what it returns
template <class View, class Mask, class F>
void read_masked(masked<View, Mask> const& x, F const& f) {
  using T = typename View::value_type;
  constexpr int rank = masked<View, Mask>::rank;
  auto const m = mask_of(x.whole(), x.mask());
  index_t extents[rank]{count_of(m)};
  for (int k = 1; k < rank; ++k) extents[k] = x.whole().shape(k + m.rank - 1);
  T* const to = f(static_cast<index_t const*>(extents));
  auto const strides = expr::row_major_strides<rank>(extents);
  for_each_masked(x.whole(), m, to, strides.values, [](T const& from, T& y) { y = from; });
}

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

template <class View, class Mask, class X, class How>
void assign_masked(View const& v, Mask const& mask, X const& x, How) {
  using T = typename View::value_type;
  if constexpr (std::is_const_v<std::remove_pointer_t<decltype(v.data())>>)
    assign(v, x);  // which says that it is read only
  else if constexpr (requires { View::memory_space; } && (is_arithmetic<X> || requires {
                       requires rank_of<X>
                       == 0;
                     }))
    assign(v, where(leading_mask<View::rank>(mask), How::combined(v, x), v));
  else {
    constexpr int rank = masked<View, Mask>::rank;
    index_t strides[rank]{};
    auto const write = [&](auto const& m, T const* from) {
      storage::for_each_masked(v, m, from, strides, [](T& to, T const& value) { How::write(to, value); });
    };
    if constexpr (is_arithmetic<X>) {
      T const number = scalar::convert<T>(x);
      write(storage::mask_of(v, mask), &number);
    } else {
      static_assert(shapes::may_be_broadcast<typename masked<View, Mask>::extents, extents_of<X>>(),
                    "the parts that a mask names are assigned a number, or what is broadcast to (count, rest...)");
      auto const values = eval_dynamic(astype<T>(x));
      auto const m = storage::mask_of(v, mask);
      index_t extents[rank]{storage::count_of(m)};
      for (int k = 1; k < rank; ++k) extents[k] = v.shape(k + rank_of<Mask> - 1);
      for (int k = 0, off = rank - values.rank; k < values.rank; ++k) {
        if (values.shape(k) != 1 && values.shape(k) != extents[k + off])
          core::raise<shape_error>(
              ((core::text() << "a mask names parts of shape ").shape(extents, rank) << ", which are assigned ")
                  .shape(values.extent_values().data(), values.rank));
        strides[k + off] = values.shape(k) == 1 ? 0 : values.stride_values().values[k];
      }
      write(m, values.data());
    }
  }
}

}  // namespace RICCI_ABI

template <class T, index_t... E, class View, class Mask>
void construct(tensor<T, E...>& t, masked<View, Mask> const& x) {
  using X = masked<View, Mask>;
  using to = extents<E...>;
  (void)sizeof(storage::assigned<to, typename X::extents>);
  if constexpr (std::is_same_v<T, typename X::value_type> &&
                (std::is_same_v<to, typename X::extents> || std::is_same_v<to, dynamic_extents<to::rank>>))
    storage::read_masked(x, [&](index_t const* shape) {
      t.resize(shape, x.whole().execution());
      return t.data();
    });
  else
    construct(t, eval(x));
}
template <class T, index_t... E, class View, class Mask>
void assign(tensor<T, E...>& t, masked<View, Mask> const& x) {
  t = eval(x);
}

namespace expr {

template <int A, class B, class View, class Mask>
void bind(B& b, masked<View, Mask> const& x) {
  using T = typename View::value_type;
  auto& d = b.deferred[b.deferred_count++];
  storage::read_masked(x, [&](index_t const* shape) {
    constexpr int rank = masked<View, Mask>::rank;
    for (int k = 0; k < rank; ++k) d.extents[k] = shape[k];
    d.buffer = core::shared_buffer(core::bytes_of(d.extents, rank, sizeof(T)));
    return reinterpret_cast<T*>(d.buffer.data());
  });
  b.operands[A] = {d.buffer.data(), d.extents, nullptr};
}

}  // namespace expr

namespace storage {
inline namespace RICCI_ABI {

// Where a mask is true, one index tensor for each of its axes. Its extents are those of v from `axis` on, or it is a
// shape_error.
template <class View, class Mask>
auto places_in_mask(View const& v, Mask const& mask, int axis) {
  static_assert(
      !requires { View::memory_space; },
      "on the device an index has no masks beside other items: how many elements they name is known too late");
  constexpr int rank = rank_of<Mask>;
  static_assert(rank > 0, "a mask beside other items has at least one axis");
  auto const m = eval_dynamic(mask);
  require_mask(shape_in_memory(m), shape_in_memory(v), axis);
  index_t const count[] = {count_of(m)};
  std::array<ndarray<std::int64_t, 1>, std::size_t(rank)> places;
  for (auto& p : places) p.resize(count, {});
  index_t at[rank]{}, found = 0;
  for (bool const chosen : m) {
    if (chosen) {
      for (int k = 0; k < rank; ++k) places[std::size_t(k)].data()[found] = at[k];
      ++found;
    }
    for (int k = rank - 1; k >= 0 && ++at[k] == m.shape(k); --k) at[k] = 0;
  }
  return places;
}
// f(items...) with such tensors in place of the masks among `items`, which stand for v's axes from Axis on; `Unnamed`
// are those that no item names.
template <int Axis, int Unnamed, class View, class F>
auto with_places(View const&, F const& f) {
  return f();
}
template <int Axis, int Unnamed, class View, class F, class Item, class... Rest>
auto with_places(View const& v, F const& f, Item const& item, Rest const&... rest) {
  if constexpr (MaskIndex<Item>) {
    auto const places = places_in_mask(v, item, Axis);
    return with_places<Axis + rank_of<Item>, Unnamed>(
        v,
        [&](auto const&... later) {
          return [&]<std::size_t... K>(std::index_sequence<K...>) { return f(places[K]..., later...); }
          (std::make_index_sequence<std::size_t(rank_of<Item>)>{});
        },
        rest...);
  } else {
    constexpr int axes = std::is_same_v<Item, ellipsis_t> ? Unnamed : std::is_same_v<Item, newaxis_t> ? 0 : 1;
    return with_places<Axis + axes, Unnamed>(
        v, [&](auto const&... later) { return f(item, later...); }, rest...);
  }
}
template <class Item>
inline constexpr int axes_named = MaskIndex<Item> ? rank_of<Item> : shapes::named_axes<Item>;
template <class Item>
requires(!Tensor<Item>) inline constexpr int axes_named<Item> = shapes::named_axes<Item>;

}  // namespace RICCI_ABI
}  // namespace storage

inline namespace RICCI_ABI {

template <class X, class... Items>
requires MaskItems<Items...>
auto index_tensor(X& x, Items const&... items) {
  constexpr int unnamed = X::rank - (storage::axes_named<Items> + ...);
  static_assert(unnamed >= 0, "an index names more axes than the tensor has");
  return storage::with_places<0, unnamed>(
      x, [&](auto const&... all_items) { return index_tensor(x, all_items...); }, items...);
}

}  // namespace RICCI_ABI

}  // namespace ricci
