// Indices that are tensors: `x(rows)` and `x(rc::all, rows, columns)` name rows by integers, `x(x > 2.f)` names
// elements by booleans, or parts by booleans of the leading axes. As in NumPy, integer tensors are broadcast together;
// side by side their axes take the place of those that they stand for, else they come first, and integers beside them
// count as tensors of order 0. What is named can be written to: where it is named twice, the last stays.
#pragma once

#include <ricci/ops/take_at.hpp>

namespace ricci {

// ---- which item of an index is a tensor ----

template <class T>
concept IndexTensor =
    !IndexItem<std::remove_cvref_t<T>> && level_of<T> >= operand_level::tensor && level_of<T> < operand_level::value;
template <class T>
concept RowIndex = IndexTensor<T> && std::is_integral_v<value_type_of<T>> && !std::is_same_v<value_type_of<T>, bool>;
template <class T>
concept MaskIndex = IndexTensor<T> && std::is_same_v < value_type_of<T>,
bool > ;
template <class... Items>
concept RowItems = (RowIndex<Items> || ...) && ((RowIndex<Items> || IndexItem<Items>)&&...);
// masks beside other items; one alone is looked at when it is read or written
template <class... Items>
concept MaskItems = sizeof...(Items) > 1 && (MaskIndex<Items> || ...) &&
                    ((MaskIndex<Items> || RowIndex<Items> || IndexItem<Items>)&&...);

namespace shapes {

// The other items with `all` in place of the tensor.
template <class Item>
constexpr decltype(auto) basic_item(Item const& item) {
  if constexpr (RowIndex<Item>)
    return (all);
  else
    return (item);
}
// item number N
template <int N, class Item, class... Rest>
constexpr auto const& nth_item(Item const& item, [[maybe_unused]] Rest const&... rest) {
  if constexpr (N == 0)
    return item;
  else
    return nth_item<N - 1>(rest...);
}
// Where the tensors stand among the items, and what they name once the other items have been applied.
template <class E, class... Items>
struct tensor_items {
  struct positions {
    int count = 0, place = 0, item[sizeof...(Items)]{}, axis[sizeof...(Items)]{};
  };
  static constexpr int rank_left = E::rank - named_axes<Items...>;
  static_assert(rank_left >= 0, "an index names more axes than the tensor has");
  static constexpr positions found = [] {
    positions p;
    int axis = 0, item = 0;
    bool begun = false, ended = false, apart = false;
    auto const name = [&] {
      if (!begun) p.place = axis;
      begun = true;
      apart = apart || ended;
    };
    (
        [&] {
          if constexpr (RowIndex<Items>) {
            name();
            p.item[p.count] = item;
            p.axis[p.count++] = axis++;
          } else if constexpr (std::is_integral_v<Items>) {
            name();
          } else {
            ended = begun;
            axis += std::is_same_v<Items, ellipsis_t> ? rank_left : 1;
          }
          ++item;
        }(),
        ...);
    if (apart) p.place = 0;
    return p;
  }();
  template <int... K>
  static constexpr auto places_of(std::integer_sequence<int, K...>) {
    return index_places<found.place, found.axis[K]...>{};
  }
  using numbers = std::make_integer_sequence<int, found.count>;
  using places = decltype(places_of(numbers{}));

  // f(tensors...)
  template <class F>
  static constexpr auto with_tensors(F const& f, Items const&... items) {
    return with_tensors(numbers{}, f, items...);
  }
  template <int... K, class F>
  static constexpr auto with_tensors(std::integer_sequence<int, K...>, F const& f, Items const&... items) {
    return f(nth_item<found.item[K]>(items...)...);
  }
};

template <int Mask, int Rank>
struct mask_fits {
  static_assert(Mask <= Rank && (Mask > 0 || Rank == 0),
                "a mask has the shape of the tensor that it indexes, or of its leading axes");
};

}  // namespace shapes

// A mask of leading axes beside a tensor of that order.
template <int Rank, class Mask>
constexpr decltype(auto) leading_mask(Mask const& mask) {
  if constexpr (rank_of<Mask> == Rank)
    return (mask);
  else
    return [&]<int... K>(std::integer_sequence<int, K...>) { return expand_dims(mask, axis<rank_of<Mask> + K...>); }
  (std::make_integer_sequence<int, Rank - rank_of<Mask>>{});
}

// ---- on symbols ----

// `h(rows)` inside a traced function: those rows, and a way to give `h` new ones.
template <class T, class E, class Mode, class Places, class Part, class... Index>
class symbol_rows : public symbol<T, E, Mode>, public accumulates<symbol_rows<T, E, Mode, Places, Part, Index...>> {
 public:
  constexpr symbol_rows(ir::value<Mode> rows, Part const& part, Index const&... index)
      : symbol<T, E, Mode>{rows}, part_(part), index_{index.v...} {}
  constexpr symbol_rows(symbol_rows const&) = default;

