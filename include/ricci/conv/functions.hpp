// `rc::conv` and `rc::conv_transpose`, of which the calls are in calls.hpp. Images have their channels last, weights
// (rows, columns, channels, features): sums go along memory, and results lie as the next layer reads them. (TensorFlow
// and flax have the same; x of PyTorch is permute_dims(x, 0, 2, 3, 1), its weights permute_dims(w, 2, 3, 1, 0).)
//
//   conv            (..., h, w, c), (i, j, c / groups, f) -> (..., p, q, f)
//                   p = (h + 2 pad - d (i - 1) - 1) / s + 1
//   conv_transpose  (..., p, q, f), (i, j, c / groups, f) -> (..., h, w, c)
//                   h = (p - 1) s - 2 pad + d (i - 1) + 1 + extra
//
// Where the weights have order 3, images have one axis beside that of channels, (..., h, c), (i, c / groups, f), and of
// order 5 three, (..., d, h, w, c), (k, i, j, c / groups, f). As everywhere in the field, weights are not reversed
// [Goodfellow, Bengio, Courville, Deep Learning, 2016, section 9.1].
#pragma once

#include <ricci/conv/calls.hpp>
#include <ricci/ops/matmul.hpp>
#include <ricci/ops/reshaping.hpp>

namespace ricci {

// stride: how far the window moves; pad: zeros on either side of the image; dilation: how far elements of the window
// are apart; groups: parts of the channels and of the features that belong together, one with each other; extra: more
// rows and columns at the end of what a transposed convolution gives, for strides at which several sizes have one
// result.
struct conv_options {
  per_axis stride = 1, pad = 0, dilation = 1;
  index_t groups = 1;
  per_axis extra = 0;

  constexpr bool extra_is_below_steps() const {
    int axes = extra.count;
    for (int const n : {stride.count, dilation.count}) axes = n > axes ? n : axes;
    for (int k = 0; k < axes; ++k)
      if (extra[k] >= stride[k] && extra[k] >= dilation[k]) return false;
    return true;
  }
};

namespace convolutions {

template <class Context>
constexpr index_t extent_of_image(Context& c, index_t p, index_t i, int axis, conv_options const& o) {
  if (is_open(c, p) || is_open(c, i)) return dyn;
  index_t const windows = sum(c, scaled(c, p, o.stride[axis]), -o.stride[axis] - 2 * o.pad[axis] + o.extra[axis]);
  return quotient(c, sum(c, windows, reach(c, i, o.dilation[axis])), 1);
}

template <bool Transposed, conv_options O>
struct conv_of_two : ir::operation_of_kind<ir::op_kind::contract, 255> {
  static constexpr auto name = Transposed ? "conv_transpose" : "conv";
  static constexpr bool takes_complex = true;
  static_assert(O.stride.are_at_least(1) && O.dilation.are_at_least(1) && O.groups > 0 && O.pad.are_at_least(0) &&
                    O.extra.are_at_least(0),
                "strides, dilations and groups of a convolution are 1 or more, widths of zeros 0 or more");
  static_assert(O.extra_is_below_steps(),
                "conv_transpose: as in PyTorch `extra` is below the stride or the dilation of its axis");
  static_assert(Transposed || (O.extra.count == 1 && O.extra[0] == 0), "extra is an option of rc::conv_transpose");
  static constexpr dtype type_of_result(dtype a, dtype b) { return numeric_type_for(promote(a, b)); }

  template <class Context>
  static constexpr shape_t shape_of(Context& c, no_attributes, shape_t x, shape_t const& w) {
    int const axes = w.rank - 2;
    if (axes < 1 || axes > 3 || x.rank < axes + 1) return c.fail(), shape_t{};
    int const before = x.rank - axes - 1;
    index_t const channels = scaled(c, w.extent[axes], O.groups), features = w.extent[axes + 1];
    if (O.groups > 1) (void)c.divide_exactly(features, O.groups);
    c.same(x.extent[x.rank - 1], Transposed ? features : channels);
    for (int axis = 0; axis < axes; ++axis) {
      index_t& n = x.extent[before + axis];
      n = Transposed ? extent_of_image(c, n, w.extent[axis], axis, O)
                     : extent_of_windows(c, n, w.extent[axis], O.stride[axis], O.pad[axis], O.dilation[axis]);
    }
    x.extent[x.rank - 1] = Transposed ? channels : features;
    return x;
  }

