// The pattern of a sparse jacobian, as it is kept from one call to the next: it is found again where extents, or
// integers that say which rows are read, have changed.
#pragma once

#include <ricci/autodiff/pieces.hpp>
#include <ricci/autodiff/sparsity.hpp>
#include <ricci/autodiff/star_coloring.hpp>

namespace ricci::sparsity {
inline namespace RICCI_ABI {

// A pattern, and what it was found for: a graph, the extents of all arguments, and the integers that were looked at.
struct kept_pattern {
  pattern found;
  entry const* of = nullptr;
  list<index_t> given;
  core::shared_buffer token;  // one for each pattern, by which matrices are known that have it
  // where derivatives by component are enough (autodiff/components.hpp), or those of parts (autodiff/parts.hpp)
  directions by_component;
  bool by_parts = false;
  piece_list pieces;
  bool has_pieces = false;
  list<index_t> by_symmetry;  // where elements of a symmetric matrix are found; empty for others
  // where all colors are computed at once, their seeds are kept
  bool has_seeds = false;

  // of those extents, and of n integers
  bool is_for(graph_view const& g, list<index_t> const& extents, std::int64_t const* integers, index_t n) const {
    index_t const m = extents.size();
    bool same = of == g.ins && m + n == given.size();
    for (index_t k = 0; same && k < m; ++k) same = extents[k] == given[k];
    for (index_t k = 0; same && k < n; ++k) same = integers[k] == given[m + k];
    return same;
  }
};

// argument `first` and those behind it, `count` of them, are what is derived by
struct derived_by {
  int first, count;
};
// The first column of each argument, -1 where it is constant; the last of these numbers is how many there are.
inline core::owned_array<index_t> first_columns(operand_ref const* arguments, int const* rank, int number_of_arguments,
                                                derived_by by) {
  core::owned_array<index_t> first(number_of_arguments + 1);
  index_t& columns = first[number_of_arguments];
  for (int k = 0; k < number_of_arguments; ++k) {
    bool const derived = k >= by.first && k < by.first + by.count;
    first[k] = derived ? columns : -1;
    index_t n = derived;
    for (int d = 0; d < rank[k]; ++d) n *= arguments[k].extents[d];
    columns += n;
  }
  return first;
}
// Finds the pattern again if extents or integers have changed since the last call; returns whether it did. rank[k]: the
// order of argument k.
inline bool update(kept_pattern& kept, graph_view const& g, operand_ref const* arguments, int const* rank,
                   int number_of_arguments, derived_by by, std::int64_t const* integers, index_t number_of_integers,
                   compressed way) {
  list<index_t> given;
  for (int k = 0; k < number_of_arguments; ++k)
    for (int d = 0; d < rank[k]; ++d) given.push(arguments[k].extents[d]);
  if (kept.is_for(g, given, integers, number_of_integers)) return false;
  for (index_t k = 0; k < number_of_integers; ++k) given.push(integers[k]);
  core::owned_array<index_t> const first_column = first_columns(arguments, rank, number_of_arguments, by);
  index_t const columns = first_column[number_of_arguments];
  search const s(g, arguments, &first_column[0], columns, integers);
  incidence rows;
  rows.starts.push(0);
  s.for_each_row([&](int set) {
    for (index_t k = 0; k < s.sets().count(set); ++k) rows.items.push(s.sets().members(set)[k]);
    rows.starts.push(rows.items.size());
    ++rows.count;
  });
  kept.of = nullptr;
  kept.by_symmetry.shrink(0);
  if (way == compressed::by_symmetry) {
    kept.found = star_colored_pattern(rows, columns);
    kept.by_symmetry = places_by_symmetry(kept.found);
  } else {
    kept.found = colored_pattern(rows, columns, way);
  }
  kept.by_component.is_enough = kept.by_parts = kept.has_pieces = kept.has_seeds = false;
  kept.of = g.ins;
  kept.given = static_cast<list<index_t>&&>(given);
  kept.token = core::shared_buffer(1);
  return true;
}

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
