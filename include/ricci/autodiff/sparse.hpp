// Jacobians and hessians of which most elements are zero: `rc::sparse_jacobian(f)(x)`, `rc::sparse_hessian(f)(x)`.
//
//   auto chain = [](auto x) { return x(rc::range(1, rc::end)) * x(rc::range(0, -1)); };
//   auto j = rc::sparse_jacobian(chain)(rc::arange<double>(0, 1000));   // 999 x 1000: two colors, 1998 elements
//
// Where they may differ from zero follows from the operations that f recorded (autodiff/sparsity.hpp); columns that
// share no row, or rows that share no column, are computed together (autodiff/coloring.hpp), all in one batch of jvp or
// vjp; where each row depends on one element of each component of the argument, as on one point of many, component by
// component (autodiff/components.hpp), or part by part in reverse mode (autodiff/parts.hpp). `rc::prepared`
// keeps pattern and memory from one call to the next.
#pragma once

#include <ricci/autodiff/calls_in_memory.hpp>
#include <ricci/autodiff/compression.hpp>
#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/kept_pattern.hpp>
#include <ricci/autodiff/ways.hpp>
#include <ricci/tensor/sparse_matrix.hpp>

namespace ricci {

// A sparse matrix, and the number of colors: how many derivatives in one direction it took.
template <class T>
struct sparse_derivatives : sparse_matrix<T> {
  index_t colors;

  sparse_derivatives(sparse_matrix<T>&& elements, index_t number_of_colors, core::shared_buffer pattern = {})
      : sparse_matrix<T>(static_cast<sparse_matrix<T>&&>(elements)),
        colors(number_of_colors),
        pattern_(static_cast<core::shared_buffer&&>(pattern)) {}

  // Whether row_starts and columns are those of the pattern that has this token.
  bool is_of(core::shared_buffer const& pattern) const {
    return pattern.bytes() > 0 && pattern.data() == pattern_.data();
  }

