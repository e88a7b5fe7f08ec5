// Calls of the operations that are not elementwise, as cases for the generic derivative tests (derivatives.hpp):
// reductions, views, joins, parts, products. Each case names the operation that it is about first.
#pragma once

#include "derivatives.hpp"

namespace cases {

namespace rc = ricci;
using rc::extents;

template <class... Inputs>
struct of {
  using inputs = std::tuple<Inputs...>;
  static std::tuple<> constants() { return {}; }
};

// ---- reductions ----

struct sum_all : of<extents<3, 5>> {
  static constexpr auto name = "sum";
  constexpr auto operator()(auto x) const { return rc::sum(x * x); }
};
struct sum_axis_0 : of<extents<3, 5>> {
  static constexpr auto name = "sum axis 0";
  constexpr auto operator()(auto x) const { return rc::sum(x * x, rc::axis<0>); }
};
struct sum_axes : of<extents<2, 3, 4>> {
  static constexpr auto name = "sum axes 0 and 2, kept";
  constexpr auto operator()(auto x) const { return rc::sum(x * x, rc::axis<0, -1>, rc::keepdims) * x; }
};
struct prod_axis_1 : of<extents<3, 4>> {
  static constexpr auto name = "prod axis 1";
  constexpr auto operator()(auto x) const { return rc::prod(x, rc::axis<1>); }
};
struct prod_axes : of<extents<2, 3, 2>> {
  static constexpr auto name = "prod of axes 0 and 2";
  constexpr auto operator()(auto x) const { return rc::prod(x, rc::axis<0, 2>); }
};
struct cumulative_sum_axis_1 : of<extents<2, 3, 4>> {
  static constexpr auto name = "cumulative_sum running_sum";
  constexpr auto operator()(auto x) const { return rc::cumulative_sum(x * x, rc::axis<1>); }
};
struct cumulative_prod_last : of<extents<3, 4>> {
  static constexpr auto name = "cumulative_prod product_before recurrence";
  constexpr auto operator()(auto x) const { return rc::cumulative_prod(x); }
};
struct sorted_axis_0 : of<extents<4, 3>> {
  static constexpr auto name = "sort argsort";
  constexpr auto operator()(auto x) const {
    return rc::sort(x * x, rc::axis<0>) * x + rc::sort(x, rc::descending) * rc::argsort(x, rc::axis<0>);
  }
};
struct complex_parts : of<extents<3, 4>, extents<3, 4>> {
  static constexpr auto name = "complex real imag conj";
  constexpr auto operator()(auto x, auto y) const {
    auto const z = rc::complex(x, y);
    auto const cubed = rc::real(z * z * rc::conj(z));
    if constexpr (rc::exp_t::takes_complex)  // not in files that nvcc compiles
      return cubed + rc::imag(rc::exp(z) * z);
    else
      return cubed + rc::imag(z * z);
  }
};
struct scanned_rows : of<extents<3, 2>> {
  static constexpr auto name = "loop region carry next yield result";
  constexpr auto operator()(auto x) const {
    auto const [last, all] = rc::scan([](auto h, auto row) { return std::pair(h * row + rc::sum(h), h * h); }, x(0), x);
    return all * last;
  }
};
struct mean_axis_1 : of<extents<3, 5>> {
  static constexpr auto name = "mean axis 1";
  constexpr auto operator()(auto x) const { return rc::mean(rc::exp(x), rc::axis<1>); }
};
struct var_axis_0 : of<extents<4, 3>> {
  static constexpr auto name = "var axis 0";
  constexpr auto operator()(auto x) const { return rc::var(x, rc::axis<0>); }
};
struct std_all : of<extents<4, 3>> {
  static constexpr auto name = "std";
  constexpr auto operator()(auto x) const { return rc::std(x); }
};
struct max_axis_0 : of<extents<4, 3>> {
  static constexpr auto name = "max axis 0";
  constexpr auto operator()(auto x) const { return rc::max(x, rc::axis<0>) * rc::sum(x * x); }
};
struct min_all : of<extents<4, 3>> {
  static constexpr auto name = "min";
  constexpr auto operator()(auto x) const { return rc::min(x) * rc::min(x); }
};
struct logsumexp_axis_1 : of<extents<3, 5>> {
  static constexpr auto name = "logsumexp axis 1";
  constexpr auto operator()(auto x) const { return rc::logsumexp(x, rc::axis<1>); }
};
struct norm_axis_1 : of<extents<3, 5>> {
  static constexpr auto name = "norm";
  constexpr auto operator()(auto x) const { return rc::norm(x, rc::axis<1>); }
};
struct activations : of<extents<3, 4>> {
  static constexpr auto name = "silu gelu gelu_erf";
  constexpr auto operator()(auto x) const { return rc::silu(x) + x * rc::gelu(x) + rc::gelu_erf(2. * x); }
};
struct softmax_last : of<extents<3, 5>> {
  static constexpr auto name = "softmax";
  constexpr auto operator()(auto x) const { return rc::softmax(x); }
};
struct log_softmax_last : of<extents<3, 5>> {
  static constexpr auto name = "log_softmax";
  constexpr auto operator()(auto x) const { return rc::log_softmax(x, rc::axis<-1>) * x; }
};
struct softmax_axis_0 : of<extents<3, 5>> {
  static constexpr auto name = "softmax axis 0";
  constexpr auto operator()(auto x) const { return rc::softmax(x, rc::axis<0>) * x; }
};
// these have no derivative of their own
struct locations : of<extents<3, 5>> {
  static constexpr auto name = "argmax and argmin";
  constexpr auto operator()(auto x) const {
    return rc::sum(x * x, rc::axis<0>) * rc::argmax(x, rc::axis<0>) + rc::argmin(x);
  }
};
struct argmin_axis_1 : of<extents<3, 5>> {
  static constexpr auto name = "argmin axis 1";
  constexpr auto operator()(auto x) const { return rc::sum(x * x, rc::axis<1>) * rc::argmin(x, rc::axis<1>); }
};
struct truths : of<extents<3, 5>> {
  static constexpr auto name = "any ";
  constexpr auto operator()(auto x) const { return rc::where(rc::any(x > 0.5, rc::axis<0>), x * x, -x); }
};
struct all_true : of<extents<3, 5>> {
  static constexpr auto name = "all ";
  constexpr auto operator()(auto x) const { return rc::where(rc::all(x < 1., rc::axis<0>), x * x, -x); }
};

// ---- views ----

struct reshape_flat : of<extents<3, 4>> {
  static constexpr auto name = "reshape";
  constexpr auto operator()(auto x) const { return rc::reshape(x * x, extents<2, 6>{}); }
};
struct reshape_transposed : of<extents<3, 4>> {
  static constexpr auto name = "reshape of a transpose";
  constexpr auto operator()(auto x) const {
    auto const y = rc::reshape(rc::matrix_transpose(x), extents<12>{});
    return y * y;
  }
};
struct permute_axes : of<extents<2, 3, 4>> {
  static constexpr auto name = "permute_dims";
  constexpr auto operator()(auto x) const {
    auto const y = rc::permute_dims(x, rc::axis<2, 0, 1>);
    return y * y;
  }
};
struct transpose : of<extents<3, 4>, extents<4, 3>> {
  static constexpr auto name = "matrix_transpose";
  constexpr auto operator()(auto x, auto y) const { return rc::matrix_transpose(x) * y; }
};
struct broadcast : of<extents<3, 1>> {
  static constexpr auto name = "broadcast_to";
  constexpr auto operator()(auto x) const {
    auto const y = rc::broadcast_to(x, extents<2, 3, 4>{});
    return y * y;
  }
};
struct expand : of<extents<3, 4>, extents<3, 2>> {
  static constexpr auto name = "expand_dims";
  constexpr auto operator()(auto x, auto y) const {
    return rc::expand_dims(x, rc::axis<1>) * rc::expand_dims(y, rc::axis<-1>);
  }
};
struct squeeze_axes : of<extents<1, 3, 1>> {
  static constexpr auto name = "squeeze";
  constexpr auto operator()(auto x) const {
    auto const y = rc::squeeze(x, rc::axis<0, 2>);
    return y * y;
  }
};
struct flip_axis : of<extents<3, 4>> {
  static constexpr auto name = "flip";
  constexpr auto operator()(auto x) const { return rc::flip(x, rc::axis<1>) * x; }
};
struct flip_all : of<extents<3, 4>> {
  static constexpr auto name = "flip all axes";
  constexpr auto operator()(auto x) const { return rc::flip(x) * x; }
};
struct slice_rows : of<extents<5, 6>> {
  static constexpr auto name = "slice";
  constexpr auto operator()(auto x) const {
    return x(rc::range<1, 4>(), rc::range<0, 6, 2>()) * x(rc::range<2, 5>(), 1, rc::newaxis);
  }
};
struct slice_backwards : of<extents<5>> {
  static constexpr auto name = "slice with a negative step";
  constexpr auto operator()(auto x) const { return x(rc::range<4, 0, -1>()) * x(rc::range<0, 4>()); }
};
struct update_rows : of<extents<4, 3>, extents<3>> {
  static constexpr auto name = "update_slice";
  constexpr auto operator()(auto x, auto y) const {
    auto h = x * x;
    h(1) = y * y;
    h(rc::all, 0) += x(rc::all, 2);
    return h * x;
  }
};
struct stop : of<extents<3, 4>> {
  static constexpr auto name = "stop_gradient";
  // what it stops has no derivative, so the differences would not agree were it not constant
  constexpr auto operator()(auto x) const { return x * x + rc::stop_gradient(rc::floor(x)); }
};
struct named : of<extents<3, 4>> {
  static constexpr auto name = "checkpoint_name";
  constexpr auto operator()(auto x) const { return x * rc::checkpoint_name<"square">(x * x); }
};
struct casts : of<extents<3, 4>> {
  static constexpr auto name = "astype";
  constexpr auto operator()(auto x) const { return rc::astype<double>(x) * rc::astype<int>(4. * x) + x * x; }
};

// ---- joins, parts ----

struct concat_axis_0 : of<extents<2, 3>, extents<1, 3>> {
  static constexpr auto name = "concat";
  constexpr auto operator()(auto x, auto y) const {
    auto const z = rc::concat(x, y, x * x, rc::axis<0>);
    return z * z;
  }
};
struct concat_axis_1 : of<extents<2, 3>, extents<2, 2>> {
  static constexpr auto name = "concat axis 1";
  constexpr auto operator()(auto x, auto y) const { return rc::exp(rc::concat(x, y, rc::axis<1>)); }
};
struct stack_last : of<extents<2, 3>, extents<2, 3>> {
  static constexpr auto name = "stack";
  constexpr auto operator()(auto x, auto y) const { return rc::exp(rc::stack(x, x * y, rc::axis<-1>)); }
};
struct with_indices {
  static auto constants() { return std::tuple(rc::tensor<int, 4>{2, 0, 2, -1}); }
};
struct take_rows : with_indices {
  using inputs = std::tuple<extents<3, 4>>;
  static constexpr auto name = "take";
  constexpr auto operator()(auto x, auto i) const { return rc::exp(rc::take(x, i, rc::axis<0>)); }
};
struct take_columns
    : with_indices {  // its transpose is a scatter, and the derivative of that comes in the second order
  using inputs = std::tuple<extents<3, 4>, extents<4>>;
  static constexpr auto name = "take and scatter ";
  constexpr auto operator()(auto x, auto y, auto i) const { return rc::take(x * x, i, rc::axis<1>) * y; }
};
struct written_rows : with_indices {  // index 2 twice: the last row stays
  using inputs = std::tuple<extents<3, 2>, extents<4, 2>>;
  static constexpr auto name = "rows written by position";
  constexpr auto operator()(auto x, auto y, auto i) const {
    auto h = x * x;
    h(i) = y * y;
    return h * x;
  }
};

// ---- products ----

struct matmul_matrices : of<extents<3, 4>, extents<4, 5>> {
  static constexpr auto name = "matmul";
  constexpr auto operator()(auto x, auto y) const { return rc::matmul(x, y); }
};
struct matmul_fused : of<extents<3, 4>, extents<4, 5>, extents<5>> {
  static constexpr auto name = "matmul with what surrounds it";
  constexpr auto operator()(auto x, auto y, auto z) const { return rc::tanh(rc::matmul(rc::exp(x), y) + z); }
};
struct matmul_and_factors : of<extents<3, 4>, extents<4, 2>> {
  static constexpr auto name = "matmul with its factors in the epilogue";
  constexpr auto operator()(auto x, auto y) const {
    return rc::sin(rc::matmul(x, y)) * x(rc::all, rc::range<1, 2>()) + y(2) * rc::matmul(x, y);
  }
};
struct matmul_transposed : of<extents<4, 3>, extents<5, 4>> {
  static constexpr auto name = "matmul of transposes";
  constexpr auto operator()(auto x, auto y) const {
    return rc::matmul(rc::matrix_transpose(x), rc::matrix_transpose(y));
  }
};
struct matmul_vectors : of<extents<4>, extents<4>> {
  static constexpr auto name = "matmul of vectors";
  constexpr auto operator()(auto x, auto y) const { return rc::matmul(x, y); }
};
struct matmul_vector_left : of<extents<4>, extents<4, 5>> {
  static constexpr auto name = "matmul from a vector";
  constexpr auto operator()(auto x, auto y) const { return rc::matmul(x, y); }
};
struct matmul_vector_right : of<extents<2, 3, 4>, extents<4>> {
  static constexpr auto name = "matmul of a batch and a vector";
  constexpr auto operator()(auto x, auto y) const { return rc::matmul(x, y); }
};
struct matmul_batches : of<extents<2, 3, 4>, extents<2, 4, 2>> {
  static constexpr auto name = "matmul of batches";
  constexpr auto operator()(auto x, auto y) const { return rc::matmul(x, y); }
};
struct matmul_one_right : of<extents<2, 3, 4>, extents<4, 2>> {
  static constexpr auto name = "matmul of a batch and a matrix";
  constexpr auto operator()(auto x, auto y) const { return rc::matmul(x, y); }
};
struct matmul_broadcast : of<extents<2, 1, 3, 4>, extents<3, 4, 2>> {
  static constexpr auto name = "matmul of broadcast batches";
  constexpr auto operator()(auto x, auto y) const { return rc::matmul(x, y); }
};
struct products_of_vectors : of<extents<2, 3>, extents<2, 3, 2>, extents<3>> {
  static constexpr auto name = "vecdot dot outer";
  constexpr auto operator()(auto x, auto y, auto z) const {
    return rc::dot(x, y) * rc::outer(rc::vecdot(x, z), rc::dot(x, z));
  }
};
struct cross_products : of<extents<2, 3>, extents<3>> {
  static constexpr auto name = "cross";
  constexpr auto operator()(auto x, auto y) const { return rc::cross(x, y); }
};
struct linear_systems : of<extents<3, 3>, extents<2, 3, 2>, extents<3>> {
  static constexpr auto name = "solve solve_matrices";
  constexpr auto operator()(auto a, auto b, auto c) const {
    auto const regular = a + 9.F * rc::eye<float>(rc::extents<3, 3>{});
    return rc::linalg::solve(regular, b) * rc::expand_dims(rc::linalg::solve(regular, c), rc::axis<-1>);
  }
};
struct einsums : of<extents<3, 3, 2>, extents<2, 3>, extents<3>> {
  static constexpr auto name = "diagonals einsum tensordot";
  constexpr auto operator()(auto x, auto y, auto z) const {
    return rc::einsum<"iik,kj,j->ij">(x, y, z) * rc::tensordot(y, x, rc::axes<0, 1>, rc::axes<2, 0>);
  }
};
struct patterns : of<extents<4, 3>> {
  static constexpr auto name = "rearrange reduce repeat";
  constexpr auto operator()(auto x) const {
    auto const rows = rc::einops::reduce<"(i 2) j -> i j", rc::sum>(x);
    return rc::einops::repeat<"a b -> b (a 2)">(rows) *
           rc::einops::rearrange<"(a p) j -> j (p a)">(x, rc::length<"p">(2));
  }
};

// ---- in pieces, so that each file of tests compiles quickly ----

template <class... C>
struct list {};
using reductions = list<sum_all, sum_axis_0, sum_axes, prod_axis_1, prod_axes, cumulative_sum_axis_1,
                        cumulative_prod_last, sorted_axis_0, complex_parts, scanned_rows, mean_axis_1, var_axis_0,
                        std_all, max_axis_0, min_all, logsumexp_axis_1, norm_axis_1, activations, softmax_last,
                        softmax_axis_0, log_softmax_last, locations, argmin_axis_1, truths, all_true>;
using views = list<reshape_flat, reshape_transposed, permute_axes, transpose, broadcast, expand, squeeze_axes,
                   flip_axis, flip_all, slice_rows, slice_backwards, update_rows, stop, named, casts>;
using joins = list<concat_axis_0, concat_axis_1, stack_last, take_rows, take_columns, written_rows>;
using matrix_products =
    list<matmul_matrices, matmul_fused, matmul_and_factors, matmul_transposed, matmul_vectors, matmul_vector_left,
         matmul_vector_right, matmul_batches, matmul_one_right, matmul_broadcast>;
using other_products = list<products_of_vectors, cross_products, linear_systems, einsums, patterns>;
template <class... A, class... B, class... C>
list<A..., B..., C...> one_list(list<A...>, list<B...>, list<C...>);
using joins_and_products = decltype(one_list(joins{}, matrix_products{}, other_products{}));

template <class Check, class... C>
void for_each(list<C...>, Check const& check) {
  (check(C{}), ...);
}
template <class... C>
void check(list<C...> all) {
  for_each(all, [](auto c) { derivatives::checker<decltype(c)>::run(c.name, -2, 2, false); });
}

}  // namespace cases
