// Forward mode in directions that are known while compiling: 1 at one place along some axes of an argument, 0 at all
// others, as "the third column of every row". What views and the like make of such a tangent is known, too; so slices
// of it become ones, which simplification drops, or nothing at all.
#pragma once

#include <ricci/transform/forward.hpp>
#include <ricci/transform/simplify.hpp>

namespace ricci::transform {

// A tensor that is `number` where its coordinates axis[k] are at[k], for all k, and zero elsewhere; without axes, the
// same number everywhere.
struct known_tensor {
  static constexpr int most_axes = 3;
  bool is_known = false;
  double number = 0;
  int axes = 0;
  int axis[most_axes]{};
  index_t at[most_axes]{};

  static constexpr known_tensor uniform(double x) {
    known_tensor t{};
    t.is_known = true, t.number = x;
    return t;
  }
  constexpr bool is_uniform() const { return is_known && axes == 0; }
  // only where coordinate a is p
  constexpr known_tensor where(int a, index_t p) const {
    known_tensor t = *this;
    for (int k = 0; k < axes; ++k)
      if (axis[k] == a) return at[k] == p ? t : uniform(0);
    if (axes == most_axes) return {};
    t.axis[axes] = a, t.at[axes] = p;
    ++t.axes;
    return t;
  }
};

// What is known of the values of a graph.
template <class Mode>
class known_tensors {
 public:
  using G = typename Mode::graph;

  // values before `end` are looked at only where they are literals
  constexpr known_tensors(G& g, int end) : g_(g), noted_(end) {}

  constexpr void set(int id, known_tensor const& t) {
    note();
    if (count_ < most && t.is_known && t.axes > 0) kept_[count_] = t, of_[id] = static_cast<short>(++count_);
  }
  constexpr known_tensor operator()(int id) const {
    if (ir::is_literal(g_, id)) return known_tensor::uniform(ir::literal_number(g_, id));
    return of_[id] > 0 ? kept_[of_[id] - 1] : known_tensor{};
  }
  // Looks at what has been recorded since the last time.
  constexpr void note() {
    for (; noted_ < g_.size; ++noted_) {
      if (g_.ins[noted_].scope != g_.scope || g_.ins[noted_].count == 0) continue;
      known_tensor const t = made_of_known(noted_);
      if (t.is_known && count_ < most) kept_[count_] = t, of_[noted_] = static_cast<short>(++count_);
    }
  }
  // What stands for a value: 0 for zeros, a literal where all elements are one number.
  constexpr int replaced(int id) {
    if (id == 0) return 0;
    note();
    known_tensor const t = (*this)(id);
    if (!t.is_uniform()) {
      bool has_literal = false;
      for (int k = 0; k < g_.ins[id].count; ++k) has_literal = has_literal || ir::is_literal(g_, g_.in(id, k));
      return has_literal ? rewritten<Mode, level::stable>(g_, id) : id;
    }
    return t.number == 0 ? 0 : ir::full_like(ir::value<Mode>{&g_, id}, t.number).id;
  }

 private:
  static constexpr int most = 1024;  // what is more counts for unknown
  G& g_;
  int noted_, count_ = 0;
  known_tensor kept_[most]{};
  short of_[ir::capacity]{};  // 1 + the number of what is kept

  constexpr known_tensor in(int id, int k) const { return (*this)(g_.in(id, k)); }
  constexpr index_t extent(int id, int k) const { return ir::find(g_, g_.shape(id).extent[k]); }

