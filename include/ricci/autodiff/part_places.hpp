// Where the elements of a sparse jacobian are found among derivatives of parts by what a function reads
// (autodiff/parts.hpp), for extents and indices that are known now; or that they are not all there.
#pragma once

#include <ricci/autodiff/parts.hpp>
#include <ricci/autodiff/pieces.hpp>
#include <ricci/autodiff/sparsity.hpp>

RICCI_OPTIMIZED
namespace ricci::sparsity {
inline namespace RICCI_ABI {

class part_places {
 public:
  // dims: those of the graph, which are known
  part_places(graph_view const& g, tracing::function_parts const& f, index_t const* dims, index_t columns)
      : g_(g), f_(f), dims_(dims), columns_(columns), all_columns_(columns) {
    for (int k = 0; k < f.read_count; ++k) {
      reads_[k] = {f.reads[k], all_columns_, size_of(shape(f.reads[k]))};
      all_columns_ += reads_[k].size;
    }
  }
  // Notes where each element of a pattern comes from. False where two elements of a part depend on one of what is read,
  // so that their derivatives are added up.
  bool place(piece_list& to, pattern const& p, operand_ref const* arguments, index_t const* first_column,
             std::int64_t const* integers) {
    search const s(g_, arguments, first_column, all_columns_, integers, {reads_, f_.read_count});
    core::owned_array<int> read_of(all_columns_ - columns_), part_of(all_columns_ - columns_);
    for (int k = 0; k < f_.read_count; ++k)
      for (index_t e = 0; e < reads_[k].size; ++e) read_of[reads_[k].first_column - columns_ + e] = k;
    core::owned_array<index_t> place_of(columns_);   // 1 + the element of a column in this row
    core::owned_array<bool> is_there(p.nonzeros());  // whether an element has come from somewhere
    to.begin(f_.piece_count);
    index_t row = 0;
    bool fits = true;
    for_each_place([&](int part, index_t place) {
      index_t const begin = p.by_row.starts[row], end = p.by_row.starts[++row];
      if (!fits) return;
      for (index_t k = begin; k < end; ++k) place_of[p.by_row.items[k]] = k + 1;
      int const set = s.sets_at(f_.parts[part])[place];
      for (index_t k = 0; k < s.sets().count(set); ++k) {
        index_t const c = s.sets().members(set)[k] - columns_;
        if (c < 0 || part_of[c] == part + 1) return void(fits = false);
        part_of[c] = part + 1;
        int const read = read_of[c];
        index_t const e = c + columns_ - reads_[read].first_column;
        int const from = s.sets_of_read(read)[e];
        if (s.sets().count(from) != 1) return void(fits = false);
        index_t const at = place_of[*s.sets().members(from)] - 1;
        int const piece = f_.piece[part][read];
        if (at < begin || at >= end || piece < 0) return void(fits = false);
        if (is_there[at])
          to.add_more(piece, e, at);
        else
          to.add(piece, e, at);
        is_there[at] = true;
      }
      for (index_t k = begin; k < end; ++k)
        if (!is_there[k]) to.add_zero(k);
    });
    to.end();
    return fits;
  }

 private:
  graph_view const& g_;
  tracing::function_parts const& f_;
  index_t const* dims_;
  index_t columns_, all_columns_;
  read_value reads_[tracing::function_parts::most_reads];

  shape_t shape(int id) const {
    shape_t s = g_.dims.shapes[g_.ins[id].shape];
    for (int k = 0; k < s.rank; ++k) s.extent[k] = exec::resolve(s.extent[k], dims_);
    return s;
  }
  // f(part, place) for each element of the results, in order
  template <class F>
  void for_each_place(F const& f) const {
    for (int k = 0; k < g_.output_count; ++k) {
      auto const& r = f_.results[k];
      int const id = g_.outputs[k];
      shape_t const whole = shape(id);
      index_t outer = 1, inner = 1;
      for (int d = 0; d < whole.rank; ++d)
        if (d < r.axis)
          outer *= whole.extent[d];
        else if (d > r.axis)
          inner *= whole.extent[d];
      for (index_t o = 0; o < outer; ++o)
        for (int part = 0; part < r.count; ++part) {
          index_t const each = (r.axis < 0 ? 1 : shape(g_.in(id, part)).extent[r.axis]) * inner;
          for (index_t e = 0; e < each; ++e) f(r.first + part, o * each + e);
        }
    }
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::sparsity
RICCI_OPTIMIZED_END
