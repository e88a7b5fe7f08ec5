// Star colourings of symmetric patterns: their conditions, and that all elements are found.
#include <doctest/doctest.h>

#include <ricci/ricci.hpp>
#include <set>
#include <utility>
#include <vector>

#include "../raised.hpp"

namespace {

namespace sp = ricci::sparsity;
using ricci::index_t;
using edges = std::vector<std::pair<int, int>>;

sp::incidence rows_of(int n, edges const& pairs) {
  std::vector<std::set<int>> rows{std::size_t(n)};
  for (auto [a, b] : pairs) rows[std::size_t(a)].insert(b);
  sp::incidence g;
  g.starts.push(0);
  for (auto const& row : rows) {
    for (int column : row) g.items.push(column);
    g.starts.push(g.items.size());
    ++g.count;
  }
  return g;
}

// Colours the pattern of those edges (of which the mirrored ones are left out), checks both conditions, and finds the
// elements of a matrix; the numbers of colours by symmetry and without it.
std::pair<index_t, index_t> check(int n, edges const& pairs) {
  sp::pattern const p = sp::star_colored_pattern(rows_of(n, pairs), n);
  auto const& c = p.colored.of;
  auto const& g = p.by_row;
  auto const neighbours = [&](int v) {
    std::vector<int> all;
    for (index_t k = g.starts[v]; k < g.starts[v + 1]; ++k)
      if (g.items[k] != v) all.push_back(g.items[k]);
    return all;
  };
  int alike = 0, paths = 0;
  for (int v = 0; v < n; ++v)
    for (int w : neighbours(v)) {
      alike += c[v] == c[w];
      for (int x : neighbours(w))
        for (int y : neighbours(x)) paths += x != v && y != w && y != v && c[v] == c[x] && c[w] == c[y];
    }
  CHECK(alike == 0);
  CHECK(paths == 0);
  // a symmetric matrix of that pattern, of different numbers; its products with the colors
  auto const number = [](index_t a, index_t b) { return double(1 + (a < b ? a * 1000 + b : b * 1000 + a)); };
  std::vector<double> derivatives(std::size_t(p.colored.colors * n));
  for (index_t row = 0; row < n; ++row)
    for (index_t k = g.starts[row]; k < g.starts[row + 1]; ++k)
      derivatives[std::size_t(c[g.items[k]] * n + row)] += number(row, g.items[k]);
  auto const places = sp::places_by_symmetry(p);
  int wrong = 0;
  for (index_t row = 0; row < n; ++row)
    for (index_t k = g.starts[row]; k < g.starts[row + 1]; ++k)
      wrong += derivatives[std::size_t(places[k])] != number(row, g.items[k]);
  CHECK(wrong == 0);
  return {p.colored.colors, sp::color(g, g).colors};
}
edges with_diagonal(int n, edges pairs) {
  for (int k = 0; k < n; ++k) pairs.push_back({k, k});
  return pairs;
}

}  // namespace

TEST_CASE("arrows, bands, trees, circles") {
  edges arrow, band, tree, circle;
  for (int k = 1; k < 30; ++k) arrow.push_back({0, k}), tree.push_back({(k - 1) / 2, k}), circle.push_back({k - 1, k});
  circle.push_back({29, 0});
  for (int k = 0; k < 30; ++k)
    for (int l = k + 1; l <= k + 3 && l < 30; ++l) band.push_back({k, l});
  CHECK(check(30, with_diagonal(30, arrow)) == std::pair<index_t, index_t>{2, 30});
  CHECK(check(30, arrow).first == 2);  // without a diagonal, too
  CHECK(check(30, with_diagonal(30, tree)).first == 3);
  CHECK(check(30, with_diagonal(30, circle)).first <= 4);
  auto const [symmetric, columns] = check(30, with_diagonal(30, band));
  CHECK((symmetric <= columns && columns == 7));
  CHECK(check(4, {}).first == 0);
  CHECK(check(1, {{0, 0}}).first == 1);
}

TEST_CASE("grids, and patterns by chance") {
  for (int side : {4, 9, 20}) {
    edges grid;
    for (int i = 0; i < side; ++i)
      for (int k = 0; k < side; ++k) {
        if (i + 1 < side) grid.push_back({i * side + k, (i + 1) * side + k});
        if (k + 1 < side) grid.push_back({i * side + k, i * side + k + 1});
      }
    auto const [symmetric, columns] = check(side * side, with_diagonal(side * side, grid));
    MESSAGE("a grid of " << side << " x " << side << ": " << symmetric << " colours, by columns " << columns);
    CHECK(symmetric < columns);
  }
  unsigned state = 1;
  auto const draw = [&](int below) {
    state = state * 1664525u + 1013904223u;
    return int((state >> 8) % unsigned(below));
  };
  for (int n : {7, 25, 60, 120})
    for (int each : {1, 2, 4}) {
      edges pairs;
      for (int k = 0; k < each * n; ++k) pairs.push_back({draw(n), draw(n)});
      auto const [symmetric, columns] = check(n, n % 2 ? pairs : with_diagonal(n, pairs));
      MESSAGE(n << " columns, " << each << " elements in each: " << symmetric << " colours, by columns " << columns);
      CHECK(symmetric <= columns);
    }
}

TEST_CASE("a pattern that is not square") {
  CHECK(raised([] {
          sp::star_colored_pattern(rows_of(3, {{0, 1}}), 4);
        }) == "value_error: sparse_jacobian: a symmetric matrix has as many rows as columns, not 3 and 4");
}