  constexpr known_tensor made_of_known(int id) const {
    using enum ir::op_kind;
    switch (g_.ins[id].op->kind) {
      case view:
        return in(id, 0).is_known ? seen(id, in(id, 0)) : known_tensor{};
      case reshape:
        return in(id, 0).is_known ? relabelled(id, in(id, 0)) : known_tensor{};
      case index:
        return in(id, 0).is_known ? taken(id, in(id, 0)) : known_tensor{};
      case assemble:
        return joined(id);
      case alias:
        return in(id, 0);
      case elementwise:
        return computed(id);
      case argument:
      case literal:
      case number:
      case table:
      case reduce:
      case contract:
      case scatter:
      case call:
      case part:
      case region:
      case carry:
      case next:
      case yield:
      case loop:
        return {};
    }
    __builtin_unreachable();
  }
  constexpr known_tensor seen(int id, known_tensor const& x) const {
    affine_map const map = ir::map_of(g_, id);
    known_tensor y = known_tensor::uniform(x.number);
    for (int k = 0; k < x.axes; ++k) {
      int const axis = x.axis[k];
      int with = -1, terms = 0;
      index_t step = 0;
      for (int i = 0; i < map.count; ++i)
        if (map.terms[i].of == axis) with = map.terms[i].with, step = map.terms[i].step, ++terms;
      if (terms > 1 || (map.broadcast >> axis & 1) || ir::is_symbolic(map.start[axis])) return {};
      index_t const rest = x.at[k] - map.start[axis];
      if (terms == 0) {
        if (rest != 0) return known_tensor::uniform(0);
        continue;
      }
      index_t const n = extent(id, with);
      if (ir::is_symbolic(step) || ir::is_symbolic(n) || step == 0) return {};
      if (rest % step != 0 || rest / step < 0 || rest / step >= n) return known_tensor::uniform(0);
      y = y.where(with, rest / step);
      if (y.axes == 0) return y;
    }
    return y;
  }
  // axes of extent 1 may come and go
  constexpr known_tensor relabelled(int id, known_tensor const& x) const {
    int const of = g_.in(id, 0), from = g_.shape(of).rank, to = g_.shape(id).rank;
    known_tensor y = known_tensor::uniform(x.number);
    if (x.axes == 0) return y;
    for (int a = 0, b = 0; a < from || b < to;) {
      if (b < to && extent(id, b) == 1) {
        ++b;
        continue;
      }
      if (a < from && extent(of, a) == 1) {
        ++a;
        continue;
      }
      if (a == from || b == to || extent(of, a) != extent(id, b)) return {};
      for (int k = 0; k < x.axes; ++k)
        if (x.axis[k] == a) y = y.where(b, x.at[k]);
      ++a, ++b;
    }
    return y;
  }
  // rows along an axis along which they are all alike
  constexpr known_tensor taken(int id, known_tensor const& x) const {
    int const axis = int(g_.attr(id, 0)), more = g_.shape(g_.in(id, 1)).rank - 1;
    known_tensor y = x;
    if (x.axes > 0 && g_.attr(id, 1) != 0) return {};
    for (int k = 0; k < x.axes; ++k) {
      if (x.axis[k] == axis) return {};
      if (x.axis[k] > axis) y.axis[k] += more;
    }
    return y;
  }
  // one part among zeros
  constexpr known_tensor joined(int id) const {
    if (!ir::same_operation(g_.ins[id].op, ir::facts_of<concat_t>())) return {};
    int const axis = int(g_.attr(id, 0));
    int some = -1;
    index_t before = 0, start = 0;
    for (int k = 0; k < g_.ins[id].count; ++k) {
      known_tensor const x = in(id, k);
      if (!x.is_known || ir::is_symbolic(before)) return {};
      if (!x.is_uniform() || x.number != 0) {
        if (some >= 0) return {};
        some = k, start = before;
      }
      index_t const n = extent(g_.in(id, k), axis);
      before = ir::is_symbolic(n) ? n : before + n;
    }
    if (some < 0) return known_tensor::uniform(0);
    known_tensor x = in(id, some);
    for (int k = 0; k < x.axes; ++k)
      if (x.axis[k] == axis) {
        x.at[k] += start;
        return x;
      }
    return extent(g_.in(id, some), axis) == 1 ? x.where(axis, start) : known_tensor{};
  }
  constexpr known_tensor computed(int id) const {
    auto const* op = g_.ins[id].op;
    known_tensor x = in(id, 0);
    if (ir::same_operation(op, ir::facts_of<negative_t>())) {
      x.number = -x.number;
      return x;
    }
    if (!ir::same_operation(op, ir::facts_of<multiply_t>())) return {};
    known_tensor const y = in(id, 1);
    if (!x.is_known || !y.is_known || (x.axes > 0 && y.axes > 0)) return {};
    known_tensor z = x.axes > 0 ? x : y;
    z.number = x.number * y.number;
    return z;
  }
};

// The tangents of `outputs` in a direction that is known: seeds[k] is that of wrt[k], or 0. As transform::forward.
template <class Mode>
constexpr void forward_of_known(typename Mode::graph& g, int begin, int end, known_tensors<Mode>& known,
                                ir::span<int> wrt, int const* seeds, ir::span<int> outputs, int* results) {
  int tangent[ir::capacity]{};
  for (int k = 0; k < wrt.size; ++k) tangent[wrt.data[k]] = seeds[k];
  push_forward<Mode>(g, begin, end, tangent, [&](int i) { tangent[i] = known.replaced(tangent[i]); });
  for (int k = 0; k < outputs.size; ++k) results[k] = tangent[outputs.data[k]];
}

}  // namespace ricci::transform
