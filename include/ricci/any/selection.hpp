// What an index of a tensor of run-time order selects, and walks over it: integers, ranges, new axes and ellipses make
// axes that are walked along by strides; integer tensors and masks make axes whose elements are listed.
#pragma once

#include <vector>

#include <ricci/any/tensor.hpp>
#include <ricci/expr/index.hpp>
#include <ricci/shape/rules.hpp>
#include <ricci/tensor/masked.hpp>

namespace ricci {
namespace at_run_time {
inline namespace RICCI_ABI {

// Integers of any type, or those along one axis of what a mask names, as they stand in an index.
struct index_list {
  int axis;  // of the operand
  any_tensor numbers;
};

template <class Unused = void>
struct selection {
  shape_t shape{};  // of the result
  index_t offset = 0, strides[max_rank]{};
  // Which axes of the result are listed, and the offsets of their elements. Strides of such axes mean nothing.
  int first_listed = -1, listed = 0;
  std::vector<index_t> places;

  // index_error: more axes are named than there are, or an item lies outside its axis; shape_error: a mask has other
  // extents than the axes that it stands for, or integers do not go together; value_error: a tensor of another type.
  template <class... Items>
  explicit selection(shape_t const& of, Items const&... items) {
    static_assert(shapes::ellipses<Items...> <= 1, "an index may hold one ellipsis");
    constexpr bool lists = !(IndexItem<Items> && ...);
    int const unnamed = of.rank - (axes_named(items) + ... + 0);
    if (unnamed < 0)
      core::raise<index_error>(core::text()
                               << "an index names " << of.rank - unnamed << " axes of a tensor of order " << of.rank);
    constexpr int integers = (int(std::is_integral_v<Items>) + ... + 0),
                  fresh = (int(std::is_same_v<Items, newaxis_t>) + ... + 0);
    int const of_lists = ((IndexItem<Items> ? 0 : axes_named(items)) + ... + 0);
    if (of.rank - integers - of_lists + fresh > max_rank) limits::a_tensor_has_more_than_12_axes();
    expr::number_selection at{of.extent};
    std::vector<index_list> numbers;
    // as NumPy has it: lists come first where anything but integers stands between them
    int axis = 0, first = -1;
    [[maybe_unused]] bool ended = false, apart = false;
    auto const whole = [&] { at.s.take(0, 1, of.extent[axis], true), ++axis; };
    auto const rest = [&] {
      for (int k = 0; k < unnamed; ++k) whole();
    };
    [[maybe_unused]] auto const lists_here = [&] {
      if (first < 0) first = at.s.rank_out;
      apart = apart || ended;
    };
    [[maybe_unused]] auto const take = [&](auto const& item) {
      using item_type = std::remove_cvref_t<decltype(item)>;
      if constexpr (!IndexItem<item_type> || (lists && std::is_integral_v<item_type>))
        lists_here();
      else
        ended = first >= 0;
      if constexpr (std::is_same_v<item_type, ellipsis_t>)
        rest();
      else if constexpr (std::is_same_v<item_type, newaxis_t>)
        at.s.source[at.s.rank_out++] = -1;
      else if constexpr (shapes::is_whole<item_type>)
        whole();
      else if constexpr (IndexItem<item_type>)
        at.one(item, axis), ++axis;
      else
        for (index_list const& each : listed_by(item, of, axis))
          at.s.take(0, 1, 1, false), numbers.push_back(each), ++axis;
    };
    (take(items), ...);
    if (shapes::ellipses<Items...> == 0) rest();
    index_t of_operand[max_rank]{}, step = 1;
    for (int k = of.rank - 1; k >= 0; --k) of_operand[k] = step, step *= of.extent[k];
    for (int k = 0; k < of.rank; ++k) offset += at.s.start[k] * of_operand[k];
    if constexpr (lists) {
      if (apart) first = 0;
      list(of, numbers, of_operand, first, at.s.rank_out);
    }
    for (int k = 0; k < at.s.rank_out; ++k) {
      int const source = at.s.source[k], to = k < first_listed || listed == 0 ? k : k + listed;
      strides[to] = source < 0 ? 0 : of_operand[source] * at.s.step[source];
      shape.extent[to] = source < 0 ? 1 : at.s.length[source];
    }
    shape.rank = at.s.rank_out + listed;
  }

  // f(offset, n, step, list): n elements of the operand, one after the other in the result, lie at offset + k * step
  // or, where there is a list, at offset + list[k].
  template <class F>
  void for_each_run(F const& f) const {
    // axes from the last, those that lie behind one another as one
    index_t extent[max_rank + 1], stride[max_rank + 1], at[max_rank + 1]{};
    int n = 0, list = -1;
    for (int k = shape.rank - 1; k >= -1; --k) {
      if (first_listed >= 0 && k == first_listed + listed - 1) {
        list = n, extent[n] = index_t(places.size()), stride[n++] = 0;
        k -= listed;
      }
      if (k < 0) break;
      if (shape.extent[k] == 1) continue;
      if (n > 0 && n - 1 != list && strides[k] == stride[n - 1] * extent[n - 1])
        extent[n - 1] *= shape.extent[k];
      else
        extent[n] = shape.extent[k], stride[n++] = strides[k];
    }
    for (int k = 0; k < n; ++k)
      if (extent[k] == 0) return;
    if (n == 0) return f(offset, index_t(1), index_t(1), static_cast<index_t const*>(nullptr));
    index_t where = offset;
    for (;;) {
      f(list > 0 ? where + places[std::size_t(at[list])] : where, extent[0], stride[0],
        list == 0 ? places.data() : nullptr);
      int k = 1;
      for (; k < n; ++k) {
        where += stride[k];
        if (++at[k] < extent[k]) break;
        where -= stride[k] * extent[k], at[k] = 0;
      }
      if (k >= n) return;
    }
  }

 private:
  template <class Item>
  static int axes_named(Item const& item) {
    if constexpr (is_any_tensor<Item>)
      return item.dtype() == dtype::boolean ? item.order() : 1;
    else if constexpr (IndexItem<Item>)
      return shapes::named_axes<Item>;
    else
      return dtype_of<value_type_of<Item>> == dtype::boolean ? rank_of<Item> : 1;
  }
  // What a tensor in an index lists for the axes from `axis` on.
  template <class X>
  static std::vector<index_list> listed_by(X const& item, shape_t const& of, int axis) {
    std::vector<index_list> lists;
    if constexpr (!is_any_tensor<X>)
      static_assert(is_integer(dtype_of<value_type_of<X>>) || dtype_of<value_type_of<X>> == dtype::boolean,
                    "an index has tensors of integers, or masks");
    any_tensor const x = item;
    if (is_integer(x.dtype())) {
      lists.push_back({axis, x});
    } else if (x.dtype() == dtype::boolean) {
      if (x.order() == 0) core::raise<shape_error>(core::text() << "a mask in an index has at least one axis");
      storage::require_mask(x.shape(), of, axis);
      auto const* const chosen = static_cast<bool const*>(x.data());
      index_t count = 0, found = 0, at[max_rank]{};
      std::int64_t* to[max_rank]{};
      for (index_t k = 0; k < x.size(); ++k) count += chosen[k];
      for (int k = 0; k < x.order(); ++k) {
        lists.push_back({axis + k, any_tensor(dtype::int64, shape_t{1, {count}})});
        to[k] = reinterpret_cast<std::int64_t*>(lists.back().numbers.raw_data());
      }
      int const last = x.order() - 1;
      index_t const n = x.shape().extent[last];
      for (index_t row = 0; n > 0 && row < x.size(); row += n) {
        for (index_t k = 0; k < n; ++k)
          if (chosen[row + k]) {
            for (int a = 0; a < last; ++a) to[a][found] = at[a];
            to[last][found++] = k;
          }
        for (int a = last - 1; a >= 0 && ++at[a] == x.shape().extent[a]; --a) at[a] = 0;
      }
    } else {
      core::raise<value_error>(core::text()
                               << "an index has tensors of integers, or masks, and not of " << name_of(x.dtype()));
    }
    return lists;
  }
  // The axes of the lists, which broadcast, as axes of the result from `first` on, beside `others`.
  void list(shape_t const& of, std::vector<index_list> const& lists, index_t const* of_operand, int first, int others) {
    shape_t all{};
    shapes::type_context c;
    for (auto const& l : lists) all = shapes::broadcast(c, all, l.numbers.shape());
    if (c.failed) {
      core::text t;
      t << "tensors in an index do not go together:";
      for (auto const& l : lists) (t << " ").shape(l.numbers.shape().extent, l.numbers.order());
      core::raise<shape_error>(t);
    }
    if (others + all.rank > max_rank) limits::a_tensor_has_more_than_12_axes();
    first_listed = first, listed = all.rank;
    for (int k = 0; k < listed; ++k) shape.extent[first + k] = all.extent[k];
    places.assign(std::size_t(size_of(all)), 0);
    for (auto const& l : lists) {
      shape_t const& s = l.numbers.shape();
      index_t step[max_rank]{}, at[max_rank]{}, from = 0, n = 1;
      for (int k = s.rank - 1; k >= 0; --k) {
        step[k + all.rank - s.rank] = s.extent[k] == 1 ? 0 : n;
        n *= s.extent[k];
      }
      index_t const extent = of.extent[l.axis], stride = of_operand[l.axis];
      with_type(l.numbers.dtype(), [&](auto zero) {
        using T = decltype(zero);
        if constexpr (is_integer(dtype_of<T>)) {
          auto const* const numbers = static_cast<T const*>(l.numbers.data());
          int const last = all.rank - 1;
          index_t const row = last < 0 ? 1 : all.extent[last], along = last < 0 ? 0 : step[last];
          for (std::size_t to = 0; to < places.size(); to += std::size_t(row)) {
            for (index_t k = 0; k < row; ++k) {
              auto const number = to_index(numbers[from + k * along]), i = shapes::from_end(number, extent);
              if (i < 0 || i >= extent) core::raise_index_of_axis(number, l.axis, extent);
              places[to + std::size_t(k)] += i * stride;
            }
            for (int k = last - 1; k >= 0; --k) {
              from += step[k];
              if (++at[k] < all.extent[k]) break;
              from -= step[k] * all.extent[k], at[k] = 0;
            }
          }
        }
      });
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace at_run_time
}  // namespace ricci
