// A function of leaves by number, recorded and computed by the interpreter, and its derivatives of any order: what
// rc::check_grads compares. Nothing here knows the types of the function's arguments, so it is instantiated once,
// whatever is checked.
#pragma once

#include <ricci/autodiff/interpret.hpp>

namespace ricci::tracing {
inline namespace RICCI_ABI {

// f of values by number: records it, and adds its results.
struct function_of_leaves {
  void const* f;
  void (*call)(void const* f, ir::eager::graph& g, int const* leaves, leaf_ids& results);
};

// Inputs or outputs: where the numbers of each stand in one list of all, complex ones as two. Integers have none.
struct layout_of_leaves {
  shape_t shape[max_leaves];
  dtype type[max_leaves];
  index_t first[max_leaves + 1];
  int count = 0;

  int parts(int k) const { return is_complex(type[k]) ? 2 : 1; }
  index_t size() const { return first[count]; }
  template <class V>
  void add(V x) {
    type[count] = x.type(), shape[count] = x.shape();
    first[count + 1] = first[count] + (is_inexact(x.type()) ? size_of(x.shape()) * parts(count) : 0);
    ++count;
  }
  int leaf_of(index_t at) const {
    int k = 0;
    while (at >= first[k + 1]) ++k;
    return k;
  }
  // of a product of tangent and cotangent: its real part
  double sign(index_t at) const {
    int const k = leaf_of(at);
    return parts(k) == 2 && (at - first[k]) % 2 == 1 ? -1 : 1;
  }
};

template <class Mode>
class leaf_derivatives {
  using V = ir::value<Mode>;
  using graph = typename Mode::graph;
  using array = core::owned_array<double>;

 public:
  static constexpr int most_orders = 7;

  // of inputs that `base` holds
  leaf_derivatives(function_of_leaves f, ir::eager_graph& base, leaf_ids const& inputs)
      : f_(f), base_(base), at_(inputs) {}
  layout_of_leaves in{}, out{};

  // The function of this order: 1, f itself; 2, its pullback as a function of arguments and cotangents; and so on.
  // `where` has the inputs' numbers, `value` the outputs'.
  void begin(int order, array& where, array& value) {
    order_ = order;
    in = {}, out = {};
    for (int k = 0; k < at_.count; ++k) in.add(V{&base_, at_.id[k]});
    inputs_[order] = in.count;
    ir::eager_graph g;
    leaf_ids const x = placed(g);
    leaf_ids y;
    record(g, order, x.id, y);
    for (int k = 0; k < y.count; ++k) out.add(V{&g, y.id[k]});
    where = array(in.size()), value = array(out.size());
    for (int k = 0; k < in.count; ++k) read(base_, in, k, at_.id[k], &where[0]);
    for (int k = 0; k < out.count; ++k) read(g, out, k, y.id[k], &value[0]);
  }
  // The next order is of these inputs and of a cotangent for each output.
  void add_cotangents(array const& ct) {
    for (int k = 0; k < out.count; ++k)
      if (is_inexact(out.type[k])) {
        if (at_.count == max_leaves) core::raise<value_error>(core::text() << "check_grads: more than 512 tensors");
        at_.id[at_.count++] = given(base_, out, k, &ct[0]);
      }
  }

  // The outputs at x + t d.
  void values(double t, double const* d, double* to) const {
    ir::eager_graph g;
    leaf_ids const x = placed(g, t, d);
    leaf_ids y;
    record(g, order_, x.id, y);
    for (int k = 0; k < out.count; ++k) read(g, out, k, y.id[k], to);
  }
  // Tangents of the outputs, of d; cotangents of the inputs, of ct. Where there is none, `to` stays as it is.
  void push(double const* d, double* to) const {
    ir::eager_graph g;
    leaf_ids const x = placed(g);
    int const begin = g.size;
    leaf_ids const vars = variables(g, x.id, x.count);
    leaf_ids y, tangents;
    record(g, order_, vars.id, y);
    int const end = g.size;
    for (; tangents.count < vars.count; ++tangents.count)
      if (is_inexact(in.type[tangents.count])) tangents.id[tangents.count] = given(g, in, tangents.count, d);
    int results[max_leaves]{};
    transform::forward<Mode>(g, begin, end, vars.all(), tangents.all(), y.all(), results);
    for (int k = 0; k < out.count; ++k)
      if (results[k] != 0) read(g, out, k, results[k], to);
  }
  void pull(double const* ct, double* to) const {
    ir::eager_graph g;
    leaf_ids const x = placed(g);
    int const begin = g.size;
    leaf_ids const vars = variables(g, x.id, x.count);
    leaf_ids y, cts;
    record(g, order_, vars.id, y);
    for (; cts.count < y.count; ++cts.count)
      if (is_inexact(out.type[cts.count])) cts.id[cts.count] = given(g, out, cts.count, ct);
    int results[max_leaves]{};
    transform::reverse<Mode>(g, begin, y.all(), cts.all(), vars.all(), results);
    for (int k = 0; k < in.count; ++k)
      if (results[k] != 0) read(g, in, k, results[k], to);
  }

 private:
  void record(graph& g, int order, int const* x, leaf_ids& y) const {
    if (order == 1) return f_.call(f_.f, g, x, y);
    int const begin = g.size, inputs = inputs_[order - 1];
    leaf_ids vars = variables(g, x, inputs), before, cts;
    record(g, order - 1, vars.id, before);
    int const* ct = x + inputs;
    for (; cts.count < before.count; ++cts.count)
      if (is_inexact(g.ins[before.id[cts.count]].type)) cts.id[cts.count] = *ct++;
    int results[max_leaves]{};
    transform::reverse<Mode>(g, begin, before.all(), cts.all(), vars.all(), results);
    fill_zeros<Mode>(g, vars, results);
    for (int k = 0; k < inputs; ++k)
      if (is_inexact(g.ins[vars.id[k]].type)) y.id[y.count++] = results[k];
  }
  static leaf_ids variables(graph& g, int const* x, int count) {
    leaf_ids v;
    for (; v.count < count; ++v.count) v.id[v.count] = as_variable{}(V{&g, x[v.count]}).id;
    return v;
  }
  // The inputs at x + t d in another graph; without d, at x.
  leaf_ids placed(ir::eager_graph& g, double t = 0, double const* d = nullptr) const {
    leaf_ids ids;
    for (; ids.count < in.count; ++ids.count) {
      int const k = ids.count, from = at_.id[k];
      ids.id[k] = ir::argument<Mode>(static_cast<graph&>(g), in.type[k], in.shape[k], g.size).id;
      with_type(in.type[k], [&]<class T>(T) {
        T* const to = g.template allocate<T>(ids.id[k]);
        T const* const x = base_.template elements<T>(from);
        index_t const n = size_of(in.shape[k]);
        for (index_t i = 0; i < n; ++i) {
          to[i] = x[i];
          if constexpr (is_inexact(dtype_of<T>))
            if (d != nullptr) to[i] = moved(x[i], t, d + in.first[k] + i * in.parts(k));
        }
      });
    }
    return ids;
  }
  template <class T>
  static T moved(T x, double t, double const* d) {
    if constexpr (is_complex_number<T>)
      return T(static_cast<component_t<T>>(x.real() + t * d[0]), static_cast<component_t<T>>(x.imag() + t * d[1]));
    else
      return scalar::convert<T>(scalar::convert<double>(x) + t * *d);
  }
  // numbers as a value of the type and shape of leaf k of `like`
  static int given(ir::eager_graph& g, layout_of_leaves const& like, int k, double const* numbers) {
    int const id = ir::argument<Mode>(static_cast<graph&>(g), like.type[k], like.shape[k], g.size).id;
    with_type(like.type[k], [&]<class T>(T) {
      T* const to = g.template allocate<T>(id);
      if constexpr (is_inexact(dtype_of<T>)) {
        double const* from = numbers + like.first[k];
        index_t const n = size_of(like.shape[k]);
        for (index_t i = 0; i < n; ++i) to[i] = moved(T(0), 1, from + i * like.parts(k));
      }
    });
    return id;
  }
  static void read(ir::eager_graph& g, layout_of_leaves const& like, int k, int id, double* numbers) {
    with_type(like.type[k], [&]<class T>(T) {
      if constexpr (is_inexact(dtype_of<T>)) {
        T const* const from = g.template elements<T>(id);
        double* to = numbers + like.first[k];
        index_t const n = size_of(like.shape[k]);
        for (index_t i = 0; i < n; ++i)
          if constexpr (is_complex_number<T>)
            *to++ = double(from[i].real()), *to++ = double(from[i].imag());
          else
            *to++ = scalar::convert<double>(from[i]);
      }
    });
  }

  function_of_leaves f_;
  ir::eager_graph& base_;
  leaf_ids at_;
  int order_ = 1;
  int inputs_[most_orders + 1]{};  // how many there are at each
};

}  // namespace RICCI_ABI
}  // namespace ricci::tracing