  template <class X>
  requires operands<X>
  constexpr symbol_rows& operator=(X const& x) && {
    put<false>(x);
    return *this;
  }
  constexpr symbol_rows& operator=(symbol_rows const& x) && {
    put<false>(static_cast<symbol<T, E, Mode> const&>(x));
    return *this;
  }
  // `auto h = table(rows); h = h + 1.;` is meant to be a new h, as what h has been read from is a copy anywhere else;
  // it would write to the table.
  template <class X>
  requires operands<X>
  constexpr void operator=(X const&) & {
    static_assert(always_false<X>,
                  "a name for the rows that an index tensor names is not assigned to, as that would write to what they "
                  "are rows of: write x(rows) = ..., or let the name hold their values, auto h = rc::eval(x(rows))");
  }

  template <class Op, class X>
  constexpr auto accumulate(X const& x) {
    constexpr bool subtracts = std::is_same_v<Op, subtract_t>;
    static_assert(subtracts || std::is_same_v<Op, add_t>,
                  "a traced function adds to rows and subtracts from them, where an index may repeat; multiply, "
                  "minimum and maximum are for rc::range and other parts there, or for tensors");
    if constexpr (subtracts)
      put<true>(negative(with_elements<T>(x)));
    else
      put<true>(x);
  }

 private:
  template <bool Add, class X>
  constexpr void put(X const& x) {
    put<Add>(x, std::make_index_sequence<sizeof...(Index)>{});
  }
  template <bool Add, class X, std::size_t... K>
  constexpr void put(X const& x, std::index_sequence<K...>) {
    part_ = call_operation<put_rows_function<Places, Add>>(no_attributes{}, part(), x, Index{index_[K]}...);
    this->v = call_operation<take_at_function<Places>>(no_attributes{}, part(), Index{index_[K]}...).v;
  }
  constexpr auto const& part() const { return static_cast<symbol<T, typename Part::extents, Mode> const&>(part_); }

