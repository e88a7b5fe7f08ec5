// Derivatives in reverse mode that are known while compiling: by each part that the result of a function is put
// together from, in which every element depends on elements of its own. They are taken of what the function *reads*:
// elements of the argument where it has taken, sliced or permuted them, and computes with them. Where a function names
// rows, many of its results depend on one row of the argument, but on what was read each depends alone; so that one
// derivative has all elements of a jacobian in the rows of a part. Of few results by many numbers, as the errors of an
// observation by a camera and a point, it is a few derivatives where directions (autodiff/components.hpp) are many, and
// what signs alone tell apart, as places seen from one another, is computed once.
//
//   (a, b) = stack(w * x * s, w * y * s), x and y from rows of points, s from rows of cameras: two parts
#pragma once

#include <ricci/autodiff/components.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// What a function reads and the parts that its results are put together from, as ids of a graph.
struct function_parts {
  static constexpr int most_reads = 64, most = 16;
  struct result {
    int first, count, axis;  // parts that follow one another along an axis; -1: it is one part
  };
  int reads[most_reads], parts[most];
  int read_count, part_count;
  // the number of a part's derivative by what is read; -1: it does not depend on that
  short piece[most][most_reads];
  int piece_count;
  result results[most_leaves_by_component];
  bool fits;  // whether there are few enough, and all elements may depend on elements of their own
};

// Whether an instruction does nothing but choose and order elements of its first operand.
template <class G>
constexpr bool moves_elements(G const& g, int id) {
  auto const kind = g.ins[id].op->kind;
  return kind == ir::op_kind::view || kind == ir::op_kind::reshape || kind == ir::op_kind::index;
}

template <class G>
class part_finder {
 public:
  constexpr part_finder(G const& g, function_parts& to) : g_(g), to_(to) {}

  // by variables `wrt`; outs: the results
  constexpr void find(ir::span<int> wrt, ir::span<int> outs) {
    to_.fits = outs.size <= most_leaves_by_component;
    if (!to_.fits) return;
    bool needed[ir::capacity]{}, moved[ir::capacity]{};
    transform::mark_needed(g_, 1, outs, needed);
    for (int k = 0; k < outs.size; ++k) find_parts(outs.data[k], k);
    for (int k = 0; k < wrt.size; ++k) moved[wrt.data[k]] = true;
    note_computed(needed);
    for (int id = 1; id < g_.size && to_.fits; ++id) {
      if (!needed[id]) continue;
      if (!moved[id] && moves_elements(g_, id)) moved[id] = moved[g_.in(id, 0)] && !computed_[g_.in(id, 0)];
      if (moved[id] && computed_[id])
        add_read(id);
      else if (!moved[id])
        look_at(id);
    }
    to_.fits = to_.fits && to_.read_count > 0;
    for (int k = 0; k < to_.part_count && to_.fits; ++k) number_pieces(k);
  }

 private:
  G const& g_;
  function_parts& to_;
  bool computed_[ir::capacity]{};  // something is computed with it
  bool depends_[ir::capacity]{};   // on what is read