  template <class V>
  static constexpr V reshaped(V x, shape_t const& s) {
    return ir::reshape(x, ir::intern(*x.g, s));
  }
  // (..., h, w, c) -> (..., groups, h, w, c / groups), and back
  template <class V>
  static constexpr V in_groups(V x) {
    shape_t s = x.shape();
    int const last = s.rank - 1;
    s.extent[last] = ir::divide(*x.g, s.extent[last], O.groups);
    s.push(s.extent[last]);
    s.extent[last] = O.groups;
    index_t order[max_rank]{};
    for (int k = 0; k < s.rank; ++k) order[k] = k < last - 2 ? k : k == last - 2 ? last : k == last + 1 ? k : k - 1;
    return ir::permute(reshaped(x, s), order, s.rank);
  }
  template <class V>
  static constexpr V ungrouped(V x, shape_t const& whole) {
    int const rank = x.rank(), group = rank - 4;
    index_t order[max_rank]{};
    for (int k = 0; k < rank; ++k) order[k] = k < group || k == rank - 1 ? k : k == rank - 2 ? group : k + 1;
    return reshaped(ir::permute(x, order, rank), whole);
  }
  // (i, j, c, f) -> (groups, i, j, c, f / groups)
  template <class V>
  static constexpr V weights_in_groups(V w) {
    shape_t s = w.shape();
    s.extent[3] = ir::divide(*w.g, s.extent[3], O.groups);
    s.push(s.extent[3]);
    s.extent[3] = O.groups;
    index_t const order[] = {3, 0, 1, 2, 4};
    return ir::permute(reshaped(w, s), order, 5);
  }
  // whether each channel is known to have one feature of its own
  using depthwise_sums = sums_t<Transposed ? of_images : of_results, true>;
  template <class V>
  static constexpr bool is_depthwise(V w) {
    return O.groups > 1 && w.shape().extent[2] == 1 && w.shape().extent[3] == O.groups;
  }
  // Images of one row, (..., 1, h, c), and those in which slices lie one behind another, (..., d h, w, c).
  template <class G>
  static constexpr shape_t in_two_axes(G& g, shape_t const& s, int axes) {
    shape_t r{};
    for (int k = 0; k < s.rank; ++k)
      if (axes == 3 && k == s.rank - 4)
        r.push(ir::times(g, s.extent[k], s.extent[k + 1])), ++k;
      else {
        if (axes == 1 && k == s.rank - 2) r.push(1);
        r.push(s.extent[k]);
      }
    return r;
  }
  // the same of weights, which have an axis more at the end
  template <class G>
  static constexpr shape_t weights_in_two_axes(G& g, shape_t s, int axes) {
    index_t const features = s.extent[--s.rank];
    shape_t r = in_two_axes(g, s, axes);
    r.push(features);
    return r;
  }
  template <class V>
  static constexpr V record(no_attributes, V x, V w) {
    auto& g = *x.g;
    dtype const type = type_of_result(x.type(), w.type()), computed = arithmetic_type(type);
    ir::graph_context<typename V::graph_type> c{g, ir::facts_of<conv_of_two>(), x.shape_id(), w.shape_id()};
    shape_t const result = shape_of(c, no_attributes{}, x.shape(), w.shape());
    x = ir::cast(ir::cast(x, type), computed), w = ir::cast(ir::cast(w, type), computed);
    int const axes = w.rank() - 2;
    index_t how[sums_t<of_results>::attributes]{};
    for (int k = 0; k < 3; ++k) {
      int const axis = k - (3 - axes);
      how[k] = axis < 0 ? 1 : O.stride[axis], how[3 + k] = axis < 0 ? 0 : O.pad[axis];
      how[6 + k] = axis < 0 ? 1 : O.dilation[axis], how[slices_at + k] = 1;
    }
    if (axes == 3) {
      int const images = Transposed ? 2 : 0, results = 2 - images;
      how[slices_at + images] = x.shape().extent[x.rank() - 4];
      how[slices_at + 1] = w.shape().extent[0], how[slices_at + results] = result.extent[result.rank - 4];
    }
    shape_t const whole = in_two_axes(g, result, axes);
    x = reshaped(x, in_two_axes(g, x.shape(), axes)), w = reshaped(w, weights_in_two_axes(g, w.shape(), axes));
    shape_t core{};
    for (int k = whole.rank - 3; k < whole.rank; ++k) core.push(whole.extent[k]);
    if (is_depthwise(w)) {
      shape_t each = w.shape();
      each.extent[2] = each.extent[3], --each.rank;
      return ir::cast(reshaped(depthwise_sums::over(x, reshaped(w, each), core, how), result), type);
    }
    if constexpr (O.groups > 1) {
      x = in_groups(x), w = weights_in_groups(w);
      core.extent[2] = ir::divide(g, core.extent[2], O.groups);
    }
    V y = sums_t < Transposed ? of_images : of_results > ::over(x, w, core, how);
    if constexpr (O.groups > 1) y = ungrouped(y, whole);
    if (axes != 2) y = reshaped(y, result);
    return ir::cast(y, type);
  }
};

template <bool Transposed>
struct conv_function {
  template <conv_options O, class X, class W>
  RICCI_INLINE static constexpr auto call(X&& x, W&& w) {
    constexpr int axes = rank_of<W> - 2;
    static_assert(O.stride.suffice(axes) && O.pad.suffice(axes) && O.dilation.suffice(axes) && O.extra.suffice(axes),
                  "options of a convolution have one number for all axes or one for each");
    return call_operation<conv_of_two<Transposed, O>>(no_attributes{}, static_cast<X&&>(x), static_cast<W&&>(w));
  }
};

}  // namespace convolutions

// Images with zeros around them by weights: what a window of the weights' size sees, times these, summed. A window that
// is larger than the image has no results. What misfits, as channels that are not `groups` times those of the weights
// or groups that do not divide the features, is a compile error, at run time a shape_error.
template <conv_options O = conv_options{}, class X, class W>
requires tensor_operands<X, W> RICCI_INLINE constexpr auto conv(X&& x, W&& weights) {
  return convolutions::conv_function<false>::call<O>(static_cast<X&&>(x), static_cast<W&&>(weights));
}
// Its transpose with the same options and the same weights, as a linear map of images: from what conv gives to what it
// is given. (c of the weights are the channels of the result: transposed to those of PyTorch's ConvTranspose2d.)
template <conv_options O = conv_options{}, class X, class W>
requires tensor_operands<X, W> RICCI_INLINE constexpr auto conv_transpose(X&& x, W&& weights) {
  return convolutions::conv_function<true>::call<O>(static_cast<X&&>(x), static_cast<W&&>(weights));
}

}  // namespace ricci
