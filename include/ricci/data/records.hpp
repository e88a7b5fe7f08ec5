// Data sets, and rows of them. A data set is one of these:
//
// - a tensor, whose first axis is the examples;
// - a record of data sets with as many examples, as an aggregate, a tuple or an array;
// - a source of one's own with `size()` and `rows(order)`, which gives a batch of the examples of these numbers;
// - a source with `size()` and `operator[](i)`, which gives example i, a record of tensors and numbers, as a
//   std::vector of such does: a batch is a tuple of them with one more axis, the first.
#pragma once

#include <tuple>
#include <vector>

#include <ricci/autodiff/tree.hpp>
#include <ricci/exec/cpu/rows.hpp>
#include <ricci/ops/index.hpp>
#include <ricci/tensor/like.hpp>

namespace ricci::data {

// Numbers of examples, in the order in which they come.
using order = ndarray<std::int64_t, 1>;

namespace records {

template <class X>
concept OwnRows = requires(X const& x, order const& o) {
  x.size();
  x.rows(o);
};
template <class X>
concept Indexed = !Tensor<X> && !tree::is_tuple<X> && requires(X const& x) {
  x.size();
  x[index_t(0)];
};

// The type of a batch of a tensor: the first extent is not that of its type.
template <class E>
struct extents_of_batch;
template <index_t N, index_t... E>
struct extents_of_batch<extents<N, E...>> {
  using type = extents<dyn, E...>;
};
template <class X>
using batch_of_tensor = typename storage::tensors_in<storage::memory_of<X>()>::template type<
    value_type_of<X>, typename extents_of_batch<extents_of<X>>::type>;

// Rows of a tensor of the host with memory of its own, as `take` gives them, but without a statement, which the
// compiler would plan for each type.
template <class D>
inline constexpr bool owns_memory = false;
template <class T, index_t... E>
inline constexpr bool owns_memory<tensor<T, E...>> = true;
template <class D>
batch_of_tensor<D> rows_of_owner(D const& d, order const& which) {
  index_t const n = which.size(), choices = d.shape(0);
  index_t extents[rank_of<D>]{n}, inner = 1;
  for (int k = 1; k < rank_of<D>; ++k) inner *= extents[k] = d.shape(k);
  for (index_t k = 0; k < n; ++k)
    if (which.data()[k] < 0 || which.data()[k] >= choices)
      core::raise<index_error>(core::text() << "data: example " << which.data()[k] << " of " << choices);
  auto const how = core::joined(d.execution(), which.execution());
  batch_of_tensor<D> batch(typename batch_of_tensor<D>::raw{}, extents, how);
  exec::take_rows<value_type_of<D>, false>(batch.data(), d.data(), which.data(), 1, n, inner, choices, how.threads());
  return batch;
}
// Numbers `begin` to `end` of an order.
template <class = void>
order slice_of(order const& o, index_t begin, index_t end) {
  index_t const n = end - begin;
  order part(order::raw{}, &n, o.execution());
  if (n > 0) __builtin_memcpy(part.data(), o.data() + begin, std::size_t(n) * sizeof(std::int64_t));
  return part;
}

// Examples side by side: every leaf has one more axis, the first.
template <class Leaf>
auto leaves_side_by_side(index_t n, auto const& at) {
  if constexpr (Tensor<Leaf>) {
    ndarray<value_type_of<Leaf>, rank_of<Leaf> + 1> y;
    shape_t first{};
    for (index_t k = 0; k < n; ++k) {
      auto const& x = at(k);
      if (k == 0) {
        std::array<index_t, rank_of<Leaf> + 1> s{n};
        for (int a = 0; a < rank_of<Leaf>; ++a) first.push(s[std::size_t(a) + 1] = x.shape(a));
        y = zeros<value_type_of<Leaf>>(s);
      }
      for (int a = 0; a < rank_of<Leaf>; ++a)
        if (x.shape(a) != first[a]) {
          shape_t other{};
          for (int b = 0; b < rank_of<Leaf>; ++b) other.push(x.shape(b));
          core::text t;
          t << "data: examples of shapes ";
          t.shape(first.extent, first.rank) << " and ";
          t.shape(other.extent, other.rank) << " are no batch; data::ragged pads sequences";
          core::raise<shape_error>(t);
        }
      y(k) = x;
    }
    return y;
  } else {
    ndarray<Leaf, 1> y(n);
    for (index_t k = 0; k < n; ++k) y(k) = at(k);
    return y;
  }
}
template <class Item>
auto side_by_side(index_t n, auto const& at) {
  if constexpr (tree::Leaf<Item>) {
    return leaves_side_by_side<Item>(n, at);
  } else {
    return [&]<std::size_t... I>(std::index_sequence<I...>) {
      return std::tuple(side_by_side<std::remove_cvref_t<std::tuple_element_t<I, decltype(tree::members(at(0)))>>>(
          n, [&](index_t k) -> auto const& { return tree::get<I>(tree::members(at(k))); })...);
    }
    (std::make_index_sequence<std::tuple_size_v<decltype(tree::members(at(0)))>>{});
  }
}

// f of each member: a record of the same type where that gives the types of its members, else a tuple.
template <class D, class F>
auto of_members(D const& d, F const& f) {
  return tree::apply(
      [&]<class... M>(M const&... m) {
        constexpr bool same = (std::is_same_v<M, decltype(f(m))> && ...);
        if constexpr (same && (std::is_aggregate_v<D> || tree::is_tuple<D>))
          return D{f(m)...};
        else
          return std::tuple<decltype(f(m))...>(f(m)...);
      },
      tree::members(d));
}

}  // namespace records

// How many examples a data set has. Members of a record that have not as many are a shape_error.
template <class D>
index_t count_of(D const& d) {
  if constexpr (Tensor<D>) {
    static_assert(rank_of<D> > 0, "the tensors of a data set have an axis of examples, the first");
    return d.shape(0);
  } else if constexpr (records::OwnRows<D> || records::Indexed<D>) {
    return static_cast<index_t>(d.size());
  } else {
    index_t n = -1;
    auto const one = [&](auto const& member) {
      index_t const m = data::count_of(member);
      if (n >= 0 && m != n)
        core::raise<shape_error>(core::text() << "data: a data set has members of " << n << " and of " << m
                                              << " examples, and they need as many");
      n = m;
    };
    tree::apply([&](auto const&... m) { (one(m), ...); }, tree::members(d));
    return n < 0 ? 0 : n;
  }
}

// A batch: the examples of these numbers, in this order. Of a tensor it is a tensor; of a record one of the same type
// where its members may have as many examples as one likes, else a tuple. A number outside is an index_error.
template <class D>
auto rows_of(D const& d, order const& which) {
  if constexpr (Tensor<D>) {
    if constexpr (records::owns_memory<D>)
      return records::rows_of_owner(d, which);
    else if constexpr (storage::memory_of<D>() == expr::host_memory)
      return records::batch_of_tensor<D>(take(d, which, axis<0>));
    else
      return records::batch_of_tensor<D>(take(d, copy(which, like(d)), axis<0>));
  } else if constexpr (records::OwnRows<D>) {
    return d.rows(which);
  } else if constexpr (records::Indexed<D>) {
    using Item = std::remove_cvref_t<decltype(d[index_t(0)])>;
    index_t const n = which.shape(0), size = data::count_of(d);
    std::vector<Item> items;
    items.reserve(std::size_t(n));
    for (index_t k = 0; k < n; ++k) {
      index_t const row = which(k);
      if (row < 0 || row >= size)
        core::raise<index_error>(core::text() << "data: example " << row << " of a source of " << size);
      items.push_back(d[static_cast<decltype(d.size())>(row)]);
    }
    if (n == 0) core::raise<value_error>(core::text() << "data: a batch of no examples of a source has no shapes");
    return records::side_by_side<Item>(n, [&](index_t k) -> Item const& { return items[std::size_t(k)]; });
  } else {
    return records::of_members(d, [&](auto const& member) { return rows_of(member, which); });
  }
}
template <class D>
using batch_t = decltype(rows_of(std::declval<D const&>(), std::declval<order const&>()));

// Some examples of a data set, which it refers to: a data set itself, without a copy.
template <class D>
struct subset {
  D const* of;
  order which;
  index_t size() const { return which.shape(0); }
  auto rows(order const& o) const { return rows_of(*of, records::rows_of_owner(which, o)); }
};
template <class D>
subset<D> subset_of(D const& d, order which) {
  return {&d, static_cast<order&&>(which)};
}
template <class D>
subset<D> subset_of(D const&&, order) = delete;

// The same of what refers to its data set: a source without a function `part(order)`, which has to outlive it. Of all
// else a copy; sequences stay sequences, where `rows_of` would pad them.
template <class D>
auto part_of(D const& d, order const& which) {
  if constexpr (requires { d.part(which); })
    return d.part(which);
  else if constexpr (Tensor<D>)
    return rows_of(d, which);
  else if constexpr (records::OwnRows<D> || records::Indexed<D>)
    return subset_of(d, which);
  else
    return records::of_members(d, [&](auto const& member) { return part_of(member, which); });
}

namespace records {
// Whether parts refer to a data set: to a source without `part`, or to such a member of a record.
template <class D>
constexpr bool refers_to_it() {
  if constexpr (Tensor<D> || requires(D const& d, order const& o) { d.part(o); })
    return false;
  else if constexpr (OwnRows<D> || Indexed<D>)
    return true;
  else if constexpr (tree::is_tuple<D> || std::is_aggregate_v<D>)
    return []<std::size_t... I>(std::index_sequence<I...>) {
      using members = decltype(tree::members(std::declval<D const&>()));
      return (refers_to_it<std::remove_cvref_t<std::tuple_element_t<I, members>>>() || ...);
    }
  (std::make_index_sequence<std::tuple_size_v<decltype(tree::members(std::declval<D const&>()))>>{});
  else return false;
}
template <class D>
concept IsReferredTo = refers_to_it<D>();
}  // namespace records
template <records::IsReferredTo D>
auto part_of(D const&&, order const&) = delete;

}  // namespace ricci::data
