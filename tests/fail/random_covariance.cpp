// random::multivariate_normal takes the factor of a covariance: rc::random::cholesky_factor\(l\)
#include <ricci/random.hpp>
namespace rc = ricci;
int main() {
  rc::tensor<double, 2> mean{1, 2};
  rc::tensor<double, 2, 2> l{{1, 0}, {1, 1}};
  rc::random::key key(1);
#ifdef FIXED
  auto x = rc::random::multivariate_normal<double>(key, mean, rc::random::cholesky_factor(l), rc::shape(3));
#else
  rc::random::multivariate_normal<double>(key, mean, l, rc::shape(3));
#endif
}