  Part part_;
  ir::value<Mode> index_[sizeof...(Index)];
};
template <class T, class E, class Mode, class Places, class Part, class... Index>
inline constexpr bool is_symbol<symbol_rows<T, E, Mode, Places, Part, Index...>> = true;
template <class T, class E, class Mode, class Places, class Part, class... Index>
inline constexpr bool is_native_tensor<symbol_rows<T, E, Mode, Places, Part, Index...>> = true;
template <class T, class E, class Mode, class Places, class Part, class... Index, class... Rest>
struct mode_of<symbol_rows<T, E, Mode, Places, Part, Index...>, Rest...> {
  using type = Mode;
};

// an index tensor as a symbol of the graph: one that is no symbol is a constant there, and a number has its own type,
// not that of the elements
template <class T, class Mode, class I>
constexpr auto index_as_symbol(typename Mode::graph& g, I const& index) {
  if constexpr (is_symbol<I> && is_weak<I>)
    return symbol<value_type_of<I>, extents<>, Mode>{value_in(g, index)};
  else if constexpr (is_symbol<I>)
    return symbol<value_type_of<I>, extents_of<I>, Mode>{index.v};
  else
    return symbol<value_type_of<I>, extents_of<I>, Mode>{lifted<Mode>(g, index, dtype_of<value_type_of<I>>)};
}

template <class S, class... Items>
requires RowItems<Items...>
constexpr auto index_symbol(S& x, Items const&... items) {
  using Mode = typename S::mode;
  using T = typename S::value_type;
  using tensors = shapes::tensor_items<typename S::extents, Items...>;
  auto part = index_symbol(x, shapes::basic_item(items)...);
  using P = symbol<T, typename decltype(part)::extents, Mode>;
  auto const rows_of = [&](auto const&... index) {
    auto const rows = call_operation<take_at_function<typename tensors::places>>(no_attributes{},
                                                                                 static_cast<P const&>(part), index...);
    using E = typename std::remove_const_t<decltype(rows)>::extents;
    if constexpr (std::is_const_v<S>)
      return symbol<T, E, Mode>{rows.v};
    else
      return symbol_rows<T, E, Mode, typename tensors::places, decltype(part), std::remove_cvref_t<decltype(index)>...>(
          rows.v, part, index...);
  };
  return tensors::with_tensors(
      [&](auto const&... index) { return rows_of(index_as_symbol<T, Mode>(*x.v.g, index)...); }, items...);
}

// Asked for by its size where the elements that a mask names are read.
template <class S, class Mask>
struct reads_by_mask {
  static_assert(always_false<S>,
                "a traced function cannot read the elements that a mask names, for their number is only known "
                "when it runs: use ricci::where");
};
template <class S, class Mask>
using parts_by_mask = dynamic_extents<S::rank - rank_of<Mask> + 1>;
// `h(h > 2.f) = 0.f` inside a traced function. How many parts that are is not known there, so they cannot be read, and
// what is written is the same for each.
template <class S, class Mask>
class symbol_mask : public symbol<typename S::value_type, parts_by_mask<S, Mask>, typename S::mode>,
                    public accumulates<symbol_mask<S, Mask>> {
 public:
  constexpr symbol_mask(S& x, Mask const& m)
      : symbol<typename S::value_type, parts_by_mask<S, Mask>, typename S::mode>{x.v}, x_(&x), mask_(m) {}
  constexpr symbol_mask(symbol_mask const&) = default;
  constexpr void operator=(symbol_mask const&) const { (void)sizeof(reads_by_mask<S, Mask>); }
  template <class X>
  requires operands<X>
  constexpr void operator=(X const& x) const { write(x, x); }
  constexpr void operator+=(auto const& x) const { write(x, *x_ + x); }
  constexpr void operator-=(auto const& x) const { write(x, *x_ - x); }
  constexpr void operator*=(auto const& x) const { write(x, *x_ * x); }
  constexpr void operator/=(auto const& x) const { write(x, *x_ / x); }
  template <class Op, class X>
  constexpr auto accumulate(X const& x) const {
    write(x, Op{}(*x_, with_elements<typename S::value_type>(x)));
  }

 private:
  template <class X, class Y>
  constexpr void write(X const&, Y const& y) const {
    if constexpr (Tensor<X>)
      static_assert(rank_of<X> <= S::rank - rank_of<Mask>,
                    "a traced function writes one number to the elements that a mask names, and one row to rows; "
                    "ricci::where chooses between tensors");
    *x_ = where(leading_mask<S::rank>(mask_), y, *x_);
  }
  S* x_;
  Mask mask_;
};
template <class S, class Mask>
inline constexpr bool is_symbol<symbol_mask<S, Mask>> = true;
template <class S, class Mask, class... Rest>
struct mode_of<symbol_mask<S, Mask>, Rest...> {
  using type = typename S::mode;
};
// It stands among operands so that who reads it is told why that cannot be.
template <class S, class Mask>
constexpr ir::value<typename S::mode> value_in(typename S::mode::graph&, symbol_mask<S, Mask> const& x) {
  (void)sizeof(reads_by_mask<S, Mask>);
  return x.v;
}
template <class S, MaskIndex Mask>
constexpr auto index_symbol(S& x, Mask const& mask) {
  static_assert(!std::is_const_v<S>,
                "a traced function cannot read the elements that a mask names, for their number is only known "
                "when it runs: use ricci::where");
  (void)sizeof(shapes::mask_fits<rank_of<Mask>, S::rank>);
  return symbol_mask<S, Mask>(x, mask);
}

template <class S, class... Items>
requires(wrong::Index<Items> || ...) constexpr S index_symbol(S& x, Items const&...) {
  (void)sizeof(wrong::mask_of_bools<S, Items...>);
  static_assert((std::is_same_v<Items, bool> || ...),
                "an index consists of integers, rc::all, rc::range(a, b), rc::slice<n>(a), "
                "rc::newaxis, rc::ellipsis, integer tensors and masks; a list is rc::asarray(v)");
  return x;
}
template <class S, class... Items>
requires MaskItems<Items...>
constexpr auto index_symbol(S&, Items const&...) {
  static_assert(always_false<S>,
                "a traced function knows masks that stand alone, x(mask) = y: how many elements one names beside other "
                "items is only known when it runs; use ricci::where");
}

}  // namespace ricci
