// Sequences of different lengths, and what makes batches of them: padding to the longest, with lengths and a mask.
//
//   auto const words = data::ragged_of<int>({{5, 2, 9}, {4}});
//   auto const [values, lengths, mask] = words.rows({0, 1});   // {{5, 2, 9}, {4, 0, 0}}, {3, 1}, (2, 3) conditions
#pragma once

#include <vector>

#include <ricci/data/orders.hpp>

namespace ricci::data {

template <class Kind, class T, int Rank>
struct padded_values;
template <class Kind, class T>
struct padded_values<Kind, T, 1> {
  using type = field<Kind, T, dyn, dyn>;
};
template <class Kind, class T>
struct padded_values<Kind, T, 2> {
  using type = field<Kind, T, dyn, dyn, dyn>;
};
template <class Kind, class T>
struct padded_values<Kind, T, 3> {
  using type = field<Kind, T, dyn, dyn, dyn, dyn>;
};

template <class T, int Rank = 1>
struct sequences {
  // A batch, a record that traced functions take: values (batch, longest, ...), lengths (batch,), and a mask (batch,
  // longest), true where there is an element and false where there is padding.
  template <class Kind = ricci::values>
  struct padded {
    typename padded_values<Kind, T, Rank>::type values;
    field<Kind, std::int64_t, dyn> lengths;
    field<Kind, bool, dyn, dyn> mask;
  };
};
template <class T, int Rank = 1>
using padded = typename sequences<T, Rank>::template padded<>;

// Sequences behind one another: sequence i is values(range(starts(i), starts(i + 1))), with the places along the first
// axis. It is a data set, whose batches are `padded`; and a plain record, which files hold.
template <class T, int Rank = 1>
struct ragged {
  ndarray<T, Rank> values;
  order starts;
  // what padding is, and to how many places: 0 is the longest sequence of a batch
  T padding = T();
  std::int64_t length = 0;

  index_t size() const { return starts.shape(0) == 0 ? 0 : starts.shape(0) - 1; }
  index_t length_of(index_t i) const { return starts(i + 1) - starts(i); }
  // the lengths of all sequences, (size,)
  order lengths() const {
    order n(size());
    for (index_t i = 0; i < size(); ++i) n(i) = length_of(i);
    return n;
  }
  ndarray<T, Rank> operator[](index_t i) const {
    check(i);
    return values(range(starts(i), starts(i + 1)));
  }
  // A sequence that is longer than `length` is a value_error: nothing is cut off silently.
  padded<T, Rank> rows(order const& which) const {
    index_t const n = which.shape(0);
    index_t longest = length;
    for (index_t k = 0; k < n; ++k) {
      check(which(k));
      index_t const m = length_of(which(k));
      if (length > 0 && m > length)
        core::raise<value_error>(core::text() << "data::ragged: sequence " << index_t(which(k)) << " has " << m
                                              << " places, and " << index_t(length) << " is the most");
      if (m > longest) longest = m;
    }
    std::array<index_t, Rank + 1> s{n, longest};
    for (int a = 1; a < Rank; ++a) s[std::size_t(a) + 1] = values.shape(a);
    padded<T, Rank> y{full<T>(s, padding), order(n), zeros<bool>(shape(n, longest))};
    for (index_t k = 0; k < n; ++k) {
      index_t const begin = starts(which(k)), m = length_of(which(k));
      y.lengths(k) = m;
      y.values(k, range(0, m)) = values(range(begin, begin + m));
      y.mask(k, range(0, m)) = true;
    }
    return y;
  }
  // these sequences alone
  ragged part(order const& which) const {
    index_t const n = which.shape(0);
    order ends(n + 1);
    ends(0) = 0;
    for (index_t k = 0; k < n; ++k) check(which(k)), ends(k + 1) = ends(k) + length_of(which(k));
    std::array<index_t, Rank> s{ends(n)};
    for (int a = 1; a < Rank; ++a) s[std::size_t(a)] = values.shape(a);
    ndarray<T, Rank> v = zeros<T>(s);
    for (index_t k = 0; k < n; ++k)
      v(range(ends(k), ends(k + 1))) = values(range(starts(which(k)), starts(which(k) + 1)));
    return {static_cast<ndarray<T, Rank>&&>(v), static_cast<order&&>(ends), padding, length};
  }

 private:
  void check(index_t i) const {
    if (i < 0 || i >= size())
      core::raise<index_error>(core::text() << "data::ragged: sequence " << i << " of " << size());
  }
};

template <class T>
ragged<T> ragged_of(std::vector<std::vector<T>> const& all) {
  order starts(index_t(all.size()) + 1);
  starts(0) = 0;
  for (std::size_t i = 0; i < all.size(); ++i) starts(index_t(i) + 1) = starts(index_t(i)) + index_t(all[i].size());
  ndarray<T, 1> v(starts(index_t(all.size())));
  index_t k = 0;
  for (auto const& one : all)
    for (T const x : one) v(k++) = x;
  return {static_cast<ndarray<T, 1>&&>(v), static_cast<order&&>(starts)};
}
// of tensors whose first axes differ; other extents that do are a shape_error
template <Tensor X>
auto ragged_of(std::vector<X> const& all) {
  constexpr int Rank = rank_of<X>;
  using T = value_type_of<X>;
  static_assert(Rank > 0, "data::ragged: sequences have an axis of places, the first");
  order starts(index_t(all.size()) + 1);
  starts(0) = 0;
  std::array<index_t, Rank> s{};
  for (std::size_t i = 0; i < all.size(); ++i) {
    starts(index_t(i) + 1) = starts(index_t(i)) + all[i].shape(0);
    for (int a = 1; a < Rank; ++a) {
      auto& extent = s[std::size_t(a)];
      if (i > 0 && extent != all[i].shape(a))
        core::raise<shape_error>(core::text()
                                 << "data::ragged: extents " << extent << " and " << index_t(all[i].shape(a))
                                 << " along axis " << a << " of sequences 0 and " << index_t(i));
      extent = all[i].shape(a);
    }
  }
  s[0] = starts(index_t(all.size()));
  ndarray<T, Rank> v = zeros<T>(s);
  for (std::size_t i = 0; i < all.size(); ++i) v(range(starts(index_t(i)), starts(index_t(i) + 1))) = all[i];
  return ragged<T, Rank>{static_cast<ndarray<T, Rank>&&>(v), static_cast<order&&>(starts)};
}

}  // namespace ricci::data
