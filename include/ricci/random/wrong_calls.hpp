// Calls of this wing with arguments that are missing, or in the order or of the kind of other libraries (NumPy's
// generators take the shape last and by name, JAX infers the element type): compile errors that say what is taken.
#pragma once

#include <ricci/core/wrong_argument.hpp>
#include <ricci/random/continuous.hpp>
#include <ricci/random/counts.hpp>
#include <ricci/random/gamma.hpp>
#include <ricci/random/normal.hpp>
#include <ricci/random/permutation.hpp>
#include <ricci/random/uniform.hpp>
#include <ricci/random/vectors.hpp>

namespace ricci::random {

// The first parameter takes the element type, if one is named.
#define RICCI_RANDOM_TAKES(NAME, SAID)                                                                                 \
  template <class T = void>                                                                                            \
  constexpr wrong::result NAME(wrong::argument = {}, wrong::argument = {}, wrong::argument = {}, wrong::argument = {}, \
                               wrong::argument = {}, wrong::argument = {}) {                                           \
    static_assert(always_false<T>, "random::" #NAME " is called as " SAID                                              \
                                   ", where the key is a random::key(seed) "                                           \
                                   "and a shape is rc::shape(m, n) or rc::extents<2, 3>{}");                           \
    return {};                                                                                                         \
  }
RICCI_RANDOM_TAKES(uniform, "uniform<T>(key, shape) or uniform<T>(key, shape, low, high)")
RICCI_RANDOM_TAKES(randint, "randint<T>(key, shape, low, high)")
RICCI_RANDOM_TAKES(bernoulli, "bernoulli(key, p, shape)")
RICCI_RANDOM_TAKES(normal, "normal<T>(key, shape)")
RICCI_RANDOM_TAKES(exponential, "exponential<T>(key, shape)")
RICCI_RANDOM_TAKES(gumbel, "gumbel<T>(key, shape)")
RICCI_RANDOM_TAKES(logistic, "logistic<T>(key, shape)")
RICCI_RANDOM_TAKES(laplace, "laplace<T>(key, shape)")
RICCI_RANDOM_TAKES(cauchy, "cauchy<T>(key, shape)")
RICCI_RANDOM_TAKES(truncated_normal, "truncated_normal<T>(key, low, high, shape)")
RICCI_RANDOM_TAKES(poisson, "poisson(key, mean, shape)")
RICCI_RANDOM_TAKES(binomial, "binomial(key, n, p, shape)")
RICCI_RANDOM_TAKES(geometric, "geometric(key, p, shape)")
RICCI_RANDOM_TAKES(categorical, "categorical(key, logits, shape)")
RICCI_RANDOM_TAKES(multinomial, "multinomial(key, n, weights, shape)")
RICCI_RANDOM_TAKES(permutation, "permutation(key, n) or permutation(key, x)")
RICCI_RANDOM_TAKES(choice,
                   "choice(key, x, shape), with random::without_replacement and weights behind it, or one of them,")
RICCI_RANDOM_TAKES(log_gamma, "log_gamma<T>(key, a, shape)")
RICCI_RANDOM_TAKES(gamma, "gamma<T>(key, a, shape)")
RICCI_RANDOM_TAKES(chi_square, "chi_square<T>(key, df, shape)")
RICCI_RANDOM_TAKES(beta, "beta<T>(key, a, b, shape)")
RICCI_RANDOM_TAKES(student_t, "student_t<T>(key, df, shape)")
RICCI_RANDOM_TAKES(dirichlet, "dirichlet<T>(key, alpha, shape)")
RICCI_RANDOM_TAKES(multivariate_normal, "multivariate_normal<T>(key, mean, covariance, shape)")
#undef RICCI_RANDOM_TAKES

template <int N = 2>
constexpr wrong::result split(wrong::argument = {}, wrong::argument = {}, wrong::argument = {}) {
  static_assert(always_false<std::integral_constant<int, N>>,
                "random::split is called as split<N>(key), where N is the number of keys, 2 if it is left out");
  return {};
}

}  // namespace ricci::random
