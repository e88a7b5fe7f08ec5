// What the interpreter moves: elements to where a map says, rows that indices name. Nothing here depends on the
// operation, so there is one loop for each element type and not one for each operation, too. (Templates, so that they
// are instantiated where something is interpreted.)
#pragma once

#include <ricci/core/raise_index.hpp>
#include <ricci/core/scalar.hpp>
#include <ricci/exec/interpret/call.hpp>

namespace ricci::ir {
inline namespace RICCI_ABI {

// memory for the elements of an instruction
template <class G>
constexpr void allocate_elements(G& g, int id) {
  with_type(g.ins[id].type, [&](auto x) { g.template allocate<decltype(x)>(id); });
}

// Element n of a tensor of that shape goes together with the one of `of` that the map makes of its coordinates: the
// value `to`, which is there, has the first from the second of `from`, or, `into` it, the second from the first.
template <class G>
constexpr void move_elements(G& g, int to, int from, affine_map const& map, bool into) {
  shape_t const shape = g.shape(into ? from : to), of = g.shape(into ? to : from);
  strides_of_shape const s(of);
  index_t offset = 0, stride[max_rank]{};
  for (int k = 0; k < of.rank; ++k) offset += map.start[k] * s.stride[k];
  for (int k = 0; k < map.count; ++k) stride[map.terms[k].with] += map.terms[k].step * s.stride[map.terms[k].of];
  with_type(g.ins[to].type, [&](auto element) {
    using T = decltype(element);
    T* const y = g.value(to).template of<T>();
    T const* const x = g.template elements<T>(from);
    counter at{shape};
    index_t const n = size_of(shape);
    for (index_t k = 0; k < n; ++k, at.next()) {
      index_t const i = offset + at.offset(stride);
      if (into)
        y[i] = x[k];
      else
        y[k] = x[i];
    }
  });
}

enum class rows_are : std::uint8_t { taken, written, added };

// The rows of `whole` along an axis that the indices name: to the value `to` from `whole`, or, `to` being `whole`, over
// its rows or onto them from `rows`. `own`: indices for every combination of coordinates before the axis.
template <class G>
constexpr void move_rows(G& g, char const* name, int to, int whole, int indices, int rows, int axis, bool own,
                         rows_are how) {
  std::int64_t const* named = g.template elements<std::int64_t>(indices);
  index_t outer = 1, inner = 1, count = size_of(g.shape(indices)), choices = g.shape(whole).extent[axis];
  for (int k = 0; k < g.shape(whole).rank; ++k)
    if (k != axis) (k < axis ? outer : inner) *= g.shape(whole).extent[k];
  // all of them, also where there are no rows to read or write
  for (index_t k = 0; k < count; ++k)
    if (named[k] < -choices || named[k] >= choices) core::raise_index(name, named[k], choices);
  if (own && outer > 0) count /= outer;
  with_type(g.ins[to].type, [&](auto element) {
    using T = decltype(element);
    T* const y = g.value(to).template of<T>();
    T const* const x = g.template elements<T>(rows);
    if (how != rows_are::taken) {
      T const* const base = g.template elements<T>(whole);
      index_t const n = size_of(g.shape(whole));
      for (index_t k = 0; k < n; ++k) y[k] = base[k];
    }
    for (index_t o = 0; o < outer; ++o)
      for (index_t r = 0; r < count; ++r) {
        index_t const i = named[own ? o * count + r : r], row = i < 0 ? i + choices : i;
        for (index_t k = 0; k < inner; ++k) {
          index_t const in_whole = (o * choices + row) * inner + k, in_rows = (o * count + r) * inner + k;
          if (how == rows_are::taken)
            y[in_rows] = x[in_whole];
          else
            y[in_whole] = how == rows_are::added ? static_cast<T>(scalar::add(y[in_whole], x[in_rows])) : x[in_rows];
        }
      }
  });
}

}  // namespace RICCI_ABI
}  // namespace ricci::ir
