// Interpreted loops over the elements of an axis: the element for each iteration, and results stacked along a first
// axis.
#pragma once

#include <ricci/autodiff/batch_types.hpp>
#include <ricci/autodiff/functions.hpp>
#include <ricci/graph/eager_graph.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

template <class Mode>
class stack_of_values {
 public:
  using graph = typename Mode::graph;
  using V = ir::value<Mode>;

  // n iterations; of none the shapes of what they would give still matter
  constexpr stack_of_values(graph& g, index_t n) : g_(g), n_(n) {}

  // element t of x along an axis; zeros where there is none
  constexpr V element(V x, index_t t, int axis = 0) const {
    if (n_ > 0) return ir::element_of(x, axis, t);
    return ir::literal<Mode>(g_, 0, x.type(), ir::intern(g_, shapes::reduced(x.shape(), 1 << axis, false)));
  }
  // the results of one iteration, a tree
  template <class Y>
  constexpr void push(Y const& y) {
    leaf_ids ids;
    collect<Mode>(g_, y, ids);
    results_ = ids.count;
    parts_.reserve((pushed_ + 1) * results_);
    for (int k = 0; k < results_; ++k) parts_[pushed_ * results_ + k] = ir::expand(V{&g_, ids.id[k]}, 0).id;
    ++pushed_;
  }
  constexpr int results() const { return results_; }
  // all of result k
  constexpr V joined(int k) const {
    if (n_ > 0) return joined(k, 0, pushed_);
    shape_t s = g_.shape(parts_[k]);
    s.extent[0] = 0;
    return ir::literal<Mode>(g_, 0, g_.ins[parts_[k]].type, ir::intern(g_, s));
  }

 private:
  // parts [from, to) behind one another, a few at a time
  constexpr V joined(int k, int from, int to) const {
    V pieces[ir::max_operands]{};
    int const n = to - from, count = n < ir::max_operands ? n : ir::max_operands;
    shape_t s = g_.shape(parts_[from * results_ + k]);
    s.extent[0] = n;
    for (int p = 0; p < count; ++p) {
      int const first = from + int(index_t(n) * p / count), last = from + int(index_t(n) * (p + 1) / count);
      pieces[p] = last - first == 1 ? V{&g_, parts_[first * results_ + k]} : joined(k, first, last);
    }
    return concat_t::joined(pieces, count, 0, ir::intern(g_, s));
  }

  graph& g_;
  index_t n_;
  ir::growing<int> parts_;
  int pushed_ = 0, results_ = 0;
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