  constexpr void find_parts(int id, int result) {
    bool const is_joined = ir::same_operation(g_.ins[id].op, ir::facts_of<concat_t>());
    int const count = is_joined ? g_.ins[id].count : 1;
    to_.results[result] = {to_.part_count, count, is_joined ? int(g_.attr(id, 0)) : -1};
    for (int k = 0; k < count && to_.fits; ++k) {
      to_.fits = to_.part_count < function_parts::most;
      if (to_.fits) computed_[to_.parts[to_.part_count++] = without_reshapes(is_joined ? g_.in(id, k) : id)] = true;
    }
  }
  constexpr void number_pieces(int part) {
    bool needed[ir::capacity]{};
    transform::mark_needed(g_, 1, {&to_.parts[part], 1}, needed);
    for (int r = 0; r < to_.read_count; ++r)
      to_.piece[part][r] = static_cast<short>(needed[to_.reads[r]] ? to_.piece_count++ : -1);
  }
  // the same elements in the same order
  constexpr int without_reshapes(int id) const {
    while (g_.ins[id].op->kind == ir::op_kind::reshape) id = g_.in(id, 0);
    return id;
  }
  constexpr void note_computed(bool const* needed) {
    for (int id = 1; id < g_.size; ++id)
      for (int k = moves_elements(g_, id); needed[id] && k < g_.ins[id].count; ++k) computed_[g_.in(id, k)] = true;
  }
  constexpr void add_read(int id) {
    depends_[id] = true;
    to_.fits = to_.read_count < function_parts::most_reads && g_.ins[id].scope == 0;
    if (to_.fits) to_.reads[to_.read_count++] = id;
  }
  constexpr void look_at(int id) {
    bool depends = false;
    for (int k = 0; k < g_.ins[id].count; ++k) depends = depends || depends_[g_.in(id, k)];
    depends_[id] = depends;
    if (depends || g_.ins[id].scope != 0) to_.fits = g_.ins[id].scope == 0 && keeps_apart(id);
  }
  // whether an element of the operand goes into one element of the result, as far as that may be seen here
  constexpr bool keeps_apart(int id) const {
    using enum ir::op_kind;
    switch (g_.ins[id].op->kind) {
      case elementwise:
      case reshape:
      case reduce:
      case assemble:
        return true;
      case view:
        return !ir::same_operation(g_.ins[id].op, ir::facts_of<broadcast_to_t>()) || may_be_equal(id);
      case alias:
        return g_.ins[id].count == 1;
      case argument:
      case literal:
      case number:
      case table:
      case contract:
      case index:
      case scatter:
      case call:
      case part:
      case region:
      case carry:
      case next:
      case yield:
      case loop:
        return false;
    }
    __builtin_unreachable();
  }
  // whether a value that is broadcast may turn out to have that shape already
  constexpr bool may_be_equal(int id) const {
    shape_t const &from = g_.shape(g_.in(id, 0)), &to = g_.shape(id);
    bool may = from.rank == to.rank;
    for (int k = 0; k < from.rank && may; ++k) {
      index_t const a = ir::find(g_, from.extent[k]), b = ir::find(g_, to.extent[k]);
      may = a == b || ir::is_symbolic(a) || (ir::is_symbolic(b) && a != 1);
    }
    return may;
  }
};
// The parts that outs, the results, fall into as functions of wrt, the variables; both are ids in g.
template <class G>
constexpr function_parts parts_of(G const& g, ir::span<int> wrt, ir::span<int> outs) {
  function_parts p{};
  part_finder<G>(g, p).find(wrt, outs);
  return p;
}

// The derivatives of each part by each value that is read on which it depends, as vectors.
template <int I, int Pieces>
struct by_parts {
  template <class F, class... S>
  static constexpr auto apply(F const& f, S const&... s) {
    using Mode = mode_t<S...>;
    auto& g = graph_in<Mode>(s...);
    int const begin = g.size;
    auto const [variables, y] = stable_function<I>::apply(f, s...);
    using T = element_of_tree_t<std::remove_const_t<decltype(y)>>;
    leaf_ids outs, wrt;
    collect<Mode>(g, y, outs);
    collect<Mode>(g, variables, wrt);
    function_parts const p = parts_of(g, wrt.all(), outs.all());
    int pieces[Pieces]{};
    for (int k = 0; k < p.part_count; ++k) {
      int results[function_parts::most_reads]{};
      int const one = ir::full_like(ir::value<Mode>{&g, p.parts[k]}, 1).id;
      transform::reverse<Mode>(g, begin, {&p.parts[k], 1}, {&one, 1}, {p.reads, p.read_count}, results);
      for (int r = 0; r < p.read_count; ++r) {
        if (p.piece[k][r] < 0) continue;
        ir::value<Mode> const x{&g, results[r]};
        bool const is_zero = !x || ir::is_literal(g, x.id, 0);
        pieces[p.piece[k][r]] = (is_zero ? empty_piece<T, Mode>(g) : ir::flattened(ir::cast(x, dtype_of<T>))).id;
      }
    }
    return vectors_of<T, Mode, Pieces>(g, pieces);
  }
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
