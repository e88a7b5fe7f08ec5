// The imperative way: a generator holds a key, and each call takes another that is made from it.
//
//   rc::random::generator rng(7);
//   auto x = rng.normal<float>(rc::shape(3)), y = rng.uniform<float>(rc::shape(3), 0.f, 2.f);
//
// Its members are the functions of this namespace without the key, computed at once. Call n of a generator gives what
// the function gives for fold_in(key, n). It is no argument of a traced function, where the key would stay the same:
// hand that `rng.next()`.
#pragma once

#include <ricci/random/counts.hpp>
#include <ricci/random/permutation.hpp>
#include <ricci/random/vectors.hpp>

namespace ricci::random {

class generator {
 public:
  explicit generator(std::uint64_t seed) : from_(seed) {}
  explicit generator(key const& from) : from_(from) {}

  // a key that no other call is given
  key next() { return fold_in(from_, calls_++); }

  template <class T, class... A>
  auto uniform(A const&... a) {
    return eval(random::uniform<T>(next(), a...));
  }
  template <class T, class... A>
  auto normal(A const&... a) {
    return eval(random::normal<T>(next(), a...));
  }
  template <class T, class... A>
  auto exponential(A const&... a) {
    return eval(random::exponential<T>(next(), a...));
  }
  template <class T, class... A>
  auto gumbel(A const&... a) {
    return eval(random::gumbel<T>(next(), a...));
  }
  template <class T, class... A>
  auto logistic(A const&... a) {
    return eval(random::logistic<T>(next(), a...));
  }
  template <class T, class... A>
  auto laplace(A const&... a) {
    return eval(random::laplace<T>(next(), a...));
  }
  template <class T, class... A>
  auto cauchy(A const&... a) {
    return eval(random::cauchy<T>(next(), a...));
  }
  template <class T, class... A>
  auto truncated_normal(A const&... a) {
    return eval(random::truncated_normal<T>(next(), a...));
  }
  template <class T, class... A>
  auto gamma(A const&... a) {
    return eval(random::gamma<T>(next(), a...));
  }
  template <class T, class... A>
  auto log_gamma(A const&... a) {
    return eval(random::log_gamma<T>(next(), a...));
  }
  template <class T, class... A>
  auto chi_square(A const&... a) {
    return eval(random::chi_square<T>(next(), a...));
  }
  template <class T, class... A>
  auto beta(A const&... a) {
    return eval(random::beta<T>(next(), a...));
  }
  template <class T, class... A>
  auto student_t(A const&... a) {
    return eval(random::student_t<T>(next(), a...));
  }
  template <class T, class... A>
  auto dirichlet(A const&... a) {
    return eval(random::dirichlet<T>(next(), a...));
  }
  template <class T, class... A>
  auto randint(A const&... a) {
    return eval(random::randint<T>(next(), a...));
  }
  template <class T, class... A>
  auto multivariate_normal(A const&... a) {
    return eval(random::multivariate_normal<T>(next(), a...));
  }
  template <class T, class... A>
  auto ball(A const&... a) {
    return eval(random::ball<T>(next(), a...));
  }
  template <class T, class... A>
  auto orthogonal(A const&... a) {
    return eval(random::orthogonal<T>(next(), a...));
  }
  template <class T, class... A>
  auto bits(A const&... a) {
    return eval(random::bits<T>(next(), a...));
  }
  template <class T = std::int64_t, class... A>
  auto poisson(A const&... a) {
    return eval(random::poisson<T>(next(), a...));
  }
  template <class T = std::int64_t, class... A>
  auto binomial(A const&... a) {
    return eval(random::binomial<T>(next(), a...));
  }
  template <class T = std::int64_t, class... A>
  auto geometric(A const&... a) {
    return eval(random::geometric<T>(next(), a...));
  }
  template <class T = std::int64_t, class... A>
  auto multinomial(A const&... a) {
    return eval(random::multinomial<T>(next(), a...));
  }
  template <class... A>
  auto bernoulli(A const&... a) {
    return eval(random::bernoulli(next(), a...));
  }
  template <class... A>
  auto permutation(A const&... a) {
    return eval(random::permutation(next(), a...));
  }
  template <class... A>
  auto choice(A const&... a) {
    return eval(random::choice(next(), a...));
  }
  template <class... A>
  auto categorical(A const&... a) {
    return eval(random::categorical(next(), a...));
  }

 private:
  key from_;
  std::uint64_t calls_ = 0;
};

}  // namespace ricci::random
