// What an operation's struct does not know: what it is called elsewhere, and what is to be said of it.
#pragma once

#include <string>

namespace names {

struct entry {
  char const* name;
  char const* operators;  // of reductions: the derivative
  std::string numpy;      // and JAX's; empty where both have the name
  char const* remark;
};

inline entry of(std::string const& name) {
  static entry const all[] = {
      // elementwise
      {"rsqrt", "", "`1 / np.sqrt`, `jax.lax.rsqrt`", ""},
      {"sigmoid", "", "`scipy.special.expit`, `jax.nn.sigmoid`", "overflows on neither side"},
      {"erf", "", "`scipy.special.erf`, `jax.scipy.special.erf`", ""},
      {"relu", "", "`jax.nn.relu`", "derivative 0 at 0"},
      {"softplus", "", "`jax.nn.softplus`, `np.logaddexp(x, 0)`", "log(1 + exp(x)) without overflow"},
      {"expm1", "", "", "no cancellation near 0"},
      {"log1p", "", "", "no cancellation near 0"},
      {"sqrt", "", "", "derivative 0 at 0"},
      {"asin", "", "`arcsin`", ""},
      {"acos", "", "`arccos`", ""},
      {"atan", "", "`arctan`", ""},
      {"atan2", "", "`arctan2`", "the angle of the point (b, a)"},
      {"negative", "`-x`", "", "of conditions a compile error"},
      {"abs", "", "", "derivative 0 at 0; of complex numbers real"},
      {"sign", "", "", "NaN for NaN"},
      {"round", "", "", "halves to the even one"},
      {"pow", "", "",
       "integers wrap; theirs to negative powers are 0, but for 1 and -1, and a value_error where the power is a "
       "number; derivative by b: 0 where a is 0"},
      {"add", "`a + b`", "", "of conditions `a \\| b`; integers wrap"},
      {"subtract", "`a - b`", "", "of conditions a compile error"},
      {"multiply", "`a * b`", "", "of conditions `a & b`"},
      {"divide", "`a / b`", "", "two integers have no operator: `rc::floor_divide` or this function"},
      {"maximum", "", "", "NaN where either is; a tie splits the cotangent in halves"},
      {"minimum", "", "", "NaN where either is; a tie splits the cotangent in halves"},
      {"floor_divide", "", "", "rounded towards minus infinity; integers over 0 are 0"},
      {"remainder", "`a % b`", "", "with the sign of b; of integers over 0 it is 0"},
      {"equal", "`a == b`", "", ""},
      {"not_equal", "`a != b`", "", ""},
      {"less", "`a < b`", "", ""},
      {"less_equal", "`a <= b`", "", ""},
      {"greater", "`a > b`", "", ""},
      {"greater_equal", "`a >= b`", "", ""},
      {"logical_and", "`a & b`", "",
       "numbers: is not zero; of integers the operator is `rc::bitwise_and`, of floats a compile error"},
      {"logical_or", "`a \\| b`", "", ""},
      {"logical_xor", "", "", ""},
      {"logical_not", "`!a`", "", ""},
      {"clip", "", "", "`rc::clip(x, low, high)`; NaN where one of the three is"},
      {"where", "", "", "`rc::where(condition, a, b)`; cotangents are selected, no NaN leaks from the other branch"},
      {"acosh", "", "`arccosh`", ""},
      {"asinh", "", "`arcsinh`", ""},
      {"atanh", "", "`arctanh`", ""},
      {"hypot", "", "", "no overflow on the way; derivative 0 where both are 0"},
      {"copysign", "", "", "the size of a, the sign of b"},
      {"nextafter", "", "", "the number that follows a towards b; its promise is one unit from a"},
      {"fmod", "", "", "with the sign of a, as in C; of integers over 0 it is 0"},
      {"reciprocal", "", "", ""},
      {"positive", "", "", "of conditions a compile error"},
      {"isnan", "", "", "also with `-ffast-math`; of complex numbers either part"},
      {"isinf", "", "", "also with `-ffast-math`; of complex numbers either part"},
      {"isfinite", "", "", "also with `-ffast-math`; of complex numbers both parts"},
      {"signbit", "", "", "also of -0 and NaN"},
      {"bitwise_and", "`a & b`", "", "of conditions logic; floats are a compile error"},
      {"bitwise_or", "`a \\| b`", "", ""},
      {"bitwise_xor", "`a ^ b`", "", ""},
      {"bitwise_invert", "`~a`", "", ""},
      {"bitwise_left_shift", "`a << b`", "`left_shift`", "by the size of a number or more: 0"},
      {"bitwise_right_shift", "`a >> b`", "`right_shift`",
       "by the size of a number or more: 0, or -1 where a is negative"},
      {"bitwise_count", "", "", "how many bits of the magnitude are 1, as uint8"},
      {"gcd", "", "", "never negative; of 0 and b the magnitude of b"},
      {"lcm", "", "", "of 0 and anything 0; wraps"},
      // reductions
      {"sum", "1 for every element", "",
       "added in blocks, and these pairwise: the error grows with the logarithm of their number"},
      {"prod", "the product of all the others, also where factors are 0", "", ""},
      {"max", "elements that attain it share equally", "", "of nothing -inf, or the lowest integer"},
      {"min", "elements that attain it share equally", "", "of nothing inf, or the highest integer"},
      {"mean", "of its formula", "", ""},
      {"var", "of its formula", "", "divided by n"},
      {"std", "of its formula; 0 where it is 0", "", "divided by n"},
      {"logsumexp", "of its formula", "`scipy.special.logsumexp`, `jax.nn.logsumexp`", "does not overflow"},
      {"softmax", "of its formula", "`scipy.special.softmax`, `jax.nn.softmax`",
       "the shape stays; along the last axis where none is named; no `keepdims`. Of a row with `inf` those elements "
       "are "
       "NaN and the others 0 (in JAX all are NaN); of nothing but `-inf` all are NaN"},
      {"log_softmax", "of its formula", "`scipy.special.log_softmax`, `jax.nn.log_softmax`",
       "x - logsumexp(x), as exact where softmax(x) is tiny; otherwise as `softmax`"},
      {"cumulative_sum", "of its scan", "`cumsum`",
       "the shape stays; along one axis, the last one where none is named; no `keepdims`"},
      {"cumulative_prod", "of its scan, also where factors are 0", "`cumprod`", "the same"},
      {"sort", "goes along with the elements", "",
       "the shape stays; along one axis, the last one where none is named, or a number where extents are dynamic "
       "(computed at once; so also `argsort softmax take` and cumulative operations); `rc::descending`; stable; a NaN "
       "is greater "
       "than every number"},
      {"argsort", "", "", "the same"},
      {"norm", "of its formula; 0 where it is 0", "`np.linalg.norm`",
       "Euclidean, of matrices Frobenius; a number behind x, an order in NumPy, is a compile error: other orders are "
       "`vector_norm` and `matrix_norm` of linalg"},
      {"any", "", "", ""},
      {"all", "", "", "`rc::all` alone is also a whole axis in an index"},
      {"argmax", "", "", "the first position; one axis, or the flattened tensor; of nothing: `value_error`"},
      {"argmin", "", "", "the first position; one axis, or the flattened tensor; of nothing: `value_error`"},
  };
  for (auto const& e : all)
    if (name == e.name) return {e.name, e.operators, e.numpy.empty() ? "`" + name + "`" : e.numpy, e.remark};
  return {"", "", "`" + name + "`", ""};
}

}  // namespace names