 private:
  core::shared_buffer pattern_;
};

namespace sparsity {
inline namespace RICCI_ABI {

// so many bytes of seeds and derivatives at a time
inline constexpr index_t block_bytes = index_t(1) << 26;

template <class T>
ndarray<T, 1> uninitialised(index_t n) {
  ndarray<T, 1> x;
  x.adopt(core::shared_buffer(core::bytes_of(n, sizeof(T))), &n, {});
  return x;
}
template <class T>
sparse_derivatives<T> with_values(kept_pattern const& kept, ndarray<T, 1>&& values) {
  pattern const& p = kept.found;
  using positions = typename sparse_matrix<T>::positions;
  using position = typename positions::value_type;  // a type of T's, or clang makes tensors of it in every file
  positions starts = uninitialised<position>(p.rows() + 1), columns = uninitialised<position>(p.nonzeros());
  index_t *const to = starts.data(), *const places = columns.data();
  for (index_t k = 0; k <= p.rows(); ++k) to[k] = p.by_row.starts[k];
  for (index_t k = 0; k < p.nonzeros(); ++k) places[k] = p.by_row.items[k];
  return {sparse_matrix<T>(p.rows(), p.columns, static_cast<positions&&>(starts), static_cast<positions&&>(columns),
                           static_cast<ndarray<T, 1>&&>(values)),
          p.colored.colors, kept.token};
}

// The elements: derive(seeds) are those in the direction of each row of seeds, for some colours at a time.
template <class Seed, class T, class Derive>
void compute(kept_pattern& kept, kept_memory& memory, T* values, Derive const& derive) {
  pattern const& p = kept.found;
  index_t const seeds_each = p.compresses_rows ? p.rows() : p.columns,
                results_each = p.compresses_rows ? p.columns : p.rows();
  if (p.colored.colors == 0) return;
  index_t const bytes = seeds_each * index_t(sizeof(Seed)) + results_each * index_t(sizeof(T));
  index_t const most = bytes < block_bytes ? block_bytes / bytes : 1;
  for (index_t first = 0; first < p.colored.colors; first += most) {
    index_t const count = p.colored.colors - first < most ? p.colored.colors - first : most;
    index_t const extents[] = {count, seeds_each};
    kept_memory::reserve(memory.seeds, count * seeds_each * index_t(sizeof(Seed)));
    ndarray<Seed, 2> seeds;
    seeds.adopt(core::shared_buffer(memory.seeds), extents, {});
    if (!kept.has_seeds) {
      Seed* const to = seeds.data();
      for (index_t k = 0; k < count * seeds_each; ++k) to[k] = Seed(0);
      for (index_t k = 0; k < seeds_each; ++k) {
        index_t const color = p.colored.of[k] - first;
        if (color >= 0 && color < count) to[color * seeds_each + k] = Seed(1);
      }
      kept.has_seeds = count == p.colored.colors;
    }
    auto const* const derivatives = derive(seeds);
    if (kept.by_symmetry.size() > 0) {
      for (index_t k = 0; k < p.nonzeros(); ++k) {
        index_t const place = kept.by_symmetry[k] - first * results_each;
        if (place >= 0 && place < count * results_each) values[k] = static_cast<T>(derivatives[place]);
      }
      continue;
    }
    for (index_t row = 0; row < p.rows(); ++row)
      for (index_t k = p.by_row.starts[row]; k < p.by_row.starts[row + 1]; ++k) {
        index_t const column = p.by_row.items[k];
        index_t const color = p.colored.of[p.compresses_rows ? row : column] - first;
        if (color >= 0 && color < count)
          values[k] = static_cast<T>(derivatives[color * results_each + (p.compresses_rows ? column : row)]);
      }
  }
}

template <class X>
struct argument_of_jacobian {
  using type = tracing::element_of_tree_t<X>;
  static_assert(is_floating(dtype_of<type>),
                "a sparse jacobian is of real numbers, by real numbers: name the argument that is meant, as in "
                "ricci::sparse_jacobian<1>(f)");
};

// A call of the jacobian: the pattern, which is found or still there, and then the elements.
template <int I, compressed Way, class F, class... A>
class sparse_derivation {
  using call = tracing::traced_call<tracing::call_itself, F, A...>;
  using argument = std::tuple_element_t<I, std::tuple<A...>>;
  using arguments_derived = tree::symbolic_t<typename call::mode, argument>;
  static constexpr bool may_have_pieces =
      Way != compressed::by_symmetry && may_be_by_component<arguments_derived, typename call::result_symbols>();
  struct as_it_is {
    using transform = tracing::call_itself;
    using table = graph_table<call>;
    static constexpr tracing::function_parts parts{};
  };
  using looked = typename std::conditional_t<may_have_pieces, std::type_identity<looked_at<I, F, A...>>,
                                             std::type_identity<as_it_is>>::type;
  using table = typename looked::table;
  static constexpr int count = (tree::count_leaves<A>() + ... + 0);
  static constexpr graph_view view = table::view();

 public:
  using seed = typename argument_of_jacobian<argument>::type;
  using value_type = typename argument_of_jacobian<typename call::result_symbols>::type;

  sparse_derivation(kept_pattern& kept, kept_memory& memory, A const&... a) : kept_(kept), memory_(memory) {
    tracing::bound_arguments<count> b;
    int rank[count > 0 ? count : 1]{}, n = 0, counts[] = {tree::count_leaves<A>()...};
    auto const note = [&](auto const& leaf) {
      if constexpr (Tensor<std::remove_cvref_t<decltype(leaf)>>) rank[n] = rank_of<std::remove_cvref_t<decltype(leaf)>>;
      ++n;
      tracing::bind_leaf(b, leaf);
    };
    (tree::for_each_leaf(note, a), ...);
    derived_by by{0, counts[I]};
    for (int k = 0; k < I; ++k) by.first += counts[k];
    bool is_new = false;
    if constexpr (table::found.wanted_count > 0) {
      results_in_memory<1> integers;
      call_in_memory<tracing::wanted_integers<typename looked::transform>, F>(memory_, sizeof(std::int64_t), nullptr,
                                                                              integers, a...);
      auto const* const values = reinterpret_cast<std::int64_t const*>(integers.at[0].p);
      is_new = update(kept, view, b.refs, rank, count, by, values, integers.size[0], Way);
      if constexpr (by_parts)
        if (is_new) place_parts(kept, b.refs, rank, by, values);
    } else {
      is_new = update(kept, view, b.refs, rank, count, by, nullptr, 0, Way);
      if constexpr (by_parts)
        if (is_new) place_parts(kept, b.refs, rank, by, nullptr);
    }
    if constexpr (by_component)
      if (is_new && columns_of.directions <= most_for_a_color * kept.found.colored.colors) {
        leaf_of_tree leaves[tracing::most_leaves_by_component];
        place_leaves(leaves, columns_of, [&](int k, int d) { return b.refs[by.first + k].extents[d]; });
        kept.by_component = directions_of(kept.found, leaves, columns_of.leaves, columns_of.directions);
        if (kept.by_component.is_enough) kept.found.colored.colors = columns_of.directions;
      }
    if constexpr (by_component)
      if (kept.by_component.is_enough) exec::resolve_exactly(view.dims, b.refs, nullptr, &dims_[0]);
  }
  // all elements, in order
  void fill(value_type* values, A const&... a) {
    if constexpr (by_parts)
      if (kept_.by_parts) return fill_by_parts(values, a...);
    if constexpr (by_component)
      if (kept_.by_component.is_enough) return fill_by_component(values, a...);
    if constexpr (Way == compressed::fewer) {
      if (kept_.found.compresses_rows)
        fill_by_colors<true>(values, a...);
      else
        fill_by_colors<false>(values, a...);
    } else {
      fill_by_colors<Way == compressed::rows>(values, a...);
    }
  }

 private:
  static constexpr tracing::tree_facts columns_of = tracing::facts_of_tree<arguments_derived>(),
                                       rows_of = tracing::facts_of_tree<typename call::result_symbols>();
  static constexpr bool by_parts = [] {
    if constexpr (may_have_pieces)
      return looked::parts.fits && directions_for_a_part * looked::parts.part_count <= columns_of.directions &&
             looked::parts.piece_count <= most_pieces && is_moderate<table>(looked::parts.part_count);
    else
      return false;
  }();
  static constexpr bool by_component = [] {
    if constexpr (may_have_pieces && !by_parts && Way != compressed::rows)
      return is_moderate<table>(columns_of.directions);
    else
      return false;
  }();
  kept_pattern& kept_;
  kept_memory& memory_;
  index_t dims_[by_component && view.dim_count > 0 ? view.dim_count : 1];

  template <bool Rows>
  void fill_by_colors(value_type* values, A const&... a) {
    compute<std::conditional_t<Rows, value_type, seed>>(kept_, memory_, values, [&](auto const& seeds) {
      results_in_memory<1> out;
      call_in_memory<tracing::directional<I, Rows>, F>(memory_, sizeof(std::conditional_t<Rows, seed, value_type>),
                                                       nullptr, out, a..., seeds);
      return reinterpret_cast<std::conditional_t<Rows, seed, value_type> const*>(out.at[0].p);
    });
  }
  void place_parts(kept_pattern& kept, operand_ref const* arguments, int const* rank, derived_by by,
                   std::int64_t const* integers) {
    if (looked::parts.part_count > most_for_a_color * kept.found.colored.colors) return;
    index_t dims[view.dim_count > 0 ? view.dim_count : 1];
    exec::resolve_exactly(view.dims, arguments, nullptr, dims);
    auto const first_column = first_columns(arguments, rank, count, by);
    kept.by_parts = part_places(view, looked::parts, dims, kept.found.columns)
                        .place(kept.pieces, kept.found, arguments, &first_column[0], integers);
    if (kept.by_parts) kept.found.colored.colors = looked::parts.part_count;
  }
  // Who brings pieces to their places while they are computed.
  struct filling : exec::result_reader {
    piece_list const& list;
    value_type* values;

    static void fill(exec::result_reader const& self, char* const* pieces, index_t first, index_t) {
      auto const& f = static_cast<filling const&>(self);
      value_type const* at[most_pieces];
      for (int k = 0; k < looked::parts.piece_count; ++k) at[k] = reinterpret_cast<value_type const*>(pieces[k]);
      f.list.fill_block(f.values, first / numbers_at_once, at);
    }
  };
  void fill_by_parts(value_type* values, A const&... a) {
    filling by_block{{&filling::fill}, kept_.pieces, values};
    results_in_memory<looked::parts.piece_count> out;
    call_in_memory<tracing::by_parts<I, looked::parts.piece_count>, F>(
        memory_, sizeof(value_type), kept_.pieces.may_be_read_by_block() ? &by_block : nullptr, out, a...);
    if (by_block.has_read)
      kept_.pieces.fill_zeros(values);
    else
      fill_from(values, out);
  }
  template <int N>
  void fill_from(value_type* values, results_in_memory<N> const& pieces) {
    value_type const* at[N];
    for (int k = 0; k < N; ++k)
      at[k] = pieces.size[k] > 0 ? reinterpret_cast<value_type const*>(pieces.at[k].p) : nullptr;
    kept_.pieces.fill(values, at, N);
  }
  void fill_by_component(value_type* values, A const&... a) {
    constexpr int pieces = int(columns_of.directions) * rows_of.pieces;
    results_in_memory<pieces> out;
    call_in_memory<tracing::by_components<I>, F>(memory_, sizeof(value_type), nullptr, out, a...);
    if (!kept_.has_pieces) {
      leaf_of_tree leaves[tracing::most_leaves_by_component];
      place_leaves(leaves, rows_of, [&](int k, int d) {
        return exec::resolve(table::shapes.at[table::ins.at[view.outputs[k]].shape].extent[d], dims_);
      });
      place_directions(kept_.pieces, kept_.found, kept_.by_component, leaves, rows_of.leaves, rows_of.pieces, out.size,
                       pieces);
      kept_.has_pieces = true;
    }
    fill_from(values, out);
  }
};

template <int I, class... A>
constexpr void check_arguments() {
  static_assert(I >= 0 && I < int(sizeof...(A)), "a jacobian names an argument that the function does not have");
  static_assert(tree::memory_of<A...> == expr::host_memory || tree::memory_of<A...> == expr::memory_of_numbers,
                "a sparse jacobian is computed in the host's memory: copy the arguments to ricci::cpu{}");
}
template <int I, compressed Way, class F, class... A>
auto derivatives(kept_pattern& kept, kept_memory& memory, F const&, A const&... a) {
  check_arguments<I, A...>();
  (void)sizeof(tracing::function_without_state<F>);
  if constexpr (tracing::is_stateless<F>) {
    using derivation = sparsity::sparse_derivation<I, Way, F, A...>;
    using T = typename derivation::value_type;
    derivation d(kept, memory, a...);
    ndarray<T, 1> values = uninitialised<T>(kept.found.nonzeros());
    d.fill(values.data(), a...);
    return with_values<T>(kept, static_cast<ndarray<T, 1>&&>(values));
  }
}
template <int I, compressed Way, class T, class F, class... A>
void derivatives_into(sparse_derivatives<T>& j, kept_pattern& kept, kept_memory& memory, F const&, A const&... a) {
  check_arguments<I, A...>();
  using derivation = sparsity::sparse_derivation<I, Way, F, A...>;
  static_assert(std::is_same_v<T, typename derivation::value_type>,
                "into: a sparse jacobian has the element type of its results");
  derivation d(kept, memory, a...);
  if (j.is_of(kept.token) && j.values.size() == kept.found.nonzeros()) {
    d.fill(j.values.data(), a...);
    return;
  }
  ndarray<T, 1> values = uninitialised<T>(kept.found.nonzeros());
  d.fill(values.data(), a...);
  j = with_values<T>(kept, static_cast<ndarray<T, 1>&&>(values));
}

// A function under such a derivative.
template <int I, compressed Way, class F>
struct sparsely_derived {
  F f;

  template <class... A>
  auto operator()(A const&... a) const {
    if constexpr ((tree::has_symbols<A>() || ...)) {
      static_assert(always_false<F>,
                    "a sparse jacobian is no part of a traced function, for its pattern shows when it runs: "
                    "ricci::jacfwd is");
    } else {
      kept_pattern kept;
      kept_memory memory;
      return derivatives<I, Way>(kept, memory, f, tracing::in_memory(a)...);
    }
  }
};
template <int I, compressed Way, class F>
class prepared_sparse {
 public:
  explicit prepared_sparse(F const& f) : f_(f) {}

  template <class... A>
  auto operator()(A const&... a) {
    return derivatives<I, Way>(kept_, memory_, f_, tracing::in_memory(a)...);
  }
  // `jacobian.into(j)(x)`: a matrix that an earlier call gave is written again, of which only the elements are computed
  // and written where the pattern is still the same; else it becomes another one.
  template <class T>
  auto into(sparse_derivatives<T>& j) {
    return [this, &j](auto const&... a) { derivatives_into<I, Way>(j, kept_, memory_, f_, tracing::in_memory(a)...); };
  }

 private:
  [[no_unique_address]] F f_;
  kept_pattern kept_;
  kept_memory memory_;
};

}  // namespace RICCI_ABI
}  // namespace sparsity

// The jacobian of f's result by argument I, the others being constant: rows are the elements of the result in row-major
// order, columns those of the argument; of records, tuples and the like those of all tensors in them. Elements outside
// of its pattern are zero for all values of the arguments of such extents, and of such integers; those in it may be.
// Where it is known which way takes fewer derivatives, `rc::sparse_jacobian<0, rc::compressed::columns>(f)` compiles
// faster.
template <int I = 0, compressed Way = compressed::fewer, class F>
constexpr auto sparse_jacobian(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return sparsity::sparsely_derived<I, Way, F>{f};
}
// The second derivatives of a function whose result is one number, by argument I: the sparse jacobian of its gradient,
// columns of which are computed together as far as symmetry allows (autodiff/star_coloring.hpp). It is symmetric to the
// last digit.
template <int I = 0, class F>
constexpr auto sparse_hessian(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return sparsity::sparsely_derived<I, compressed::by_symmetry, tracing::transformed<tracing::gradient<false, I>, F>>{
      {f}};
}
// `auto j = rc::prepared(rc::sparse_jacobian(f));` keeps the pattern, as long as the extents of the arguments and the
// integers that say which rows are read stay the same, and its memory; it is called by one thread at a time.
template <int I, compressed Way, class F>
auto prepared(sparsity::sparsely_derived<I, Way, F> const& f) {
  return sparsity::prepared_sparse<I, Way, F>(f.f);
}

}  // namespace ricci
