// Jacobians and hessians of which most elements are zero: `rc::sparse_jacobian(f)(x)`, `rc::sparse_hessian(f)(x)`.
//
//   auto chain = [](auto x) { return x(rc::range(1, rc::end)) * x(rc::range(0, -1)); };
//   auto j = rc::sparse_jacobian(chain)(rc::arange<double>(0, 1000));   // 999 x 1000: two colors, 1998 elements
//
// Where they may differ from zero follows from the operations that f recorded (autodiff/sparsity.hpp); columns that
// share no row, or rows that share no column, are computed together (autodiff/coloring.hpp), all in one batch of jvp or
// vjp. `rc::prepared` keeps pattern and memory from one call to the next.
#pragma once

#include <ricci/autodiff/coloring.hpp>
#include <ricci/autodiff/compression.hpp>
#include <ricci/autodiff/functions.hpp>
#include <ricci/autodiff/sparsity.hpp>
#include <ricci/tensor/sparse_matrix.hpp>

namespace ricci {

// With the number of colors, that is of derivatives in one direction which it took to compute.
template <class T>
struct sparse_derivatives : sparse_matrix<T> {
  index_t colors;

  sparse_derivatives(sparse_matrix<T>&& elements, index_t number_of_colors)
      : sparse_matrix<T>(static_cast<sparse_matrix<T>&&>(elements)), colors(number_of_colors) {}
};

namespace sparsity {
inline namespace RICCI_ABI {

// A pattern, and what it was found for: a graph, the extents of all arguments, and the integers that were looked at.
struct kept_pattern {
  pattern found;
  entry const* of = nullptr;
  list<index_t> given;

  bool is_for(graph_view const& g, list<index_t> const& now) const {
    bool same = of == g.ins && now.size() == given.size();
    for (index_t k = 0; same && k < now.size(); ++k) same = now[k] == given[k];
    return same;
  }
};

// argument `first` and those behind it, `count` of them, are what is derived by
struct derived_by {
  int first, count;
};
// rank[k]: that of argument k
inline void update(kept_pattern& kept, graph_view const& g, operand_ref const* arguments, int const* rank,
                   int number_of_arguments, derived_by by, std::int64_t const* integers, index_t number_of_integers,
                   compressed way) {
  list<index_t> given;
  core::owned_array<index_t> first_column(number_of_arguments);
  index_t columns = 0;
  for (int k = 0; k < number_of_arguments; ++k) {
    index_t n = 1;
    for (int d = 0; d < rank[k]; ++d) {
      given.push(arguments[k].extents[d]);
      n *= arguments[k].extents[d];
    }
    bool const derived = k >= by.first && k < by.first + by.count;
    first_column[k] = derived ? columns : -1;
    if (derived) columns += n;
  }
  for (index_t k = 0; k < number_of_integers; ++k) given.push(integers[k]);
  if (kept.is_for(g, given)) return;
  search const s(g, arguments, &first_column[0], columns, integers);
  incidence rows;
  rows.starts.push(0);
  s.for_each_row([&](int set) {
    for (index_t k = 0; k < s.sets().count(set); ++k) rows.items.push(s.sets().members(set)[k]);
    rows.starts.push(rows.items.size());
    ++rows.count;
  });
  kept.found = colored_pattern(rows, columns, way);
  kept.of = g.ins;
  kept.given = static_cast<list<index_t>&&>(given);
}

// so many bytes of seeds and derivatives at a time
inline constexpr index_t block_bytes = index_t(1) << 26;

template <class T>
sparse_derivatives<T> with_values(pattern const& p, ndarray<T, 1>&& values) {
  using positions = typename sparse_matrix<T>::positions;
  positions starts(p.rows() + 1), columns(p.nonzeros());
  for (index_t k = 0; k <= p.rows(); ++k) starts.data()[k] = p.by_row.starts[k];
  for (index_t k = 0; k < p.nonzeros(); ++k) columns.data()[k] = p.by_row.items[k];
  return {sparse_matrix<T>(p.rows(), p.columns, static_cast<positions&&>(starts), static_cast<positions&&>(columns),
                           static_cast<ndarray<T, 1>&&>(values)),
          p.colored.colors};
}

// The elements: derive(seeds) are those in the direction of each row of seeds, for some colours at a time.
template <class Seed, class T, class Derive>
void compute(pattern const& p, T* values, Derive const& derive) {
  index_t const seeds_each = p.compresses_rows ? p.rows() : p.columns,
                results_each = p.compresses_rows ? p.columns : p.rows();
  if (p.colored.colors == 0) return;
  index_t const bytes = seeds_each * index_t(sizeof(Seed)) + results_each * index_t(sizeof(T));
  index_t const most = bytes < block_bytes ? block_bytes / bytes : 1;
  for (index_t first = 0; first < p.colored.colors; first += most) {
    index_t const count = p.colored.colors - first < most ? p.colored.colors - first : most;
    ndarray<Seed, 2> seeds(count, seeds_each);
    for (index_t k = 0; k < seeds_each; ++k) {
      index_t const color = p.colored.of[k] - first;
      if (color >= 0 && color < count) seeds.data()[color * seeds_each + k] = Seed(1);
    }
    auto const derivatives = derive(seeds);
    for (index_t row = 0; row < p.rows(); ++row)
      for (index_t k = p.by_row.starts[row]; k < p.by_row.starts[row + 1]; ++k) {
        index_t const column = p.by_row.items[k];
        index_t const color = p.colored.of[p.compresses_rows ? row : column] - first;
        if (color >= 0 && color < count)
          values[k] = static_cast<T>(derivatives.data()[color * results_each + (p.compresses_rows ? column : row)]);
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

template <int I, compressed Way, class F, class... A>
auto derivatives(kept_pattern& kept, core::shared_buffer* workspace, F const& f, A const&... a) {
  static_assert(I >= 0 && I < int(sizeof...(A)), "a jacobian names an argument that the function does not have");
  static_assert(tree::memory_of<A...> == expr::host_memory || tree::memory_of<A...> == expr::memory_of_numbers,
                "a sparse jacobian is computed in the host's memory: copy the arguments to ricci::cpu{}");
  (void)sizeof(tracing::function_without_state<F>);
  if constexpr (tracing::is_stateless<F>) {
    using call = tracing::traced_call<tracing::call_itself, F, A...>;
    using Seed = typename argument_of_jacobian<std::tuple_element_t<I, std::tuple<A...>>>::type;
    using T = typename argument_of_jacobian<typename call::result_symbols>::type;
    using table = graph_table<call>;
    constexpr int count = (tree::count_leaves<A>() + ... + 0);
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
    constexpr graph_view view = table::view();
    if constexpr (table::found.wanted_count > 0) {
      auto const integers = tracing::transformed<tracing::wanted_integers, F>{f}(a...);
      update(kept, view, b.refs, rank, count, by, integers.data(), integers.size(), Way);
    } else {
      update(kept, view, b.refs, rank, count, by, nullptr, 0, Way);
    }
    pattern const& p = kept.found;
    ndarray<T, 1> values(p.nonzeros());
    auto const along = [&]<bool Rows>(std::bool_constant<Rows>) {
      compute<std::conditional_t<Rows, T, Seed>>(p, values.data(), [&](auto const& seeds) {
        return tracing::transformed<tracing::directional<I, Rows>, F>::compiled(workspace, a..., seeds);
      });
    };
    if constexpr (Way == compressed::fewer) {
      if (p.compresses_rows)
        along(std::true_type{});
      else
        along(std::false_type{});
    } else {
      along(std::bool_constant<Way == compressed::rows>{});
    }
    return with_values<T>(p, static_cast<ndarray<T, 1>&&>(values));
  }
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
      return derivatives<I, Way>(kept, nullptr, f, tracing::in_memory(a)...);
    }
  }
};
template <int I, compressed Way, class F>
class prepared_sparse {
 public:
  explicit prepared_sparse(F const& f) : f_(f) {}

  template <class... A>
  auto operator()(A const&... a) {
    return derivatives<I, Way>(kept_, &workspace_, f_, tracing::in_memory(a)...);
  }

 private:
  [[no_unique_address]] F f_;
  kept_pattern kept_;
  core::shared_buffer workspace_;
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
// columns of which are computed together (though it is symmetric, which would allow for fewer colors).
template <int I = 0, class F>
constexpr auto sparse_hessian(F const& f) {
  (void)sizeof(tracing::function_of_symbols<F>);
  return sparsity::sparsely_derived<I, compressed::columns, tracing::transformed<tracing::gradient<false, I>, F>>{{f}};
}
// `auto j = rc::prepared(rc::sparse_jacobian(f));` keeps the pattern, as long as the extents of the arguments and the
// integers that say which rows are read stay the same, and its memory; it is called by one thread at a time.
template <int I, compressed Way, class F>
auto prepared(sparsity::sparsely_derived<I, Way, F> const& f) {
  return sparsity::prepared_sparse<I, Way, F>(f.f);
}

}  // namespace ricci
